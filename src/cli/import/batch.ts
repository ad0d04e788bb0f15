/** Rows taken from a file and not answered yet, in order: those to be sent, and those among them that cannot be. */
import type { RawRow } from './raw-row.js'
import type { Outcome } from './tally.js'

type Refusal = Extract<Outcome, { kind: 'refused' }>

interface Entry<Item> {
  row: RawRow
  item: Item
  /** Of the item as JSON. */
  bytes: number
  /** Refused before it was sent, or for its form by the service. */
  refusal: Refusal | undefined
}

/** What may be in hand at once, however many of the rows cannot be sent: the bound on memory. */
const mostRows = 500
/** Of all rows in hand, so that a request stays well below its limit (specification, Limits). */
const mostBytes = 400_000

export class Batch<Item> {
  readonly #rows: AsyncIterator<RawRow>
  readonly #make: (row: RawRow) => Item
  #entries: Entry<Item>[] = []
  #bytes = 0
  #ended = false

  constructor(rows: AsyncIterator<RawRow>, make: (row: RawRow) => Item) {
    this.#rows = rows
    this.#make = make
  }

  /** Takes rows until so many can be sent, or no more go into one request. False where the file is at its end. */
  async fill(size: number): Promise<boolean> {
    let missing = size - this.#sendable.length
    while (!this.#ended && missing > 0 && this.#entries.length < mostRows && this.#bytes < mostBytes) {
      const next = await this.#rows.next()
      if (next.done) this.#ended = true
      else if (this.#take(next.value)) missing--
    }
    return this.#entries.length > 0
  }

  /** True where the row can be sent. */
  #take(row: RawRow): boolean {
    const item = this.#make(row)
    const bytes = Buffer.byteLength(JSON.stringify(item))
    const refusal = refusalOf(row, bytes)
    this.#entries.push({ row, item, bytes, refusal })
    this.#bytes += bytes
    return refusal === undefined
  }

  /** What can be sent, in order. */
  get items(): Item[] {
    return this.#sendable.map(({ item }) => item)
  }

  get #sendable(): Entry<Item>[] {
    return this.#entries.filter(({ refusal }) => refusal === undefined)
  }

  /** The item cannot be sent as it is; the others can. */
  refuse(index: number, code: string, message: string): void {
    const entry = this.#sendable[index]
    if (entry === undefined) throw new Error('a row was refused that was not sent')
    entry.refusal = { kind: 'refused', code, message }
  }

  /** The first so many items were answered so: every row up to the last of them is done with, and given in order. */
  settle(outcomes: readonly Outcome[]): [row: RawRow, outcome: Outcome][] {
    const settled: [RawRow, Outcome][] = []
    let answered = 0
    for (const { row, refusal } of this.#entries) {
      const outcome = refusal ?? outcomes[answered++]
      if (outcome === undefined) break
      settled.push([row, outcome])
    }
    this.#entries = this.#entries.slice(settled.length)
    this.#bytes = this.#entries.reduce((sum, { bytes }) => sum + bytes, 0)
    return settled
  }
}

function refusalOf({ problem }: RawRow, bytes: number): Refusal | undefined {
  if (problem !== undefined) return { kind: 'refused', code: 'unreadable_row', message: problem }
  if (bytes > mostBytes) return { kind: 'refused', code: 'row_too_large', message: 'no request can carry so much' }
  return undefined
}
