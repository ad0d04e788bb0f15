/** Selects fields of JSON output. */
import { UnknownColumnError } from './columns/columns.js'
import { valueAt } from './columns/value-at.js'

/** Selects fields of the object or objects in `{ data }`, or of a plain object. Other members, such as `meta`, stay. */
export function selectFromDocument(document: unknown, columns: readonly string[]): unknown {
  if (!isObject(document)) return document
  if (!('data' in document)) return selectFields(document, columns)
  const { data } = document
  if (!Array.isArray(data)) return { ...document, data: selectFields(data, columns) }
  return { ...document, data: data.map((item) => selectFields(item, columns)) }
}

/** An object with only these fields; a dotted name keeps its nesting. A field that is missing is null. */
export function selectFields(item: unknown, columns: readonly string[]): unknown {
  if (!isObject(item)) return item
  const selected: Record<string, unknown> = {}
  for (const column of columns) {
    if (!hasHead(item, column)) throw new UnknownColumnError(column, Object.keys(item))
    put(selected, Object.hasOwn(item, column) ? [column] : column.split('.'), valueAt(item, column) ?? null)
  }
  return selected
}

const hasHead = (item: object, column: string): boolean =>
  Object.hasOwn(item, column) || Object.hasOwn(item, column.split('.')[0] ?? '')

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
