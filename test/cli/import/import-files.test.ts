/** What a file of leads may look like: separators, quotes, line ends, letters, JSON lines; and what is no such file. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import papa from 'papaparse'
import { afterAll, describe, expect, it } from 'vitest'
import { FailedRows } from '../../../src/cli/import/failed/failed-rows.js'
import type { RawRow } from '../../../src/cli/import/rows.js'
import { lockImport } from '../../../src/cli/import/lock.js'
import { Spool } from '../../../src/cli/import/spool.js'
import { openTable } from '../../../src/cli/import/source/table.js'
import { escapeFormulaExceptNumber, unescapeFormula } from '../../../src/csv/formula.js'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-import-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** All that is read of a file of this content; pieces of it come one by one. */
async function read(content: string | Buffer, pieceBytes = 7) {
  const bytes = Buffer.from(content)
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  )
  const spool = await Spool.of('-', Readable.from(pieces), folder)
  try {
    const table = await openTable(spool, { name: 'people', nameColumns: undefined, sheet: undefined })
    const rows: RawRow[] = []
    for await (const row of table.rows()) rows.push(row)
    expect(rows).toHaveLength(table.total)
    return { ...table, rows }
  } finally {
    await spool.close()
  }
}

const [one, two, three] = [numberOf(1), numberOf(2), numberOf(3)]
const cells = [
  ['name', 'phone', 'address'],
  ['Zoë "Zed" Lee', one, '1 Main St\nApt 2, Albany'],
  ['José, the Elder', two, ''],
]
const [names = [], ...people] = cells
const cell = (text: string) => (/[",;\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const csv = (separator: string, end = '\n') =>
  cells.map((row) => row.map((text) => cell(text).replaceAll('\n', end)).join(separator) + end).join('')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

describe('a file of leads is read', () => {
  it.each<[what: string, content: string | Buffer]>([
    ['with commas', csv(',')],
    ['with semicolons', csv(';')],
    ['with tabs', csv('\t')],
    ['with a byte order mark and CRLF', `\ufeff${csv(',', '\r\n')}`],
    ['with CR alone', csv(',', '\r')],
    ['with line ends of two kinds', csv(',').replace('\n', '\r\n')],
    ['without a line end at its end', csv(',').trimEnd()],
    ['with a first line that names the separator', `sep=;\r\n${csv(';', '\r\n')}`],
    [
      'with every value quoted',
      cells.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join('\r\n'),
    ],
    ['with a separator too many on every line', csv(',').replaceAll(/(?<=address|Albany"|,)\n/g, ',\n')],
    ['in UTF-16, as spreadsheets write it', utf16(`\ufeff${csv('\t', '\r\n')}`)],
    ['in UTF-16 the other way round', utf16(`\ufeff${csv(',')}`).swap16()],
    ['in UTF-16 without a mark', utf16(csv(','))],
    [
      'as JSON lines',
      `\ufeff${people.map(([name, phone, address]) => JSON.stringify({ name, phone, address })).join('\r\n')}\r\n\r\n`,
    ],
  ])('%s', async (_what, content) => {
    const { columns, rows, notices } = await read(content)
    expect({ columns, notices }).toEqual({ columns: names, notices: [] })
    expect(rows.map(({ values }) => values)).toEqual(people)
    expect(rows.map(({ problem }) => problem)).toEqual([undefined, undefined])
  })

  it.each([
    ['Mobile;Why\n1;a\n"2";b\n', ['Mobile', 'Why']],
    ['phone,notes\n1,"a;b;c"\n2,"d;e;f"\n', ['phone', 'notes']],
    ['Last, first;phone\nLee, Ann;1\nRay;2\n', ['Last, first', 'phone']],
    ['phone;address\n1;Main St, Albany, NY\n2\n3;Troy\n', ['phone', 'address']],
    ['"name; of person","phone"\n"a",1\n', ['name; of person', 'phone']],
    ['phone\n1,5\n', ['phone']],
    ['phone\tname, title\n', ['phone', 'name, title']],
  ])('by the separator of its names: %j', async (content, columns) => {
    expect((await read(content)).columns).toEqual(columns)
  })

  it('in Latin-1, which is said', async () => {
    const { rows, notices } = await read(Buffer.from(`name,phone\nZo\xeb O\x92Neil,${one}\n`, 'latin1'))
    expect(rows).toMatchObject([{ values: ['Zoë O’Neil', one] }])
    expect(notices).toEqual(['people is not UTF-8; it is read as Windows-1252 (Latin-1).'])
  })

  it('from JSON lines with columns of their own, objects in them, and values that are no text', async () => {
    const lines = [
      { phone: 6462011001, fields: { city: 'Albany' }, call_now: true },
      { phone: two, consent: { source: 'crm' }, email: null, tags: ['a', 'b'] },
    ]
    const { columns, rows } = await read(lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(columns).toEqual(['phone', 'fields.city', 'call_now', 'consent.source', 'email', 'tags'])
    expect(rows.map(({ values }) => values)).toEqual([
      ['6462011001', 'Albany', 'true', '', '', ''],
      [two, '', '', 'crm', '', '["a","b"]'],
    ])
  })

  it('with lines that hold nothing left out, and counted', async () => {
    const { rows } = await read(`\n\nphone,name\n\n,,\n${one},"a\r\nb"\n  \n${two},c\n`)
    expect(rows.map(({ line, values }) => [line, values[0]])).toEqual([
      [6, one],
      [9, two],
    ])
  })

  it('the same whatever its values hold and wherever its pieces end, each row with its physical line', async () => {
    const value = fc.string({ unit: fc.constantFrom('a', 'é', ',', ';', '"', '\n', '\r\n', ' ', '😀'), maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(value, value), { maxLength: 8 }),
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 40 }),
        async (values, delimiter, newline, pieceBytes) => {
          const all = values.map((row, at) => [String(at), ...row])
          const text = papa.unparse([['phone', 'a', 'b'], ...all], { delimiter, newline, quotes: true })
          const { rows } = await read(text, pieceBytes)
          expect(rows.map((row) => row.values)).toEqual(
            all.map((row) => row.map((part) => part.replaceAll('\r\n', '\n'))),
          )
          const lines = text.split(/\r\n|\r|\n/)
          for (const {
            line,
            values: [first],
          } of rows)
            expect(lines[line - 1]).toMatch(new RegExp(`^"${first}"`))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('whole where it is larger than what is read at once', async () => {
    const many = Array.from({ length: 3000 }, (_, n) => `"${'x'.repeat(n % 190)}\n${n}",${numberOf(n)}`)
    const { rows, total } = await read(`name,phone\n${many.join('\n')}\n`, 65_536)
    expect(total).toBe(3000)
    expect(rows.at(-1)).toMatchObject({ line: 6000, values: [expect.stringMatching(/\n2999$/), numberOf(2999)] })
  })
})

describe('a row that cannot be trusted has its line and what is wrong with it', () => {
  it.each([['a value too many', `Ann,${one},Albany,NY`, '4 values for 3 columns']])(
    '%s',
    async (_what, row, problem) => {
      const { rows } = await read(`name,phone,address\n"Lee\nAnn",${two},Albany\n${row}\nBo,${three},Troy\n`)
      expect(rows.map((one) => [one.line, one.problem])).toEqual([
        [2, undefined],
        [4, problem],
        [5, undefined],
      ])
    },
  )

  it('a quote in the middle of a value: the lines it may have swallowed are named', async () => {
    const { rows } = await read(`name,phone\n"Ann" Lee,${one}\n"Bo",${three}\nCy,${two}\n`)
    const problem = 'a quoted value goes on after its closing quote; lines 2 to 3 cannot be separated'
    expect(rows.map((row) => [row.line, row.problem])).toEqual([
      [2, problem],
      [4, undefined],
    ])
  })

  it('a line that is not a JSON object', async () => {
    const { rows } = await read(`{"phone":"${one}"}\n{"phone":"${two}"\n\n["${two}"]\n{"phone":"${three}"}\n`)
    expect(rows.filter(({ problem }) => problem !== undefined).map(({ line }) => line)).toEqual([2, 4])
  })
})

describe('what is no file of leads is refused as a whole', () => {
  it.each<[what: string, content: string | Buffer, says: string]>([
    ['nothing', '', 'people is empty.'],
    ['white space', '\n \n', 'people is empty.'],
    ['bytes', Buffer.from([7, 8, 0, 0, 0, 1, 2, 0, 0]), 'people is not text.'],
    ['a JSON list', '[{"phone":"1"}]', 'people is one JSON list.'],
    ['JSON over several lines', '{\n"phone": "1"\n}', 'its first line is not an object'],
    ['a quote that never closes', `name,phone\nBo,${two}\n"Ann,${one}\nCy,${three}\n`, 'The row on line 3 has no end'],
    [
      'a quote that closes too late',
      `name,phone\n"Ann,${one}\n${'x'.repeat(2_000_000)}"\n`,
      'The row on line 2 has no end',
    ],
    ['a row that is too long', `name,phone\n${'x'.repeat(2_000_000)},1\n`, 'The row on line 2 is longer'],
    ['a line without an end', `{"phone":"1"}\n{"x":"${'x'.repeat(2_000_000)}`, 'Line 2 is longer'],
  ])('%s', async (_what, content, says) => {
    await expect(read(content, 65_536)).rejects.toThrow(says)
  })
})

describe('what protects the files of an import', () => {
  it('a file that is missing is refused, however busy the machine is', async () => {
    const missing = Array.from({ length: 200 }, () => Spool.of(join(folder, 'nowhere.csv'), Readable.from([]), folder))
    const outcomes = await Promise.allSettled(missing)
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'UsageError' } })
  })

  it('a lock is taken from a process that has ended, and not from one that runs', () => {
    const path = join(folder, 'import.lock')
    writeFileSync(path, '999999999')
    const release = lockImport(path)
    expect(readFileSync(path, 'utf8')).toBe(String(process.pid))
    release()
    writeFileSync(path, String(process.ppid))
    expect(() => lockImport(path)).toThrow(`as process ${process.ppid}`)
    expect(readFileSync(path, 'utf8')).toBe(String(process.ppid))
    expect(readdirSync(folder).filter((name) => name.startsWith('import.lock'))).toEqual(['import.lock'])
  })

  it('a file of refused rows is not written through a link to a file that is not there', () => {
    const [link, target] = ['linked.csv', 'target.csv'].map((name) => join(folder, name)) as [string, string]
    symlinkSync(target, link)
    expect(() => new FailedRows(link, ['phone'])).toThrow('is a link to a missing file')
    const failed = new FailedRows(join(folder, 'failed.csv'), ['phone'])
    symlinkSync(target, join(folder, 'failed.csv'))
    expect(() => failed.add({ line: 2, values: ['12'], problem: undefined }, 'invalid_phone', '')).toThrow()
    expect(existsSync(target)).toBe(false)
  })

  it('no part of a cell is a formula, and reading it gives the original', () => {
    for (const [text, written] of [
      ['=1+1', "'=1+1"],
      ['a\n=cmd()', "a\n'=cmd()"],
      ['a;=cmd()', "a;'=cmd()"],
      ['\uff1dcmd()', "'\uff1dcmd()"],
      ['\uff0bcmd()', "'\uff0bcmd()"],
      ["'=x", "''=x"],
      ['+16462011000', '+16462011000'],
      ['a;+1 (646) 201-1000', 'a;+1 (646) 201-1000'],
      ['a=b', 'a=b'],
    ] as const) {
      expect(escapeFormulaExceptNumber(text)).toBe(written)
      expect(unescapeFormula(written)).toBe(text)
    }
  })
})

describe('svc leads import', () => {
  it('reads a file, and leaves no copy of it behind', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `\ufeff${csv(';', '\r\n')}`)
    expect(await at.imported(file)).toEqual({
      added: 2,
      requeued: 0,
      refused: 0,
      already_added: 0,
      would_add: 0,
      by_code: {},
      failed_file: null,
    })
    expect(await at.taken()).toMatchObject([
      { name: 'Zoë "Zed" Lee', phone: one, address: '1 Main St\nApt 2, Albany' },
      { name: 'José, the Elder', phone: two, address: null },
    ])
    expect(readdirSync(at.path('data/imports')).filter((name) => !/\.(json(\.cuts)?|people)$/.test(name))).toEqual([])
  })

  it('reads standard input to its end, however slowly it comes', async () => {
    const at = await ImportAt.start()
    const running = at.at.svc.start(at.words('-', ['--json']), at.at.env)
    running.process.stdin.write(`phone\n${one}\n${two.slice(0, 5)}`)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    running.process.stdin.end(`${two.slice(5)}\n12\n`)
    const { code, stdout } = await running.end()
    const result = { added: 2, refused: 1, failed_file: 'stdin.failed.csv' }
    expect({ code, result: JSON.parse(stdout) as unknown }).toMatchObject({ code: 6, result })
    expect(at.refused('stdin.failed.csv')).toMatchObject([{ phone: '12', _line: '4' }])
  })

  it('sends nothing of a file that cannot be read to its end', async () => {
    const at = await ImportAt.start()
    const broken = `name,phone\nBo,${two}\n"Ann,${one}\nCy,${three}\n`
    for (const [name, says] of [
      [at.file('people.csv', broken), 'The row on line 3 has no end: a quote opens in it and never closes.'],
      ['nowhere.csv', 'nowhere.csv cannot be read: there is no such file.'],
      ['.', '. cannot be read: it is a folder.'],
    ] as const) {
      const ran = await at.run(name)
      expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) as string })
    }
    expect(await at.batches()).toEqual([])
  })

  it('adds a row that ends early if its phone is there, and counts the line that names the separator', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `sep=;\nphone;name;address\n${one};Ann\n${two}\nBo;\n`)
    expect(await at.imported(file)).toMatchObject({ added: 2, refused: 1 })
    expect(await at.taken()).toMatchObject([{ phone: one, name: 'Ann', address: null }, { phone: two }])
    expect(at.refused()).toMatchObject([{ phone: 'Bo', _line: '5' }])
    const noPhone = at.file('short.csv', `name,phone\nAnn\n`)
    expect(await at.imported(noPhone)).toMatchObject({ added: 0, by_code: { short_row: 1 } })
  })

  it('has nothing to add of a file that only names its columns', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', 'name,phone\n')
    expect(await at.imported(file)).toMatchObject({ added: 0, refused: 0 })
    expect((await at.run(file)).stderr).toBe('people.csv has the names of columns and no rows.\n0 leads added.\n')
  })

  it('takes no person for the names of the columns', async () => {
    const at = await ImportAt.start()
    const ran = await at.run(at.file('people.csv', `Ann,(212) 555-7901\nBo,${numberOf(1)}\n`))
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The first row of people.csv looks like a lead') as string,
    })
    expect(await at.batches()).toEqual([])
  })
})
