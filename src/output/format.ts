/** The shapes a result can be printed in, and which one is meant. */

export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv'] as const

export type Format = (typeof formats)[number]

/** A table for a person at a terminal, plain fields for a program at the end of a pipe. */
export function formatFor(asked: Format | undefined, atTerminal: boolean): Format {
  return asked ?? (atTerminal ? 'table' : 'tsv')
}
