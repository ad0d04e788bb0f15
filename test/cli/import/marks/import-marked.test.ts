/** People whom a column of the file marks as not to be called: left out of a campaign, or the only ones to block. */
import { describe, expect, it } from 'vitest'
import type { DncEntry } from '../../../../src/contract/dnc.js'
import { ImportAt, numberOf } from '../../../support/programs/import-at.js'
import { hasTerminals, TerminalSvc } from '../../../support/programs/terminal.js'

const enter = '\r'
const [one, two, three, four] = [numberOf(1), numberOf(2), numberOf(3), numberOf(4)]
const content = `Name,Phone,Do Not Call\nAnn,${one},0\nBo,${two},Yes\nCy,${three},\nDee,${four},1\n`

const phones = async (at: ImportAt) => (await at.taken()).map(({ phone }) => phone)
const listed = async (at: ImportAt) =>
  (await at.at.client.all<DncEntry>('/dnc', 'cursor')).map(({ phone }) => phone).reverse()

describe('leads import: a column that marks people not to be called', () => {
  it('warns in a script and adds all rows; --skip-marked leaves them out', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', content)
    const warned = await at.run(file)
    expect(warned.stderr).toContain(
      'Warning: 2 rows are marked in the column Do Not Call (lines 3, 5), which the service does not know.\n' +
        'It calls these people. --skip-marked leaves the rows out;',
    )
    expect(await phones(at)).toEqual([one, two, three, four])
    const clean = await ImportAt.start()
    clean.file('people.csv', content)
    const ran = await clean.run(file, ['--skip-marked', '--json'])
    expect(JSON.parse(ran.stdout)).toMatchObject({ added: 2, refused: 0, left_out: 2 })
    expect(await phones(clean)).toEqual([one, three])
  })

  it.each([
    ['a status', 'Lead Status', 'DO NOT CALL'],
    ['a status with dashes', 'Status', 'do-not-contact'],
    ['a short word', 'Remarks', 'dnc'],
    ['a column with the name of a mark', 'Do Not Call', 'Opted_Out'],
  ])('finds people marked by a value: %s', async (_what, column, value) => {
    const at = await ImportAt.start()
    const file = at.file(
      'people.csv',
      `Name,Phone,Email status,${column}\nAnn,${one},Unsubscribed,New\nDNC,${two},,${value}\nCy,${three},,\nDee,${four},,asked: ${value}\n`,
    )
    const warned = await at.run(file, ['--dry-run'])
    expect(warned.stderr).toContain(`Warning: 1 row is marked in the column ${column} (line 3),`)
    expect(await at.imported(file, ['--skip-marked'])).toMatchObject({ added: 3, left_out: 1 })
    expect(await phones(at)).toEqual([one, three, four])
  })

  it.each([
    ['the same number', `Bob Two,(646) 201-1001,,Yes\nBob Also,+1 646 201 1001,,\nCy,${three},,\n`],
    ['a second phone column', `Mia,${one},(646) 201-1002,Yes\nMia,(646) 201-1002,,\nCy,${three},,\n`],
    ['an earlier row', `Mia,${one},,\nMia,${four},${one},Yes\nCy,${three},,\n`],
    ['a cell with two numbers', `Mia,${four} ::: ${one},,Yes\nMia,${one},,\nCy,${three},,\n`],
    ['a column that nobody calls', `Mia,${one},,Yes,${two}\nMia,${two},,,\nCy,${three},,,${three}\n`],
  ])('leaves out every row with a number of a marked person: %s', async (_what, rows) => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `Name,Phone,Mobile,Do Not Call,Reach at\n${rows}`)
    const maps = ['--map', 'Phone=phone']
    const warned = await at.run(file, [...maps, '--dry-run'])
    expect(warned.stderr).toContain('Warning: 1 row is marked in the column Do Not Call (line ')
    expect(warned.stderr).toContain('Warning: 1 other row has a number of a marked person (line ')
    expect(await at.imported(file, [...maps, '--skip-marked'])).toMatchObject({ added: 1, left_out: 2 })
    expect(await phones(at)).toEqual([three])
  })

  it('--skip-marked says so if no rows are marked', async () => {
    const at = await ImportAt.start()
    const ran = await at.run(at.leads(2), ['--skip-marked'])
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('No rows are marked: ') as string })
  })

  it('--resume continues the import without the rows that were left out', async () => {
    const at = await ImportAt.start({ limits: true })
    const rows = Array.from({ length: 75 }, (_, n) => `Ann,${numberOf(n)},${n % 15 === 0 ? 'yes' : ''}`)
    const file = at.file('people.csv', `Name,Phone,DNC\n${rows.join('\n')}\n`)
    const stopped = await at.run(file, ['--skip-marked', '--max-wait', '1s'])
    expect(stopped.stderr).toContain('Stopped after 60 of 70 rows. Go on with: ')
    const limits = { leads_per_minute: 500, requests_per_minute: 1_000, burst: 1_000 }
    await at.simulation.control('PATCH', `/_sim/keys/${at.at.client.key.key_id}`, { limits })
    expect(await at.imported(file, ['--skip-marked', '--resume', '--rate', '500'])).toMatchObject({ added: 70 })
  })
})

describe('dnc import: a column that marks people not to be called', () => {
  it('warns in a script about rows without a mark; --skip-unmarked leaves them out', async () => {
    const at = await ImportAt.start()
    const file = at.file('never.csv', content)
    const ran = await at.at.run(['dnc', 'import', file, '--skip-unmarked', '--json'])
    expect(JSON.parse(ran.stdout)).toMatchObject({ added: 2, left_out: 2 })
    expect(await listed(at)).toEqual([two, four])
    const warned = await at.at.run(['dnc', 'import', file])
    expect(warned.stderr).toContain('Warning: 2 rows are not marked in the column Do Not Call (lines 2, 4).\n')
    expect(await listed(at)).toHaveLength(4)
  })

  it('judges as leads import does: a row that a value marks goes onto the list', async () => {
    const at = await ImportAt.start()
    const rows = `Ann,${one},Do Not Call,\nBo,${two},New,yes\nCy,${three},New,\nDee,${four},New,no\n`
    const file = at.file('people.csv', `Name,Phone,Lead Status,Do not call\n${rows}`)
    const leads = await at.run(file, ['--dry-run'])
    expect(leads.stderr).toContain(
      'Warning: 2 rows are marked in the columns Lead Status and Do not call (lines 2, 3), which the service does not know.',
    )
    const dnc = await at.at.run(['dnc', 'import', file, '--dry-run'])
    expect(dnc.stderr).toContain(
      'Warning: 2 rows are not marked in the columns Lead Status and Do not call (lines 4, 5).',
    )
    await at.at.run(['dnc', 'import', file, '--skip-unmarked'])
    expect(await listed(at)).toEqual([one, two])
  })

  it('understands a permission, a date and a word that is not clear', async () => {
    const at = await ImportAt.start()
    const rows = `Ann,${one},No,\nBo,${two},Yes,\nCy,${three},Yes,2026-01-02\nDee,${four},by mail only,\n`
    const file = at.file('people.csv', `Name,Phone,OK to call,Phone Opt Out\n${rows}`)
    expect(await at.imported(file, ['--skip-marked'])).toMatchObject({ added: 2, left_out: 2 })
    expect(await phones(at)).toEqual([two, four])
    await at.at.run(['dnc', 'import', file, '--skip-unmarked'])
    expect(await listed(at)).toEqual([one, three, four])
  })

  it('lists every number of a marked person, also those of a row without a mark', async () => {
    const at = await ImportAt.start()
    const rows = `Ann,${one},,yes\nAnn,${two},${one},no\nCy,${three},,no\n`
    const file = at.file('people.csv', `Name,Phone,Mobile,DNC\n${rows}`)
    await at.at.run(['dnc', 'import', file, '--map', 'Phone=phone', '--map', 'Mobile=phone', '--skip-unmarked'])
    expect(await listed(at)).toEqual([one, two])
  })

  it('a value in a column of reasons does not make the other rows unmarked', async () => {
    const at = await ImportAt.start()
    const file = at.file('never.csv', `Name,Phone,Reason\nAnn,${one},Opted out\nBo,${two},Moved away\nCy,${three},\n`)
    const ran = await at.at.run(['dnc', 'import', file])
    expect(ran.stderr).not.toContain('Warning')
    expect(await listed(at)).toEqual([one, two, three])
  })

  it('a column of that name with the numbers themselves is no mark', async () => {
    const at = await ImportAt.start()
    const ran = await at.at.run(['dnc', 'import', at.file('never.csv', `Name,DNC\nAnn,${one}\nBo,${two}\n`)])
    expect(ran.stderr).not.toContain('Warning')
    expect(await listed(at)).toEqual([one, two])
  })
})

describe.runIf(hasTerminals)('marked rows at a terminal', () => {
  const open = (at: ImportAt, words: readonly string[]) =>
    new TerminalSvc(at.at.svc, words, { env: { ...at.at.env, NO_COLOR: '1' }, columns: 160 })

  it('leads import names them and leaves them out at the Enter key', async () => {
    const at = await ImportAt.start()
    const terminal = open(at, at.words(at.file('people.csv', content)))
    await terminal.shows(/Leave out the 2 marked rows\? \(Y\/n\)/)
    terminal.type(enter)
    await terminal.shows(/Add 2 leads \(2 marked rows left out\) to the campaign Web leads [^]*\(y\/N\)/)
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).toContain(
      `2 rows are marked in the column Do Not Call:\n  line 3: Bo, ${two}\n  line 5: Dee, ${four}\n`,
    )
    expect(screen).toContain('2 leads added, 2 marked rows left out.')
    expect(screen).toContain('--skip-marked --yes')
    expect(await phones(at)).toEqual([one, three])
  })

  it('leads import names the other rows of marked people, and asks once about all', async () => {
    const at = await ImportAt.start()
    const rows = `Bob Two,(646) 201-1001,Yes\nBob Also,+1 646 201 1001,\nCy,${three},\n`
    const terminal = open(at, at.words(at.file('people.csv', `Name,Phone,Do Not Call\n${rows}`)))
    await terminal.shows(/Leave out all 2 rows\? \(Y\/n\)/)
    terminal.type(enter)
    await terminal.shows(/Add 1 lead \(2 rows of marked people left out\) to the campaign[^]*\(y\/N\)/)
    // After a correction, the answer stays.
    terminal.type(`c${enter}`)
    await terminal.shows(/Column to correct:[^]*go back/)
    terminal.type('go back')
    await terminal.shows(/❯ none, go back/)
    terminal.type(enter)
    await terminal.shows(/go back[^]*Add 1 lead \(2 rows of marked people left out\)[^]*\(y\/N\)/)
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).toContain(
      '1 row is marked in the column Do Not Call:\n  line 2: Bob Two, (646) 201-1001\n' +
        '1 other row has a number of a marked person:\n  line 3: Bob Also, +1 646 201 1001 (see line 2)\n',
    )
    expect(screen.match(/Leave out/g)).toHaveLength(1)
    expect(screen).toContain('1 lead added, 2 rows of marked people left out.')
    expect(await phones(at)).toEqual([three])
  })

  it('leads import adds them after a no', async () => {
    const at = await ImportAt.start()
    const terminal = open(at, at.words(at.file('people.csv', content)))
    await terminal.shows(/Leave out the 2 marked rows\? \(Y\/n\)/)
    terminal.type(`n${enter}`)
    await terminal.shows(/Add 4 leads to the campaign [^]*\(y\/N\)/)
    terminal.type(`y${enter}`)
    expect(await terminal.end()).toMatchObject({ code: 0 })
    expect(await phones(at)).toHaveLength(4)
  })

  it.each([
    ['leads import', 'marked in the column Do Not Call:', 'Leave out the marked row?', 'Yes', 'No', 'Add 1 lead ('],
    ['dnc import', 'so this person may be called:', 'Leave out the row without a mark?', 'No', 'Yes', 'Put 1 number ('],
  ])('%s speaks of one row in the singular', async (command, says, question, first, second, last) => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `Name,Phone,Do Not Call\nAnn,${one},${first}\nBo,${two},${second}\n`)
    const words = command === 'leads import' ? at.words(file) : ['dnc', 'import', file]
    const terminal = open(at, words)
    await terminal.shows(/\(Y\/n\)/)
    terminal.type(enter)
    await terminal.shows(/left out\)[^]*\(y\/N\)/)
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect(code).toBe(0)
    for (const sentence of [says, question, last]) expect(screen).toContain(sentence)
    const told = screen.includes('no campaign') ? 'no campaign calls it' : '1 lead added, 1 marked row left out.'
    expect(screen).toContain(told)
  })

  it('dnc import leaves out people without a mark at the Enter key', async () => {
    const at = await ImportAt.start()
    const terminal = open(at, ['dnc', 'import', at.file('never.csv', content)])
    await terminal.shows(/so these people may be called:[^]*Leave out the 2 rows without a mark\? \(Y\/n\)/)
    terminal.type(enter)
    await terminal.shows(/Put 2 numbers \(2 unmarked rows left out\) on the Do Not Call list [^]*\(y\/N\)/)
    terminal.type(`y${enter}`)
    expect(await terminal.end()).toMatchObject({ code: 0 })
    expect(await listed(at)).toEqual([two, four])
  })
})
