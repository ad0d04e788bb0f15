/** Rows read from a file and not answered yet, in order: those that can be sent, and the refused ones among them. */
import { requestBodyBytes } from '../../contract/limits.js'
import type { RawRow } from './raw-row.js'
import type { Outcome } from './tally.js'

type Refusal = Extract<Outcome, { kind: 'refused' }>

interface Entry<Item> {
  row: RawRow
  item: Item
  /** Size of the item as JSON, with its comma. */
  bytes: number
  /** Refused before it was sent, or refused by the service for its form. */
  refusal: Refusal | undefined
}

/** Most rows in memory, however many of them cannot be sent. */
const mostRows = 500
/** Of all items in a request. The rest of the body needs less than the difference to the limit. */
const mostBytes = requestBodyBytes - 10_000

export interface BatchParts<Item> {
  rows: AsyncIterator<RawRow>
  make: (row: RawRow) => Item
  /** Why a row cannot be sent; undefined if it can. */
  problem: (row: RawRow) => string | undefined
}

export class Batch<Item> {
  readonly #parts: BatchParts<Item>
  #entries: Entry<Item>[] = []
  #bytes = 0
  #ended = false

  constructor(parts: BatchParts<Item>) {
    this.#parts = parts
  }

  /** Reads rows until `size` of them can be sent, or as many as fit into a request. False at the end of the file. */
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
    const refusal = refusalOf(this.#parts.problem(row), bytes)
    this.#entries.push({ row, item, bytes, refusal })
    this.#bytes += bytes
    return refusal === undefined
  }

  /** The first items that can be sent in one request: `size` of them, or fewer if they are large. */
  items(size: number): Item[] {
    let bytes = 0
    const fitting = this.#sendable.slice(0, size).filter((entry) => (bytes += entry.bytes) <= mostBytes)
    return fitting.map(({ item }) => item)
  }

  get #sendable(): Entry<Item>[] {
    return this.#entries.filter(({ refusal }) => refusal === undefined)
  }

  /** Refuses one item of those that can be sent, by its index; the others can still be sent. */
  refuse(index: number, code: string, message: string): void {
    const entry = this.#sendable[index]
    if (entry === undefined) throw new Error('a row was refused that was not sent')
    entry.refusal = { kind: 'refused', code, message }
  }

  /**
   * Takes the outcomes of the first items, and gives every row up to the last of them with its outcome, in order.
   * Without outcomes: the refused rows that come before the first item. Which rows are given never depends on how many
   * rows were read ahead, because the next batch is identified by the number of rows before it.
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

function refusalOf(problem: string | undefined, bytes: number): Refusal | undefined {
  if (problem !== undefined) return { kind: 'refused', code: 'unreadable_row', message: problem }
  if (bytes > mostBytes)
    return { kind: 'refused', code: 'row_too_large', message: 'The row is larger than a request may be.' }
  return undefined
}
