/** `--resume` and earlier runs at a terminal: nothing is sent before a person has seen what and has said yes. */
import { describe, expect, it } from 'vitest'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const enter = '\r'

describe.runIf(hasTerminals)('an import with an earlier run, at a terminal', () => {
  const open = (at: ImportAt, words: readonly string[]) =>
    new TerminalSvc(at.at.svc, words, { env: { ...at.at.env, NO_COLOR: '1' }, columns: 200 })

  /** An import of 70 leads that stopped after 60. */
  const stopped = async (): Promise<{ at: ImportAt; file: string }> => {
    const at = await ImportAt.start({ limits: true })
    const file = at.leads(70)
    expect(await at.run(file, ['--max-wait', '1s'])).toMatchObject({ code: 7 })
    const limits = { leads_per_minute: 500, requests_per_minute: 1_000, burst: 1_000 }
    await at.simulation.control('PATCH', `/_sim/keys/${at.at.client.key.key_id}`, { limits })
    return { at, file }
  }

  it('--resume without an earlier run is a new import: its preview, and a question that Enter declines', async () => {
    const at = await ImportAt.start()
    const terminal = open(at, at.words(at.leads(3), ['--resume']))
    await terminal.shows(/\(y\/N\)/)
    terminal.type(enter)
    const { screen, code } = await terminal.end()
    expect(code).toBe(2)
    expect(screen).toContain('No earlier import of people.csv is known: this is a new import.\n')
    expect(screen).toContain('people.csv: 3 rows. Columns: name → name, phone → phone.')
    expect(screen).toContain('LIVE Add 3 leads to the campaign Web leads at 127.0.0.1:')
    expect(screen).toContain('? They may be called at once.')
    expect(await at.batches()).toEqual([])
  })

  it('--resume asks for the rows that are left', async () => {
    const { at, file } = await stopped()
    const sent = (await at.batches()).length
    const declined = open(at, [...at.words(file, ['--resume']), '--rate', '500'])
    await declined.shows(/LIVE Add the other 10 leads to the campaign Web leads [^]*\(y\/N\)/)
    declined.type(enter)
    const { screen, code } = await declined.end()
    expect(code).toBe(2)
    expect(screen).toContain('An earlier import of this file stopped after 60 of 70 rows. 10 rows are left.\n')
    // The first rows are those that will be sent.
    expect(screen).toContain(numberOf(60))
    expect(screen).not.toContain(numberOf(0))
    expect(await at.batches()).toHaveLength(sent)
    const agreed = open(at, [...at.words(file, ['--resume']), '--rate', '500'])
    await agreed.shows(/\(y\/N\)/)
    agreed.type(`y${enter}`)
    expect(await agreed.end()).toMatchObject({ code: 0 })
    expect(await at.taken()).toHaveLength(70)
  })

  it('--resume of a file that has changed since says so, and asks as for a new import', async () => {
    const { at, file } = await stopped()
    const sent = (await at.batches()).length
    at.leads(120)
    const terminal = open(at, at.words(file, ['--resume']))
    await terminal.shows(/Leave out the 60 rows already added\? \(Y\/n\)/)
    terminal.type(`n${enter}`)
    await terminal.shows(/Add 120 leads \(60 of them already added\) to [^]*\(y\/N\)/)
    terminal.type(enter)
    const { screen, code } = await terminal.end()
    expect(code).toBe(2)
    expect(screen).toMatch(
      /people\.csv has changed since the import on [\d-]+ [\d:]+, which sent 60 of 70 rows: this is a new import\. Numbers that the campaign already has are refused/,
    )
    expect(await at.batches()).toHaveLength(sent)
  })

  it('a stopped file that was edited counts who was already added, and another campaign has none of them', async () => {
    const { at, file } = await stopped()
    const rows = Array.from({ length: 75 }, (_, n) => `${n === 3 ? 'Another name' : `Lead ${n}`},${numberOf(n)}`)
    at.file(file, `name,phone\n${rows.join('\n')}\n`)
    const terminal = open(at, at.words(file))
    await terminal.shows(/Leave out the 60 rows already added\? \(Y\/n\)/)
    terminal.type(`n${enter}`)
    await terminal.shows(/which sent 60 of 70 rows: this is a new import\./)
    await terminal.shows(
      /Warning: 60 of 75 rows were already added to the campaign by an earlier import\.\s+The campaign refuses numbers that it has, within 30 days after they were added\./,
    )
    await terminal.shows(/Add 75 leads \(60 of them already added\) to the campaign Web leads at [^]*\(y\/N\)/)
    terminal.type(`y${enter}`)
    const { screen } = await terminal.end()
    expect(screen).toContain('15 leads added, 60 rows not added: 60 already in the campaign')
    expect(await at.taken()).toHaveLength(75)
    await at.simulation.campaign({ name: 'Spring offers' })
    const other = open(at, ['leads', 'import', file, '--campaign', 'Spring offers'])
    await other.shows(/Add 75 leads to the campaign Spring offers [^]*\(y\/N\)/)
    other.type(enter)
    await other.end()
  })

  it('a batch that was sent without an answer is named before its rows are sent again', async () => {
    const at = await ImportAt.start()
    const file = at.leads(70)
    const fault = { path: '/leads/batch', drop: true, after_commit: true, count: 4 }
    await at.simulation.control('POST', '/_sim/faults', fault)
    expect(await at.run(file)).toMatchObject({ code: 8 })
    at.leads(71)
    const { stderr } = await at.run(file, ['--max-wait', '0'])
    expect(stderr).toContain(
      'Warning: 60 rows were sent by an earlier import without an answer, and may be in the campaign.',
    )
  })

  it('--resume to another campaign says so, and asks as for a new import', async () => {
    const { at, file } = await stopped()
    await at.simulation.campaign({ name: 'Spring offers' })
    const terminal = open(at, ['leads', 'import', file, '--campaign', 'Spring offers', '--resume'])
    await terminal.shows(/Add 70 leads to the campaign Spring offers [^]*\(y\/N\)/)
    terminal.type(enter)
    expect((await terminal.end()).screen).toMatch(
      /had another target, other columns or other rows: this is a new import\.\n/,
    )
  })

  it('a file that was imported whole says when, before it is sent again', async () => {
    const at = await ImportAt.start()
    const file = at.leads(3)
    await at.imported(file)
    const terminal = open(at, at.words(file))
    await terminal.shows(/Add the same 3 leads again to the campaign Web leads [^]*\(y\/N\)/)
    terminal.type(enter)
    const { screen } = await terminal.end()
    expect(screen).toMatch(/\n3 rows, all of them imported before, on [\d-]+ [\d:]+\.\n/)
  })

  it('dnc import --resume without an earlier run asks', async () => {
    const at = await ImportAt.start()
    const file = at.file('never.csv', `phone\n${numberOf(0)}\n`)
    const terminal = open(at, ['dnc', 'import', file, '--resume'])
    await terminal.shows(/LIVE Put 1 number on the Do Not Call list [^]*\(y\/N\)/)
    terminal.type(enter)
    const { screen, code } = await terminal.end()
    expect(code).toBe(2)
    expect(screen).toContain('No earlier import of never.csv is known: this is a new import.\n')
    expect((await at.at.client.get<unknown[]>('/dnc')).data).toEqual([])
  })

  it('--resume with --yes continues without a question', async () => {
    const { at, file } = await stopped()
    const { screen, code } = await open(at, [...at.words(file, ['--resume', '--yes']), '--rate', '500']).end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).not.toContain('(y/N)')
    expect(await at.taken()).toHaveLength(70)
  })

  it('no row that can be added: says so, and after a no writes the refused rows and sends nothing', async () => {
    const at = await ImportAt.start()
    const values = ['(212) 556-7301 ext 12', '312.555.8877 x 23', '+1 646 201 1000;ext=4', 'call me']
    const file = at.file('people.csv', `Name,Phone\n${values.map((value) => `Ann,${value}`).join('\n')}\n`)
    const terminal = open(at, at.words(file))
    await terminal.shows(/None of the 4 rows can be added\. If you answer n,[^]*Correct a column\? \(Y\/n\)/)
    terminal.type(`n${enter}`)
    const { screen, code } = await terminal.end()
    expect(code).toBe(6)
    expect(screen).not.toContain('(y/N)')
    expect(at.refused().map(({ _code, _message }) => `${_code ?? ''}: ${_message ?? ''}`)).toEqual([
      'invalid_phone: The phone is not a valid phone number. The phone has an extension (ext 12): remove it, an extension cannot be dialed.',
      'invalid_phone: The phone is not a valid phone number. The phone has an extension (x 23): remove it, an extension cannot be dialed.',
      'invalid_phone: The phone is not a valid phone number. The phone has an extension (ext=4): remove it, an extension cannot be dialed.',
      'invalid_phone: The phone is not a valid phone number.',
    ])
    expect(await at.batches()).toEqual([])
  })
})

describe('an import in a script', () => {
  it('says that a refused number has an extension', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `phone\n(212) 556-7301 ext 12\n${numberOf(0)}\n`)
    expect(await at.imported(file)).toMatchObject({ added: 1, refused: 1 })
    expect(at.refused()).toMatchObject([{ _message: expect.stringContaining('(ext 12): remove it') as string }])
  })
})
