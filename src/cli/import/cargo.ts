/** What an import sends to the service: how rows become requests, and how the answer is read. */
import type { CallOptions } from '../../client/transport.js'
import type { ApiError } from '../../client/errors.js'
import type { RawRow } from './raw-row.js'
import type { Outcome } from './tally.js'

export interface Cargo<Item> {
  /** What is counted: `leads`. */
  what: string
  /** The field of the request that holds the items; a refusal names an item by it: `leads[2].phone`. */
  list: string
  /** Most items in a request. */
  most: number
  /** True if the service allows only a number of new ones a minute. */
  isLimited: boolean
  /** Why a row cannot be sent; undefined if it can. */
  problem(row: RawRow): string | undefined
  make(row: RawRow): Item
  /** The body of a request. */
  body(items: readonly Item[]): object
  send(items: readonly Item[], options: CallOptions): Promise<Delivered>
  /** True if a field is wrong in every row in the same way, because it comes from a flag and not from a column. */
  isEveryRows(param: string): boolean
}

export interface Delivered {
  /** In the order of the items; fewer than were sent if the rest was not taken for the reason in `stopped`. */
  outcomes: Outcome[]
  headers: Readonly<Record<string, string>>
  /** Why the remaining items were not taken: a reason that has nothing to do with them, such as a full queue. */
  stopped: ApiError | undefined
}

/** A problem of a row that lacks the value without which it cannot be sent. */
export function missingValue(row: RawRow, column: number, columns: number): string | undefined {
  if (row.problem !== undefined || row.values.length > column) return row.problem
  return `${row.values.length} values for ${columns} columns`
}
