/**
 * Cached rows of one table and tenant. There is one object per row, so every user of a row sees its changes, and a row
 * is written once per transaction however often it changed.
 */
import { ColumnSet } from './column-set.js'
import { createRowFactory, type RowFactory } from './row-factory.js'
import type { Store, Unwritten, Value } from './store.js'

interface Row {
  n: number
  tenant: number
}

type New<T> = Omit<T, 'n' | 'tenant'>

/** Maximum number of unchanged rows in the newer generation. Recently used rows are likely to be used again. */
const defaultCapacity = 2_048

const valuesOf = <T extends Row>(row: T, names: readonly string[]) => names.map((name) => row[name as keyof T] as Value)

export class RowCache<T extends Row> implements Unwritten {
  #kept = new Map<number, T>()
  /** The older generation. A row that is used again moves to the newer one; the others are dropped. */
  #before = new Map<number, T>()
  /** The unwritten columns of changed rows; `all` for a new row. */
  readonly #unwritten = new Map<T, ColumnSet<T> | 'all'>()
  readonly #none: ColumnSet<T>
  #shape: RowFactory<object> | null = null

  constructor(
    readonly store: Store,
    readonly table: string,
    readonly tenant: number,
    readonly most = defaultCapacity,
  ) {
    this.#none = new ColumnSet(table)
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

  /** Inserts a new row at once. `row` and `further` hold every column except the number and the tenant. */
  add<Further extends keyof T = never>(row: Omit<New<T>, Further>, further?: Pick<T, Further>): T {
    const added = this.#made(row)
    if (further) Object.assign(added, further)
    this.#insert([added])
    return this.#put(added)
  }

  /** Inserts a new row with the next flush. Pass `n` to use the number of another table's row. */
  addLater(row: New<T>, n?: number): T {
    const added = this.#made(row, n)
    this.#unwritten.set(added, 'all')
    this.store.owe(this.table, this)
    return this.#put(added)
  }

  /** Makes a row with the same object shape as rows from the store. */
  #made(row: object, n = this.store.nextNumber(this.table)): T {
    this.#shape ??= createRowFactory(this.store.columns(this.table), (name) => name)
    const made = this.#shape(row) as unknown as T
    made.n = n
    made.tenant = this.tenant
    return made
  }

  /** Applies every set of changes in order. Later ones win. */
  change(row: T, ...changes: readonly Partial<T>[]): void {
    // A row that was dropped returns to the cache, so that later readers get this object.
    const atWork = this.#find(row.n) ?? this.#put(row)
    if (atWork !== row) throw new Error(`row ${row.n} of ${this.table} is at work as another object`)
    const before = this.#unwritten.get(row)
    let columns = before ?? this.#none
    for (const some of changes) {
      for (const name in some) {
        const value = some[name] as T[typeof name]
        // SQLite updates the indexes of every named column, so unchanged columns are left out.
        if (row[name] === value) continue
        row[name] = value
        if (columns !== 'all') columns = columns.with(name)
      }
    }
    if (columns === before || columns === this.#none) return
    this.#unwritten.set(row, columns)
    this.store.owe(this.table, this)
  }

  /** New and changed rows that are not written yet. */
  get owed(): Iterable<T> {
    return this.#unwritten.keys()
  }

  flush(): void {
    const owed = [...this.#unwritten]
    this.#unwritten.clear()
    this.#insert(owed.flatMap(([row, columns]) => (columns === 'all' ? [row] : [])))
    for (const [row, columns] of owed) {
      if (columns === 'all') continue
      const values = valuesOf(row, columns.names)
      values.push(row.n)
      this.store.run(columns.update, ...values)
    }
  }

  #insert(rows: readonly T[]): void {
    const [first] = rows
    if (!first) return
    const names = Object.keys(first)
    const values: Value[] = []
    for (const row of rows) for (const name of names) values.push(row[name as keyof T] as Value)
    this.store.insertAll(this.table, names, values)
  }

  #letGo(): void {
    this.#before = this.#kept
    this.#kept = new Map()
    for (const row of this.#unwritten.keys()) this.#kept.set(row.n, row)
  }

  /** Call this after a rollback, a restore, or a statement that changes many rows. */
  invalidate(): void {
    this.#kept.clear()
    this.#before.clear()
    this.#unwritten.clear()
  }
}
