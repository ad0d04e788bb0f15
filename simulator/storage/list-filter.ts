/** Builds the WHERE clause of a list and its values. */
import type { Instant } from '../kernel/instant.js'
import type { Value } from './store.js'

/** A time range. Either end may be open. */
export interface TimeRange {
  from: Instant | undefined
  /** Not included. */
  to: Instant | undefined
}

export class ListFilter {
  readonly #conditions: string[] = []
  readonly values: Value[] = []

  /** Adds a condition, unless its value is undefined or null. */
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

  /** Adds the values of a condition that was added without them, in order. */
  value(...values: readonly Value[]): this {
    this.values.push(...values)
    return this
  }

  /** Adds the condition that a column lies in a time range. */
  addTimeRange(column: string, { from, to }: TimeRange): this {
    return this.where(`${column} >= ?`, from).where(`${column} < ?`, to)
  }

  /**
   * Adds the condition that a column is one of some numbers; null means any. The plus keeps SQLite from using an index
   * on the column, so that the list's order needs no sort.
   */
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
