/** What a person can correct before an import: a column that became the wrong field, and the sheet of a workbook. */
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const enter = '\r'
const [one, two, three] = [numberOf(1), numberOf(2), numberOf(3)]

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
    await terminal.shows(/Next column to correct:\s+❯ no more, go on/)
    terminal.type(enter)
    await terminal.shows(/Columns: Buyer → name, Phone → phone\.[^]*\(y\/N\)/)
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).toContain('--map Buyer=name --yes\n')
    expect(await at.taken()).toMatchObject([{ name: 'Ann Lee' }, { name: 'Bo' }])
  })

  it('corrects two columns, one after the other; what is typed ahead answers no later question', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `Name,Buyer,Phone,Direct\nAcme Inc,Ann Lee,${one},${two}\n`)
    const terminal = open(at, at.words(file, ['--map', 'Phone=phone']))
    const correct = async (after: RegExp, column: string, field: string) => {
      await terminal.shows(new RegExp(`${after.source}[^]*\\(y/N\\)`))
      terminal.type(`c${enter}y${enter}`)
      await terminal.shows(new RegExp(`${after.source}[^]*Column to correct:`))
      terminal.type(column)
      await terminal.shows(new RegExp(`❯ ${column} \\(`))
      terminal.type(enter)
      await terminal.shows(new RegExp(`${column} is:`))
      terminal.type(field)
      // Enter is ignored until the list is that of the typed text.
      await terminal.shows(new RegExp(`${column} is: ${field}\\s+❯ ${field}\\s+(first name\\s+last name\\s+)?↑↓`))
      terminal.type(enter)
      await terminal.shows(new RegExp(`${column} is: ${field}\\s[^]*Next column to correct:\\s+❯ no more, go on`))
      terminal.type(enter)
    }
    await correct(/Columns: Name → name, Phone → phone\./, 'Buyer', 'name')
    await correct(/Columns: Buyer → name, Phone → phone\./, 'Direct', 'phone, instead of Phone')
    await terminal.shows(/The column Phone is ignored now\./)
    await terminal.shows(/Columns: Buyer → name, Direct → phone\.[^]*\(y\/N\)/)
    expect(await at.batches()).toEqual([])
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(await at.taken()).toMatchObject([{ name: 'Ann Lee', phone: two }])
    const [, again = ''] = /without questions:\s+svc (.*)\n/.exec(screen) ?? []
    expect(again).toContain('--map Phone=phone --map Buyer=name --map Direct=phone --map Phone= --yes')
    expect(await at.at.svc.shell(`svc ${again}`, { env: at.at.env })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 lead already added earlier') as string,
    })
  })

  it('combines several phone columns again, and says what is dropped', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `First,Last,Mobile,Phone\nAnn,Lee,${one},${two}\nBo,Ray,,${three}\n`)
    const terminal = open(at, at.words(file))
    const pick = async (question: string, typed: string, shown = typed) => {
      await terminal.shows(new RegExp(`${question}[^]*↑↓`))
      terminal.type(typed)
      await terminal.shows(new RegExp(`${question}[^]*: ${typed}\\s+❯ ${shown}`))
      terminal.type(enter)
    }
    await terminal.shows(/Columns: First \+ Last → name, Mobile, else Phone → phone\.[^]*\(y\/N\)/)
    terminal.type(`c${enter}`)
    await pick('Column to correct:', 'Mobile', 'Mobile \\(phone')
    await pick('Mobile is:', 'nothing')
    await pick('Next column to correct:', 'Mobile', 'Mobile \\(ignored')
    await pick('Mobile \\(ignored[^]*Mobile is:', 'phone, else Phone')
    await pick('✔ LIVE Mobile is: phone, else Phone[^]*Next column to correct:', 'First', 'First \\(name')
    await pick('First is:', 'name')
    await terminal.shows(/The column Last is ignored now\./)
    await pick('Last is ignored[^]*Next column to correct:', 'First', 'First \\(name')
    await pick('Last is ignored[^]*First is:', 'first name')
    await terminal.shows(/The column Last is name now\.[^]*Next column to correct:\s+❯ no more, go on/)
    terminal.type(enter)
    await terminal.shows(/Last is name now[^]*Columns: First \+ Last → name, Mobile, else Phone → phone\.[^]*\(y\/N\)/)
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).toContain('--map Mobile=phone --map Phone=phone --map First=first_name --yes\n')
    expect(await at.taken()).toMatchObject([
      { name: 'Ann Lee', phone: one },
      { name: 'Bo Ray', phone: three },
    ])
  })

  it('offers no column that an import added to a file of refused rows', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `Name,Phone,Buyer,_line,_code,_message\nAnn,${one},Bo,2,x,y\n`)
    const terminal = open(at, at.words(file))
    await terminal.shows(/\(y\/N\)/)
    terminal.type(`c${enter}`)
    await terminal.shows(/Column to correct:[^]*Buyer[^]*none, go back/)
    terminal.type('\u0003')
    expect((await terminal.end()).screen).not.toContain('_line')
  })

  it('speaks of fields in plain words, goes back from a column, and changes several before it goes on', async () => {
    const at = await ImportAt.start()
    const content = `Name,Phone,Signed,Agent,Town\nAnn,${one},2026-09-01T10:00:00Z,Zed,Rome\n`
    const terminal = open(at, at.words(at.file('people.csv', content)))
    const pick = async (question: string, typed: string, shown: string) => {
      await terminal.shows(new RegExp(`${question}[^]*↑↓`))
      terminal.type(typed)
      // Enter is ignored until the list is that of the typed text.
      await terminal.shows(new RegExp(`: ${typed}\\s+❯ ${shown}`))
      terminal.type(enter)
    }
    await terminal.shows(/\(y\/N\)/)
    terminal.type(`c${enter}`)
    await pick('Column to correct:', 'Agent', 'Agent \\(ignored')
    await terminal.shows(/Agent is:[^]*first name[^]*e-mail[^]*your own id of the person/)
    await pick('Agent is:', 'back', 'back to the columns')
    await pick('Agent is: back[^]*Column to correct:', 'Phone', 'Phone \\(phone')
    await pick('Phone is:', 'nothing', 'nothing')
    await terminal.shows(/Then no column would be the phone\. Say first which other column is the phone\./)
    await pick('no column would[^]*Column to correct:', 'Town', 'Town \\(ignored')
    await pick('Town is:', 'custom', 'a custom field Town')
    await terminal.shows(/Town is: a custom field Town[^]*Next column to correct:\s+❯ no more, go on/)
    terminal.type(enter)
    await terminal.shows(/Columns: Name → name, Phone → phone, Town → custom field Town\.[^]*\(y\/N\)/)
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).not.toContain('consent.')
    expect(screen).toContain('--map Town=fields.Town --yes\n')
    expect(await at.taken()).toMatchObject([{ phone: one, fields: { Town: 'Rome' } }])
  })

  it('corrects the column of the phone if no row can be added', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `Name,Phone,Reach at\nAnn,A-17,${one}\nBo,A-18,${two}\n`)
    const terminal = open(at, at.words(file))
    await terminal.shows(
      /2 values are not valid phone numbers \(lines 2, 3\), such as "A-17"\.[^]*None of the 2 rows can be added\./,
    )
    await terminal.shows(
      /If you answer n, nothing is sent, and people\.failed\.csv says why[^]*Correct a column\? \(Y\/n\)/,
    )
    terminal.type(enter)
    await terminal.shows(/Column to correct:[^]*none, go back/)
    terminal.type('go back')
    await terminal.shows(/❯ none, go back/)
    terminal.type(enter)
    await terminal.shows(/go back[^]*None of the 2 rows[^]*Correct a column\? \(Y\/n\)/)
    terminal.type(enter)
    await terminal.shows(/go back[^]*Correct a column[^]*Column to correct:/)
    terminal.type('reach at')
    await terminal.shows(/❯ Reach at \(ignored/)
    terminal.type(enter)
    await terminal.shows(/Reach at is:[^]*❯ phone/)
    terminal.type(enter)
    await terminal.shows(/Next column to correct:\s+❯ no more, go on/)
    terminal.type(enter)
    await terminal.shows(/Reach at → phone\.[^]*Add 2 leads to the campaign[^]*\(y\/N\)/)
    terminal.type(`y${enter}`)
    expect(await terminal.end()).toMatchObject({ code: 0 })
    expect(await at.taken()).toMatchObject([{ phone: one }, { phone: two }])
  })

  it('corrects the phone columns of a Do Not Call list, also if no number can be listed', async () => {
    const at = await ImportAt.start()
    const listed = async () => (await at.at.client.all<{ phone: string }>('/dnc', 'cursor')).map(({ phone }) => phone)
    const file = at.file('stop.csv', `Name,Phone,Caller ID,Note\nAnn,A-17,${one},x\nBo,A-18,${two},y\n`)
    const terminal = open(at, ['dnc', 'import', file])
    const [space, down] = [' ', '\u001b[B']
    await terminal.shows(/None of the 2 rows can be put on the list\.[^]*Correct a column\? \(Y\/n\)/)
    terminal.type(enter)
    await terminal.shows(/Columns with phone numbers:[^]*Phone \(phone, such as A-17\)/)
    // The second one is Phone. It is left picked.
    terminal.type(`${down}${down}${space}`)
    await terminal.shows(/❯◉ Caller ID/)
    terminal.type(enter)
    await terminal.shows(
      /4 numbers\. 2 phone columns: Phone, Caller ID\.[^]*answer c\.[^]*Put 2 numbers \(2 of 4[^]*\(y\/N\)/,
    )
    terminal.type(`c${enter}`)
    await terminal.shows(/2 phone columns[^]*Columns with phone numbers:[^]*Caller ID \(phone/)
    terminal.type(`${down}${space}`)
    await terminal.shows(/❯◯ Phone/)
    terminal.type(enter)
    await terminal.shows(/Columns: Caller ID → phone\.[^]*Put 2 numbers on the Do Not Call list[^]*\(y\/N\)/)
    expect(await listed()).toEqual([])
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect(code).toBe(0)
    expect(screen).toContain("--map 'Caller ID=phone' --yes")
    expect((await listed()).sort()).toEqual([one, two].sort())
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
