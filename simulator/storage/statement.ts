/** A prepared statement, and the row objects it makes. */
import type { Database, Statement } from './driver.js'

/** A value that a column can hold. */
export type Value = string | number | bigint | Buffer | null
export type Row = Record<string, Value>

export class PreparedStatement {
  /** The columns that the statement reads. */
  readonly #columns: readonly string[]
  /** Rows are copies of this one, so they share one hidden class. V8 reads their properties faster then. */
  readonly #empty: Row
  readonly #statement: Statement

  constructor(database: Database, text: string) {
    this.#statement = database.prepare(text)
    this.#columns = this.#statement.reader ? this.#statement.columns().map(({ name }) => name) : []
    this.#empty = Object.fromEntries(this.#columns.map((name) => [name, null]))
    if (this.#statement.reader) this.#statement.raw()
  }

  /** A row with null in every column. */
  emptyRow(): Row {
    return { ...this.#empty }
  }

  #rowOf(values: readonly Value[]): Row {
    const row = this.emptyRow()
    this.#columns.forEach((name, i) => (row[name] = values[i]!))
    return row
  }

  /** The first row. */
  one<T>(values: readonly Value[]): T | undefined {
    const found = this.#statement.get(...values) as Value[] | undefined
    return found && (this.#rowOf(found) as T)
  }

  all<T>(values: readonly Value[]): T[] {
    return (this.#statement.all(...values) as Value[][]).map((found) => this.#rowOf(found) as T)
  }

  /** Rows one by one. */
  *each<T>(values: readonly Value[]): IterableIterator<T> {
    for (const found of this.#statement.iterate(...values)) yield this.#rowOf(found as Value[]) as T
  }

  /** Changes rows. Returns how many, and the number of the last inserted row. */
  run(values: readonly Value[]): { changes: number; lastInsertRowid: number | bigint } {
    return this.#statement.run(...values)
  }
}
