/**
 * Cached rows of one table and tenant. There is one object per row, so every user of a row sees its changes, and a row
 * is written once per transaction however often it changed.
 */
import type { Cache } from './caches.js'
import type { Store, Value } from './store.js'
import type { Table } from './tables.js'

interface Row {
  n: number
  tenant: number
}

type Nullable<T> = { [K in keyof T]-?: null extends T[K] ? K : never }[keyof T]

/** The fields of a new row. Those that may be null can be left out. */
export type NewRow<T> = Omit<T, 'n' | 'tenant' | Nullable<T>> & Partial<Pick<T, Nullable<T>>>

/** Maximum number of unchanged rows in the newer generation. Recently used rows are likely to be used again. */
const defaultCapacity = 2_048

export class RowCache<T extends Row> implements Cache {
  #kept = new Map<number, T>()
  /** The older generation. A row that is used again moves to the newer one; the others are dropped. */
  #before = new Map<number, T>()
  /** The unwritten changes of each changed row; `all` for a new row. */
  readonly #unwritten = new Map<T, Partial<T> | 'all'>()

  constructor(
    readonly store: Store,
    readonly table: Table,
    readonly tenant: number,
    readonly most = defaultCapacity,
  ) {
    store.register(this)
  }

  get(n: number): T | null {
    const kept = this.#find(n)
    if (kept) return kept
    // A row that is not cached has no unwritten changes.
    const row = this.store.row<T>(this.table, n)
    return row?.tenant === this.tenant ? this.keep(row) : null
  }

  #find(n: number): T | undefined {
    return this.#kept.get(n) ?? this.#again(this.#before.get(n))
  }

  #again(before: T | undefined): T | undefined {
    return before && this.#put(before)
  }

  /** The cached row, if any. It does not load the row. */
  loadedRows(n: number): T | undefined {
    return this.#kept.get(n) ?? this.#before.get(n)
  }

  /** Returns the one object of a row that was just read. */
  keep(row: T): T {
    return this.#find(row.n) ?? this.#put(row)
  }

  #put(row: T): T {
    if (this.#kept.size >= this.most + this.#unwritten.size) this.#letGo()
    this.#kept.set(row.n, row)
    return row
  }

  /** Inserts a new row at once. */
  add(row: NewRow<T>): T {
    const added = this.#make(row)
    this.#insert([added])
    return this.#put(added)
  }

  /** Inserts a new row with the next flush. Pass `n` to use the number of another table's row. */
  addLater(row: NewRow<T>, n?: number): T {
    const added = this.#make(row, n)
    this.#unwritten.set(added, 'all')
    this.store.markDirty(this)
    return this.#put(added)
  }

  /** Makes a row like those from the store. Columns that are left out are null. */
  #make(row: NewRow<T>, n = this.store.nextNumber(this.table)): T {
    return Object.assign(this.store.emptyRow(this.table), row, { n, tenant: this.tenant }) as unknown as T
  }

  /** Applies every set of changes in order. Later ones win. */
  change(row: T, ...changes: readonly Partial<T>[]): void {
    // A row that was dropped returns to the cache, so that later readers get this object.
    const atWork = this.#find(row.n) ?? this.#put(row)
    if (atWork !== row) throw new Error(`row ${row.n} of ${this.table.name} is at work as another object`)
    const before = this.#unwritten.get(row)
    const unwritten: Partial<T> = before === 'all' || before === undefined ? {} : before
    let isChanged = false
    for (const some of changes) {
      for (const name in some) {
        const value = some[name] as T[typeof name]
        // SQLite updates the indexes of every named column, so unchanged columns are left out.
        if (row[name] === value) continue
        row[name] = value
        unwritten[name] = value
        isChanged = true
      }
    }
    if (!isChanged) return
    if (before === undefined) this.#unwritten.set(row, unwritten)
    this.store.markDirty(this)
  }

  /** New and changed rows that are not written yet. */
  get unwritten(): Iterable<T> {
    return this.#unwritten.keys()
  }

  flush(): void {
    const unwritten = [...this.#unwritten]
    this.#unwritten.clear()
    this.#insert(unwritten.flatMap(([row, changes]) => (changes === 'all' ? [row] : [])))
    for (const [{ n }, changes] of unwritten) if (changes !== 'all') this.store.update(this.table, n, changes)
  }

  #insert(rows: readonly T[]): void {
    const [first] = rows
    if (!first) return
    const values = rows.map((row) => Object.values(row) as Value[])
    this.store.insertAll(this.table, Object.keys(first), values)
  }

  #letGo(): void {
    this.#before = this.#kept
    this.#kept = new Map()
    for (const row of this.#unwritten.keys()) this.#kept.set(row.n, row)
  }

  invalidate(): void {
    this.#kept.clear()
    this.#before.clear()
    this.#unwritten.clear()
  }
}
