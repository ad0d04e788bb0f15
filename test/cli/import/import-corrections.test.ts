/** What a person can correct before an import: a column that became the wrong field, and the sheet of a workbook. */
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const enter = '\r'
const [one, two] = [numberOf(1), numberOf(2)]

describe.runIf(hasTerminals)('before an import, a person at a terminal', () => {
  const open = (at: ImportAt, words: readonly string[]) =>
    new TerminalSvc(at.at.svc, words, { env: { ...at.at.env, NO_COLOR: '1' }, columns: 160 })

  it('corrects a column with the answer c, and the command to repeat has the correction', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `Name,Buyer,Phone\nAcme Inc,Ann Lee,${one}\nBig Co,Bo,${two}\n`)
    const terminal = open(at, at.words(file))
    await terminal.shows(/Columns: Name → name, Phone → phone\.[^]*To correct a column, answer c\.[^]*\(y\/N\)/)
    terminal.type(`c${enter}`)
    await terminal.shows(/Column to correct:[^]*Buyer \(ignored, such as Ann Lee\)/)
    terminal.type('Buyer')
    await terminal.shows(/❯ Buyer \(/)
    terminal.type(enter)
    await terminal.shows(/Buyer is:[^]*ignore this column/)
    terminal.type('name')
    await terminal.shows(/❯ name/)
    terminal.type(enter)
    await terminal.shows(/Columns: Buyer → name, Phone → phone\.[^]*\(y\/N\)/)
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).toContain('--map Buyer=name --yes\n')
    expect(await at.taken()).toMatchObject([{ name: 'Ann Lee' }, { name: 'Bo' }])
  })

  it('picks the sheet of a workbook if the first one has no phone column', async () => {
    const at = await ImportAt.start()
    const sheets = [
      { name: 'Notes', rows: [['About'], ['Made by hand']] },
      {
        name: 'People',
        rows: [
          ['Name', 'Phone'],
          ['Ann', one],
        ],
      },
    ]
    const file = at.file('people.xlsx', Buffer.from(await writeXlsx({ sheets })))
    const terminal = open(at, at.words(file))
    await terminal.shows(/The sheet "Notes" has no phone column\. Which sheet:[^]*❯ People/)
    terminal.type(enter)
    await terminal.shows(/\(y\/N\)/)
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).toContain('--sheet People --yes')
    expect(await at.taken()).toMatchObject([{ name: 'Ann', phone: one }])
    // A script reads the first sheet, as the notice says.
    const { stderr, code: failed } = await at.run(file)
    expect({ stderr, failed }).toMatchObject({ failed: 2 })
    expect(stderr).toContain('No column of people.xlsx is called phone.')
  })
})
