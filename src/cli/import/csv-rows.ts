/** Streaming CSV reader (RFC 4180). Each row carries the line number it starts on. */
import type { ParseResult } from 'papaparse'
import { UsageError } from '../errors/usage-error.js'
import { longestRow, type RawRow } from './raw-row.js'

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
      yield { line, values, problem: errors.some(({ row }) => row === at) ? swallowed(line, next - 1) : undefined }
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
const swallowed = (first: number, last: number): string =>
  `a quoted value goes on after its closing quote${last > first ? `; lines ${first} to ${last} cannot be told apart` : ''}`

/** Line breaks inside a value count as lines of the file. */
function newlinesIn(values: readonly string[]): number {
  let count = 0
  for (const value of values) for (let at = value.indexOf('\n'); at >= 0; at = value.indexOf('\n', at + 1)) count++
  return count
}
