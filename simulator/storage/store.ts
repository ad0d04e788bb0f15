/** The only access to the database: a synchronous, durable store in one file or in memory. */
import { chmodSync, closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { Database } from './driver.js'
import { prepareDatabase, usualPageBytes } from './prepare-database.js'
import { Caches, type Cache } from './caches.js'
import { PreparedStatement, type Row, type Value } from './statement.js'
import { sql, type Sql } from './sql.js'
import { Table } from './tables.js'
import { migrations } from './schema.js'
import { describeStoreError, explainStoreError } from './store-error.js'

export type { Value } from './statement.js'

export const inMemory = ':memory:'

/** Endings of the database's files. */
const parts = ['', '-wal', '-shm'] as const

const databaseSize = sql`SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size`

/**
 * Ends the whole transaction on an error. SQLite then keeps no journal to undo the single statement, which would take
 * about 200 MB with a million leads.
 */
const orAll = 'OR ROLLBACK'
const insertMany = `INSERT ${orAll}`

export class Store {
  #database: Database
  readonly #statements = new Map<string, PreparedStatement>()
  readonly #caches = new Caches()
  /** Whether commits wait for the disk. */
  #isDurable = true
  /** The last row number used in each table. */
  readonly #numbers = new Map<Table, number>()

  private constructor(
    readonly path: string,
    database: Database,
    /** Whether this opening created the file. */
    readonly made: boolean,
    readonly migrations: readonly string[],
  ) {
    this.#database = database
  }

  /** Opens or creates the file with mode 0600. Refuses a file that is newer, foreign or in use, without changing it. */
  static open(path: string, steps = migrations, pageBytes = usualPageBytes): Store {
    try {
      const made = path !== inMemory && !existsSync(path)
      if (made) closeSync(openSync(path, 'a', 0o600))
      const database = new Database(path, { timeout: 0 })
      try {
        prepareDatabase(database, steps, pageBytes)
        if (path !== inMemory && !made) restrictFiles(path)
      } catch (error) {
        database.close()
        throw error
      }
      return new Store(path, database, made, steps)
    } catch (error) {
      throw describeStoreError(path, error)
    }
  }

  /**
   * Opens the database saved by `image` in memory. An image of an older schema is upgraded. With `rollsBack` false,
   * nothing can be rolled back: after an error the store must be closed.
   */
  static ofImage(image: Buffer, { steps = migrations, rollsBack = true } = {}): Store {
    const database = new Database(image)
    if (database.pragma('user_version', { simple: true }) !== steps.length) prepareDatabase(database, steps)
    database.pragma('temp_store = MEMORY')
    if (!rollsBack) database.pragma('journal_mode = OFF')
    return new Store(inMemory, database, false, steps)
  }

  one<T>(query: Sql, ...values: readonly Value[]): T | undefined {
    return this.#flushed(query).one<T>(values)
  }

  all<T>(query: Sql, ...values: readonly Value[]): T[] {
    return this.#flushed(query).all<T>(values)
  }

  /** Rows one by one, for large results. Write nothing until the iterator ends. */
  each<T>(query: Sql, ...values: readonly Value[]): IterableIterator<T> {
    this.#caches.flushAll()
    // Uses a separate statement, because it is busy until its last row.
    return new PreparedStatement(this.#database, query.text).each<T>(values)
  }

  /** Like `all`, but without writing unwritten changes first. The caller knows or adds them. */
  stored<T>(query: Sql, ...values: readonly Value[]): T[] {
    return this.#prepared(query.text).all<T>(values)
  }

  /** Row number `n` as stored, without unwritten changes. */
  row<T>(table: Table, n: number): T | undefined {
    return this.#rowOf(table).one<T>([n])
  }

  /** A row of the table with null in every column. */
  emptyRow(table: Table): Row {
    return this.#rowOf(table).emptyRow()
  }

  #rowOf({ name }: Table): PreparedStatement {
    return this.#prepared(`SELECT * FROM ${name} WHERE n = ?`)
  }

  /** Runs a statement that changes rows. Returns how many. */
  run(query: Sql, ...values: readonly Value[]): number {
    return this.#flushed(query).run(values).changes
  }

  /** Inserts a row and returns its number. */
  insert(table: Table, row: object): number {
    const insert = this.#insertInto(table, Object.keys(row))
    // A new row does not depend on unwritten changes, so nothing is flushed.
    return Number(insert.run(Object.values(row) as Value[]).lastInsertRowid)
  }

  /**
   * Inserts rows with the same columns and their own numbers. With `INSERT OR REPLACE` as `verb`, a row replaces
   * another with the same key.
   */
  insertAll(table: Table, columns: readonly string[], rows: readonly (readonly Value[])[], verb = insertMany): void {
    if (rows.length === 0) return
    const insert = this.#insertInto(table, columns, verb)
    for (const row of rows) insert.run(row)
  }

  #insertInto(table: Table, columns: readonly string[], verb = 'INSERT'): PreparedStatement {
    const places = columns.map(() => '?').join()
    return this.#prepared(`${verb} INTO ${table.name} (${columns.join()}) VALUES (${places})`)
  }

  /** Updates the given columns of row number `n`. */
  update(table: Table, n: number, changes: object): void {
    const columns = Object.keys(changes)
    if (columns.length === 0) return
    this.#caches.flush(table)
    const text = `UPDATE ${table.name} SET ${columns.join('=?,')}=? WHERE n=?`
    this.#prepared(text).run([...(Object.values(changes) as Value[]), n])
  }

  /**
   * Updates many rows of a table that may be cached: `change` is the statement after the table's name. Cached rows are
   * written before and dropped after. Returns how many rows changed.
   */
  updateMany(table: Table, change: string, ...values: readonly Value[]): number {
    const changed = this.run(sql`UPDATE ${orAll} ${table} ${change}`, ...values)
    this.#caches.invalidate(table)
    return changed
  }

  /** The number of the next new row. AUTOINCREMENT tables never reuse a number. */
  nextNumber(table: Table): number {
    const last =
      this.#numbers.get(table) ??
      this.one<{ seq: number }>(sql`SELECT seq FROM sqlite_sequence WHERE name = ?`, table.name)?.seq ??
      this.one<{ last: number | null }>(sql`SELECT max(n) AS last FROM ${table}`)?.last ??
      0
    this.#numbers.set(table, last + 1)
    return last + 1
  }

  /** Writes unwritten changes of the statement's tables, then returns the prepared statement. */
  #flushed({ text, tables }: Sql): PreparedStatement {
    for (const table of tables) this.#caches.flush(table)
    return this.#prepared(text)
  }

  #prepared(text: string): PreparedStatement {
    let prepared = this.#statements.get(text)
    if (!prepared) this.#statements.set(text, (prepared = new PreparedStatement(this.#database, text)))
    return prepared
  }

  /**
   * Registers a cache. The store flushes it before the transaction ends and before a statement that touches its table,
   * and invalidates it after a rollback, a restore and a reset.
   */
  register(cache: Cache): void {
    this.#caches.register(cache)
  }

  /** Records that a cache has unwritten changes. Outside a transaction they are written at once. */
  markDirty(cache: Cache): void {
    if (this.inTransaction) this.#caches.markDirty(cache)
    else cache.flush?.()
  }

  /** Drops everything in memory, because rows were rolled back or replaced. */
  #invalidate(): void {
    this.#caches.invalidateAll()
    this.#numbers.clear()
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  /**
   * Runs `work` in one transaction. Inside another transaction, it joins that one. With `isDurable` false it does not
   * wait for the disk: a crash loses nothing, but a power cut can lose it. The next durable transaction saves both.
   */
  transaction<T>(work: () => T, isDurable = true): T {
    if (this.inTransaction) return work()
    if (isDurable !== this.#isDurable) this.#database.pragma(`synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`)
    this.#isDurable = isDurable
    try {
      this.run(sql`BEGIN IMMEDIATE`)
      const result = work()
      this.#caches.flushAll()
      this.run(sql`COMMIT`)
      return result
    } catch (error) {
      this.#invalidate()
      // A disk error may have ended the transaction already.
      if (this.inTransaction) this.run(sql`ROLLBACK`)
      throw explainStoreError(error) === undefined ? error : describeStoreError(this.path, error)
    }
  }

  /** Runs part of a transaction. If it fails, only its changes are rolled back. */
  attempt<T>(work: () => T): T {
    this.#flushEarlierParts()
    this.run(sql`SAVEPOINT attempt`)
    try {
      const result = work()
      this.run(sql`RELEASE attempt`)
      return result
    } catch (error) {
      this.#takeBack('attempt')
      throw error
    }
  }

  /** Writes changes of earlier parts. If that fails, the whole transaction ends. */
  #flushEarlierParts(): void {
    try {
      this.#caches.flushAll()
    } catch (error) {
      if (this.inTransaction) this.run(sql`ROLLBACK`)
      throw error
    }
  }

  /** Runs `work` for its result and rolls back every change. */
  rehearse<T>(work: () => T): T {
    this.#caches.flushAll()
    this.run(sql`SAVEPOINT rehearsal`)
    try {
      return work()
    } finally {
      this.#takeBack('rehearsal')
    }
  }

  #takeBack(part: 'attempt' | 'rehearsal'): void {
    this.#invalidate()
    // A disk error may have ended the transaction with every savepoint.
    if (!this.inTransaction) return
    this.run(sql`ROLLBACK TO ${part}`)
    this.run(sql`RELEASE ${part}`)
  }

  /** Size of the database in bytes. */
  get bytes(): number {
    return this.one<{ bytes: number }>(databaseSize)?.bytes ?? 0
  }

  /** SQLite's `synchronous` setting; 2 is FULL. */
  get synchronous(): number {
    return this.#database.pragma('synchronous', { simple: true }) as number
  }

  /** The whole database as the bytes of one file. */
  image(): Buffer {
    const image = this.#database.serialize()
    // The header says that a WAL file exists. An image has none.
    return image.fill(withoutLog, ...headerVersions)
  }

  /**
   * Restores a database saved by `image`, table by table, in one transaction. An image of an older schema is upgraded
   * first.
   */
  restore(image: Buffer): void {
    const saved = new Database(image)
    try {
      prepareDatabase(saved, this.migrations)
      const tables = saved.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type='table'").all()
      this.transaction(() => {
        for (const { name } of tables) {
          if (name !== 'sqlite_sequence' && name.startsWith('sqlite_')) continue
          const table = new Table(name)
          this.run(sql`DELETE FROM ${table}`)
          for (const row of saved.prepare<[], Row>(`SELECT * FROM ${name}`).iterate()) this.insert(table, row)
        }
        this.#invalidate()
      })
    } finally {
      saved.close()
    }
  }

  /** Deletes every row of every table. */
  clear(): void {
    this.transaction(() => {
      for (const { name } of this.all<{ name: string }>(sql`SELECT name FROM sqlite_schema WHERE type = 'table'`))
        if (name === 'sqlite_sequence' || !name.startsWith('sqlite_')) this.run(sql`DELETE FROM ${new Table(name)}`)
      this.#invalidate()
    })
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  /** Closes the store and deletes the file if this opening created it. */
  closeQuietly(): void {
    this.close()
    if (this.made) for (const ending of parts) rmSync(this.path + ending, { force: true })
  }
}

/** Restricts the files to their owner, because they hold secrets. Files of another user stay as they are. */
function restrictFiles(path: string): void {
  for (const part of parts.map((ending) => path + ending)) {
    try {
      if (existsSync(part) && (statSync(part).mode & 0o077) !== 0) chmodSync(part, 0o600)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error
    }
  }
}

/** Where the database header holds versions, and their value for a file without a WAL. */
const headerVersions = [18, 20] as const
const withoutLog = 1
