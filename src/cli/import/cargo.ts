/** What an import sends: how rows become requests, and how answers are read. */
import type { CallOptions } from '../../client/transport.js'
import type { ApiError } from '../../client/errors.js'
import type { RawRow } from './raw-row.js'
import type { Outcome } from './tally.js'

export interface Cargo<Item> {
  /** Name of the counted things: `leads`. */
  what: string
  /** The request field with the items. Errors name an item by it: `leads[2].phone`. */
  list: string
  /** Maximum items in a request. */
  most: number
  /** True if the service limits the number of new ones per minute (rule L3). */
  isLimited: boolean
  /** Why a row cannot be sent; undefined if it can. */
  problem(row: RawRow): string | undefined
  make(row: RawRow): Item
  /** The body of a request. */
  body(items: readonly Item[]): object
  send(items: readonly Item[], options: CallOptions): Promise<Delivered>
  /** True if every row has the same wrong value, because it comes from a flag and not from a column. */
  isEveryRows(param: string): boolean
}

export interface Delivered {
  /** In the order of the items. Shorter if the rest was not accepted for the reason in `stopped`. */
  outcomes: Outcome[]
  headers: Readonly<Record<string, string>>
  /** The error that kept the remaining items from being accepted and is not about them, such as a full queue. */
  stopped: ApiError | undefined
}

/** The problem of a row without its required value. */
export function missingValue(row: RawRow, column: number, columns: number): string | undefined {
  if (row.problem !== undefined || row.values.length > column) return row.problem
  return `${row.values.length} values for ${columns} columns`
}
