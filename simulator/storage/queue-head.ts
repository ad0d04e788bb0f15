/**
 * In-memory head of a persisted priority queue. Loads the next batch when the heap runs empty. Unwritten items are
 * included, so they need not be written first.
 */

/** The persisted queue. */
export interface QueueSource<T> {
  /** The first `limit` stored items after the given one, in order. Undefined: from the start. */
  stored: (after: T | undefined, limit: number) => T[]
  /** Items in the queue that are not written yet; some may be stored already. */
  unwritten: (isMeant: (item: T) => boolean) => Iterable<T>
}

export interface QueueHeadSizes {
  /** How many items are loaded at a time. */
  batch: number
  /** How many items remain after the heap has grown to twice as many. */
  most: number
}

export const defaultSizes: QueueHeadSizes = { batch: 256, most: 4_096 }

export class QueueHead<T> {
  /** A binary heap: item i comes before items 2i + 1 and 2i + 2. */
  #heap: T[] = []
  /** The heap holds every item up to this one. Null: every item; undefined: nothing was loaded yet. */
  #last: T | null | undefined = undefined

  constructor(
    /** Compares two items. Returns zero only for the same item. */
    readonly order: (a: T, b: T) => number,
    readonly source: QueueSource<T>,
    /** Whether an item in the heap or in the store is still in the queue. */
    readonly stands: (item: T) => boolean,
    readonly sizes: QueueHeadSizes = defaultSizes,
  ) {}

  /** The first item of the queue. It stays in the queue. */
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
    // Items before the last loaded one were added to the heap already.
    const before = this.#last ?? undefined
    const stored = source.stored(before, sizes.batch)
    const last = stored.length < sizes.batch ? null : stored.at(-1)!
    const isMeant = (item: T) =>
      (before === undefined || order(item, before) > 0) && (last === null || order(item, last) <= 0)
    this.#heap = [...stored.filter(stands), ...source.unwritten(isMeant)].sort(order)
    this.#last = last
  }

  /** Adds an item. Returns whether it is in the heap; otherwise a later load finds it. */
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

  /** Removes the top of the heap. */
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

  /** Call this when the stored queue may have changed. */
  invalidate(): void {
    this.#heap = []
    this.#last = undefined
  }
}
