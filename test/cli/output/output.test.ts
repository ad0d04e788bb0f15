import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { UnknownColumnError } from '../../../src/output/columns/columns.js'
import { csvLines } from '../../../src/csv/lines.js'
import { formats, type Format } from '../../../src/output/format.js'
import type { ResourceColumns } from '../../../src/output/columns/resources.js'
import { Printer, type Listing } from '../../../src/output/printer.js'
import { stripControls, escapeControlsInJson, stripControlsFromLine } from '../../../src/output/sanitize.js'
import { wantsColor, type Style } from '../../../src/output/style.js'
import { fullTime, localZone, zoneNote } from '../../../src/output/time.js'
import { tsvLine } from '../../../src/output/tsv.js'
import { anyText } from '../../support/any-text.js'

const now = Date.UTC(2026, 9, 1, 12)
const kind: ResourceColumns = {
  name: 'leads',
  columns: ['id', 'name', 'phone', 'created', 'fields', 'owner'],
  table: ['name', 'created', 'id'],
}
const ada = {
  id: '3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11',
  name: 'Ada',
  phone: '+12125557812',
  created: '2026-10-01T11:57:00.000Z',
  fields: { city: 'Albany' },
  owner: null,
}

/** What a printer of this style prints. */
async function printed(style: Partial<Style>, print: (printer: Printer) => Promise<unknown>): Promise<string> {
  const usual: Style = {
    format: 'table',
    terminal: true,
    color: false,
    width: 80,
    header: true,
    columns: undefined,
    now,
    utc: false,
  }
  let text = ''
  await print(new Printer({ ...usual, ...style }, (part) => void (text += part)))
  return text
}

async function* pages(...all: Listing[]): AsyncGenerator<Listing> {
  for (const page of all) yield await Promise.resolve(page)
}

const page = (data: unknown[], next_cursor: string | null = null): Listing => ({
  data,
  meta: { next_cursor, has_more: next_cursor !== null },
})
const listed = (style: Partial<Style>, ...all: Listing[]) =>
  printed(style, (printer) => printer.list(pages(...all), kind))

/** Terminals obey everything from these on; a person is misled by marks of direction. */
const directionMarks = '\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
const dangerous = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${directionMarks}]`)

describe('a list', () => {
  it('is the reply as it came when it is one page of JSON', async () => {
    const reply = { ...page([ada], 'x'), later: 1 }
    expect(JSON.parse(await listed({ format: 'json', terminal: false }, reply))).toEqual(reply)
  })

  it('is one document with all items when it is several pages of JSON', async () => {
    const text = await listed({ format: 'json' }, page([1, 2], 'x'), page([3], null))
    expect(JSON.parse(text)).toEqual({ data: [1, 2, 3], meta: { next_cursor: null, has_more: false } })
  })

  it('is an object a line in ndjson, each as it came', async () => {
    const text = await listed({ format: 'ndjson' }, page([ada, { id: 'b' }], 'x'), page([{ id: 'c' }]))
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([ada, { id: 'b' }, { id: 'c' }])
  })

  it('begins with the names of the fields in tsv and csv, once, with full values', async () => {
    const tsv = await listed({ format: 'tsv', terminal: false }, page([ada], 'x'), page([ada]))
    const row = `${ada.id}\tAda\t+12125557812\t${ada.created}\tAlbany\t\t\n`
    expect(tsv).toBe(`id\tname\tphone\tcreated\tfields.city\tfields\towner\n${row}${row}`)
    expect(await listed({ format: 'csv', terminal: false }, page([ada]))).toBe(
      `id,name,phone,created,fields.city,owner\n${ada.id},Ada,+12125557812,${ada.created},Albany,\n`,
    )
    expect(await listed({ format: 'tsv', header: false }, page([ada]))).toBe(row.replace('\t\t\n', '\t\n'))
  })

  it.each(['csv', 'tsv'] as const)('has no JSON in %s: objects are columns, lists are joined', async (format) => {
    const events = ['lead.created', 'call.ended']
    const items = [
      { id: 'a', fields: { city: 'Troy' }, owner: { name: 'Eve', team: { lead: 'Bo' } }, events },
      {
        id: 'b',
        fields: { tier: 2 },
        owner: null,
        events: [
          { type: 'x', at: null },
          { type: 'y', at: 1 },
        ],
      },
    ]
    const columns = ['id', 'fields', 'owner', 'events']
    const text = await listed({ format, columns, terminal: false }, page(items))
    expect(text.replaceAll('\t', ',')).toBe(
      'id,fields.city,fields.tier,owner.name,owner.team.lead,events\n' +
        'a,Troy,,Eve,Bo,lead.created; call.ended\n' +
        (format === 'csv' ? 'b,,2,,,"type: x; type: y, at: 1"\n' : 'b,,2,,,type: x; type: y, at: 1\n'),
    )
  })

  it('loses no field that only a later page of csv has', async () => {
    const later = { id: 'b', fields: { city: 'Troy', tier: '2', note: null } }
    const text = await listed(
      { format: 'csv', columns: ['id', 'fields'], terminal: false },
      page([ada], 'x'),
      page([later]),
    )
    expect(text).toBe(`id,fields.city,fields\n${ada.id},Albany,\nb,Troy,tier: 2\n`)
  })

  it.each(['json', 'ndjson'] as const)('has only the chosen fields in %s, with their nesting', async (format) => {
    const columns = ['name', 'fields.city', 'owner']
    const chosen = { name: 'Ada', fields: { city: 'Albany' }, owner: null }
    const text = await listed({ format, columns }, page([ada], 'x'))
    expect(JSON.parse(text)).toEqual(format === 'ndjson' ? chosen : page([chosen], 'x'))
    const record = await printed({ format, columns }, (printer) => printer.record({ data: ada }, kind))
    expect(JSON.parse(record)).toEqual(format === 'ndjson' ? chosen : { data: chosen })
  })

  it('has its names even when it is empty, for a program; a person sees nothing', async () => {
    expect(await listed({ format: 'csv', terminal: false }, page([]))).toBe('id,name,phone,created,fields,owner\n')
    expect(await listed({ format: 'table' }, page([]))).toBe('')
  })

  it('shows the columns that were asked for, in that order, also from within', async () => {
    const columns = ['fields.city', 'name']
    expect(await listed({ format: 'tsv', columns }, page([ada]))).toBe('fields.city\tname\nAlbany\tAda\n')
    expect(await listed({ format: 'tsv', columns: ['brand_new'] }, page([{ ...ada, brand_new: true }]))).toBe(
      'brand_new\ntrue\n',
    )
  })

  it.each(formats)('names the columns there are when one is unknown, as %s', async (format) => {
    const asked = listed({ format, columns: ['id', 'nmae'] }, page([ada]))
    await expect(asked).rejects.toBeInstanceOf(UnknownColumnError)
    await expect(asked).rejects.toMatchObject({ message: 'There is no column "nmae".', known: kind.columns })
  })

  it('is aligned columns for a person, with words as headers and times relative to now', async () => {
    expect(await listed({ width: 120 }, page([ada, { id: 'b', name: null, created: '2026-10-01T12:00:05Z' }]))).toBe(
      [
        'Name  Created        ID',
        'Ada   3 minutes ago  3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11',
        '-     in 5 seconds   b',
        '',
      ].join('\n'),
    )
  })

  it('shortens ids below 120 columns, unless they were asked for', async () => {
    expect(await listed({ width: 119 }, page([ada]))).toContain('3f0c9c58…\n')
    expect(await listed({ width: 60, columns: ['name', 'id'] }, page([ada]))).toContain(`${ada.id}\n`)
    expect(await listed({ width: 60, terminal: false }, page([ada]))).toContain(`${ada.id}\n`)
  })

  it('names the zone once when it shows local times', async () => {
    const old = { ...ada, created: '2026-09-01T12:00:00Z' }
    const lines = (await listed({}, page([old, ada]))).trimEnd().split('\n')
    expect(lines[1]).toMatch(/^Ada {3}2026-0[89]-\d\d \d\d:\d\d {2}3f0c9c58…$/)
    expect(lines.slice(3)).toEqual([zoneNote()])
    const utc = (await listed({ utc: true }, page([old, ada]))).trimEnd().split('\n')
    expect(utc[1]).toMatch(/^Ada {3}2026-09-01T12:00:00\.000Z {2}3f0c9c58…$/)
    expect(utc).toHaveLength(3)
  })

  it.each([40, 60, 80, 120, 200])(
    'fits a terminal of %i columns, and says which columns are missing',
    async (width) => {
      const rows = [ada, { ...ada, name: 'A long name '.repeat(width < 60 ? 9 : 2).trim() }]
      const text = await listed({ width, columns: ['phone', 'name', 'created', 'id'] }, page(rows))
      expect(Math.max(...text.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(width)
      expect(text).toContain('Phone         Name')
      expect(text).toContain(ada.phone)
      const hidden: Record<number, string> = { 40: 'ID', 60: 'ID', 80: 'ID' }
      expect(/Not shown: (.*)\n/.exec(text)?.[1]).toBe(hidden[width])
      expect(text.includes('…')).toBe(width < 60)
    },
  )

  it('cuts a name that is wider than the whole screen, because nothing wraps', async () => {
    const text = await listed({ width: 80, columns: ['name'] }, page([{ ...ada, name: 'N'.repeat(90) }]))
    expect(text).toBe(`Name\n${'N'.repeat(79)}…\n`)
  })

  it('prints thousands of rows in aligned columns', async () => {
    const rows = Array.from({ length: 5000 }, (_, at) => ({ ...ada, name: `Lead ${at}` }))
    const lines = (await listed({}, page(rows))).trimEnd().split('\n')
    expect(lines).toHaveLength(5001)
    expect(new Set(lines.map((line) => line.search(/3f0c|ID/)))).toEqual(new Set([26]))
  })

  it('is written page by page where the format allows', async () => {
    for (const format of ['ndjson', 'csv', 'tsv'] satisfies Format[]) {
      const written: string[] = []
      const printer = new Printer(
        { format, terminal: false, color: false, width: 80, header: true, columns: undefined, now, utc: false },
        (text) => void written.push(text),
      )
      const counts: number[] = []
      async function* watched() {
        for (const one of [page([ada], 'x'), page([ada])]) {
          counts.push(written.length)
          yield await Promise.resolve(one)
        }
      }
      await printer.list(watched(), kind)
      expect(counts[1]).toBeGreaterThan(counts[0] ?? 0)
    }
  })
})

describe('one object', () => {
  it('is labelled and grouped for a person: what matters first, without empty fields', async () => {
    const item = {
      id: 'a',
      created: '2026-10-01T11:57:00Z',
      on: true,
      none: null,
      late_after_minutes: 0,
      name: 'Ada',
      owner: { name: 'Eve', note: null },
      calling_hours: { mon: [['08:00', '21:00']], tue: [['08:00', '21:00']], wed: [], sat: [['09:00', '12:00']] },
      tags: ['x', 'y'],
      calls: [{ n: 1 }, { n: 2 }],
      empty: {},
    }
    const text = await printed({}, (printer) => printer.record({ data: item }, kind))
    expect(text.split('\n').map((line) => line.trimEnd())).toEqual([
      'Name                  Ada',
      'On                    yes',
      'Late after (minutes)  0',
      'Calling hours         Mon-Tue 08:00-21:00; Sat 09:00-12:00',
      'Tags                  x, y',
      '',
      'Owner',
      'Name                  Eve',
      '',
      'Calls',
      'N',
      '1',
      '2',
      '',
      'Times',
      `Created               ${fullTime(item.created, { utc: false })} ${localZone()} (3 minutes ago)`,
      '',
      'IDs',
      'ID                    a',
      '',
    ])
  })

  it('has ISO times in UTC with --utc, and only the chosen columns', async () => {
    const show = (style: Partial<Style>) => printed(style, (printer) => printer.record({ data: ada }, kind))
    expect(await show({ utc: true, columns: ['created', 'id'] })).toBe(
      `Created  ${ada.created} (3 minutes ago)\nID       ${ada.id}\n`,
    )
  })

  it('is a list of one in tsv, the whole reply in JSON, the object in ndjson', async () => {
    const show = (format: Format) =>
      printed({ format, terminal: false }, (printer) => printer.record({ data: ada }, kind))
    expect((await show('tsv')).split('\n')).toHaveLength(3)
    expect(JSON.parse(await show('json'))).toEqual({ data: ada })
    expect(JSON.parse(await show('ndjson'))).toEqual(ada)
  })
})

describe('text from outside', () => {
  const hostile = anyText({ maxLength: 60 })

  it('loses everything a terminal would obey', () => {
    fc.assert(fc.property(hostile, (text) => void expect(stripControls(text)).not.toMatch(dangerous)))
    fc.assert(fc.property(hostile, (text) => void expect(stripControlsFromLine(text)).not.toMatch(/[\n\r\t]/)))
    expect(
      stripControls('\u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b]8;;http://x\u001b\\link\u009b2J\u202edlrow'),
    ).toBe('red linkdlrow')
  })

  it('keeps everything a person reads', () => {
    const readable = 'Zoë "Ω" 日本 🙂\tcolumn\nline [31m'
    expect(stripControls(readable)).toBe(readable)
  })

  it('means the same as JSON with its signs written out', () => {
    fc.assert(
      fc.property(fc.jsonValue(), hostile, (value, text) => {
        const json = escapeControlsInJson(JSON.stringify({ value, text }))
        expect(json).not.toMatch(dangerous)
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })))
      }),
    )
  })

  it.each(formats)('reaches no terminal unstripped, as %s', async (format) => {
    await fc.assert(
      fc.asyncProperty(hostile, async (name) => {
        expect(await listed({ format }, page([{ ...ada, name, fields: { [name]: name } }]))).not.toMatch(dangerous)
        expect(
          await printed({ format }, (printer) => printer.record({ data: { name, [`x${name}`]: [name] } }, kind)),
        ).not.toMatch(dangerous)
      }),
      { numRuns: 40 },
    )
  })
})

describe('a field of csv', () => {
  it.each(['=1+1', '+1+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1', "+cmd|' /C calc'!A0", '-'.repeat(3) + 'x'])(
    'that a spreadsheet would run stands behind an apostrophe: %j',
    async (name) => {
      const text = await listed(
        { format: 'csv', terminal: false, columns: ['name', 'phone'] },
        page([{ ...ada, name }]),
      )
      const [, row] = Papa.parse<string[]>(text, { delimiter: ',', newline: '\n' }).data
      expect(row?.[0]).toBe(`'${name}`)
      expect(row?.[1]).toBe(ada.phone)
    },
  )
})

describe('lines of fields', () => {
  const fields = fc.array(anyText(), { minLength: 2, maxLength: 5 })

  it('come back from csv as they were', () => {
    fc.assert(
      fc.property(
        fields,
        (row) => void expect(Papa.parse(csvLines([row]), { newline: '\n', delimiter: ',' }).data[0]).toEqual(row),
      ),
    )
  })

  it('come back from tsv as they were, one line each', () => {
    const back: Record<string, string> = { '\\\\': '\\', '\\t': '\t', '\\n': '\n', '\\r': '\r' }
    const read = (line: string) =>
      line
        .slice(0, -1)
        .split('\t')
        .map((field) =>
          field.replace(/\\(?:[\\tnr]|x([0-9a-f]{2})|u([0-9a-f]{4}))/g, (mark, two?: string, four?: string) => {
            const code = two ?? four
            return code === undefined ? (back[mark] ?? mark) : String.fromCharCode(parseInt(code, 16))
          }),
        )
    fc.assert(
      fc.property(fields, (row) => {
        const line = tsvLine(row)
        expect(line.indexOf('\n')).toBe(line.length - 1)
        expect(read(line)).toEqual(row)
      }),
    )
  })
})

describe('color', () => {
  it.each([
    [true, {}, true, true],
    [false, {}, true, false],
    [true, { NO_COLOR: '1' }, true, false],
    [true, { NO_COLOR: '' }, true, true],
    [true, { TERM: 'dumb' }, true, false],
    [true, {}, false, false],
  ])('at a terminal %s, with %j, asked for %s: %s', (terminal, env, asked, wanted) => {
    expect(wantsColor(terminal, env, asked)).toBe(wanted)
  })

  it('marks states, and is nowhere when it is not wanted', async () => {
    const columns = ['id', 'status']
    const row = page([{ id: 'a', status: 'failed' }])
    expect(await listed({ columns, color: true }, row)).toContain('\u001b[31mfailed\u001b[39m')
    expect(await listed({ columns, color: false }, row)).not.toContain('\u001b')
  })
})
