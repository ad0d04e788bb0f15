/** Writes comma-separated values (RFC 4180). The package that quotes the cells is loaded with this module. */
import papa from 'papaparse'

/** Command-line tools expect a newline, spreadsheets and RFC 4180 a carriage return before it. */
export type LineEnd = '\n' | '\r\n'

/** One line per row, each with its line end. */
export function csvLines(rows: readonly (readonly string[])[], newline: LineEnd = '\n', delimiter = ','): string {
  return rows.length === 0 ? '' : papa.unparse(rows as string[][], { newline, delimiter }) + newline
}
