/** Rows that were read and have no answer yet, in order: those that can be sent, and refused ones between them. */
import { requestBodyBytes } from '../../contract/limits.js'
import type { RawRow } from './rows.js'
import type { Outcome, Refusal } from './target.js'

interface Entry<Item> {
  row: RawRow
  item: Item
  /** Size of the item as JSON, with its comma. */
  bytes: number
  /** Set if the row was refused before sending, or by the service because of its form. */
  refusal: Refusal | undefined
}

/** Maximum rows in memory, including those that cannot be sent. */
const mostRows = 500
/** Maximum size of all items of a request. The difference leaves room for the rest of the body. */
const mostBytes = requestBodyBytes - 10_000

export interface BatchParts<Item> {
  rows: AsyncIterator<RawRow>
  make: (row: RawRow) => Item
  /** Why a row cannot be sent; undefined if it can. */
  problem: (row: RawRow) => string | undefined
  /** Refuses an item that must not be sent. */
  refuse: (item: Item) => Refusal | undefined
}

export class Batch<Item> {
  readonly #parts: BatchParts<Item>
  #entries: Entry<Item>[] = []
  #bytes = 0
  #ended = false

  constructor(parts: BatchParts<Item>) {
    this.#parts = parts
  }

  /** Reads rows until `size` of them can be sent or the request is full. False at the end of the file. */
  async fill(size: number): Promise<boolean> {
    let missing = size - this.#sendable.length
    while (!this.#ended && missing > 0 && this.#entries.length < mostRows && this.#bytes < mostBytes) {
      const next = await this.#parts.rows.next()
      if (next.done) this.#ended = true
      else if (this.#take(next.value)) missing--
    }
    return this.#entries.length > 0
  }

  /** True if the row can be sent. */
  #take(row: RawRow): boolean {
    const item = this.#parts.make(row)
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1
    const refusal = refusalOf(row, this.#parts.problem(row), bytes) ?? this.#parts.refuse(item)
    this.#entries.push({ row, item, bytes, refusal })
    this.#bytes += bytes
    return refusal === undefined
  }

  /** The first items for one request: `size` of them, or fewer if they are large. */
  items(size: number): Item[] {
    let bytes = 0
    const fitting = this.#sendable.slice(0, size).filter((entry) => (bytes += entry.bytes) <= mostBytes)
    return fitting.map(({ item }) => item)
  }

  get #sendable(): Entry<Item>[] {
    return this.#entries.filter(({ refusal }) => refusal === undefined)
  }

  /** Refuses one item by its index. The others can still be sent. */
  refuse(index: number, code: string, message: string): void {
    const entry = this.#sendable[index]
    if (entry === undefined) throw new Error('a row was refused that was not sent')
    entry.refusal = { kind: 'refused', code, message }
  }

  /**
   * Takes the outcomes of the first items. Returns every row up to the last of them with its outcome, in order.
   * Without outcomes, returns the refused rows before the first item. The returned rows never depend on how far the
   * batch has read ahead, because the next batch is identified by the number of rows before it.
   */
  settle(outcomes: readonly Outcome[]): [row: RawRow, outcome: Outcome][] {
    const settled: [RawRow, Outcome][] = []
    let answered = 0
    for (const { row, refusal } of this.#entries) {
      if (outcomes.length > 0 && answered === outcomes.length) break
      const outcome = refusal ?? outcomes[answered++]
      if (outcome === undefined) break
      settled.push([row, outcome])
    }
    this.#entries = this.#entries.slice(settled.length)
    this.#bytes = this.#entries.reduce((sum, { bytes }) => sum + bytes, 0)
    return settled
  }
}

function refusalOf(row: RawRow, problem: string | undefined, bytes: number): Refusal | undefined {
  if (problem !== undefined) {
    const code = row.problem === undefined ? 'short_row' : 'unreadable_row'
    return { kind: 'refused', code, message: problem }
  }
  if (bytes > mostBytes)
    return { kind: 'refused', code: 'row_too_large', message: 'The row is larger than a request may be.' }
  return undefined
}
