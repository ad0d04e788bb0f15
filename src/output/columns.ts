/** Picks columns out of objects. */
import type { ResourceColumns } from './columns-of-resources.js'
import type { Style } from './style.js'

/** A column was asked for that there is none of. */
export class UnknownColumnError extends Error {
  override readonly name = 'UnknownColumnError'
  readonly known: readonly string[]

  constructor(column: string, known: readonly string[]) {
    super(`There is no column "${column}".`)
    this.known = known
  }
}

/** The columns to show. `first` is an object of the kind, if there is one. Throws `UnknownColumnError`. */
export function chooseColumns(style: Style, kind: ResourceColumns, first?: unknown): readonly string[] {
  if (!style.columns) return style.format === 'table' ? kind.table : kind.columns
  for (const column of style.columns) {
    if (!isKnown(column, kind, first)) throw new UnknownColumnError(column, knownColumns(kind, first))
  }
  return style.columns
}

function isKnown(column: string, kind: ResourceColumns, first: unknown): boolean {
  if (kind.columns.includes(column) || kind.table.includes(column)) return true
  // Below a known object anything may stand: custom fields have names of their own.
  const [head = ''] = column.split('.')
  return knownColumns(kind, first).includes(column) || (column !== head && knownHeads(kind, first).includes(head))
}

function knownColumns(kind: ResourceColumns, first: unknown): readonly string[] {
  return [...new Set([...kind.columns, ...fieldsOf(first)])]
}

function knownHeads(kind: ResourceColumns, first: unknown): readonly string[] {
  return knownColumns(kind, first).map((column) => column.split('.')[0] ?? column)
}

function fieldsOf(item: unknown): readonly string[] {
  return typeof item === 'object' && item !== null ? Object.keys(item) : []
}

/** What an object holds under a column; undefined where it holds nothing. */
export function valueAt(item: unknown, column: string): unknown {
  if (typeof item !== 'object' || item === null) return column === 'value' ? item : undefined
  if (Object.hasOwn(item, column)) return (item as Record<string, unknown>)[column]
  const dot = column.indexOf('.')
  if (dot < 0) return undefined
  return valueAt((item as Record<string, unknown>)[column.slice(0, dot)], column.slice(dot + 1))
}

/** A value as one field of text: nothing for null, JSON for what has parts. */
export function fieldText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
