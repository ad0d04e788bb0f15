/**
 * The front of a long row that stands in the store in its order: the next ones are kept in memory, as a heap, and the
 * rest is read when they are gone. What is still to be written of the row need not be written for that.
 */

/** The row. */
export interface QueueSource<T> {
  /** The first so many after that one, in order, as the store holds them. Undefined: from the beginning. */
  stored: (after: T | undefined, limit: number) => T[]
  /** Those that stand in the row by what is still to be written; some may be as the store holds them. */
  owed: (isMeant: (item: T) => boolean) => Iterable<T>
}

export interface QueueHeadSizes {
  /** How many are read at a time. */
  batch: number
  /** How many are kept when there are twice as many. */
  most: number
}

export const defaultSizes: QueueHeadSizes = { batch: 256, most: 4_096 }

export class QueueHead<T> {
  /** Each is before those at twice its place and one or two. */
  #heap: T[] = []
  /** Everything up to this one is here; null: everything there is; undefined: nothing was read yet. */
  #last: T | null | undefined = undefined

  constructor(
    /** Below zero where the first is before the second; never zero for two that are not the same. */
    readonly order: (a: T, b: T) => number,
    readonly source: QueueSource<T>,
    /** Whether one that was put here, or that the store holds, stands in the row. */
    readonly stands: (item: T) => boolean,
    readonly sizes: QueueHeadSizes = defaultSizes,
  ) {}

  /** The first that stands in the row; it stays where it is. */
  first(): T | null {
    for (;;) {
      for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
        if (this.stands(top)) return top
        this.#drop()
      }
      if (this.#last === null) return null
      this.#read()
    }
  }

  #read(): void {
    const { order, source, stands, sizes } = this
    // Whoever came to stand before it is here already.
    const before = this.#last ?? undefined
    const stored = source.stored(before, sizes.batch)
    const last = stored.length < sizes.batch ? null : stored.at(-1)!
    const isMeant = (item: T) =>
      (before === undefined || order(item, before) > 0) && (last === null || order(item, last) <= 0)
    this.#heap = [...stored.filter(stands), ...source.owed(isMeant)].sort(order)
    this.#last = last
  }

  /** One more stands in the row as of now; the answer is whether it is at the front. */
  add(item: T): boolean {
    if (this.#last === undefined) return false
    if (this.#last !== null && this.order(item, this.#last) > 0) return false
    const heap = this.#heap
    let place = heap.length
    while (place > 0) {
      const above = (place - 1) >>> 1
      if (this.order(item, heap[above]!) > 0) break
      heap[place] = heap[above]!
      place = above
    }
    heap[place] = item
    if (heap.length > 2 * this.sizes.most) this.#shorten()
    return true
  }

  /** Takes the top away. */
  #drop(): void {
    const heap = this.#heap
    const item = heap.pop()!
    const { length } = heap
    if (length === 0) return
    let place = 0
    for (let below = 1; below < length; below = 2 * place + 1) {
      if (below + 1 < length && this.order(heap[below + 1]!, heap[below]!) < 0) below++
      if (this.order(item, heap[below]!) < 0) break
      heap[place] = heap[below]!
      place = below
    }
    heap[place] = item
  }

  #shorten(): void {
    this.#heap = this.#heap.filter(this.stands).sort(this.order)
    if (this.#heap.length <= this.sizes.most) return
    this.#heap.length = this.sizes.most
    this.#last = this.#heap.at(-1)
  }

  /** To be called when the store may have changed otherwise. */
  invalidate(): void {
    this.#heap = []
    this.#last = undefined
  }
}
