/** `plan` without leads at a terminal: what it asks, and the command that does the same. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { blocksOf } from '../support/document.js'
import { Svc } from '../support/programs/svc.js'
import { SvcAt } from '../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../support/programs/terminal.js'

const enter = '\r'
const clear = '\u0015'
/** A Monday. */
const now = '2026-11-23T14:00:00Z'

const marked = [
  'name,phone,Lead Status',
  'Ann,+12122013000,New',
  'Bo,+12122013001,DO NOT CALL',
  'Cy,+12122013002,Opted out',
  '',
].join('\n')

async function startWithFile() {
  const at = await SvcAt.start({ now, paused: true }, 'test')
  const rows = Array.from({ length: 20 }, (_, nth) => `Lead ${nth},+12122013${100 + nth}`)
  writeFileSync(join(at.svc.folder, 'leads.csv'), `name,phone\n${rows.join('\n')}\n`)
  writeFileSync(join(at.svc.folder, 'other.csv'), 'name,city\nAnn,Rome\n')
  const open = (words: readonly string[] = []) =>
    new TerminalSvc(at.svc, ['plan', '--seeds', '1', ...words], {
      env: { ...at.env, CI: '', NO_COLOR: '1' },
      columns: 200,
    })
  return { at, open }
}

describe.runIf(hasTerminals)('plan without leads, at a terminal', () => {
  it('asks for a file, campaign, deadline and lines, asks again after a bad answer, and prints the command', async () => {
    const { at, open } = await startWithFile()
    const terminal = open()
    await terminal.shows(/Leads: a file \(Tab completes\), or how many:/)
    terminal.type(`nosuch.csv${enter}`)
    await terminal.shows(/There is no file nosuch\.csv\./)
    terminal.type(`${clear}other.csv${enter}`)
    await terminal.shows(/No column of other\.csv is called phone\./)
    terminal.type(`${clear}leads.csv${enter}`)
    await terminal.shows(/Campaign[^]*❯ Web leads \(running\)[^]*None: the settings of a new campaign/)
    terminal.type(enter)
    await terminal.shows(/By when, or none \(2026-11-27 17:00\):/)
    terminal.type(`soon${enter}`)
    await terminal.shows(/That is not a date with a time\. It reads like 2026-11-27 17:00, friday or friday 5pm\./)
    terminal.type(`${clear}2025-01-01 09:00${enter}`)
    await terminal.shows(/That is over: the clock shows 2026-11-23 14:00 UTC\./)
    terminal.type(`${clear}2026-12-04 17:00${enter}`)
    await terminal.shows(/Lines, such as 5,10,20, or find \(find\):/)
    terminal.type(`some${enter}`)
    await terminal.shows(/Type up to 20 numbers with commas between, such as 5,10,20\./)
    terminal.type(`${clear}1,2${enter}`)
    const { screen, code } = await terminal.end()
    expect(code).toBe(0)
    const [, again = ''] = /without questions:\s+svc (.*)\n/.exec(screen) ?? []
    expect(again).toBe("plan --seeds 1 leads.csv --campaign 'Web leads' --by '2026-12-04 17:00' --lines 1,2")
    const repeated = await at.svc.shell(`svc ${again} --json`, { env: at.env })
    expect(JSON.parse(repeated.stdout)).toMatchObject({ leads: { total: 20 }, deadline: '2026-12-04T22:00:00.000Z' })
  })

  it('takes a number of leads, no deadline and no campaign, and asks for no flag that was given', async () => {
    const { open } = await startWithFile()
    const terminal = open(['--lines', '2'])
    await terminal.shows(/or how many:/)
    terminal.type(`0${enter}`)
    await terminal.shows(/A plan takes 1 to 1,000,000 leads\./)
    terminal.type(`${clear}1,000${enter}`)
    await terminal.shows(/Campaign[^]*None: /)
    terminal.type('none')
    await terminal.shows(/Campaign[^]*❯ None: /)
    terminal.type(enter)
    await terminal.shows(/By when/)
    terminal.type(`none${enter}`)
    const { screen, code } = await terminal.end()
    expect(code).toBe(0)
    expect(screen).not.toContain('such as 5,10,20')
    expect(screen).toMatch(/without questions:\s+svc plan --seeds 1 --lines 2 --leads 1000\n/)
  })

  it('takes a weekday as the deadline, and says which day that is', async () => {
    const { open } = await startWithFile()
    const terminal = open(['leads.csv', '--lines', '2', '--by', 'friday'])
    const { screen, code } = await terminal.end()
    expect(code).toBe(0)
    expect(screen).toMatch(/^2 lines make it by the end of Fri 2026-11-27 EST: /m)
    expect(screen).toContain('--by friday is the end of Fri 2026-11-27 EST.')
    const asked = open(['--lines', '2'])
    await asked.shows(/or how many:/)
    asked.type(`20${enter}`)
    await asked.shows(/Campaign/)
    asked.type(enter)
    await asked.shows(/By when/)
    asked.type(`friday 5pm${enter}`)
    const { screen: answer } = await asked.end()
    expect(answer).toContain('--by friday 5pm is Fri 2026-11-27 17:00 EST.')
    expect(answer).toMatch(
      /without questions:\s+svc plan --seeds 1 --lines 2 --leads 20 --campaign 'Web leads' --by 'friday 5pm'\n/,
    )
  })

  it('asks whether to leave out people marked as not to be called, as an import does', async () => {
    const { at, open } = await startWithFile()
    writeFileSync(join(at.svc.folder, 'marked.csv'), marked)
    const terminal = open(['marked.csv', '--lines', '1'])
    await terminal.shows(/line 3: Bo, \+12122013001[^]*Leave out the 2 marked rows\? \(Y\/n\)/)
    terminal.type(enter)
    const { screen, code } = await terminal.end()
    expect(code).toBe(0)
    expect(screen).toContain('2 marked rows left out.')
    expect(screen).toMatch(/without questions:\s+svc plan --seeds 1 marked.csv --lines 1 --skip-marked\n/)
  })

  it('shows what docs/planning.md says', async () => {
    const { open } = await startWithFile()
    const [block] = blocksOf('docs/planning.md').filter(({ text }) => text.startsWith('$ svc plan\n'))
    const [asked = '', again = ''] = block?.text.split('...\n') ?? []
    const terminal = open()
    for (const line of asked.split('\n').filter((one) => one.startsWith('✔ '))) {
      // The label ends with a colon; what follows it is the answer, if it is not the Enter key.
      const [, label = '', answer = ''] = /^✔ (.*:)(?: (.*))?$/.exec(line) ?? []
      await terminal.shows(new RegExp(`${label.replaceAll(/[()]/g, String.raw`\$&`)}`))
      terminal.type(`${label.startsWith('Campaign') ? '' : answer}${enter}`)
    }
    const { screen, code } = await terminal.end()
    expect(code).toBe(0)
    const shown = stripVTControlCharacters(screen)
    for (const line of asked.split('\n').filter((one) => one.startsWith('✔ ')))
      expect(shown).toContain(line.slice('✔ '.length))
    // A wide terminal shows both on one line.
    expect(shown).toContain(again.trim().replaceAll(/\s+/g, ' ').replace('svc plan', 'svc plan --seeds 1'))
  })

  it('asks for no campaign without a key', async () => {
    const terminal = new TerminalSvc(new Svc(), ['plan', '--seeds', '1', '--by', '2031-01-10 17:00'], {
      env: { CI: '', NO_COLOR: '1' },
      columns: 200,
    })
    await terminal.shows(/or how many:/)
    terminal.type(`20${enter}`)
    await terminal.shows(/Lines, such as/)
    terminal.type(`1${enter}`)
    const { screen } = await terminal.end()
    expect(screen).not.toContain('Campaign (')
    expect(screen).toContain('--leads 20 --lines 1\n')
  })
})

describe('plan of a file with people marked as not to be called, in a script', () => {
  it('counts them with a note; --skip-marked leaves them out', async () => {
    const { at } = await startWithFile()
    writeFileSync(join(at.svc.folder, 'marked.csv'), marked)
    const words = ['plan', 'marked.csv', '--lines', '1', '--seeds', '1', '--json']
    const notes = (note: string) => ({ notes: expect.arrayContaining([expect.stringContaining(note)]) as string[] })
    expect(JSON.parse(await at.text(...words))).toMatchObject({
      leads: { total: 3 },
      assumptions: notes('Warning: 2 rows are marked in the column Lead Status (lines 3, 4). The plan counts them'),
    })
    expect(JSON.parse(await at.text(...words, '--skip-marked'))).toMatchObject({
      leads: { total: 1 },
      assumptions: notes('2 marked rows left out.'),
    })
  })
})

describe('plan without leads, in a script', () => {
  it('says what is missing', async () => {
    expect(await new Svc().run(['plan'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No leads to plan.') as string,
    })
  })
})
