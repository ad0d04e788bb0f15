/** Reads CSV, JSON lines or a workbook as a table with named columns. Checks the whole file once before use. */
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { cutTo } from '../../../output/table/width.js'
import { UsageError } from '../../errors/usage-error.js'
import { csvRows, jsonLines, separatorOf, type RawRow } from '../rows.js'
import type { Spool } from '../spool.js'
import { failedFileColumns } from './columns.js'
import { plainForm, type FileForm } from './file-form.js'
import { countFooter, footerMax } from './report-footer.js'
import { encodingOf, textOf } from './text.js'
import type { Worksheet } from './workbook.js'

export interface Table {
  columns: readonly string[]
  /** Number of rows. */
  total: number
  /** Notices for the user about how the file was read. */
  notices: readonly string[]
  /** How the file is written; for JSON lines, the form of a plain CSV file. */
  form: FileForm
  /** The sheet of a workbook; undefined for other files. */
  sheet: string | undefined
  /** Columns of a workbook with times, which have no time zone there and are read as local times. */
  localTimes?: ReadonlySet<number>
  /** Reads from the first row at each call. Rows may lack values at the end. */
  rows(): AsyncGenerator<RawRow>
}

export interface Reading {
  /** Name of the file in messages. */
  name: string
  /** Column names for a file without a header row; undefined if there is one. */
  nameColumns: ((first: readonly string[]) => readonly string[] | undefined) | undefined
  /** The sheet of a workbook to read; undefined for the first. */
  sheet: string | undefined
  /** Asks which sheet to read, from the rows of the first one. Undefined reads the first. */
  pickSheet?: ((first: Worksheet) => Promise<string | undefined>) | undefined
}

/** JSON lines can add columns on every line. A file with more than this is not a table. */
const mostColumns = 2000

/** Throws `UsageError` if the file is not a table, so that nothing of an unreadable file is sent. */
export async function openTable(spool: Spool, reading: Reading): Promise<Table> {
  if (isWorkbook(spool)) return workbookTable(spool, reading)
  if (reading.sheet !== undefined)
    throw new UsageError(
      `--sheet ${JSON.stringify(reading.sheet)}: ${reading.name} is not a workbook, so it has no sheets.`,
    )
  const encoding = encodingOf(reading.name, spool)
  const text = () => textOf(spool.pieces(), encoding)
  const sample = (await firstOf(text())) ?? ''
  const open = sample.trimStart().startsWith('{') ? jsonTable : csvTable
  if (sample.trimStart().startsWith('['))
    throw new UsageError(`${reading.name} is one JSON list.`, "Write one object per line: jq -c '.[]' does that.")
  const table = await open(text, sample, reading)
  const notices = [
    ...(encoding === 'windows-1252' ? [`${reading.name} is not UTF-8; it is read as Windows-1252 (Latin-1).`] : []),
    ...table.notices,
  ]
  const { head } = spool
  const hasByteOrderMark =
    head.subarray(0, 3).equals(Buffer.from('\ufeff')) || /^(\xff\xfe|\xfe\xff)/.test(head.toString('latin1'))
  const form = table.separator === undefined ? plainForm : { separator: table.separator, encoding, hasByteOrderMark }
  return { ...table, notices, form, sheet: undefined }
}

/** Spreadsheets may name the separator in a line before the header: `sep=;`. */
const declaredSeparator = /^"?sep=([,;|\t])"?\n/i

type Text = () => AsyncGenerator<string>
type TableRows = Omit<Table, 'form' | 'sheet'> & { separator: string | undefined }

async function csvTable(text: Text, sample: string, reading: Reading): Promise<TableRows> {
  const declared = declaredSeparator.exec(sample)?.[1]
  const separator = declared ?? (await separatorOf(sample))
  const all = async function* () {
    for await (const row of csvRows(text(), separator)) if (declared === undefined || row.line > 1) yield row
  }
  return { ...(await namedTable(all, reading)), separator }
}

/** A workbook begins like any zip file. */
const isWorkbook = ({ head }: Spool): boolean => head.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))

/** Refused rows of a workbook become a CSV file that spreadsheets open as UTF-8. */
const workbookForm: FileForm = { ...plainForm, hasByteOrderMark: true }

async function workbookTable(spool: Spool, reading: Reading): Promise<Table> {
  const { checkWorkbookSize, readWorkbook } = await import('./workbook.js')
  checkWorkbookSize(reading.name, spool.bytes)
  const content = await spool.content()
  const first = await readWorkbook(reading.name, content, reading.sheet)
  const picked = first.others.length > 0 && reading.sheet === undefined ? await reading.pickSheet?.(first) : undefined
  const {
    name: sheet,
    others,
    rows,
    localTimes,
  } = picked === undefined ? first : await readWorkbook(reading.name, content, picked)
  const all = async function* () {
    yield* rows
  }
  const choice = `Reads the sheet ${JSON.stringify(sheet)}. --sheet reads another one: ${others.join(', ')}.`
  const isChosen = reading.sheet !== undefined || picked !== undefined
  const table = await namedTable(all, reading)
  const notices = [...(!isChosen && others.length > 0 ? [choice] : []), ...table.notices]
  return { ...table, notices, form: workbookForm, sheet, localTimes }
}

/** A table whose columns are named by the first row that is not empty. The footer of a report is left out. */
async function namedTable(
  all: () => AsyncGenerator<RawRow>,
  { name, nameColumns }: Reading,
): Promise<Pick<Table, 'columns' | 'total' | 'rows' | 'notices'>> {
  const filled = async function* () {
    for await (const row of all()) if (row.values.some((value) => value.trim() !== '')) yield row
  }
  const first = await firstOf(filled())
  if (first === undefined) throw new UsageError(`${name} is empty.`)
  const given = nameColumns?.(first.values)
  const columns = given ?? trimEmptyEnd(first.values.map((value) => value.trim()))
  const lineColumn = columns.indexOf(failedFileColumns[0] ?? '')
  const everyRow = async function* () {
    let isHeaderRow = given === undefined
    for await (const row of filled()) {
      if (!isHeaderRow) yield withFirstLine(fitRow(row, columns.length), lineColumn)
      isHeaderRow = false
    }
  }
  const { count, last } = await scanRows(everyRow())
  const footer = last.slice(last.length - countFooter(last))
  const total = count - footer.length
  const rows = async function* () {
    let at = 0
    for await (const row of everyRow()) if (at++ < total) yield row
  }
  return { columns, total, rows, notices: describeFooter(footer) }
}

/** Counts the rows, and keeps the last ones. */
async function scanRows(rows: AsyncIterable<RawRow>): Promise<{ count: number; last: RawRow[] }> {
  const last: RawRow[] = []
  let count = 0
  for await (const row of rows) {
    count++
    last.push(row)
    if (last.length > footerMax) last.shift()
  }
  return { count, last }
}

function describeFooter(footer: readonly RawRow[]): string[] {
  const [first, last] = [footer[0], footer.at(-1)]
  if (first === undefined || last === undefined) return []
  const [lines, are] = first === last ? [`Line ${first.line}`, 'is'] : [`Lines ${first.line} to ${last.line}`, 'are']
  return [`${lines} ${are} the footer of a report and ${are} left out: ${quoteStart(first)}.`]
}

const quoteStart = ({ values: [text = ''] }: RawRow): string => JSON.stringify(cutTo(40, stripControlsFromLine(text)))

/** Spreadsheets may leave empty trailing columns. */
function trimEmptyEnd(names: readonly string[]): string[] {
  const last = names.findLastIndex((name) => name !== '')
  return names.slice(0, last + 1)
}

/** Extra values may mean that all values are shifted. Missing values at the end are empty. */
function fitRow(row: RawRow, columns: number): RawRow {
  const { values } = row
  if (values.length <= columns) return row
  if (values.slice(columns).every((value) => value.trim() === '')) return { ...row, values: values.slice(0, columns) }
  return {
    ...row,
    problem: row.problem ?? `${values.length} values for ${columns} ${columns === 1 ? 'column' : 'columns'}`,
  }
}

/** A row without a line of its own, such as one that was added to a file of refused rows, keeps that of this file. */
function withFirstLine(row: RawRow, column: number): RawRow {
  const firstLine = Number(row.values[column])
  return firstLine > 0 ? { ...row, firstLine } : row
}

async function jsonTable(text: Text, _sample: string, { name }: Reading): Promise<TableRows> {
  const known = new Set<string>()
  let total = 0
  for await (const { fields, problem } of jsonLines(text())) {
    if (total++ === 0 && problem !== undefined)
      throw new UsageError(
        `${name} begins like JSON, and its first line is not an object.`,
        'Write one object per line.',
      )
    for (const field of fields.keys()) known.add(field)
    if (known.size > mostColumns) throw new UsageError(`The objects of ${name} have more than ${mostColumns} fields.`)
  }
  const columns = [...known]
  const rows = async function* () {
    for await (const { line, fields, problem } of jsonLines(text()))
      yield { line, values: columns.map((column) => fields.get(column) ?? ''), problem }
  }
  return { columns, total, rows, separator: undefined, notices: [] }
}

async function firstOf<T>(all: AsyncIterable<T>): Promise<T | undefined> {
  for await (const one of all) return one
  return undefined
}
