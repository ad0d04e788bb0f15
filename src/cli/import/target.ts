/** What an import sends rows to: how rows become requests, and what the answer says about each row. */
import type { CallOptions } from '../../client/transport.js'
import type { ApiError } from '../../client/errors.js'
import type { ResourceColumns } from '../../output/columns/resources.js'
import type { RawRow } from './rows.js'

export interface ImportTarget<Item> extends ItemSender<Item> {
  /** Values that identify the target and the mapping of columns. With the file, they identify the import. */
  identity: readonly unknown[]
  /** True if the service only checks the rows. Such an import keeps no journal. */
  isDryRun: boolean
  /** True if nothing is sent, because no row could be. Such an import keeps no journal. */
  isLocal?: boolean
  /** True if a repeated run sends the same idempotent requests. */
  isRepeatable: boolean
  /** Part of every Idempotency-Key of a repeatable import; differs if the rows must not be answered like those of another one. */
  salt?: string
  /** New leads per minute, if the user gave a rate. */
  rate: number | undefined
  /** Columns of the result. */
  columns: ResourceColumns
  /** What is counted in sentences: rows, or the numbers of rows that have several. */
  unit: 'rows' | 'numbers'
  /** Sentences after the result. */
  remarks?: () => readonly string[]
  /** Fields of the result that only this kind of import has. */
  result?: () => Readonly<Record<string, unknown>>
}

/** The part of a target that sends items. */
export interface ItemSender<Item> {
  /** Name of the counted things: `leads`. */
  what: string
  /** Request field with the items. Errors name an item by it: `leads[2].phone`. */
  list: string
  /** Maximum items in a request. */
  most: number
  /** True if the service limits the number of new ones per minute (rule L3). */
  isLimited: boolean
  /** Why a row cannot be sent; undefined if it can. */
  problem(row: RawRow): string | undefined
  make(row: RawRow): Item
  /** Refuses an item that the service would refuse together with its whole batch. Undefined if it can be sent. */
  refuse?(item: Item): Refusal | undefined
  /** The body of a request. */
  body(items: readonly Item[]): object
  send(items: readonly Item[], options: CallOptions): Promise<Delivered>
  /** True if every row has the same wrong value, because it comes from a flag and not from a column. */
  isEveryRows(param: string): boolean
}

/** The result of one row. */
export type Outcome = { kind: 'added' } | { kind: 'requeued' } | Refusal

export interface Refusal {
  kind: 'refused'
  code: string
  message: string
}

export interface Delivered {
  /** In the order of the items. Shorter if the rest was not accepted for the reason in `stopped`. */
  outcomes: Outcome[]
  headers: Readonly<Record<string, string>>
  /** The error that kept the remaining items from being accepted and is not about them, such as a full queue. */
  stopped: ApiError | undefined
}

/** Describes the problem of a row that lacks its required value. */
export function missingValue(row: RawRow, column: number, columns: number): string | undefined {
  if (row.problem !== undefined || row.values.length > column) return row.problem
  const values = `${row.values.length} ${row.values.length === 1 ? 'value' : 'values'}`
  return `The row ends before its number: it has ${values} for ${columns} columns.`
}

/** The row that caused a whole batch to be refused. */
export interface RowError {
  /** Index in the batch. */
  index: number
  /** Field of the row; empty for the row itself. */
  param: string
  /** The message as it would be for a single row. */
  message: string
}

/** The API names a malformed item by its path, `leads[2].phone` (rule A6). */
export function findRowError({ refusal }: ApiError, list: string, items: number): RowError | undefined {
  if (refusal.code !== 'invalid_request') return undefined
  const [, name, digits = '', param = ''] = /^(\w+)\[(\d+)\](?:\.([^]+))?$/.exec(refusal.param ?? '') ?? []
  const index = Number(digits)
  if (name !== list || index >= items) return undefined
  return { index, param, message: refusal.message.replace(`${list}[${index}].`, '').replace(`${list}[${index}]`, 'it') }
}
