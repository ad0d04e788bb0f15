/** Flattens objects for CSV and TSV: one dotted column for each nested field, and lists joined with semicolons. */
import { fieldText } from './columns/columns.js'
import { valueAt } from './columns/value-at.js'

/** Columns and rows of flat text. */
export class FlatTable {
  readonly columns: readonly string[]
  readonly #asked: readonly string[]

  /**
   * Objects in `items` decide the columns. With `mayGrow`, an object's own column stays, for fields that only later items have.
   */
  constructor(asked: readonly string[], items: readonly unknown[], mayGrow: boolean) {
    this.#asked = asked
    this.columns = [
      ...new Set(
        asked.flatMap((column) => {
          const values = items.map((item) => valueAt(item, column)).filter(isObject)
          const nested = [...new Set(values.flatMap((value) => leaves(column, value).map(([path]) => path)))]
          if (nested.length === 0) return [column]
          return mayGrow ? [...nested, column] : nested
        }),
      ),
    ]
  }

  row(item: unknown): string[] {
    const values = new Map<string, string>()
    for (const column of this.#asked) {
      const value = valueAt(item, column)
      if (!isObject(value)) values.set(column, flatText(value))
      else this.#spread(column, value, values)
    }
    return this.columns.map((column) => values.get(column) ?? '')
  }

  /** Fields without a column of their own are listed in the column of their object. */
  #spread(column: string, value: object, values: Map<string, string>): void {
    const rest: string[] = []
    for (const [path, leaf] of leaves(column, value)) {
      if (this.columns.includes(path)) values.set(path, flatText(leaf))
      else if (!isNothing(leaf)) rest.push(`${path.slice(column.length + 1)}: ${flatText(leaf)}`)
    }
    if (rest.length > 0) values.set(column, rest.join('; '))
  }
}

/** Text without JSON: lists are joined with `; `, and objects in lists read `name: Ada, age: 7`. */
function flatText(value: unknown): string {
  if (Array.isArray(value)) return value.map(plainText).join('; ')
  return isObject(value) ? plainText(value) : fieldText(value)
}

/** A value as one line for people: `a, b` for a list, `city: Albany, tier: 2` for an object. */
export function plainText(value: unknown): string {
  if (Array.isArray(value)) {
    const separator = value.some((one) => typeof one === 'object') ? '; ' : ', '
    return value.map(plainText).join(separator)
  }
  if (!isObject(value)) return fieldText(value)
  const parts = Object.entries(value).filter(([, part]) => !isNothing(part))
  return parts.map(([name, part]) => `${name}: ${plainText(part)}`).join(', ')
}

/** Nested fields with a value that is no object, by dotted name. */
function leaves(name: string, value: object): (readonly [string, unknown])[] {
  return Object.entries(value).flatMap(([key, part]) =>
    isObject(part) ? leaves(`${name}.${key}`, part) : [[`${name}.${key}`, part] as const],
  )
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === ''
