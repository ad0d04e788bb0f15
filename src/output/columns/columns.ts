/** Selects columns of objects. */
import type { ResourceColumns } from './resources.js'
import type { Style } from '../style.js'

/** An unknown column was requested. */
export class UnknownColumnError extends Error {
  override readonly name = 'UnknownColumnError'
  readonly known: readonly string[]
  readonly column: string

  constructor(column: string, known: readonly string[]) {
    super(`There is no column "${column}".`)
    this.known = known
    this.column = column
  }
}

/** Columns to show. `first` is an object of this kind, if there is one. Throws `UnknownColumnError`. */
export function chooseColumns(style: Style, kind: ResourceColumns, first?: unknown): readonly string[] {
  if (!style.columns) return style.format === 'table' ? kind.table : kind.columns
  for (const column of style.columns) {
    if (!isKnown(column, kind, first)) throw new UnknownColumnError(column, knownColumns(kind, first))
  }
  return style.columns
}

function isKnown(column: string, kind: ResourceColumns, first: unknown): boolean {
  if (kind.columns.includes(column) || kind.table.includes(column)) return true
  // Nested fields are not checked: custom fields can have any name.
  const [head = ''] = column.split('.')
  return knownColumns(kind, first).includes(column) || knownHeads(kind, first).includes(head)
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

/** Formats a value as one text field: empty for null, JSON for objects and lists. */
export function fieldText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
