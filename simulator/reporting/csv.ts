/** Writes CSV files: RFC 4180, UTF-8, a header row, and no cell that a spreadsheet would run as a formula (rule X1). */
import { gzipSync } from 'node:zlib'
import { escapeFormula } from '../../src/csv/formula.js'
import { csvLines } from '../../src/csv/lines.js'

export interface CsvFile {
  /** Without the header. */
  rows: number
  /** The compressed file. */
  compressed: Buffer
}

/** Rows compressed at a time, so that only the compressed file is whole in memory. */
const rowsPerPiece = 1000

/**
 * Writes objects as rows. A column is the path of a field, as in `owner.name`. The parts are compressed separately;
 * joined, they form one valid gzip file.
 */
export function writeCsvFile(columns: readonly string[], items: Iterable<object>): CsvFile {
  const paths = columns.map((column) => column.split('.'))
  const pieces: Buffer[] = []
  let waiting: string[][] = [[...columns]]
  let rows = -1
  const compress = (): void => {
    pieces.push(gzipSync(csvLines(waiting, '\r\n'), { level: 1 }))
    rows += waiting.length
    waiting = []
  }
  for (const item of items) {
    waiting.push(paths.map((path) => escapeFormula(formatCell(valueAt(item, path)))))
    if (waiting.length === rowsPerPiece) compress()
  }
  compress()
  return { rows, compressed: Buffer.concat(pieces) }
}

const valueAt = (item: object, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], item)

/** Text without JSON, for people: `color: red; size: 2`. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(formatCell).join('; ')
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return JSON.stringify(value)
  const parts = Object.entries(value).filter(([, part]) => part !== null)
  return parts.map(([name, part]) => `${name}: ${formatCell(part)}`).join('; ')
}
