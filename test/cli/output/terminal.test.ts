/** What a person sees who sits at a terminal: tables, colors, questions. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { simulate } from '../../support/simulate.js'
import { json, stubServer } from '../../support/servers/stub-server.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { Svc } from '../../support/programs/svc.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const svc = new Svc()
const enter = '\r'
const down = '\u001b[B'
const ctrlC = '\u0003'

const lead = {
  id: '3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11',
  name: 'Ada \u001b[31mLovelace\u0007 \u202eof the very long and noble name that no table can hold in whole',
  phone: '+12125557812',
  status: 'queued',
  last_outcome: null,
  attempts: 0,
  created: '2020-10-01T15:00:00.000Z',
}

async function listOfOne(): Promise<Record<string, string>> {
  const { baseUrl } = await stubServer((_asked, response) =>
    json(response, 200, { data: [lead], meta: { next_cursor: null, has_more: false } }),
  )
  return { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' }
}

const colors = new RegExp(String.raw`\u001b\[[\d;]*m`)
/** All that a terminal would obey but tabs and line ends. */
const orders = new RegExp(String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]`)

describe.runIf(hasTerminals)('at a terminal', () => {
  it.each([
    [40, 'Phone Name Status', 'Last outcome, Created, ID'],
    [60, 'Phone Name Status Last outcome', 'Created, ID'],
    [80, 'Phone Name Status Last outcome Created ID', undefined],
    [120, 'Phone Name Status Last outcome', 'Created, ID'],
    [200, 'Phone Name Status Last outcome Created ID', undefined],
  ])('leads list: %i columns show %s', async (columns, headers, hidden) => {
    const { screen, code } = await new TerminalSvc(svc, ['leads', 'list'], { env: await listOfOne(), columns }).end()
    expect(code).toBe(0)
    expect(screen).toMatch(colors)
    const [head = '', row = '', ...notes] = stripVTControlCharacters(screen).trimEnd().split('\n')
    expect(head.trim().split(/ {2,}/).join(' ')).toBe(headers)
    expect(row).toMatch(columns < 90 ? /^\+12125557812 {2}Ada Love.*… {2}queued/ : /^\+12125557812( {2}Ada Lovelace|$)/)
    expect(row.includes(lead.id)).toBe(columns === 200)
    const [note = ''] = notes.join(' ').split(' Times: ')
    expect(/^Not shown: (.*)$/.exec(note)?.[1]).toBe(hidden)
    for (const line of [head, row, ...notes]) expect([...line].length).toBeLessThanOrEqual(columns)
  })

  describe('on a narrow screen', () => {
    const at = async (words: readonly string[], columns: number) => {
      const place = await SvcAt.start()
      await place.simulation.lead({ name: 'Ada Lovelace' })
      await place.simulation.advance('1h')
      const env = { ...place.env, NO_COLOR: '1', TZ: 'UTC' }
      const { screen, code } = await new TerminalSvc(place.svc, words, { env, columns }).end()
      expect(code).toBe(0)
      return screen
    }

    it.each([
      [40, /^Phone +Name +Outcome\n\+1646\d+ +Ada L\S* ?\S* +[a-z ]+\nNot shown: Status, Seconds/],
      [80, /^Phone +Name +Status +Outcome +Seconds +(?:Handled by +)?Started\n(?:.*\n)+Not shown: .*ID\n$/],
    ])('calls list keeps the outcome: %i columns', async (columns, shown) =>
      expect(await at(['calls', 'list'], columns)).toMatch(shown),
    )

    it.each([
      [40, /^Type +Who +Created\n\w+\.\w+ +Ada \S*… +(?:\d+ minutes? ago|now)\n/],
      [80, /^Type +Who +Created +ID\n\w+\.\w+ +Ada Lovelace +(?:\d+ minutes? ago|now) +evt_\w+…\n/],
    ])('events list says who each event is about: %i columns', async (columns, shown) =>
      expect(await at(['events', 'list'], columns)).toMatch(shown),
    )
  })

  it('says values of the API in words, and leaves them as they are in a pipe', async () => {
    const at = await SvcAt.start({ now: '2026-10-01T15:00:00Z' })
    // It is 5 in the morning in Hawaii.
    const phone = '+18085557812'
    await at.simulation.lead({ phone })
    const env = { ...at.env, NO_COLOR: '1' }
    const words = ['leads', 'get', phone]
    const { screen } = await new TerminalSvc(at.svc, words, { env }).end()
    expect(screen).toMatch(/^Scheduled reason +outside calling hours$/m)
    expect((await at.run(words)).stdout).toContain('\toutside_calling_hours\t')
    const list = ['leads', 'list', '--columns', 'phone,scheduled_reason']
    expect((await new TerminalSvc(at.svc, list, { env }).end()).screen).toContain(`${phone}  outside calling hours`)
    expect((await at.run(list)).stdout).toContain(`${phone}\toutside_calling_hours`)
  })

  it('the table of a sample that was sent has no empty columns', async () => {
    const { baseUrl } = await stubServer((_asked, response) => response.writeHead(204).end())
    const secret = 'whsec_0123456789abcdef0123456789abcdef'
    const words = ['webhooks', 'trigger', 'call.completed', '--forward-to', baseUrl, '--secret', secret]
    const { screen, code } = await new TerminalSvc(svc, words, { env: { NO_COLOR: '1' } }).end()
    expect({ screen, code }).toEqual({
      screen: expect.stringMatching(/^Type +Status +Took \(ms\) +Event ID\n.*\naccepted: 204\n$/) as string,
      code: 0,
    })
  })

  it('--utc shows ISO times', async () => {
    const env = { ...(await listOfOne()), NO_COLOR: '1' }
    const { screen } = await new TerminalSvc(svc, ['leads', 'list', '--utc'], { env, columns: 200 }).end()
    expect(screen).toContain(` ${lead.created} `)
    const local = await new TerminalSvc(svc, ['leads', 'list'], {
      env: { ...env, TZ: 'America/New_York' },
      columns: 200,
    }).end()
    expect(local.screen).toContain(' 2020-10-01 11:00 ')
    expect(local.screen).toMatch(/\nTimes: America\/New_York\n$/)
  })

  it.each([
    [['leads', 'list'], /queued.* 3 hours ago /m],
    [['events', 'list', '--type', 'lead.created'], /lead\.created.* 3 hours ago /m],
    [['simulate', 'clock'], /2031-10-01 18:00:00 UTC \(now\)/],
  ])('distances in time are by the clock of the simulator: svc %j', async (words, shown) => {
    const at = await SvcAt.start({ now: '2031-10-01T15:00:00Z' })
    await at.simulation.changeCampaign({ lines: 0 })
    await at.simulation.lead()
    await at.simulation.advance('3h')
    const env = { ...at.env, NO_COLOR: '1', TZ: 'UTC' }
    const { screen, code } = await new TerminalSvc(at.svc, words, { env, columns: 140 }).end()
    expect({ screen, code }).toEqual({ screen: expect.stringMatching(shown) as string, code: 0 })
  })

  it('simulate snapshot list shows the simulated time as a date, and when each was saved', async () => {
    const at = await SvcAt.start({ now: '2031-10-01T15:00:00Z' })
    await at.simulation.control('POST', '/_sim/snapshots', { name: 'before' })
    await at.simulation.advance('3h')
    const env = { ...at.env, NO_COLOR: '1', TZ: 'UTC' }
    const { screen } = await new TerminalSvc(at.svc, ['simulate', 'snapshot', 'list'], { env }).end()
    const [head, row, note] = screen.split('\n')
    expect(head).toMatch(/^Name {4}Clock {13}Saved$/)
    const savedOn = new Date().toISOString().slice(0, 8)
    expect(row).toMatch(new RegExp(`^before {2}2031-10-01 15:00 {2}${savedOn}\\d\\d \\d\\d:\\d\\d$`))
    expect(note).toBe('Times: UTC')
  })

  it.each([
    ['NO_COLOR', [], { NO_COLOR: '1' }],
    ['--no-color', ['--no-color'], {}],
    ['TERM=dumb', [], { TERM: 'dumb' }],
  ])('%s takes the colors away', async (_what, flags: string[], env: Record<string, string>) => {
    const { screen } = await new TerminalSvc(svc, ['leads', 'list', ...flags], {
      env: { ...(await listOfOne()), ...env },
    }).end()
    expect(screen).toContain('queued')
    expect(screen).not.toContain('\u001b')
  })

  it('outside text cannot drive the terminal, whatever the format', async () => {
    const env = { ...(await listOfOne()), NO_COLOR: '1' }
    for (const format of ['table', 'tsv', 'csv', 'ndjson', 'json']) {
      const { screen } = await new TerminalSvc(svc, ['leads', 'list', '-o', format], { env }).end()
      expect(screen).toContain('Lovelace')
      expect(screen.replaceAll(/\\u001b|\\u0007|\\u202e/g, '')).not.toMatch(orders)
    }
  })

  it('a pipe in the middle is no terminal: whole fields, control characters escaped', async () => {
    const env = await listOfOne()
    const { stdout } = await svc.run(['leads', 'list', '--columns', 'id,name,created', '--no-header'], { env })
    const name = lead.name.replace('\u001b', '\\x1b').replace('\u0007', '\\x07').replace('\u202e', '\\u202e')
    expect(stdout).toBe(`${[lead.id, name, lead.created].join('\t')}\n`)
  })

  it('a missing value is asked for, and the words that need no questions are shown', async () => {
    const { baseUrl, live } = await simulate()
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: live.key.secret, NO_COLOR: '1' }
    const terminal = new TerminalSvc(svc, ['dnc', 'check'], { env })
    await terminal.shows(/Phone:/)
    terminal.type(`(212) 555-7812${enter}`)
    const { code, screen } = await terminal.end()
    expect(code).toBe(0)
    expect(screen).toContain(`The same again without questions: svc dnc check '(212) 555-7812'\n`)
    expect(screen).toMatch(/Number as called +\+12125557812/)
  })

  it('a campaign is picked from those that take leads', async () => {
    const simulation = await simulate()
    await simulation.campaign({ name: 'Autumn' })
    const env = { SVC_BASE_URL: simulation.baseUrl, SVC_SECRET: simulation.test.key.secret, NO_COLOR: '1' }
    const words = ['leads', 'add', '--phone', '+15550100001', '--name', 'Ada Lee']
    const terminal = new TerminalSvc(svc, words, { env, columns: 200 })
    await terminal.shows(/Autumn \(running\)/)
    terminal.type(enter)
    const { code, screen } = await terminal.end()
    expect(code).toBe(0)
    expect(screen).toMatch(
      /again without questions: svc leads add --phone \+15550100001 --name 'Ada Lee' --campaign Autumn\n/,
    )
    expect(screen).toMatch(/Status +dialing/)
  })

  it('types of event are picked from a list, several for an endpoint', async () => {
    const simulation = await simulate()
    const env = { SVC_BASE_URL: simulation.baseUrl, SVC_SECRET: simulation.live.key.secret, NO_COLOR: '1' }
    const terminal = new TerminalSvc(svc, ['webhooks', 'create', '--url', 'https://example.com/'], { env })
    await terminal.shows(/lead\.created/)
    terminal.type(' ')
    await terminal.shows(/◉ lead\.created/)
    terminal.type(`${down} `)
    await terminal.shows(/◉ lead\.queued/)
    terminal.type(enter)
    const { code, screen } = await terminal.end()
    expect({ code, screen }).toMatchObject({ code: 0 })
    expect(screen).toMatch(/svc webhooks create --url https:\/\/example\.com\/ --event lead\.created,lead\.queued\n/)
  })

  it('login asks where to send the key if nothing says it, and again if the address would show the key to others', async () => {
    const simulation = await simulate()
    const { secret } = simulation.test.key
    const terminal = new TerminalSvc(new Svc(), ['login', '--profile', 'typed'], {
      env: { NO_COLOR: '1' },
      columns: 200,
    })
    await terminal.shows(/The address of a simulator is http:\/\/127\.0\.0\.1:4010\S*\.\s+[^]*Address of the service:/)
    terminal.type(enter)
    await terminal.shows(/A value is needed\./)
    terminal.type(`http://example.com${enter}`)
    await terminal.shows(/plain http:/)
    terminal.type(`\u0015${simulation.baseUrl}${enter}`)
    await terminal.shows(/The key will be sent to http:\S+ \(what was typed\)[^]*Secret:/)
    terminal.type(`${secret}${enter}`)
    const { code, screen } = await terminal.end()
    expect({ code, screen }).toMatchObject({ code: 0 })
    expect(screen).toContain(`Logged in at ${simulation.baseUrl}`)
    expect(screen).not.toContain('without questions')
  })

  it('a secret is typed unseen, and nothing of it is shown', async () => {
    const simulation = await simulate()
    const { secret } = simulation.test.key
    const words = ['login', '--profile', 'typed', '--base-url', simulation.baseUrl]
    const terminal = new TerminalSvc(svc, words, { env: { NO_COLOR: '1' }, columns: 200 })
    await terminal.shows(/Secret:/)
    terminal.type(`${secret}${enter}`)
    const { code, screen } = await terminal.end()
    expect(code).toBe(0)
    expect(screen).toContain('The profile typed is in use.')
    expect(screen).not.toContain(secret)
    expect(screen).not.toContain('without questions')
  })

  it('Ctrl-C at a question ends it with 130 and nothing done', async () => {
    const { env, asked } = await (async () => {
      const { baseUrl, asked } = await stubServer((_asked, response) => json(response, 200, { data: {} }))
      return { env: { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' }, asked }
    })()
    const terminal = new TerminalSvc(svc, ['dnc', 'add'], { env })
    await terminal.shows(/Phone:/)
    terminal.type(ctrlC)
    expect(await terminal.end()).toMatchObject({ code: 130 })
    expect(asked.filter(({ path }) => path !== '/_sim/clock')).toEqual([])
  })

  it.each([
    ['--no-input', ['--no-input'], {}],
    ['CI', [], { CI: 'true' }],
  ])('nothing is asked with %s', async (_what, flags: string[], env: Record<string, string>) => {
    const terminal = new TerminalSvc(svc, ['dnc', 'add', ...flags], { env: { ...(await listOfOne()), ...env } })
    expect(await terminal.end()).toMatchObject({
      code: 2,
      screen: expect.stringContaining('Missing: <phone>.') as string,
    })
  })

  it('what cannot be undone is asked about, and not done without a yes', async () => {
    const simulation = await simulate()
    const { id } = await simulation.lead()
    const env = { SVC_BASE_URL: simulation.baseUrl, SVC_SECRET: simulation.live.key.secret, NO_COLOR: '1' }
    const outOf = async () => (await simulation.readLead(id)).status
    const terminal = new TerminalSvc(svc, ['leads', 'opt-out', id], { env })
    await terminal.shows(/\(y\/N\)/)
    terminal.type(enter)
    expect((await terminal.end()).code).not.toBe(0)
    expect(await svc.run(['leads', 'opt-out', id], { env })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--yes') as string,
    })
    expect(await outOf()).toBe('dialing')
    expect(await svc.run(['leads', 'opt-out', id, '--yes'], { env })).toMatchObject({ code: 0 })
    expect(await outOf()).toBe('out_of_queue')
  })

  it('a rate limit is counted down, and the line is gone once it is over', async () => {
    let refusals = 0
    const { baseUrl } = await stubServer(({ path }, response) => {
      const error = { type: 'rate_limit_error', code: 'rate_limited', message: 'Slow down.' }
      if (path === '/_sim/clock') json(response, 404, {})
      else if (refusals++ === 0) json(response, 429, { error }, { 'retry-after': '2' })
      else json(response, 200, { data: [], meta: { next_cursor: null, has_more: false } })
    })
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' }
    const { code, screen } = await new TerminalSvc(svc, ['leads', 'list'], { env }).end()
    expect(code).toBe(0)
    const shown = screen.split('\r\u001b[K')
    expect(shown.slice(0, 3)).toEqual(['', 'Waiting 2 s (rate_limited)', 'Waiting 1 s (rate_limited)'])
    expect(shown.at(-1)).toBe('No leads.\n')
  })

  it('TERM=dumb: a wait is a line that is not redrawn', async () => {
    let refusals = 0
    const { baseUrl } = await stubServer(({ path }, response) => {
      const error = { type: 'rate_limit_error', code: 'rate_limited', message: 'Slow down.' }
      if (path === '/_sim/clock') json(response, 404, {})
      else if (refusals++ === 0) json(response, 429, { error }, { 'retry-after': '1' })
      else json(response, 200, { data: [], meta: { next_cursor: null, has_more: false } })
    })
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a', TERM: 'dumb' }
    const { screen } = await new TerminalSvc(svc, ['leads', 'list'], { env }).end()
    expect(screen).toBe('Waiting 1 s (rate_limited).\nNo leads.\n')
  })

  it('the demonstration is told in colors', async () => {
    const { code, screen } = await new TerminalSvc(svc, ['demo']).end()
    expect(code).toBe(0)
    expect(screen).toMatch(new RegExp(String.raw`\u001b\[32mok +\u001b\[39m webhook`))
  })
})
