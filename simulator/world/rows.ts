/**
 * The rows of one table and tenant that are at work: one object per row, so that a row changed in one place is changed
 * in all, and written once a transaction, however often it changed.
 */
import type { Store, Unwritten } from './store.js'

interface Row {
  n: number
  tenant: number
}

/** More are not kept twice over: what is asked for again is asked for soon. */
const most = 2_048

export class Rows<T extends Row> implements Unwritten {
  #kept = new Map<number, T>()
  /** Those that were kept before; what is asked for again goes on to the others, and the rest is let go. */
  #before = new Map<number, T>()
  /** Which columns of a row are still to be written. */
  readonly #unwritten = new Map<T, Set<keyof T & string>>()

  constructor(
    readonly store: Store,
    readonly table: string,
    readonly tenant: number,
  ) {}

  get(n: number): T | null {
    const kept = this.#find(n)
    if (kept) return kept
    // What is not kept has nothing unwritten.
    const row = this.store.row<T>(this.table, n)
    return row?.tenant === this.tenant ? this.keep(row) : null
  }

  #find(n: number): T | undefined {
    const kept = this.#kept.get(n)
    if (kept) return kept
    const before = this.#before.get(n)
    return before && this.#put(before)
  }

  /** The one object of a row that was just read. */
  keep(row: T): T {
    return this.#find(row.n) ?? this.#put(row)
  }

  #put(row: T): T {
    if (this.#kept.size >= most) this.#letGo()
    this.#kept.set(row.n, row)
    return row
  }

  /** A new row, written at once: `row` is all of it but its number. */
  add(row: Omit<T, 'n'>): T {
    return this.keep({ ...row, n: this.store.insert(this.table, row) } as T)
  }

  change(row: T, changes: Partial<T>): void {
    let columns = this.#unwritten.get(row)
    for (const name of Object.keys(changes) as (keyof T & string)[]) {
      const value = changes[name] as T[typeof name]
      // A column that is named in an update has its indexes written again, changed or not.
      if (row[name] === value) continue
      row[name] = value
      if (columns === undefined) this.#unwritten.set(row, (columns = new Set()))
      columns.add(name)
    }
    if (columns !== undefined) this.store.owe(this.table, this)
  }

  write(): void {
    for (const [row, columns] of this.#unwritten) this.store.updateFrom(this.table, row, [...columns])
    this.#unwritten.clear()
  }

  #letGo(): void {
    this.#before = this.#kept
    this.#kept = new Map()
    for (const row of this.#unwritten.keys()) this.#kept.set(row.n, row)
  }

  /** To be called when rows may have changed otherwise: after a rollback, a restore, or a statement over many rows. */
  forget(): void {
    this.#kept.clear()
    this.#before.clear()
    this.#unwritten.clear()
  }
}
