/** Live mode at a terminal: the badge, and the questions before people are called. Scripts see neither. */
import { describe, expect, it } from 'vitest'
import { numberOf } from '../../support/programs/import-at.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const enter = '\r'

interface Case {
  words: string[]
  question: RegExp
}

/** A paused campaign with two waiting leads, and each command that asks before it calls people. */
async function start(mode: 'live' | 'test' = 'live') {
  const at = await SvcAt.start({}, mode)
  const { simulation } = at
  await simulation.changeCampaign({ status: 'paused' })
  const { id: lead } = await simulation.lead({ phone: '+12125557812', name: 'Ann Lee' }, at.client)
  await simulation.lead({ phone: '+12125557813' }, at.client)
  const { campaignId } = simulation
  const cases: Record<string, Case> = {
    'leads add': {
      words: ['leads', 'add', '--campaign', campaignId, '--phone', numberOf(1)],
      question: /LIVE Add 1 person \(\+16462011001\) to the campaign Web leads at 127\.0\.0\.1:\d+\?/,
    },
    'campaigns start': {
      words: ['campaigns', 'start', campaignId],
      question: /LIVE Start the campaign Web leads at 127\.0\.0\.1:\d+, so that it can call 2 people\?/,
    },
    'calls start': {
      words: ['calls', 'start', '--lead', lead],
      question: /LIVE Call 1 person \(Ann Lee, \+12125557812, campaign Web leads\) at 127/,
    },
  }
  const changes = async () =>
    (await at.simulation.control<{ method: string }[]>('GET', '/_sim/requests?limit=50&path=/')).filter(
      ({ method }) => method !== 'GET',
    ).length
  return { at, cases, changes }
}

const names = ['leads add', 'campaigns start', 'calls start']

const open = (at: SvcAt, words: readonly string[], env: Record<string, string> = { NO_COLOR: '1' }) =>
  new TerminalSvc(at.svc, words, { env: { ...at.env, ...env }, columns: 220 })

describe.runIf(hasTerminals)('a live key at a terminal', () => {
  it('svc api asks before a request that changes something, and --yes answers', async () => {
    const { at } = await start()
    const words = ['api', 'POST', '/dnc', '-f', 'phone=+12125557899']
    const terminal = open(at, words)
    await terminal.shows(/LIVE Send POST \/dnc to 127\.0\.0\.1:\d+\?/)
    terminal.type(enter)
    expect(await terminal.end()).toMatchObject({ code: 2 })
    expect(
      (await open(at, ['api', '/dnc', '-q', 'search=12125557899', '--jq', '.data | length']).end()).screen,
    ).toMatch(/^0$/m)
    expect(await open(at, [...words, '--yes']).end()).toMatchObject({ code: 0 })
    // A script is not asked.
    expect(await at.run(['api', 'POST', '/dnc', '-f', 'phone=+12125557898'])).toMatchObject({ code: 0, stderr: '' })
  })

  it('shows the same command with --yes after an answered question', async () => {
    const { at } = await start()
    const terminal = open(at, ['campaigns', 'start'])
    await terminal.shows(/Campaign:/)
    terminal.type(enter)
    await terminal.shows(/LIVE Start the campaign/)
    terminal.type(`y${enter}`)
    const { code, screen } = await terminal.end()
    expect({ code, screen }).toEqual({
      code: 0,
      screen: expect.stringMatching(
        /The same again without questions: svc campaigns start 'Web leads' --yes\n/,
      ) as string,
    })
  })

  it.each(names)('svc %s asks first, and a no changes nothing', async (name) => {
    const { at, cases, changes } = await start()
    const before = await changes()
    const { words, question } = cases[name] as Case
    const terminal = open(at, words)
    await terminal.shows(question)
    terminal.type(enter)
    const { code, screen } = await terminal.end()
    expect({ code, screen }).toEqual({
      code: 2,
      screen: expect.stringContaining('Cancelled. Nothing was changed.') as string,
    })
    expect(await changes()).toBe(before)
  })

  it.each(names)('svc %s goes on after a yes, and with --yes', async (name) => {
    const { at, cases } = await start()
    const { words, question } = cases[name] as Case
    const terminal = open(at, words)
    await terminal.shows(question)
    terminal.type(`y${enter}`)
    expect(await terminal.end()).toMatchObject({ code: 0 })
    const other = await start()
    const { code, screen } = await open(other.at, [...(other.cases[name] as Case).words, '--yes']).end()
    expect(code).toBe(0)
    expect(screen).toMatch(/^LIVE 127\.0\.0\.1:\d+\n/)
    expect(screen).not.toContain('(y/N)')
  })

  it('the badge is red, or the plain word without colors', async () => {
    const { at } = await start()
    const words = ['dnc', 'add', '+12125557899', '--yes']
    expect((await open(at, words, {}).end()).screen).toContain('\u001b[1;31mLIVE\u001b[22;39m 127.0.0.1')
    expect((await open(at, ['whoami']).end()).screen).toMatch(/^LIVE 127\.0\.0\.1:\d+\n/)
  })

  it('a prompt for a missing value has the badge', async () => {
    const { at } = await start()
    const terminal = open(at, ['leads', 'opt-out'])
    await terminal.shows(/LIVE Lead \(type a name, phone, external id or id\):/)
    terminal.type('ann lee')
    await terminal.shows(/ann lee[^]*Ann Lee/)
    terminal.type(enter)
    await terminal.shows(
      /LIVE Never call this lead again, from any campaign \(Ann Lee, \+12125557812, campaign Web leads\)\? \(y\/N\)/,
    )
    terminal.type(enter)
    expect(await terminal.end()).toMatchObject({ code: 2 })
  })

  it.each([
    ['a dry run', [], ['--dry-run']],
    ['CI', [['CI', '1']], []],
    ['--no-input', [], ['--no-input']],
  ] as const)('leads add asks nothing with %s', async (what, env, flags) => {
    const { at, cases } = await start()
    const words = [...(cases['leads add'] as Case).words, ...flags]
    const { code, screen } = await open(at, words, { NO_COLOR: '1', ...Object.fromEntries(env) }).end()
    expect(code).toBe(0)
    expect(screen).not.toContain('(y/N)')
    expect(screen.includes('LIVE')).toBe(what === 'a dry run')
  })
})

describe('without a live key or a terminal', () => {
  it.runIf(hasTerminals)('svc campaigns start asks with a test key too, because live leads are called', async () => {
    const { at, cases, changes } = await start('test')
    const { words } = cases['campaigns start'] as Case
    const question =
      /A campaign is the same for test and live leads: its live leads are called too\. Start the campaign Web leads at \S+\?/
    const [no, yes] = [open(at, words), open(at, words)]
    const before = await changes()
    await no.shows(question)
    no.type(enter)
    expect(await no.end()).toMatchObject({ code: 2 })
    expect(await changes()).toBe(before)
    await yes.shows(question)
    yes.type(`y${enter}`)
    expect(await yes.end()).toMatchObject({ code: 0 })
    expect(await at.data('campaigns', 'get', 'Web leads')).toMatchObject({ status: 'running' })
  })

  it.runIf(hasTerminals).each(names)('svc %s asks nothing else with a test key', async (name) => {
    const { at, cases } = await start('test')
    if (name === 'campaigns start') await at.simulation.changeCampaign({ status: 'running' })
    const { code, screen } = await open(at, (cases[name] as Case).words).end()
    expect(code).toBe(0)
    expect(screen).not.toMatch(/LIVE|\(y\/N\)/)
  })

  it.each(names)('svc %s asks nothing in a script', async (name) => {
    const { at, cases } = await start()
    expect(await at.run((cases[name] as Case).words)).toMatchObject({ code: 0, stderr: '' })
  })
})
