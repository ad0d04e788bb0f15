/** Sentences that say at a terminal what a command did. Scripts get only the data. */
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { renderUsage } from '../../../src/output/charts/usage-chart.js'
import { withoutNoise } from '../../../src/output/noise.js'
import { numberOf } from '../../support/programs/import-at.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

async function start() {
  const at = await SvcAt.start({ now: '2026-10-01T15:00:00Z', paused: true }, 'test')
  const run = async (words: readonly string[], columns = 120) => {
    const env = { ...at.env, NO_COLOR: '1', CI: '', TZ: 'UTC' }
    const { screen, code } = await new TerminalSvc(at.svc, words, { env, columns }).end()
    return { code, lines: stripVTControlCharacters(screen).trimEnd().split('\n') }
  }
  const add = (...more: string[]) => run(['leads', 'add', '--campaign', 'Web leads', ...more])
  return { at, run, add }
}

describe.runIf(hasTerminals)('the result at a terminal is a sentence', () => {
  it('leads add: says that the person is being called, and leaves out what says nothing', async () => {
    const { add } = await start()
    const { lines } = await add('--phone', '+15550100001', '--name', 'Ann')
    expect(lines.at(-1)).toBe('Ann was added to Web leads and is being called now.')
    expect(lines.join('\n')).not.toMatch(/Dry run|Live data/)
  })

  it('leads add: says why a lead is held, and when it is called', async () => {
    const { at, add } = await start()
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
    const { add } = await start()
    expect((await add('--phone', '+15550100001', '--name', 'Ann', '--dry-run')).lines.at(-1)).toBe(
      'Ann would be added to Web leads. Nothing was saved.',
    )
  })

  it('dnc add, check and remove: say whether the number may be called', async () => {
    const { run } = await start()
    const last = async (...words: string[]) => (await run(['dnc', ...words])).lines.at(-1)
    expect(await last('check', '2125557812')).toBe('+12125557812 is not on the Do Not Call list.')
    expect(await last('add', '2125557812')).toBe('+12125557812 is on the Do Not Call list now: no campaign calls it.')
    expect(await last('check', '2125557812')).toBe('+12125557812 is on the Do Not Call list: no campaign calls it.')
    expect(await last('remove', '2125557812', '--yes')).toBe(
      '+12125557812 is off the Do Not Call list: campaigns can call it again.',
    )
  })

  it('campaigns pause and start: say what follows', async () => {
    const { run } = await start()
    expect((await run(['campaigns', 'pause', 'Web leads'])).lines.at(-1)).toBe(
      'The campaign Web leads is paused: no new call begins until svc campaigns start.',
    )
    expect((await run(['campaigns', 'start', 'Web leads'])).lines.at(-1)).toBe(
      'The campaign Web leads is running: its leads are called in their calling hours.',
    )
  })

  it('exports create: shows no link to a file that it has saved', async () => {
    const { at, run } = await start()
    const create = ['exports', 'create', '--type', 'leads']
    expect((await run(create)).lines.join('\n')).toContain('Link to the file')
    const { lines } = await run([...create, '--download', join(at.svc.folder, 'leads.csv')], 200)
    expect(lines.join('\n')).not.toContain('Link to the file')
    expect(lines.at(-1)).toMatch(/^Saved .*leads\.csv \(\d+ rows\)\.$/)
  })

  it('values of a record continue below their beginning at 40 columns', async () => {
    const { run } = await start()
    const { lines } = await run(['campaigns', 'get', 'Web leads'], 40)
    expect(lines).toContain('Calling hours            Mon-Sun')
    expect(lines).toContain(`${' '.repeat(25)}08:00-21:00`)
  })
})

it('leads add: a script gets the data and no sentence', async () => {
  const { at } = await start()
  const words = ['leads', 'add', '--campaign', 'Web leads', '--phone', '+15550100001', '--output', 'table']
  const { stdout, stderr } = await at.run(words)
  expect(stdout).toMatch(/^Dry run +no$/m)
  expect(stderr).toBe('')
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
