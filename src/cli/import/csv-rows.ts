/** Reads rows of separated values (RFC 4180) out of text as it comes, each with the line it begins on. */
import type { ParseResult } from 'papaparse'
import { UsageError } from '../errors/usage-error.js'
import { longestRow, type RawRow } from './raw-row.js'

/** What rows may be separated by: first what is seldom part of a value. */
const separators = ['\t', ';', ',']

/** The separator of the names in the first line; where it could be several, the one that most rows agree with. */
export async function separatorOf(sample: string): Promise<string> {
  const { default: papa } = await import('papaparse')
  // The last line may be cut off.
  const lines = sample.slice(0, sample.lastIndexOf('\n') + 1) || sample
  const ranked = separators.map((delimiter) => {
    const { data } = papa.parse<string[]>(lines, { delimiter, newline: '\n', preview: 20, skipEmptyLines: 'greedy' })
    const columns = data[0]?.length ?? 0
    return { delimiter, columns, agreeing: columns > 1 ? data.filter((row) => row.length === columns).length : 0 }
  })
  const [best] = ranked.sort((a, b) => b.agreeing - a.agreeing || b.columns - a.columns)
  return best && best.columns > 1 ? best.delimiter : ','
}

/** Throws `UsageError` where a quote opens and never closes: nobody can tell which rows it swallowed. */
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
    'Mend that line; nothing was sent.',
  )

/** No quote is open where no line has ended. */
const tooLong = (line: number): UsageError =>
  new UsageError(
    `The row on line ${line} is longer than ${longestRow} characters.`,
    'Shorten that line; nothing was sent.',
  )

/** Where the value ends nobody can tell, so that rows behind it may be in it. */
const swallowed = (first: number, last: number): string =>
  `a quoted value goes on after its closing quote${last > first ? `; lines ${first} to ${last} cannot be told apart` : ''}`

/** A value may hold line ends, which are lines of the file all the same. */
function newlinesIn(values: readonly string[]): number {
  let count = 0
  for (const value of values) for (let at = value.indexOf('\n'); at >= 0; at = value.indexOf('\n', at + 1)) count++
  return count
}
