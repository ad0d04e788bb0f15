/** Reads the value of a column from an object. A dot separates nested fields. */

/** Value of a column in an object; undefined if there is none. */
export function valueAt(item: unknown, column: string): unknown {
  if (typeof item !== 'object' || item === null) return column === 'value' ? item : undefined
  if (Object.hasOwn(item, column)) return (item as Record<string, unknown>)[column]
  const dot = column.indexOf('.')
  if (dot < 0) return undefined
  return valueAt((item as Record<string, unknown>)[column.slice(0, dot)], column.slice(dot + 1))
}
