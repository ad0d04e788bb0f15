/** Excel workbooks as files of leads and of numbers: their cells as text, their sheets, and what is too large or damaged. */
import { copyFileSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { cellText } from '../../../src/cli/import/source/workbook.js'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

/** Written by another library than the one that reads it. Its first sheet is hidden. */
const people = fileURLToPath(new URL('../../support/programs/people.xlsx', import.meta.url))

async function start(): Promise<{ at: ImportAt; file: string }> {
  const at = await ImportAt.start()
  copyFileSync(people, at.path('people.xlsx'))
  return { at, file: 'people.xlsx' }
}

type Cells = (string | number | boolean | null)[][]

async function workbook(...sheets: [name: string, rows: Cells][]): Promise<Buffer> {
  return Buffer.from(await writeXlsx({ sheets: sheets.map(([name, rows]) => ({ name, rows })) }))
}

/** Changes the unpacked size that the directory declares for the largest entry. */
function declare(zip: Buffer, size: number): Buffer {
  const changed = Buffer.from(zip)
  const mark = Buffer.from([0x50, 0x4b, 1, 2])
  let [largest, at] = [-1, -1]
  for (let entry = changed.indexOf(mark); entry >= 0; entry = changed.indexOf(mark, entry + 4)) {
    const unpacked = changed.readUInt32LE(entry + 24)
    if (unpacked > largest) [largest, at] = [unpacked, entry]
  }
  changed.writeUInt32LE(size, at + 24)
  return changed
}

describe('leads import: a workbook', () => {
  it('reads the first visible sheet: numbers as whole digits, dates, and formatted text', async () => {
    const { at, file } = await start()
    const flags = ['--map', 'Signed=fields.signed', '--map', 'City=fields.city', '--map', 'Score=fields.score']
    const { code, stderr } = await at.run(file, flags, { env: { TZ: 'America/New_York' } })
    expect({ code, stderr }).toMatchObject({ code: 6 })
    expect(stderr).toContain('Reads the sheet "Leads". --sheet reads another one: Never call.')
    const taken = await at.taken()
    expect(taken.map(({ name, phone, fields }) => ({ name, phone, fields }))).toEqual([
      { name: 'Ann Lee', phone: numberOf(0), fields: { signed: '2026-09-01', city: 'New York', score: '0.3' } },
      {
        name: 'Bo Ray',
        phone: numberOf(1),
        fields: { signed: '2026-09-02T17:30:00.000Z', city: 'Zürich', score: '2' },
      },
      { name: 'Di Orr', phone: numberOf(3), fields: { score: 'true' } },
    ])
  })

  it('writes refused rows to a CSV file, with their rows in the sheet', async () => {
    const { at, file } = await start()
    await at.run(file)
    const text = readFileSync(at.path('people.failed.csv'), 'utf8')
    expect(text).toMatch(/^\ufeffFirst Name,Last Name,Mobile,Signed,City,Score,_line,_code,_message\n/)
    expect(text).toMatch(/\nCy,Fox,1\.64620E\+10,,,7,5,invalid_phone,/)
  })

  it('the same sheet again adds nobody twice, and another sheet is another import', async () => {
    const at = await ImportAt.start()
    const sheet = (n: number): Cells => [['phone'], [Number(numberOf(n).slice(1))]]
    const file = at.file('people.xlsx', await workbook(['One', sheet(1)], ['Two', sheet(2)]))
    expect(await at.run(file)).toMatchObject({ code: 0 })
    expect(JSON.parse((await at.run(file, ['--json'])).stdout)).toMatchObject({ added: 0, already_added: 1 })
    expect(JSON.parse((await at.run(file, ['--sheet', 'Two', '--json'])).stdout)).toMatchObject({ added: 1 })
    expect((await at.taken()).map(({ phone }) => phone).sort()).toEqual([numberOf(1), numberOf(2)])
  })

  it.runIf(hasTerminals)('at a terminal, warns of numbers that were shortened', async () => {
    const { at, file } = await start()
    const env = { ...at.at.env, NO_COLOR: '1' }
    const terminal = new TerminalSvc(at.at.svc, at.words(file), { env, columns: 200 })
    await terminal.shows(/\(y\/N\)/)
    terminal.type('\r')
    const { screen } = await terminal.end()
    expect(screen).toContain('people.xlsx: 4 rows.')
    expect(screen).toMatch(/shortened 1 number \(line 5\)/)
  })
})

describe('a workbook is refused', () => {
  it('without the sheet that was named', async () => {
    const { at, file } = await start()
    const { code, stderr } = await at.run(file, ['--sheet', 'Lead'])
    expect(code).toBe(2)
    expect(stderr).toContain('--sheet "Lead": people.xlsx has no such sheet.\n  Its sheets are: "Leads", "Never call".')
  })

  it('when --sheet is given for a file without sheets', async () => {
    const at = await ImportAt.start()
    const { code, stderr } = await at.run(at.leads(1), ['--sheet', 'Leads'])
    expect(code).toBe(2)
    expect(stderr).toContain('people.csv is not a workbook')
  })

  it('when its directory declares more than the limit, less than there is, or nothing', async () => {
    const at = await ImportAt.start()
    const sheet: Cells = Array.from({ length: 2_000 }, (_, n) => ['same text in every row', n])
    const zip = await workbook(['Leads', sheet])
    const refusalOf = async (bytes: Buffer) => (await at.run(at.file('bomb.xlsx', bytes))).stderr
    const tooLarge = 'bomb.xlsx is too large for a workbook: the limit is 200 MB unpacked.\n  Save it as CSV UTF-8'
    expect(await refusalOf(declare(zip, 300_000_000))).toContain(tooLarge)
    expect(await refusalOf(declare(zip, 0))).toContain(tooLarge)
    expect(await refusalOf(declare(zip, 2_000))).toContain('bomb.xlsx cannot be read as an Excel workbook')
    expect(await at.batches()).toEqual([])
  })

  it('when the file itself is larger than the limit', async () => {
    const at = await ImportAt.start()
    const file = at.file('large.xlsx', Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(21 * 1_048_576)]))
    expect((await at.run(file)).stderr).toContain('large.xlsx is too large for a workbook: the limit is 20 MB.\n  Save')
  })

  it.each([
    ['another archive', Buffer.from('PK\u0003\u0004nothing more')],
    ['a part of a workbook', readFileSync(people).subarray(0, 3000)],
  ])('when it is %s', async (_what, bytes) => {
    const at = await ImportAt.start()
    const { code, stderr } = await at.run(at.file('people.xlsx', bytes))
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Error: people\.xlsx (cannot be read as an Excel workbook|is too large)/)
    expect(stderr).toContain('Save it as CSV UTF-8 in your spreadsheet program')
  })

  it('when it is protected by a password or has the old format', async () => {
    const at = await ImportAt.start()
    const { code, stderr } = await at.run(at.file('people.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex')))
    expect(code).toBe(2)
    expect(stderr).toContain(
      'people.xls is an old or password-protected workbook, not text.\n  Save it as an Excel workbook (.xlsx) without a password, or as CSV UTF-8, first.',
    )
  })
})

it('dnc import reads a sheet, with and without a header', async () => {
  const { at, file } = await start()
  const listed = async () => (await at.at.client.get<{ phone: string }[]>('/dnc')).data.map(({ phone }) => phone).sort()
  expect(await at.at.run(['dnc', 'import', file, '--sheet', 'Never call'])).toMatchObject({ code: 0 })
  const bare = at.file('bare.xlsx', await workbook(['Numbers', [[6462011001], ['(646) 201-1002']]]))
  expect(await at.at.run(['dnc', 'import', bare])).toMatchObject({ code: 0 })
  expect(await listed()).toEqual([numberOf(1), numberOf(2), numberOf(9)])
})

it.each([
  [12125557812, '12125557812'],
  [1e15, '1000000000000000'],
  [0.1 + 0.2, '0.3'],
  [-1.5, '-1.5'],
  [false, 'false'],
  [null, ''],
  [new Date('2026-10-01T00:00:00Z'), '2026-10-01'],
  [new Date('1899-12-31T09:30:00Z'), '09:30:00'],
])('a cell with %s is the text %s', (value, text) => expect(cellText(value)).toBe(text))
