/** Streaming readers of CSV (RFC 4180) and of JSON lines. Each row has the number of the line that it starts on. */
import type { ParseResult } from 'papaparse'
import { parseJson } from '../../client/json.js'
import { UsageError } from '../errors/usage-error.js'

/** Maximum characters in a row. A longer row does not fit into a request. */
const longestRow = 1_000_000

/** One row of a file, before its values are interpreted. */
export interface RawRow {
  /** Line number of its start, from 1. */
  line: number
  /** Its line in the file that was imported first, if this is a file of refused rows. */
  firstLine?: number | undefined
  values: readonly string[]
  /** Why its values are unreliable. */
  problem: string | undefined
}

/** The line that messages name: that of the first file, so that all runs speak of the same lines. */
export const lineToName = ({ line, firstLine }: RawRow): number => firstLine ?? line

/** Separators to try, in order. The first ones rarely occur in values. */
const separators = ['\t', ';', ',']

/** Detects the separator from the header line. If several fit, chooses the one that most rows agree with. */
export async function separatorOf(sample: string): Promise<string> {
  const { default: papa } = await import('papaparse')
  // The sample may cut off its last line.
  const lines = sample.slice(0, sample.lastIndexOf('\n') + 1) || sample
  const ranked = separators.map((delimiter) => {
    const { data } = papa.parse<string[]>(lines, { delimiter, newline: '\n', preview: 20, skipEmptyLines: 'greedy' })
    const columns = data[0]?.length ?? 0
    return { delimiter, columns, agreeing: columns > 1 ? data.filter((row) => row.length === columns).length : 0 }
  })
  const [best] = ranked.sort((a, b) => b.agreeing - a.agreeing || b.columns - a.columns)
  return best && best.columns > 1 ? best.delimiter : ','
}

/** Throws `UsageError` if a quote is never closed, because it may have swallowed other rows. */
export async function* csvRows(text: AsyncIterable<string>, separator: string): AsyncGenerator<RawRow> {
  const { default: papa } = await import('papaparse')
  const parser = new papa.Parser({ delimiter: separator, newline: '\n' })
  let rest = ''
  let line = 1
  const rowsIn = function* (isLast: boolean): Generator<RawRow> {
    const { data, errors, meta } = parser.parse(rest, 0, !isLast) as ParseResult<string[]>
    if (isLast && errors.some(({ code }) => code === 'MissingQuotes')) throw neverClosed(line)
    for (const [at, values] of data.entries()) {
      const next = line + 1 + newlinesIn(values)
      yield {
        line,
        values,
        problem: errors.some(({ row }) => row === at) ? describeSwallowed(line, next - 1) : undefined,
      }
      line = next
    }
    rest = rest.slice(meta.cursor)
  }
  for await (const piece of text) {
    rest += piece
    yield* rowsIn(false)
    if (rest.length > longestRow) throw rest.includes('\n') ? neverClosed(line) : tooLong(line)
  }
  if (rest !== '') yield* rowsIn(true)
}

const neverClosed = (line: number): UsageError =>
  new UsageError(
    `The row on line ${line} has no end: a quote opens in it and never closes.`,
    'Fix that line. Nothing was sent.',
  )

/** Error for a row that is too long without an open quote. */
const tooLong = (line: number): UsageError =>
  new UsageError(
    `The row on line ${line} is longer than ${longestRow} characters.`,
    'Shorten that line. Nothing was sent.',
  )

/** A bad quote makes the end of the value unclear, so later rows may be part of it. */
const describeSwallowed = (first: number, last: number): string =>
  `a quoted value goes on after its closing quote${last > first ? `; lines ${first} to ${last} cannot be separated` : ''}`

/** Line breaks inside a value count as lines of the file. */
function newlinesIn(values: readonly string[]): number {
  let count = 0
  for (const value of values) for (let at = value.indexOf('\n'); at >= 0; at = value.indexOf('\n', at + 1)) count++
  return count
}

export interface JsonLine {
  line: number
  fields: ReadonlyMap<string, string>
  problem: string | undefined
}

/** Reads JSON lines. Fields become columns, with dots for nested fields. Skips empty lines. */
export async function* jsonLines(text: AsyncIterable<string>): AsyncGenerator<JsonLine> {
  let number = 0
  for await (const line of linesOf(text)) {
    number++
    if (line.trim() !== '') yield { line: number, ...readJsonLine(line) }
  }
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  let number = 1
  for await (const piece of text) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    number += lines.length
    yield* lines
    if (rest.length > longestRow) throw new UsageError(`Line ${number} is longer than any lead can be.`)
  }
  yield rest
}

function readJsonLine(line: string): Pick<JsonLine, 'fields' | 'problem'> {
  const value = parseJson(line)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fields: new Map(), problem: 'this is not a JSON object on one line' }
  return { fields: new Map(flattenFields(value)), problem: undefined }
}

function* flattenFields(object: object): Generator<[name: string, text: string]> {
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) yield [name, textOf(value)]
    else for (const [inner, part] of Object.entries(value)) yield [`${name}.${inner}`, textOf(part)]
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The rows after the first `count`. */
export async function* skipRows(rows: AsyncIterable<RawRow>, count: number): AsyncGenerator<RawRow> {
  let at = 0
  for await (const row of rows) if (at++ >= count) yield row
}
