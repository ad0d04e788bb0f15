/** A file of rows under named columns, CSV or JSON lines: looked through once before any of it is used. */
import { UsageError } from '../errors/usage-error.js'
import { csvRows, separatorOf } from './csv-rows.js'
import { jsonLines } from './json-lines.js'
import type { RawRow } from './raw-row.js'
import type { Spool } from './spool.js'
import { encodingOf, textOf } from './text.js'

export interface Table {
  columns: readonly string[]
  /** Rows there are. */
  total: number
  /** What a person should know of the way it was read. */
  notices: readonly string[]
  /** From the first row, each time it is called. Values may be missing at the end of a row. */
  rows(): AsyncGenerator<RawRow>
}

export interface Reading {
  /** How the file is called in what is said of it. */
  name: string
  /** The names of the columns where the first row, that of the names, is a row like the others; undefined where it names them. */
  unnamed: ((first: readonly string[]) => readonly string[] | undefined) | undefined
}

/** JSON lines may bring other columns on every line; past so many the file is something else. */
const mostColumns = 2000

/** Throws `UsageError` for what is no table, so that nothing is sent of a file that cannot be read to its end. */
export async function openTable(spool: Spool, reading: Reading): Promise<Table> {
  const encoding = encodingOf(reading.name, spool)
  const text = () => textOf(spool.pieces(), encoding)
  const sample = (await firstOf(text())) ?? ''
  const open = sample.trimStart().startsWith('{') ? jsonTable : csvTable
  if (sample.trimStart().startsWith('['))
    throw new UsageError(`${reading.name} is one JSON list.`, "Give an object a line: jq -c '.[]' makes that of it.")
  const table = await open(text, sample, reading)
  const notices =
    encoding === 'windows-1252' ? [`${reading.name} is not UTF-8; it is read as Windows-1252 (Latin-1).`] : []
  return { ...table, notices }
}

/** Spreadsheets name the separator in a line before the first row: `sep=;`. */
const declaredSeparator = /^"?sep=([,;|\t])"?\n/i

type Text = () => AsyncGenerator<string>
type Bare = Omit<Table, 'notices'>

async function csvTable(text: Text, sample: string, { name, unnamed }: Reading): Promise<Bare> {
  const declared = declaredSeparator.exec(sample)?.[1]
  const separator = declared ?? (await separatorOf(sample))
  const filled = async function* () {
    for await (const row of csvRows(text(), separator)) {
      const isDeclaration = declared !== undefined && row.line === 1
      if (!isDeclaration && row.values.some((value) => value.trim() !== '')) yield row
    }
  }
  const first = await firstOf(filled())
  if (first === undefined) throw new UsageError(`${name} is empty.`)
  const given = unnamed?.(first.values)
  const columns = given ?? trimEmptyEnd(first.values.map((value) => value.trim()))
  const rows = async function* () {
    let isNames = given === undefined
    for await (const row of filled()) {
      if (!isNames) yield fitRow(row, columns.length)
      isNames = false
    }
  }
  return { columns, total: await count(rows()), rows }
}

/** A spreadsheet may leave separators behind where a column once was. */
function trimEmptyEnd(names: readonly string[]): string[] {
  const last = names.findLastIndex((name) => name !== '')
  return names.slice(0, last + 1)
}

/** Values beyond the last column may mean that all are in the wrong place. Missing ones at the end are empty. */
function fitRow(row: RawRow, columns: number): RawRow {
  const { values } = row
  if (values.length <= columns) return row
  if (values.slice(columns).every((value) => value.trim() === '')) return { ...row, values: values.slice(0, columns) }
  return { ...row, problem: row.problem ?? `${values.length} values for ${columns} columns` }
}

async function jsonTable(text: Text, _sample: string, { name }: Reading): Promise<Bare> {
  const known = new Set<string>()
  let total = 0
  for await (const { fields, problem } of jsonLines(text())) {
    if (total++ === 0 && problem !== undefined)
      throw new UsageError(`${name} begins like JSON, and its first line is no object.`, 'Give an object a line.')
    for (const field of fields.keys()) known.add(field)
    if (known.size > mostColumns) throw new UsageError(`The objects of ${name} have more than ${mostColumns} fields.`)
  }
  const columns = [...known]
  const rows = async function* () {
    for await (const { line, fields, problem } of jsonLines(text()))
      yield { line, values: columns.map((column) => fields.get(column) ?? ''), problem }
  }
  return { columns, total, rows }
}

async function firstOf<T>(all: AsyncIterable<T>): Promise<T | undefined> {
  for await (const one of all) return one
  return undefined
}

async function count(rows: AsyncIterable<unknown>): Promise<number> {
  let total = 0
  for await (const _row of rows) total++
  return total
}
