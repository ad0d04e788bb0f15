/** Selects fields of JSON output. */
import { UnknownColumnError } from './columns/columns.js'
import { valueAt } from './columns/value-at.js'

/**
 * Selects fields of the object or objects in `{ data }`, or of a plain object. Other members, such as `meta`, stay. `known` are
 * fields that the objects may have; those of a list have the fields of each other, too.
 */
export function selectFromDocument(
  document: unknown,
  columns: readonly string[],
  known: readonly string[] = [],
): unknown {
  if (!isObject(document)) return document
  if (!('data' in document)) return selectFields(document, columns)
  const { data } = document
  if (!Array.isArray(data)) return { ...document, data: selectFields(data, columns, isOneOf(data, known) ? known : []) }
  const all = [...new Set([...data.flatMap((item) => (isObject(item) ? Object.keys(item) : [])), ...known])]
  return { ...document, data: data.map((item) => selectFields(item, columns, all)) }
}

/** An object with only these fields; a dotted name keeps its nesting. A field that is missing is null. */
export function selectFields(item: unknown, columns: readonly string[], known: readonly string[] = []): unknown {
  if (!isObject(item)) return item
  const selected: Record<string, unknown> = {}
  const fields = [...new Set([...Object.keys(item), ...known])]
  for (const column of columns) {
    if (!fields.includes(column) && !fields.some((field) => headOf(field) === headOf(column)))
      throw new UnknownColumnError(column, fields)
    put(selected, Object.hasOwn(item, column) ? [column] : column.split('.'), valueAt(item, column) ?? null)
  }
  return selected
}

const headOf = (column: string): string => column.split('.')[0] ?? column

/** True if the object has only known fields. Some commands print a table of other objects than their JSON has. */
const isOneOf = (item: unknown, known: readonly string[]): boolean =>
  isObject(item) && Object.keys(item).every((field) => known.some((column) => headOf(column) === field))

function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) return void define(into, name, value)
  const inner = Object.hasOwn(into, name) ? into[name] : undefined
  const next = isObject(inner) ? (inner as Record<string, unknown>) : {}
  define(into, name, next)
  put(next, rest, value)
}

/** Also sets `__proto__` as a normal field. */
function define(into: object, name: string, value: unknown): void {
  Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true })
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
