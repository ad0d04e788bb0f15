/** Binary search in a table whose rows were added in the order of a time column, without an index on the column. */
import type { Instant } from '../kernel/instant.js'
import { sql, type Sql } from './sql.js'
import type { Store } from './store.js'
import type { Table } from './tables.js'

/**
 * The lowest number in `from` to `to` for which `isBefore` is false; `to` if there is none. `isBefore` is true for all
 * numbers up to some point and false from there on.
 */
export function lowest(from: number, to: number, isBefore: (n: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** Row numbers from `first` up to `end`, which is not included. */
export interface NumberRange {
  first: number
  end: number
}

/** The number of the first row whose time is `at` or later; one more than the highest number if there is none. */
export function numberAt(store: Store, table: Table, column: string, at: Instant): number {
  const end = (store.one<{ n: number | null }>(sql`SELECT max(n) AS n FROM ${table}`)?.n ?? 0) + 1
  const query: Sql = sql`SELECT ${column} AS at FROM ${table} WHERE n >= ? ORDER BY n LIMIT 1`
  return lowest(1, end, (n) => {
    const row = store.one<{ at: Instant }>(query, n)
    return row !== undefined && row.at < at
  })
}
