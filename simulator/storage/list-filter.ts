/** The conditions of a list, gathered one by one: the text of a WHERE clause and its values. */
import type { Instant } from '../kernel/instant.js'
import type { Value } from './store.js'

/** From a moment on, and up to one: each may be left open. */
export interface TimeRange {
  from: Instant | undefined
  /** Not included. */
  to: Instant | undefined
}

export class ListFilter {
  readonly #conditions: string[] = []
  readonly values: Value[] = []

  /** Adds a condition. One whose value is undefined or null was not asked for and is left out. */
  where(condition: string, value: Value | undefined): this {
    if (value === undefined || value === null) return this
    this.#conditions.push(condition)
    this.values.push(value)
    return this
  }

  /** Adds a condition without a value. */
  add(condition: string): this {
    this.#conditions.push(condition)
    return this
  }

  /** Adds that a column's moment lies in a span. */
  addTimeRange(column: string, { from, to }: TimeRange): this {
    return this.where(`${column} >= ?`, from).where(`${column} < ?`, to)
  }

  /** Adds that a column is one of some numbers; null: any. Many are tested row by row, so that the order needs no sort. */
  addOneOf(column: string, numbers: readonly number[] | null | undefined): this {
    if (!numbers) return this
    if (numbers.length === 1) return this.where(`${column} = ?`, numbers[0])
    this.#conditions.push(`+${column} IN (${numbers.map(() => '?').join(',')})`)
    this.values.push(...numbers)
    return this
  }

  get sql(): string {
    return this.#conditions.join(' AND ')
  }
}
