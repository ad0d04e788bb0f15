/** People whom an earlier import added: another file with them can leave them out. */
import { describe, expect, it } from 'vitest'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const enter = '\r'

/** A file with leads from one number to another. */
const leadsOf = (at: ImportAt, name: string, from: number, to: number): string => {
  const rows = Array.from({ length: to - from }, (_, n) => `Lead ${from + n},${numberOf(from + n)}`)
  return at.file(name, `name,phone\n${rows.join('\n')}\n`)
}

const setLeadsPerMinute = (at: ImportAt, leads: number) =>
  at.simulation.control('PATCH', `/_sim/keys/${at.at.client.key.key_id}`, {
    limits: { leads_per_minute: leads, requests_per_minute: 1_000, burst: 1_000 },
  })

describe('leads import: people whom an earlier import added', () => {
  it('warns in a script and sends all rows; --skip-added leaves them out', async () => {
    const at = await ImportAt.start()
    await at.imported(leadsOf(at, 'monday.csv', 0, 10))
    const tuesday = leadsOf(at, 'tuesday.csv', 5, 15)
    const skipped = await at.run(tuesday, ['--skip-added', '--json'])
    expect(skipped.code).toBe(0)
    expect(JSON.parse(skipped.stdout)).toMatchObject({ added: 5, refused: 0, left_out: 5 })
    expect(await at.taken()).toHaveLength(15)
    const warned = await at.run(leadsOf(at, 'wednesday.csv', 10, 16))
    expect(warned.stderr).toContain('Warning: 5 of 6 rows were already added to the campaign by an earlier import.\n')
    expect(warned.stderr).toContain('--skip-added leaves out the 5 rows already added.\n')
    expect(warned.code).toBe(6)
  })

  it('--resume continues with the same rows left out, although the stopped run has added more people', async () => {
    const at = await ImportAt.start({ limits: true })
    await at.imported(leadsOf(at, 'monday.csv', 0, 5))
    await setLeadsPerMinute(at, 65)
    const file = leadsOf(at, 'tuesday.csv', 0, 75)
    const stopped = await at.run(file, ['--skip-added', '--max-wait', '1s'])
    expect(stopped.stderr).toMatch(/Stopped after \d+ of 70 rows\. Go on with: .*--skip-added/)
    await setLeadsPerMinute(at, 500)
    expect(await at.imported(file, ['--skip-added', '--resume', '--rate', '500'])).toMatchObject({
      added: 70,
      left_out: 5,
    })
    expect(await at.taken()).toHaveLength(75)
    // The whole command again changes nothing.
    expect(await at.imported(file, ['--skip-added'])).toMatchObject({ added: 0, already_added: 70, left_out: 5 })
  })

  it('--skip-added of a first import leaves out nothing, also when it continues', async () => {
    const at = await ImportAt.start({ limits: true })
    const file = leadsOf(at, 'people.csv', 0, 70)
    expect(await at.run(file, ['--skip-added', '--max-wait', '1s'])).toMatchObject({ code: 7 })
    await setLeadsPerMinute(at, 500)
    expect(await at.imported(file, ['--skip-added', '--resume', '--rate', '500'])).toMatchObject({ added: 70 })
  })

  it.runIf(hasTerminals)('a person is asked at a terminal, and the Enter key leaves them out', async () => {
    const at = await ImportAt.start()
    await at.imported(leadsOf(at, 'monday.csv', 0, 10))
    const words = at.words(leadsOf(at, 'tuesday.csv', 5, 15))
    const terminal = new TerminalSvc(at.at.svc, words, { env: { ...at.at.env, NO_COLOR: '1' }, columns: 160 })
    await terminal.shows(/Leave out the 5 rows already added\? \(Y\/n\)/)
    terminal.type(enter)
    await terminal.shows(/Add 5 leads \(5 already added rows left out\) to the campaign Web leads [^]*\(y\/N\)/)
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).toContain(`5 rows were already added to the campaign by an earlier import:\n  line 2: Lead 5, `)
    expect(screen).toContain('5 leads added, 5 already added rows left out.')
    expect(screen).toContain('--skip-added --yes')
    expect(await at.taken()).toHaveLength(15)
  })
})
