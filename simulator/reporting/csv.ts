/** Writes CSV files: RFC 4180, UTF-8, a header row, and no cell that a spreadsheet would run as a formula (rule X1). */
import { gzipSync } from 'node:zlib'

export interface CsvFile {
  /** Without the header. */
  rows: number
  /** The compressed file. */
  compressed: Buffer
}

/** Length of text compressed at a time, so that only the compressed file is whole in memory. */
const pieceLength = 2 ** 18

/**
 * Writes objects as rows. A column is the path of a field, as in `owner.name`. The parts are compressed separately;
 * joined, they form one valid gzip file.
 */
export function writeCsvFile(columns: readonly string[], items: Iterable<object>): CsvFile {
  const paths = columns.map((column) => column.split('.'))
  const pieces: Buffer[] = []
  let text = line(columns)
  let rows = 0
  for (const item of items) {
    text += line(paths.map((path) => cell(valueAt(item, path))))
    rows++
    if (text.length < pieceLength) continue
    pieces.push(gzipSync(text, { level: 1 }))
    text = ''
  }
  pieces.push(gzipSync(text, { level: 1 }))
  return { rows, compressed: Buffer.concat(pieces) }
}

const valueAt = (item: object, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], item)

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const line = (cells: readonly string[]): string => `${cells.map((text) => quoted(escapeFormula(text))).join(',')}\r\n`

/**
 * Puts an apostrophe before text that looks like a formula (rule X1), also after a line break or a semicolon, where
 * some programs start a new cell. This includes the plus of a phone number.
 */
const escapeFormula = (text: string): string =>
  text.replace(/(^|[\n\r;])(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g, "$1'")

const quoted = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
