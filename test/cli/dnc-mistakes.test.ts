/** Numbers blocked by mistake: who is asked about before, and the way back for the leads. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { LoggedRequest } from '../../src/contract/control/records.js'
import type { DncEntry } from '../../src/contract/dnc.js'
import { SvcAt } from '../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../support/programs/terminal.js'

const phone = '+12125557812'

/** The lead Maria Gonzalez, whose campaign is paused. */
async function start(mode: 'live' | 'test' = 'test') {
  const at = await SvcAt.start({ paused: true }, mode)
  await at.simulation.changeCampaign({ status: 'paused' })
  const { id } = await at.simulation.lead({ name: 'Maria Gonzalez', phone }, at.client)
  const open = (...words: string[]) =>
    new TerminalSvc(at.svc, words, { env: { ...at.env, CI: '', NO_COLOR: '1' }, columns: 160 })
  const run = async (...words: string[]) => {
    const { code, screen } = await open(...words).end()
    return { code, screen: stripVTControlCharacters(screen) }
  }
  const listed = async () => (await at.client.get<DncEntry[]>('/dnc')).data.map((entry) => entry.phone)
  const statusOf = async () => (await at.simulation.readLead(id, at.client)).status
  return { at, id, open, run, listed, statusOf }
}

describe.runIf(hasTerminals)('dnc add at a terminal', () => {
  it('asks before it blocks a lead, and names the command that takes the number off again', async () => {
    const { open, listed } = await start()
    const declined = open('dnc', 'add', '(212) 555-7812')
    await declined.shows(
      /This is the number of Maria Gonzalez, a lead of "Web leads" \(not called yet\)\. Block \+12125557812 in test calls\? Live calls have another list\. \(y\/N\)/,
    )
    declined.type('\r')
    expect(await declined.end()).toMatchObject({ code: 2 })
    expect(await listed()).toEqual([])
    const agreed = open('dnc', 'add', '2125557812')
    await agreed.shows(/\(y\/N\)/)
    agreed.type('y\r')
    const { screen, code } = await agreed.end()
    expect(code).toBe(0)
    expect(screen).toContain('1 lead left the queue: Maria Gonzalez.\n')
    expect(screen).toContain('To take it off again:\n  svc dnc remove +12125557812\n')
    expect(await listed()).toEqual([phone])
  })

  it('does not ask about a number that no lead has, unless the key is live', async () => {
    const { run, listed } = await start()
    expect(await run('dnc', 'add', '+12125557899')).toMatchObject({ code: 0 })
    expect(await listed()).toEqual(['+12125557899'])
    const live = await start('live')
    const terminal = live.open('dnc', 'add', '+12125557899')
    await terminal.shows(/LIVE No lead has this number\. Block \+12125557899, so that no campaign calls it\? \(y\/N\)/)
    terminal.type('n\r')
    expect(await terminal.end()).toMatchObject({ code: 2 })
    expect(await live.run('dnc', 'add', '+12125557899', '--yes')).toMatchObject({ code: 0 })
    expect(await live.listed()).toEqual(['+12125557899'])
  })

  it('names a listed number as it was typed, and does not ask about it', async () => {
    const { at, run } = await start()
    await at.text('dnc', 'add', phone)
    const { code, screen } = await run('dnc', 'add', '(212) 555-7812')
    expect({ code, screen }).toEqual({
      code: 5,
      screen: expect.stringMatching(/^Error: \(212\) 555-7812 is on the Do Not Call list already\./m) as string,
    })
    expect(screen).not.toContain('(y/N)')
  })

  it('says how long ago the lead was called', async () => {
    const { at, open } = await start()
    await at.simulation.changeCampaign({ status: 'running', any_hour: true })
    await at.simulation.advance('3h')
    const terminal = open('dnc', 'add', phone)
    await terminal.shows(/\(called (\d+ (hours?|minutes?) ago|just now)\)/)
    terminal.type('n\r')
    expect(await terminal.end()).toMatchObject({ code: 2 })
  })

  it.each([
    ['dnc add', ['dnc', 'add', '3311'], 5],
    ['dnc remove', ['dnc', 'remove', '3311'], 2],
  ])('%s: text that is no number is refused before a question', async (_command, words, expected) => {
    const { run } = await start('live')
    const { code, screen } = await run(...words)
    expect({ code, screen }).toMatchObject({ code: expected })
    expect(screen).not.toContain('(y/N)')
  })
})

describe.runIf(hasTerminals)('dnc remove at a terminal', () => {
  it('says who asked not to be called, how and when, before it asks', async () => {
    const { at, open, listed } = await start()
    await at.simulation.control('POST', '/_sim/texts', { from: phone, body: 'STOP', mode: 'test' })
    await at.simulation.advance('7m')
    const [entry] = (await at.client.get<DncEntry[]>('/dnc')).data
    for (const given of ['2125557812', entry!.id]) {
      const terminal = open('dnc', 'remove', given)
      await terminal.shows(
        /Maria Gonzalez asked not to be called, by text message, 7 minutes ago\. Take \+12125557812 off the test Do Not Call list/,
      )
      terminal.type('n\r')
      expect(await terminal.end()).toMatchObject({ code: 2 })
    }
    expect(await listed()).toEqual([phone])
  })

  it('names the number if no lead has it', async () => {
    const { at, open } = await start()
    await at.text('dnc', 'add', '+12125557899')
    const terminal = open('dnc', 'remove', '+12125557899')
    await terminal.shows(/\+12125557899 was put on the list through the API (just now|\d+ \w+ ago)\. Take/)
    terminal.type('n\r')
    expect(await terminal.end()).toMatchObject({ code: 2 })
  })
})

describe('dnc add in a script', () => {
  it('looks up no lead and does not ask, also with a live key', async () => {
    const { at, listed } = await start('live')
    expect(await at.run(['dnc', 'add', phone, '--json'])).toMatchObject({ code: 0, stderr: '' })
    expect(await listed()).toEqual([phone])
    const log = await at.simulation.control<LoggedRequest[]>('GET', '/_sim/requests?path=/leads')
    expect(log.map(({ method }) => method)).toEqual(['POST'])
  })
})

describe('dnc import in a script', () => {
  it('names the known leads that the file would block in a dry run', async () => {
    const { at } = await start()
    for (const [nth, name] of ['Ann', 'Bo', 'Cy'].entries())
      await at.simulation.lead({ name, phone: `+1212555780${nth}` }, at.client)
    const numbers = [0, 1, 2].map((nth) => `+1212555780${nth}`)
    writeFileSync(join(at.svc.folder, 'stop.txt'), [phone, ...numbers, '+12125557899'].join('\n'))
    const many = await at.run(['dnc', 'import', 'stop.txt', '--dry-run'])
    expect(many).toMatchObject({ code: 0 })
    expect(many.stderr).toContain(
      'Warning: 4 of these 5 numbers belong to leads, whom no campaign calls then: Maria Gonzalez, Ann, Bo and 1 more.\n',
    )
    writeFileSync(join(at.svc.folder, 'one.txt'), `${phone}\n`)
    expect((await at.run(['dnc', 'import', 'one.txt', '--dry-run'])).stderr).toContain(
      'Warning: this number belongs to a lead, whom no campaign calls then: Maria Gonzalez.\n',
    )
    writeFileSync(join(at.svc.folder, 'none.txt'), '+12125557898\n')
    const none = await at.run(['dnc', 'import', 'none.txt', '--dry-run', '--json'])
    expect(none).toMatchObject({ code: 0, stderr: '' })
  })

  it.each([['--yes'], ['--no-input']])('sends the numbers and reads no lead: %s', async (flag) => {
    const { at, listed } = await start()
    writeFileSync(join(at.svc.folder, 'stop.txt'), `${phone}\n`)
    expect(await at.run(['dnc', 'import', 'stop.txt', flag])).toMatchObject({ code: 0 })
    expect(await listed()).toEqual([phone])
    const log = await at.simulation.control<LoggedRequest[]>('GET', '/_sim/requests?path=/leads')
    expect(log.map(({ method }) => method)).toEqual(['POST'])
  })

  it('compares the numbers in a dry run although the leads cannot be read', async () => {
    const { at } = await start()
    await at.simulation.control('POST', '/_sim/faults', { method: 'GET', path: '/leads', code: 'not_found' })
    writeFileSync(join(at.svc.folder, 'stop.txt'), `${phone}\n`)
    expect(await at.run(['dnc', 'import', 'stop.txt', '--dry-run'])).toMatchObject({ code: 0 })
  })
})

describe.runIf(hasTerminals)('the way back', () => {
  it('dnc remove names the lead that stays out and the command that calls it again, which works', async () => {
    const { at, id, run, statusOf } = await start()
    await at.text('dnc', 'add', phone)
    expect(await statusOf()).toBe('out_of_queue')
    const { code, screen } = await run('dnc', 'remove', phone, '--yes')
    expect(code).toBe(0)
    const command = `svc calls start --lead ${id}`
    expect(screen).toContain(
      `1 lead stays out of the queue. To call it again:\nMaria Gonzalez, ${phone} (campaign Web leads):\n  ${command}\n`,
    )
    expect(await statusOf()).toBe('out_of_queue')
    expect(await at.svc.shell(command, { env: at.env })).toMatchObject({ code: 0 })
    expect(await statusOf()).toBe('held')
  })

  it('leads add of such a lead names the command too, and only then', async () => {
    const { at, id, run } = await start()
    const words = ['leads', 'add', '--campaign', 'Web leads', '--phone', phone, '--name', 'Maria']
    expect((await run(...words)).screen).toContain(`svc leads get ${id}`)
    await at.text('dnc', 'add', phone)
    await at.text('dnc', 'remove', phone, '--yes')
    const { code, screen } = await run(...words)
    expect(code).toBe(5)
    expect(screen).toContain('Maria Gonzalez is out of the queue. To call the lead again:')
    expect(screen).toContain(`svc calls start --lead ${id}`)
  })

  it('the undo of an import counts the leads that stay out', async () => {
    const { at, run } = await start()
    const phones = Array.from({ length: 7 }, (_, nth) => `+1212555790${nth}`)
    for (const other of phones) await at.simulation.lead({ phone: other }, at.client)
    writeFileSync(join(at.svc.folder, 'stop.txt'), phones.join('\n'))
    const { undo } = JSON.parse((await at.run(['dnc', 'import', 'stop.txt', '--json'])).stdout) as { undo: string }
    const { code, screen } = await run(...undo.split(' ').slice(1), '--yes')
    expect({ code, screen }).toMatchObject({ code: 0 })
    expect(screen).toContain('7 leads stay out of the queue. To call one again:')
    expect(screen.match(/svc calls start --lead /g)).toHaveLength(5)
    expect(screen).toContain('and 2 more: svc leads list --status out_of_queue shows leads.')
  })
})

describe.runIf(hasTerminals)('dnc import at a terminal', () => {
  it('names with --yes the lead that it blocks', async () => {
    const { at, open, listed } = await start()
    const file = join(at.svc.folder, 'never.txt')
    writeFileSync(file, `${phone}\n`)
    const { code, screen } = await open('dnc', 'import', file, '--yes').end()
    expect(code).toBe(0)
    expect(screen).toContain('Warning: this number belongs to a lead, whom no campaign calls then: Maria Gonzalez.')
    expect(await listed()).toEqual([phone])
  })

  it('names the leads that left their queue, and none that was done', async () => {
    const { at, id, open, statusOf } = await start()
    for (const [nth, name] of ['Ann Ray', 'Bo Lee', 'Cy Day'].entries())
      await at.simulation.lead({ name, phone: `+1212555782${nth}` }, at.client)
    await at.text('dnc', 'add', '+12125557821')
    writeFileSync(join(at.svc.folder, 'never.csv'), `phone\n${phone}\n+12125557820\n+12125557821\n+12125557899\n`)
    const asked = open('dnc', 'import', 'never.csv')
    await asked.shows(/\(y\/N\)/)
    asked.type('y\r')
    const { screen } = await asked.end()
    expect(screen).toContain('2 leads left the queue: Ann Ray, Maria Gonzalez.')
    expect({ id, status: await statusOf() }).toEqual({ id, status: 'out_of_queue' })
  })

  it('compares with more leads than the latest 1,000', async () => {
    const { at, open } = await start()
    const leads = Array.from({ length: 2_100 }, (_, nth) => ({
      phone: `+1646${201 + Math.floor(nth / 9000)}${1000 + nth}`,
    }))
    const { campaignId: campaign_id } = at.simulation
    await at.simulation.control('POST', '/_sim/leads', { campaign_id, mode: 'test', leads })
    writeFileSync(join(at.svc.folder, 'never.txt'), `${phone}\n`)
    const asked = open('dnc', 'import', 'never.txt')
    await asked.shows(
      /Warning: this number belongs to a lead, whom no campaign calls then: Maria Gonzalez\.[^]*\(y\/N\)/,
    )
    asked.type('n\r')
    expect(await asked.end()).toMatchObject({ code: 2 })
  })

  it('adds the numbers although the leads cannot be read', async () => {
    const { at, open, listed } = await start()
    await at.simulation.control('POST', '/_sim/faults', { method: 'GET', path: '/leads', code: 'not_found' })
    const file = join(at.svc.folder, 'never.txt')
    writeFileSync(file, `${phone}\n`)
    expect(await open('dnc', 'import', file, '--yes').end()).toMatchObject({ code: 0 })
    expect(await listed()).toEqual([phone])
  })

  it('says before its question which leads it blocks', async () => {
    const { at, open, listed } = await start()
    for (const [nth, name] of ['Ann Ray', 'Bo Lee', 'Cy Day'].entries())
      await at.simulation.lead({ name, phone: `+1212555782${nth}` }, at.client)
    const file = join(at.svc.folder, 'never.csv')
    const last = ['12', '20', '21', '22', '99']
    writeFileSync(file, `phone\n${last.map((digits) => `(212) 555-78${digits}\n`).join('')}`)
    const asked = open('dnc', 'import', file)
    await asked.shows(
      /Warning: 4 of these 5 numbers belong to leads, whom no campaign calls then: Maria Gonzalez, Ann Ray, Bo Lee and 1 more\.\s+[^]*Put 5 numbers on the test Do Not Call list [^]*\(y\/N\)/,
    )
    asked.type('\r')
    expect(await asked.end()).toMatchObject({ code: 2 })
    expect(await listed()).toEqual([])
    writeFileSync(file, 'phone\n(212) 555-7899\n')
    const stranger = open('dnc', 'import', file)
    await stranger.shows(/\(y\/N\)/)
    stranger.type('\r')
    expect((await stranger.end()).screen).not.toContain('lead')
  })
})

describe.runIf(hasTerminals)('a part of a number at a terminal', () => {
  const listed = async () => {
    const started = await start()
    for (const number of ['+12125557812', '+16465557812', '+16465551199']) await started.at.text('dnc', 'add', number)
    return started
  }

  it('dnc remove offers the listed numbers that contain it, and asks before it removes one', async () => {
    const { open, listed: left } = await listed()
    const terminal = open('dnc', 'remove', '7812')
    await terminal.shows(/2 numbers on the list contain 7812:[^]*\+16465557812 \(api, [^]*\+12125557812 \(api/)
    terminal.type('+12125557812\r')
    await terminal.shows(/Take \+12125557812 off the test Do Not Call list[^]*\(y\/N\)/)
    terminal.type('y\r')
    expect(await terminal.end()).toMatchObject({ code: 0 })
    expect(await left()).toEqual(['+16465551199', '+16465557812'])
    const one = open('dnc', 'remove')
    await one.shows(/Phone number, or a part of it:[^]*\+16465551199 \(api, [^]*\+16465557812 \(api/)
    one.type('555-11')
    await one.shows(/Look up "555-11"/)
    one.type('\r')
    await one.shows(/1 number on the list contains 55511:/)
    one.type('\u0003')
    expect(await one.end()).toMatchObject({ code: 130 })
    expect(await left()).toEqual(['+16465551199', '+16465557812'])
  })

  it('dnc check offers them too, or none of them', async () => {
    const { open, run } = await listed()
    const terminal = open('dnc', 'check', '5557812')
    await terminal.shows(/2 numbers on the list contain 5557812:/)
    terminal.type('+16465557812\r')
    const { screen, code } = await terminal.end()
    expect(code).toBe(0)
    expect(screen).toContain('+16465557812 is on the test Do Not Call list: it affects test calls only.')
    const none = open('dnc', 'check', '7812')
    await none.shows(/none of these/)
    none.type('none of these\r')
    expect((await none.end()).screen).toContain('The number could not be read')
    expect((await run('dnc', 'check', '999')).screen).toContain('No number on the list contains 999.')
  })
})

it.runIf(hasTerminals)('dnc check does not say that an unreadable number is not listed', async () => {
  const { run, at } = await start()
  expect((await run('dnc', 'check', 'dee kim')).screen).toMatch(/^On the DNC list +unknown$/m)
  expect(JSON.parse(await at.text('dnc', 'check', 'dee kim', '--json'))).toMatchObject({ data: { onDncList: false } })
})

describe('a part of a number in a script', () => {
  it.each([
    [['dnc', 'remove', '555-78', '--yes'], 2],
    [['dnc', 'check', '555-78'], 0],
  ])('%j names the command that finds it', async (words, code) => {
    const { at } = await start()
    const ran = await at.run(words)
    expect(ran).toMatchObject({ code, stderr: expect.stringContaining('svc dnc list --search 55578 shows') as string })
  })
})
