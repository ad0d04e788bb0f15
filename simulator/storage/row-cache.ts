/**
 * The rows of one table and tenant that are at work: one object per row, so that a row changed in one place is changed
 * in all, and written once a transaction, however often it changed.
 */
import { ColumnSet } from './column-set.js'
import { createRowFactory, type RowFactory } from './row-factory.js'
import type { Store, Unwritten, Value } from './store.js'

interface Row {
  n: number
  tenant: number
}

type New<T> = Omit<T, 'n' | 'tenant'>

/** More are not kept twice over, those to be written apart: what is asked for again is asked for soon. */
const defaultCapacity = 2_048

const valuesOf = <T extends Row>(row: T, names: readonly string[]) => names.map((name) => row[name as keyof T] as Value)

export class RowCache<T extends Row> implements Unwritten {
  #kept = new Map<number, T>()
  /** Those that were kept before; what is asked for again goes on to the others, and the rest is let go. */
  #before = new Map<number, T>()
  /** Which columns of a row are still to be written; of a new one all. */
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
    // What is not kept has nothing unwritten.
    const row = this.store.row<T>(this.table, n)
    return row?.tenant === this.tenant ? this.keep(row) : null
  }

  #find(n: number): T | undefined {
    return this.#kept.get(n) ?? this.#again(this.#before.get(n))
  }

  #again(before: T | undefined): T | undefined {
    return before && this.#put(before)
  }

  /** A row that is at work, if it is: what the store holds of another is all there is. */
  loadedRows(n: number): T | undefined {
    return this.#kept.get(n) ?? this.#before.get(n)
  }

  /** The one object of a row that was just read. */
  keep(row: T): T {
    return this.#find(row.n) ?? this.#put(row)
  }

  #put(row: T): T {
    if (this.#kept.size >= this.most + this.#unwritten.size) this.#letGo()
    this.#kept.set(row.n, row)
    return row
  }

  /** A new row, written at once: `row` is all of it but its number, its tenant, and what is `further` known of it. */
  add<Further extends keyof T = never>(row: Omit<New<T>, Further>, further?: Pick<T, Further>): T {
    const added = this.#made(row)
    if (further) Object.assign(added, further)
    this.#insert([added])
    return this.#put(added)
  }

  /** A new row, written with the others; it has a number of its own unless it is given that of another table's row. */
  addLater(row: New<T>, n?: number): T {
    const added = this.#made(row, n)
    this.#unwritten.set(added, 'all')
    this.store.owe(this.table, this)
    return this.#put(added)
  }

  /** A row of the shape of those that are read. */
  #made(row: object, n = this.store.nextNumber(this.table)): T {
    this.#shape ??= createRowFactory(this.store.columns(this.table), (name) => name)
    const made = this.#shape(row) as unknown as T
    made.n = n
    made.tenant = this.tenant
    return made
  }

  /** Changes a row with all of them in turn: the later ones win. */
  change(row: T, ...changes: readonly Partial<T>[]): void {
    // One that was let go meanwhile is at work again: whoever reads it from now on gets this object.
    const atWork = this.#find(row.n) ?? this.#put(row)
    if (atWork !== row) throw new Error(`row ${row.n} of ${this.table} is at work as another object`)
    const before = this.#unwritten.get(row)
    let columns = before ?? this.#none
    for (const some of changes) {
      for (const name in some) {
        const value = some[name] as T[typeof name]
        // A column that is named in an update has its indexes written again, changed or not.
        if (row[name] === value) continue
        row[name] = value
        if (columns !== 'all') columns = columns.with(name)
      }
    }
    if (columns === before || columns === this.#none) return
    this.#unwritten.set(row, columns)
    this.store.owe(this.table, this)
  }

  /** Those that are still to be written, new or changed. */
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

  /** To be called when rows may have changed otherwise: after a rollback, a restore, or a statement over many rows. */
  invalidate(): void {
    this.#kept.clear()
    this.#before.clear()
    this.#unwritten.clear()
  }
}
