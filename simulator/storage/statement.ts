/** A prepared statement. The rows it reads become objects of one shape. */
import { createRowFactory, type RowFactory } from './row-factory.js'
import type { Database, Statement } from './driver.js'

/** A value that a column can hold. */
export type Value = string | number | bigint | Buffer | null
export type Row = Record<string, Value>

export class PreparedStatement {
  /** The tables the statement names. Their unwritten rows must be written before it runs. */
  readonly tables: readonly string[]
  /** The columns the statement reads. */
  readonly columns: readonly string[]
  readonly #statement: Statement
  readonly #shape: RowFactory<readonly Value[]> | null

  constructor(database: Database, sql: string) {
    this.tables = [...sql.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE(?: OR [A-Z]+)?)\s+([a-z_]+)/g)].map(
      ([, table = '']) => table,
    )
    this.#statement = database.prepare(sql)
    this.columns = this.#statement.reader ? this.#statement.columns().map(({ name }) => name) : []
    this.#shape = this.#statement.reader ? createRowFactory(this.columns, (_, i) => i) : null
    if (this.#shape) this.#statement.raw()
  }

  #rowOf(values: unknown): unknown {
    return this.#shape?.(values as Value[])
  }

  /** The first row. */
  one<T>(values: readonly Value[]): T | undefined {
    const found = this.#statement.get(...values)
    return found === undefined ? undefined : (this.#rowOf(found) as T)
  }

  all<T>(values: readonly Value[]): T[] {
    return this.#statement.all(...values).map((found) => this.#rowOf(found) as T)
  }

  /** Rows one by one. */
  *each<T>(values: readonly Value[]): IterableIterator<T> {
    for (const found of this.#statement.iterate(...values)) yield this.#rowOf(found) as T
  }

  /** Changes rows. Returns how many, and the number of the last inserted row. */
  run(values: readonly Value[]): { changes: number; lastInsertRowid: number | bigint } {
    return this.#statement.run(...values)
  }
}
