/** Refused rows that are tried again after their reason is gone: they get new answers, and nobody is added twice. */
import { describe, expect, it } from 'vitest'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const [one, two, three] = [numberOf(1), numberOf(2), numberOf(3)]

/** A campaign that takes a lead a second time puts it back in the queue. One number of the file is on the DNC list. */
async function start() {
  const at = await ImportAt.start()
  await at.simulation.changeCampaign({ duplicate_window_days: 0, lines: 0 })
  await at.at.text('dnc', 'add', two)
  const file = at.file('people.csv', `phone\n${one}\n${two}\n${three}\n12\n`)
  expect(await at.imported(file)).toMatchObject({ added: 2, by_code: { on_dnc_list: 1, invalid_phone: 1 } })
  const numbers = async () => (await at.taken()).map(({ phone }) => phone)
  const queued = async () =>
    (await at.simulation.events(at.at.client)).filter(({ type }) => type === 'lead.queued').length
  return { at, file, numbers, queued }
}

describe('leads import of a file with refused rows', () => {
  it('says that the same refusals are earlier answers, and --again tries only these rows', async () => {
    const { at, file, numbers, queued } = await start()
    await at.at.text('dnc', 'remove', two, '--yes')
    const repeated = await at.run(file)
    expect(repeated.stderr).toMatch(
      /2 refusals are the answers to an earlier import of these rows on [\d-]+ [\d:]+: they were not judged again\. To try the rows again, add --again\.\n/,
    )
    expect(await numbers()).toEqual([one, three])
    const again = await at.run(file, ['--again', '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ added: 1, requeued: 0, refused: 1, left_out: 2 })
    expect(again.stderr).not.toContain('--again')
    expect(await numbers()).toEqual([one, three, two])
    expect(at.refused().map(({ phone }) => phone)).toEqual(['12'])
    expect(JSON.parse((await at.run(file, ['--again', '--json'])).stdout)).toMatchObject({
      added: 0,
      refused: 1,
      left_out: 3,
    })
    expect(await queued()).toBe(3)
  })

  it('tries all rows again if all were refused, from the file itself or from that of the refused rows', async () => {
    const at = await ImportAt.start()
    await at.simulation.changeCampaign({ consent_required: true, duplicate_window_days: 0, lines: 0 })
    const [file, other] = [at.file('people.csv', `phone\n${one}\n${two}\n`), at.file('others.csv', `phone\n${three}\n`)]
    for (const name of [file, other]) expect(await at.imported(name)).toMatchObject({ added: 0 })
    await at.simulation.changeCampaign({ consent_required: false })
    expect(await at.imported('others.failed.csv')).toMatchObject({ added: 1, refused: 0 })
    expect(await at.imported(file)).toMatchObject({ added: 0, refused: 2 })
    expect(await at.imported(file, ['--again'])).toMatchObject({ added: 2, refused: 0 })
    const nothing = await at.run(file, ['--again'])
    expect(nothing.stderr).toContain('--again changes nothing: the earlier import of people.csv refused no rows.')
    expect(await at.taken()).toHaveLength(3)
  })

  it('adds nobody twice if a second try lost its answer', async () => {
    const { at, file, numbers, queued } = await start()
    await at.at.text('dnc', 'remove', two, '--yes')
    const fault = { method: 'POST', path: '/leads/batch', drop: true, after_commit: true, count: 4 }
    await at.simulation.control('POST', '/_sim/faults', fault)
    expect(await at.run(file, ['--again'])).toMatchObject({ code: 8 })
    await at.simulation.control('DELETE', '/_sim/faults')
    expect(await at.imported(file, ['--again'])).toMatchObject({ requeued: 0, refused: 1 })
    expect(await numbers()).toEqual([one, three, two])
    expect(await queued()).toBe(3)
  })

  it('says why there is nothing to try again', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `phone\n${one}\n`)
    expect((await at.run(file, ['--again'])).stderr).toContain(
      '--again changes nothing: no earlier import of people.csv to this campaign is known.\n',
    )
  })

  it.runIf(hasTerminals)('offers it at a terminal', async () => {
    const { at, file, numbers } = await start()
    await at.at.text('dnc', 'remove', two, '--yes')
    const env = { ...at.at.env, NO_COLOR: '1' }
    const terminal = new TerminalSvc(at.at.svc, at.words(file), { env, columns: 200 })
    await terminal.shows(
      /The import of this file on [\d-]+ [\d:]+ refused 2 rows\.\s+[^]*Try only the 2 refused rows again\? \(Y\/n\)/,
    )
    terminal.type('\r')
    await terminal.shows(/Add 1 lead \(1 of 2 rows will be refused, 2 already added rows left out\) [^]*\(y\/N\)/)
    terminal.type('y\r')
    const { screen, code } = await terminal.end()
    expect(code).toBe(6)
    expect(screen).toContain('--again --yes')
    expect(await numbers()).toEqual([one, three, two])
  })
})
