/** Output formats and the default format. */

export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv'] as const

export type Format = (typeof formats)[number]

/** Table at a terminal, TSV in a pipe. */
export function formatFor(asked: Format | undefined, atTerminal: boolean): Format {
  return asked ?? (atTerminal ? 'table' : 'tsv')
}
