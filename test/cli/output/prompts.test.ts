/** Questions at a terminal: lists that typing filters, answers that are checked, and optional values. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { permissions } from '../../../src/contract/permissions.js'
import type { Lead } from '../../../src/contract/leads.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const enter = '\r'
const clearLine = '\u0015'
const tab = '\t'
const ctrlC = '\u0003'
const ctrlD = '\u0004'

function start(at: SvcAt, args: readonly string[], env: Record<string, string> = {}): TerminalSvc {
  return new TerminalSvc(at.svc, args, { env: { ...at.env, CI: '', ...env }, columns: 120 })
}

describe.runIf(hasTerminals)('a question at a terminal', () => {
  it('advance: asks again for a distance that cannot be read', async () => {
    const at = await SvcAt.start({ paused: true }, 'test')
    const terminal = start(at, ['simulate', 'advance'])
    await terminal.shows(/How far \(4m, 24h, 31d, or a date-time\):/)
    terminal.type(`soon${enter}`)
    await terminal.shows(/soon is not a duration\. It reads like 90s/)
    terminal.type(`${clearLine}4m${enter}`)
    expect(await terminal.end()).toMatchObject({ code: 0 })
  })

  it('filters a list by what is typed', async () => {
    const at = await SvcAt.start({}, 'test')
    await at.simulation.campaign({ name: 'Spring offers' })
    await at.simulation.campaign({ name: 'Zebra crossing' })
    const terminal = start(at, ['campaigns', 'get', '--json'])
    await terminal.shows(/Campaign:[^]*Spring offers/)
    terminal.type('zebra')
    await terminal.shows(/zebra[^]*Zebra crossing/)
    terminal.type(enter)
    const { screen, code } = await terminal.end()
    expect(code).toBe(0)
    expect(screen).toContain(`campaigns get --json 'Zebra crossing'`)
  })

  it('says what is wrong with a number that has an extension, and asks again', async () => {
    const at = await SvcAt.start({}, 'test')
    const terminal = start(at, ['dnc', 'check', '--json'])
    await terminal.shows(/Phone:/)
    terminal.type(`212 555 7812 x4${enter}`)
    await terminal.shows(/The phone has an extension \(x4\): remove it/)
    terminal.type(`${clearLine}212 555 7812${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).toContain('"normalizedPhone": "+12125557812"')
  })

  it('offers recent leads, and takes any other by what is typed', async () => {
    const at = await SvcAt.start({}, 'test')
    const ann = await at.simulation.lead({ name: 'Ann Lee', phone: '+12125557812' }, at.client)
    await at.simulation.lead({ name: 'Bo', phone: '+12125557813', external_id: 'crm-7' }, at.client)
    const first = start(at, ['leads', 'get', '--json'])
    await first.shows(/Lead .*:[^]*Ann Lee, \+12125557812/)
    first.type('ann')
    await first.shows(/ann[^]*Ann Lee/)
    first.type(enter)
    expect((await first.end()).screen).toContain(ann.id)
    const second = start(at, ['leads', 'get', '--json'])
    await second.shows(/Lead .*:[^]*Ann Lee/)
    second.type('no-such-lead')
    await second.shows(/Look up "no-such-lead"/)
    second.type(enter)
    expect(await second.end()).toMatchObject({ code: 3 })
  })

  it('asks again after a bad phone number, and for the name that people expect', async () => {
    const at = await SvcAt.start({}, 'test')
    const terminal = start(at, ['leads', 'add', '--campaign', at.simulation.campaignId])
    await terminal.shows(/Phone:/)
    terminal.type(`12${enter}`)
    await terminal.shows(/That is not a phone number/)
    terminal.type(`${clearLine}(212) 555-7812${enter}`)
    await terminal.shows(/Name \(optional\):/)
    terminal.type(`Ann Lee${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).toContain("--phone '(212) 555-7812' --name 'Ann Lee'")
    const [lead] = (await at.client.get<Lead[]>('/leads')).data
    expect(lead).toMatchObject({ name: 'Ann Lee', phone: '+12125557812' })
  })

  it('says why a number is never called, and shows the command without questions only after success', async () => {
    const at = await SvcAt.start({}, 'test')
    const terminal = start(at, ['leads', 'add', '--campaign', 'Web leads'])
    await terminal.shows(/Phone:/)
    terminal.type(`+44 20 7946 0958${enter}`)
    await terminal.shows(/outside the US and Canada: it is never called/)
    terminal.type(`${clearLine}(212) 555-0123${enter}`)
    await terminal.shows(/That number is made up/)
    terminal.type(`${clearLine}(212) 555-7812${enter}`)
    await terminal.shows(/Name \(optional\):/)
    terminal.type(enter)
    const { screen } = await terminal.end()
    expect(screen).toMatch(
      /555-7812 was added to Web leads[^]*\nThe same again without questions:[^]*'\(212\) 555-7812'\n$/,
    )
    const refused = start(at, ['leads', 'add', '--campaign', 'Web leads', '--field', 'city'])
    await refused.shows(/Phone:/)
    refused.type(`(212) 555-7813${enter}`)
    await refused.shows(/Name \(optional\):/)
    refused.type(enter)
    const failed = await refused.end()
    expect(failed.code).toBe(2)
    expect(failed.screen).not.toContain('The same again')
  })

  it('is not asked if a given value is wrong', async () => {
    const at = await SvcAt.start({}, 'test')
    for (const [words, problem] of [
      [['leads', 'add', '--campaign', 'Wob'], '--campaign "Wob": no such campaign.'],
      [['leads', 'import', 'nothing.csv'], 'nothing.csv cannot be read: there is no such file.'],
      [['webhooks', 'trigger', 'call.complete'], 'There is no event call.complete.'],
      [['simulate', 'inbound-call', '--campaign', 'Wob'], 'Wob'],
    ] as const) {
      const { screen, code } = await start(at, words).end()
      expect({ screen, code }).toEqual({ screen: expect.stringContaining(problem) as string, code: 2 })
      expect(screen).not.toMatch(/Phone:|From:|Your server:|Campaign:/)
    }
  })

  it('offers only calls that have a transcript', async () => {
    const at = await SvcAt.start({}, 'test')
    const add = (phone: string, name: string) =>
      at.run(['leads', 'add', '--campaign', 'Web leads', '--phone', phone, '--name', name])
    await add('+15550100001', 'Done')
    await at.simulation.advance('5m')
    await add('+15550100002', 'Going on')
    const terminal = start(at, ['calls', 'transcript'])
    await terminal.shows(/Call:[^]*Done: interested/)
    terminal.type(enter)
    const { screen } = await terminal.end()
    expect(screen).not.toContain('Going on: ')
  })

  it('leaves an optional value out when nothing is typed, and does not ask for it when nothing is missing', async () => {
    const at = await SvcAt.start({}, 'test')
    const asked = start(at, ['leads', 'add', '--campaign', at.simulation.campaignId])
    await asked.shows(/Phone:/)
    asked.type(`2125557812${enter}`)
    await asked.shows(/Name \(optional\):/)
    asked.type(enter)
    expect(await asked.end()).toMatchObject({ code: 0 })
    const whole = start(at, ['leads', 'add', '--campaign', at.simulation.campaignId, '--phone', '+12125557813'])
    const { screen, code } = await whole.end()
    expect(code).toBe(0)
    expect(screen).not.toContain('optional')
  })

  it('takes a file in quotes or below ~, and asks again for one that is not there', async () => {
    const at = await SvcAt.start({}, 'test')
    writeFileSync(join(at.svc.folder, 'my leads.csv'), 'phone\n+12125557812\n')
    const env = { HOME: at.svc.folder }
    const terminal = start(at, ['dnc', 'import', '--yes'], env)
    await terminal.shows(/File \(Tab completes\):/)
    terminal.type(`nothing.csv${enter}`)
    await terminal.shows(/There is no file nothing\.csv/)
    terminal.type(`${clearLine}"~/my leads.csv"${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect((await at.client.get<unknown[]>('/dnc')).data).toHaveLength(1)
  })

  it('takes no folder, empty file or PDF, before anything else is asked', async () => {
    const at = await SvcAt.start({}, 'test')
    mkdirSync(join(at.svc.folder, 'lists'))
    writeFileSync(join(at.svc.folder, 'empty.csv'), '')
    writeFileSync(join(at.svc.folder, 'people.pdf'), '%PDF-1.7\n')
    const terminal = start(at, ['leads', 'import'])
    await terminal.shows(/File \(Tab completes\):/)
    for (const [name, problem] of [
      ['lists', /lists is a folder\. Name a file in it\./],
      ['empty.csv', /empty\.csv is empty\./],
      ['people.pdf', /people\.pdf is a PDF, not text\. Save it as CSV UTF-8 first\./],
    ] as const) {
      terminal.type(`${clearLine}${name}${enter}`)
      await terminal.shows(problem)
    }
    terminal.type(ctrlC)
    expect((await terminal.end()).screen).not.toContain('Campaign:')
    const { screen, code } = await start(at, ['leads', 'import', 'people.pdf']).end()
    expect({ screen, code }).toEqual({ screen: expect.stringContaining('people.pdf is a PDF') as string, code: 2 })
    expect(screen).not.toContain('Campaign:')
  })

  it.each([
    [['leads', 'get'], 'leads:read', /Lead \(its id\):/],
    [['calls', 'get'], 'calls:read', /Call \(its id\):/],
    [['campaigns', 'get'], 'campaigns:read', /Campaign:/],
  ])('svc %j: a key without %s is asked for the id, without a list', async (words, missing, question) => {
    const at = await SvcAt.start({}, 'test')
    const rest = permissions.filter((name) => name !== missing)
    const key = await at.simulation.key({ mode: 'test', permissions: rest })
    const terminal = start(at, words, { SVC_KEY_ID: key.key_id, SVC_SECRET: key.secret })
    await terminal.shows(question)
    terminal.type(`3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 4 })
    expect(screen).toContain(`missing permission: ${missing}`)
  })

  it('a key that is not valid ends the command before the question', async () => {
    const at = await SvcAt.start({}, 'test')
    const { screen, code } = await start(at, ['leads', 'get'], { SVC_SECRET: 'cs_test_wrong' }).end()
    expect(code).toBe(4)
    expect(screen).not.toContain('Lead (')
  })

  it('Tab completes the name of a file, also below a folder and in quotes', async () => {
    const at = await SvcAt.start({}, 'test')
    mkdirSync(join(at.svc.folder, 'lists'))
    writeFileSync(join(at.svc.folder, 'lists', 'never call.csv'), 'phone\n+12125557812\n')
    const terminal = start(at, ['dnc', 'import', '--yes'])
    await terminal.shows(/File \(Tab completes\):/)
    terminal.type(`"li${tab}`)
    await terminal.shows(/"lists\//)
    terminal.type(`nev${tab}`)
    await terminal.shows(/"lists\/never call\.csv/)
    terminal.type(`"${enter}`)
    expect(await terminal.end()).toMatchObject({ code: 0 })
    expect((await at.client.get<unknown[]>('/dnc')).data).toHaveLength(1)
  })

  it('Ctrl-D ends a question like Ctrl-C', async () => {
    const at = await SvcAt.start({}, 'test')
    for (const words of [
      ['dnc', 'import'],
      ['dnc', 'add'],
    ]) {
      const terminal = start(at, words)
      await terminal.shows(/(File \(Tab completes\)|Phone):/)
      terminal.type(ctrlD)
      const { screen, code } = await terminal.end()
      expect(code).toBe(130)
      expect(screen).toContain('Cancelled. Nothing was changed.\n')
    }
  })

  it('with yes or no is not answered by Tab, and asked again after another word', async () => {
    const at = await SvcAt.start({}, 'test')
    writeFileSync(join(at.svc.folder, 'never.csv'), 'phone\n+12125557812\n')
    const terminal = start(at, ['dnc', 'import', 'never.csv'])
    await terminal.shows(/\(y\/N\) /)
    terminal.type(`${tab}perhaps${enter}`)
    await terminal.shows(/Type y or n\./)
    terminal.type(`${tab}${enter}`)
    const { screen, code } = await terminal.end()
    expect(code).toBe(2)
    expect(screen.toLowerCase()).not.toContain('yes')
    expect(screen.endsWith('Cancelled. Nothing was changed.\n')).toBe(true)
    expect((await at.client.get<unknown[]>('/dnc')).data).toEqual([])
  })

  it('with yes or no says after Ctrl-C that nothing was changed, as text or as one JSON document', async () => {
    const at = await SvcAt.start({}, 'test')
    writeFileSync(join(at.svc.folder, 'never.csv'), 'phone\n+12125557812\n')
    for (const [flags, last] of [
      [[], 'Cancelled. Nothing was changed.\n'],
      [['--json'], '{"error":{"code":"interrupted","message":"Cancelled. Nothing was changed."},"exit_code":130}\n'],
    ] as const) {
      const terminal = start(at, ['dnc', 'import', 'never.csv', ...flags])
      await terminal.shows(/\(y\/N\) /)
      terminal.type(ctrlC)
      const { screen, code } = await terminal.end()
      expect({ screen, code }).toMatchObject({ code: 130 })
      expect(screen.slice(-last.length)).toBe(last)
      expect(screen.toLowerCase()).not.toContain('yes')
    }
  })
})

/** With TERM=dumb, nothing is redrawn and the system edits the line. */
describe.runIf(hasTerminals)('a question with TERM=dumb', () => {
  const dumb = { TERM: 'dumb' }
  const escape = '\u001b'

  it('lists are numbered, and a number, a name or other text is an answer', async () => {
    const at = await SvcAt.start({}, 'test')
    await at.simulation.campaign({ name: 'Spring offers' })
    await at.simulation.campaign({ name: 'Spring cleaning' })
    const terminal = start(at, ['campaigns', 'get', '--json'], dumb)
    await terminal.shows(/Campaign:\r\n( +\d {2}.*\r\n){3}Number, or part of the name: /)
    terminal.type(`spring${enter}`)
    await terminal.shows(/2 names in the list match "spring"\. Type more of the name, or a number\.\r\n/)
    terminal.type(`nothing${enter}`)
    await terminal.shows(/Nothing in the list matches "nothing"\.\r\n/)
    terminal.type(`cleaning${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).toContain(`campaigns get --json 'Spring cleaning'`)
    expect(screen).not.toContain(escape)
  })

  it.each([
    ['a list', ['campaigns', 'get'], /part of the name: /],
    ['a line', ['dnc', 'check'], /Phone: /],
    ['yes or no', ['leads', 'opt-out', '+12125557812'], /\(y\/N\) /],
  ])('Ctrl-C at %s says that nothing was changed', async (_what, words, question) => {
    const at = await SvcAt.start({}, 'test')
    await at.simulation.lead({ phone: '+12125557812', name: 'Ann Lee' }, at.client)
    const terminal = start(at, words, dumb)
    await terminal.shows(question)
    terminal.type('\u0003')
    const { screen, code } = await terminal.end()
    expect({ code, screen }).toEqual({
      code: 130,
      screen: expect.stringContaining('Cancelled. Nothing was changed.') as string,
    })
    expect(screen).not.toContain('Interrupted')
  })

  it('lines, checks, optional values and several choices', async () => {
    const at = await SvcAt.start({}, 'test')
    const terminal = start(at, ['leads', 'add'], dumb)
    await terminal.shows(/part of the name: /)
    terminal.type(`1${enter}`)
    await terminal.shows(/Phone: /)
    terminal.type(`12${enter}`)
    await terminal.shows(/That is not a phone number[^]*Phone: /)
    terminal.type(`(212) 555-7812${enter}`)
    await terminal.shows(/Name \(optional\): /)
    terminal.type(`Ann Lee${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).not.toContain(escape)
    const several = start(at, ['webhooks', 'create', '--url', 'https://example.com/'], dumb)
    await several.shows(/Numbers or names, with commas between: /)
    several.type(`1, call.completed${enter}`)
    const created = await several.end()
    expect(created).toMatchObject({ code: 0 })
    expect(created.screen).toContain('--event lead.created,call.completed')
    expect(created.screen).not.toContain(escape)
  })

  it('a question with yes or no, and a file', async () => {
    const at = await SvcAt.start({}, 'test')
    writeFileSync(join(at.svc.folder, 'never.csv'), 'phone\n+12125557812\n')
    const terminal = start(at, ['dnc', 'import'], dumb)
    await terminal.shows(/File \(Tab completes\): /)
    terminal.type(`never.csv${enter}`)
    await terminal.shows(/Put 1 number on [^\n]*\? \(y\/N\) /)
    terminal.type(`perhaps${enter}`)
    await terminal.shows(/Type y or n\./)
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).not.toContain(escape)
  })

  it('a secret is not shown', async () => {
    const at = await SvcAt.start({}, 'test')
    const { secret } = at.client.key
    const { SVC_BASE_URL } = at.env
    const terminal = new TerminalSvc(at.svc, ['login', '--base-url', SVC_BASE_URL, '--profile', 'typed'], {
      env: { CI: '', ...dumb },
    })
    await terminal.shows(/Secret: /)
    terminal.type(`wrong${'\u007f'.repeat(5)}${secret}${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).not.toContain(secret)
    expect(screen).not.toContain(escape)
  })

  it('Ctrl-C ends it with 130', async () => {
    const at = await SvcAt.start({}, 'test')
    const terminal = start(at, ['dnc', 'add'], dumb)
    await terminal.shows(/Phone: /)
    terminal.type(ctrlC)
    expect(await terminal.end()).toMatchObject({ code: 130 })
  })
})
