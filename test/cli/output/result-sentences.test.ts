/** Sentences that say at a terminal what a command did. Scripts get only the data. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderUsage } from '../../../src/output/charts/usage-chart.js'
import { withoutNoise } from '../../../src/output/noise.js'
import { numberOf } from '../../support/programs/import-at.js'
import { startAtTerminal } from '../../support/programs/at-terminal.js'
import { hasTerminals } from '../../support/programs/terminal.js'

describe.runIf(hasTerminals)('the result at a terminal is a sentence', () => {
  it('leads add: says that the person is being called, and leaves out what says nothing', async () => {
    const { add } = await startAtTerminal()
    const { lines } = await add('--phone', '+15550100001', '--name', 'Ann')
    expect(lines.at(-1)).toBe('Ann was added to Web leads and is being called now.')
    expect(lines.join('\n')).not.toMatch(/Dry run|Live data/)
  })

  it('leads add: says why a lead is held, and when it is called', async () => {
    const { at, add } = await startAtTerminal()
    await at.simulation.changeCampaign({ status: 'paused' })
    expect((await add('--phone', numberOf(1))).lines.at(-1)).toBe(
      `${numberOf(1)} was added to Web leads and is held, because the campaign is paused.`,
    )
    await at.simulation.changeCampaign({ status: 'running' })
    await at.simulation.advance('16h')
    expect((await add('--phone', numberOf(2), '--name', 'Bo')).lines.at(-1)).toBe(
      'Bo was added to Web leads and will be called at 2026-10-02 12:00 UTC, within calling hours.',
    )
  })

  it('leads add --dry-run: says that nothing was saved', async () => {
    const { add } = await startAtTerminal()
    expect((await add('--phone', '+15550100001', '--name', 'Ann', '--dry-run')).lines.at(-1)).toBe(
      'Ann would be added to Web leads. Nothing was saved.',
    )
  })

  it('dnc add, check and remove: say whether the number may be called', async () => {
    const { run } = await startAtTerminal()
    const last = async (...words: string[]) => (await run(['dnc', ...words])).lines.at(-1)
    expect(await last('check', '2125557812')).toBe(
      '+12125557812 is not on the test Do Not Call list. The live list is another one.',
    )
    expect((await run(['dnc', 'add', '2125557812'])).lines.slice(-2)).toEqual([
      '+12125557812 is on the test Do Not Call list now: it affects test calls only. To take it off again:',
      '  svc dnc remove +12125557812',
    ])
    expect((await run(['dnc', 'check', '2125557812'])).lines.slice(-2)).toEqual([
      '+12125557812 is on the test Do Not Call list: it affects test calls only.',
      'It was put on the list through the API just now.',
    ])
    expect(await last('remove', '2125557812', '--yes')).toBe(
      '+12125557812 is off the test Do Not Call list: it can get test calls again.',
    )
  })

  it('campaigns pause and start: say what follows', async () => {
    const { run } = await startAtTerminal()
    expect((await run(['campaigns', 'pause', 'Web leads'])).lines.at(-1)).toBe(
      'The campaign Web leads is paused: no new call begins, to test or live leads, until svc campaigns start.',
    )
    expect((await run(['campaigns', 'start', 'Web leads', '--yes'])).lines.slice(-3)).toEqual([
      'The campaign Web leads is running: its leads are called in their calling hours.',
      'A campaign is the same for test and live leads: its live leads are called too. To hold all of them:',
      "  svc campaigns pause 'Web leads'",
    ])
  })

  it('campaigns pause: says which campaign the beginning of a name meant', async () => {
    const { run } = await startAtTerminal()
    expect((await run(['campaigns', 'pause', 'web'])).lines).toContain('Campaign "web" is the campaign Web leads.')
    expect((await run(['campaigns', 'start', 'Web leads', '--yes'])).lines).not.toContain(
      'Campaign "Web leads" is the campaign Web leads.',
    )
  })

  it('leads watch: writes a line for each change, with local times and words', async () => {
    const { at, run, add } = await startAtTerminal()
    await add('--phone', '+15550100002', '--name', 'Ann')
    await at.simulation.advance('10m')
    const { lines, code } = await run(['leads', 'watch', '+15550100002'])
    expect(lines.map((line) => line.trim()).find((line) => line.includes('done'))).toMatch(
      /^[\d-]{10} [\d:]{8}  done; 1 call, last outcome voicemail$/,
    )
    expect(lines.join('\n')).toMatch(/^Times: /m)
    expect(code).toBe(0)
  })

  it('exports create: shows no link to a file that it has saved', async () => {
    const { at, run } = await startAtTerminal()
    const create = ['exports', 'create', '--type', 'leads']
    expect((await run(create)).lines.join('\n')).toContain('Link to the file')
    const { lines } = await run([...create, '--download', join(at.svc.folder, 'leads.csv')], 200)
    expect(lines.join('\n')).not.toContain('Link to the file')
    expect(lines.at(-1)).toMatch(/^Saved .*leads\.csv \(\d+ rows\)\.$/)
  })

  it('calls start: says when the lead is called, and how often it still can be today', async () => {
    const { at, run, add } = await startAtTerminal()
    await add('--phone', '+15550100001', '--name', 'Ann')
    await at.simulation.advance('4m')
    const { lines } = await run(['calls', 'start', '--lead', 'ann', '--yes'])
    expect(lines.at(-2)).toBe('Ann is being called now. 2 more calls to this lead can be started today.')
    expect(lines.at(-1)).toMatch(/^See what becomes of it: svc leads watch [0-9a-f-]{36}$/)
  })

  it('webhooks: each command says what happens to the endpoint, which a part of its address names', async () => {
    const { run } = await startAtTerminal()
    const url = 'https://example.com/hooks'
    const hooks = async (...words: string[]) => (await run(['webhooks', ...words])).lines.slice(-2)
    const created = await hooks('create', '--url', url, '--event', 'call.completed')
    expect(created[0]).toContain('Copy the secret to your server: it is not shown again.')
    expect(created[1]).toMatch(/^Test it: svc webhooks test [0-9a-f-]{36} --event call\.completed$/)
    const [changed] = (await hooks('update', 'hooks', '--event', 'lead.late,call.started')).slice(-1)
    expect(changed).toBe(`The endpoint was changed: ${url} gets lead.late and call.started.`)
    expect(await hooks('pause', 'hooks')).toEqual([
      `Nothing is sent to ${url} until it is resumed. Its events are kept.`,
      expect.stringMatching(/^Resume it: svc webhooks resume/),
    ])
    expect((await hooks('resume', 'hooks')).at(-1)).toBe(`New events are sent to ${url} again.`)
    expect((await hooks('roll-secret', 'hooks', '--grace-hours', '0')).join(' ')).toContain(
      `${url} has a new secret. The old secret does not sign any more.`,
    )
    expect((await hooks('delete', 'hooks', '--yes')).at(-1)).toBe(
      `The endpoint ${url} and the history of its deliveries were deleted.`,
    )
  })

  it('exports create: says how to save the file', async () => {
    const { last } = await startAtTerminal()
    expect(await last('exports', 'create', '--type', 'leads')).toBe(
      'Save it: svc exports create --type leads --download leads.csv',
    )
  })

  it('records name the campaign, show calls as a table and other people on one line', async () => {
    const { at, run } = await startAtTerminal()
    const { id } = await at.data<{ id: string }>('leads', 'add', '--campaign', 'Web leads', '--phone', '+15550100001')
    await at.simulation.advance('4m')
    const { lines } = await run(['leads', 'get', id])
    const text = lines.join('\n')
    expect(text).toMatch(/^Campaign +Web leads$/m)
    expect(text).toMatch(/^Calls\nStarted +Outcome +Seconds +ID\n\S.* interested +\d+ +[0-9a-f-]{36}$/m)
    expect(text).toMatch(/^Owner +\S+ \S+$/m)
    expect((await run(['calls', 'get', '--lead', id])).lines.join('\n')).toMatch(/^Handled by +\S+ \S+ \(sdr\)$/m)
  })

  it('no id is broken at 40 columns: it is whole on its own line', async () => {
    const { at, run } = await startAtTerminal()
    const { id } = await at.data<{ id: string }>('leads', 'add', '--campaign', 'Web leads', '--phone', '+15550100001')
    await at.simulation.advance('4m')
    const { lines } = await run(['leads', 'get', id], 40)
    expect(lines).toContain(`  ${id}`)
    expect(lines.filter((line) => line.length > 40)).toEqual([])
    const { lines: events } = await run(['events', 'list', '--event', 'call.completed'], 80)
    expect(events[0]).toMatch(/^Type +Who +Created +ID$/)
    const [, shown = ''] = /(evt_\w+)…/.exec(events[1] ?? '') ?? []
    expect((await run(['events', 'get', shown], 40)).lines.join('\n')).toMatch(/^ {2}evt_[0-9a-f]{32}$/m)
  })

  it('values of a record continue below their beginning at 40 columns', async () => {
    const { run } = await startAtTerminal()
    const { lines } = await run(['campaigns', 'get', 'Web leads'], 40)
    expect(lines).toContain('Calling hours            Mon-Sun')
    expect(lines).toContain(`${' '.repeat(25)}08:00-21:00`)
  })
})

it('leads add: a script gets the data and no sentence', async () => {
  const { at } = await startAtTerminal()
  const words = ['leads', 'add', '--campaign', 'Web leads', '--phone', '+15550100001', '--output', 'table']
  const { stdout, stderr } = await at.run(words)
  expect(stdout).toMatch(/^Dry run +no$/m)
  expect(stderr).toBe('')
})

it('a record for a person names one time for the next call', () => {
  const next_dial_at = '2026-10-02T05:40:00Z'
  const scheduled = { status: 'scheduled', scheduled_for: '2026-10-02T16:00:00Z', callback_at: null }
  expect(withoutNoise({ ...scheduled, next_dial_at })).toEqual(scheduled)
  const queued = { status: 'queued', scheduled_for: null, next_dial_at }
  expect(withoutNoise(queued)).toEqual(queued)
})

it('a record for a person keeps the values that are not the usual ones', () => {
  expect(withoutNoise({ livemode: true, dry_run: false, object: 'lead', late: true, name: null })).toEqual({
    livemode: true,
    late: true,
    name: null,
  })
})

it.each([40, 60, 80])('usage --chart: no line is wider than %i columns', (width) => {
  const counts = {
    requests: 1,
    leads_created: 1,
    calls: 1234,
    calls_connected: 1000,
    minutes: 56_789,
    cost_usd: 1234.5,
  }
  const usage = {
    period: '2026-10',
    timezone: 'America/New_York',
    totals: counts,
    groups: [{ day: '2026-10-01', ...counts }],
  }
  const lines = renderUsage(usage as unknown as Parameters<typeof renderUsage>[0], width)
    .trimEnd()
    .split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
})
