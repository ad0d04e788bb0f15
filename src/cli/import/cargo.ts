/** What an import carries to the service: how rows are sent together, and how the answer is read. */
import type { CallOptions } from '../../client/transport.js'
import type { ApiError } from '../../client/errors.js'
import type { RawRow } from './raw-row.js'
import type { Outcome } from './tally.js'

export interface Cargo<Item> {
  /** What is counted: `leads`. */
  what: string
  /** The field of the request that holds the items; a refusal names an item by it: `leads[2].phone`. */
  list: string
  /** Items that a request may hold. */
  most: number
  /** True where the service allows only so many new ones a minute. */
  isLimited: boolean
  make(row: RawRow): Item
  /** The body of a request. */
  body(items: readonly Item[]): object
  send(items: readonly Item[], options: CallOptions): Promise<Delivered>
  /** True where a field is wrong in every row alike, because no column of the file has to do with it. */
  isEveryRows(param: string): boolean
}

export interface Delivered {
  /** In the order of the items. */
  outcomes: Outcome[]
  headers: Readonly<Record<string, string>>
  /** What makes it useless to send more for now, such as a queue that is full: all were refused for it, none was taken. */
  end: ApiError | undefined
}
