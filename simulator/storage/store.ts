/** The one door to the database: a synchronous, durable store in one file or in memory. */
import { chmodSync, closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { Database } from './driver.js'
import { PreparedStatement, type Row, type Value } from './statement.js'
import { migrations } from './schema.js'
import { describeStoreError, explainStoreError, StoreError } from './store-error.js'

export type { Value } from './statement.js'

/** Marks the file as one of ours, so that a foreign database is refused and not written to. */
const applicationId = 0x53564331

export const inMemory = ':memory:'

/** A database is a file and those beside it. */
const parts = ['', '-wal', '-shm'] as const

/** How many rows one statement adds where there are many: the database is asked less often. */
const atOnce = 16

/**
 * Whatever fails ends the whole transaction: so the database need not keep what each page was before a statement of many
 * rows, in case that statement alone were to be undone. With a million leads that is some 200 MB.
 */
const orAll = 'OR ROLLBACK'
/** How a statement begins that changes many rows. */
export const updateMany = `UPDATE ${orAll}`
const insertMany = `INSERT ${orAll}`

/** How rows with these columns are added to a table, one or many by one statement. */
interface Inserts {
  columns: readonly string[]
  one: PreparedStatement
  many: () => PreparedStatement
}

/** What was changed in memory and is still to be written. */
export interface Unwritten {
  flush(): void
}

export class Store {
  #database: Database
  readonly #statements = new Map<string, PreparedStatement>()
  /** How rows were last added to each table, by the statement's beginning. */
  readonly #inserts = new Map<string, Inserts>()
  readonly #unwritten = new Map<string, Set<Unwritten>>()
  /** The last number given of each table. */
  readonly #numbers = new Map<string, number>()

  private constructor(
    readonly path: string,
    database: Database,
    /** The file was not there before. */
    readonly made: boolean,
  ) {
    this.#database = database
  }

  /** Opens or makes the file (mode 0600). A newer file, a foreign one, or one in use is refused and left as it is. */
  static open(path: string): Store {
    try {
      const made = path !== inMemory && !existsSync(path)
      if (made) closeSync(openSync(path, 'a', 0o600))
      const database = new Database(path, { timeout: 0 })
      try {
        prepareStatement(database)
        if (path !== inMemory && !made) restrictFolder(path)
      } catch (error) {
        database.close()
        throw error
      }
      return new Store(path, database, made)
    } catch (error) {
      throw describeStoreError(path, error)
    }
  }

  one<T>(sql: string, ...values: readonly Value[]): T | undefined {
    return this.#seeing(sql).one<T>(values)
  }

  all<T>(sql: string, ...values: readonly Value[]): T[] {
    return this.#seeing(sql).all<T>(values)
  }

  /** Rows one by one, for results too large to hold. Nothing may be written before it ends. */
  each<T>(sql: string, ...values: readonly Value[]): IterableIterator<T> {
    // One of its own: it is in use until its last row.
    const prepared = new PreparedStatement(this.#database, sql)
    this.#writeAll()
    return prepared.each<T>(values)
  }

  /** As `all`, of what the store holds, whatever of it is still to be written: for whoever knows that, or adds it. */
  stored<T>(sql: string, ...values: readonly Value[]): T[] {
    return this.#prepared(sql).all<T>(values)
  }

  /** Row number `n` as the store holds it, whatever of it is still to be written. */
  row<T>(table: string, n: number): T | undefined {
    return this.#rowsOf(table).one<T>([n])
  }

  /** A table's columns, in the order of what is read. */
  columns(table: string): readonly string[] {
    return this.#rowsOf(table).columns
  }

  #rowsOf(table: string): PreparedStatement {
    return this.#prepared(table, () => `SELECT * FROM ${table} WHERE n = ?`)
  }

  /** Runs a statement that changes rows; the answer is how many. */
  run(sql: string, ...values: readonly Value[]): number {
    return this.#seeing(sql).run(values).changes
  }

  /** Adds a row and answers its number. */
  insert(table: string, row: object): number {
    const { one } = this.#insertsInto(table, Object.keys(row))
    // Nothing that is still to be written concerns a row that is new.
    return Number(one.run(Object.values(row) as Value[]).lastInsertRowid)
  }

  /**
   * Adds rows that all have the same columns and carry their own numbers; one that has the key of another may replace it.
   * `values` are those of the first row, then those of the second, and so on.
   */
  insertAll(table: string, columns: readonly string[], values: readonly Value[], verb = insertMany): void {
    const { one, many } = this.#insertsInto(table, columns, verb)
    const width = columns.length
    let from = 0
    for (; from + width * atOnce <= values.length; from += width * atOnce)
      many().run(values.slice(from, from + width * atOnce))
    for (; from < values.length; from += width) one.run(values.slice(from, from + width))
  }

  #insertsInto(table: string, columns: readonly string[], verb = 'INSERT'): Inserts {
    const name = `${verb} INTO ${table}`
    const last = this.#inserts.get(name)
    if (last && haveSameContent(last.columns, columns)) return last
    const row = `(${columns.map(() => '?').join()})`
    const into = `${name} (${columns.join()}) VALUES `
    const sqlOfMany = into + Array<string>(atOnce).fill(row).join()
    const inserts = { columns, one: this.#prepared(into + row), many: () => this.#prepared(sqlOfMany) }
    this.#inserts.set(name, inserts)
    return inserts
  }

  /** Changes the named columns of row number `n`. */
  update(table: string, n: number, changes: object): void {
    const columns = Object.keys(changes)
    if (columns.length === 0) return
    const sql = `UPDATE ${table} SET ${columns.join('=?,')}=? WHERE n=?`
    this.#seeing(sql).run([...(Object.values(changes) as Value[]), n])
  }

  /** A number for a new row; those of a table that counts them itself are never given twice. */
  nextNumber(table: string): number {
    const last =
      this.#numbers.get(table) ??
      this.one<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', table)?.seq ??
      this.one<{ last: number | null }>(`SELECT max(n) AS last FROM ${table}`)?.last ??
      0
    this.#numbers.set(table, last + 1)
    return last + 1
  }

  /** What it will see is written first. */
  #seeing(sql: string): PreparedStatement {
    const prepared = this.#prepared(sql)
    if (this.#unwritten.size > 0) for (const table of prepared.tables) this.#writeInto(table)
    return prepared
  }

  #prepared(name: string, sql = () => name): PreparedStatement {
    let prepared = this.#statements.get(name)
    if (!prepared) this.#statements.set(name, (prepared = new PreparedStatement(this.#database, sql())))
    return prepared
  }

  /**
   * Something is to be written into a table: before the transaction ends, and before any statement that names the
   * table. Outside a transaction that is at once.
   */
  owe(table: string, what: Unwritten): void {
    if (!this.inTransaction) return what.flush()
    const owed = this.#unwritten.get(table)
    if (owed) owed.add(what)
    else this.#unwritten.set(table, new Set([what]))
  }

  #writeInto(table: string): void {
    const owed = this.#unwritten.get(table)
    if (!owed) return
    this.#unwritten.delete(table)
    for (const what of owed) what.flush()
  }

  #writeAll(): void {
    for (const table of this.#unwritten.keys()) this.#writeInto(table)
  }

  /** Rows went back or were replaced: whoever keeps some in memory forgets them too. */
  #forget(): void {
    this.#unwritten.clear()
    this.#numbers.clear()
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  /**
   * Runs work as one transaction: all of it is kept, durably, or nothing. Inside another it joins that one.
   * `isDurable` false does not wait for the disk: a crash of the program loses nothing, a power cut may lose this
   * transaction. The next one that waits for the disk makes both durable.
   */
  transaction<T>(work: () => T, isDurable = true): T {
    if (this.inTransaction) return work()
    if (isDurable) return this.#transact(work)
    this.#database.pragma('synchronous = NORMAL')
    try {
      return this.#transact(work)
    } finally {
      this.#database.pragma('synchronous = FULL')
    }
  }

  #transact<T>(work: () => T): T {
    try {
      this.run('BEGIN IMMEDIATE')
      const result = work()
      this.#writeAll()
      this.run('COMMIT')
      return result
    } catch (error) {
      this.#forget()
      // A disk that fails may have ended the transaction already.
      if (this.inTransaction) this.run('ROLLBACK')
      throw explainStoreError(error) === undefined ? error : describeStoreError(this.path, error)
    }
  }

  /** Runs work inside a transaction so that it alone can fail: its changes go, those before it stay. */
  attempt<T>(work: () => T): T {
    this.#writeBefore()
    this.run('SAVEPOINT attempt')
    try {
      const result = work()
      this.run('RELEASE attempt')
      return result
    } catch (error) {
      this.#takeBack('attempt')
      throw error
    }
  }

  /** What earlier parts of the transaction owe: where it cannot be written, the transaction ends with all of them. */
  #writeBefore(): void {
    try {
      this.#writeAll()
    } catch (error) {
      if (this.inTransaction) this.run('ROLLBACK')
      throw error
    }
  }

  /** Runs work inside a transaction for its answer alone: every change it makes is undone. */
  rehearse<T>(work: () => T): T {
    this.#writeAll()
    this.run('SAVEPOINT rehearsal')
    try {
      return work()
    } finally {
      this.#takeBack('rehearsal')
    }
  }

  #takeBack(part: 'attempt' | 'rehearsal'): void {
    this.#forget()
    // A disk that fails may have ended the transaction already, and every part of it.
    if (!this.inTransaction) return
    this.run(`ROLLBACK TO ${part}`)
    this.run(`RELEASE ${part}`)
  }

  /** What the database says of how safely it writes; 2 is FULL. */
  get synchronous(): number {
    return this.#database.pragma('synchronous', { simple: true }) as number
  }

  /** The whole database as one file's bytes. */
  image(): Buffer {
    const image = this.#database.serialize()
    // The header's two version bytes say that a log stands beside the file; beside an image there is none.
    return image.fill(withoutLog, ...headerVersions)
  }

  /** Puts back a whole database saved by `image`, table by table, in one transaction. One of an older layout is brought up to date. */
  restore(image: Buffer): void {
    const saved = new Database(image)
    try {
      prepareStatement(saved)
      const tables = saved.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type='table'").all()
      this.transaction(() => {
        for (const { name } of tables) {
          if (name !== 'sqlite_sequence' && name.startsWith('sqlite_')) continue
          this.run(`DELETE FROM ${name}`)
          for (const row of saved.prepare<[], Row>(`SELECT * FROM ${name}`).iterate()) this.insert(name, row)
        }
        this.#forget()
      })
    } finally {
      saved.close()
    }
  }

  /** Forgets every row of every table. */
  clear(): void {
    this.transaction(() => {
      for (const { name } of this.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type='table'"))
        if (name === 'sqlite_sequence' || !name.startsWith('sqlite_')) this.run(`DELETE FROM ${name}`)
      this.#forget()
    })
  }

  close(): void {
    this.#statements.clear()
    this.#inserts.clear()
    this.#database.close()
  }

  /** Closes, and takes a file away that this opening made: nothing came of it. */
  closeQuietly(): void {
    this.close()
    if (this.made) for (const ending of parts) rmSync(this.path + ending, { force: true })
  }
}

const haveSameContent = (some: readonly string[], others: readonly string[]): boolean =>
  some === others || (some.length === others.length && some.every((name, i) => name === others[i]))

/** A copy may have been left open to others; the file holds secrets. Where it is another's, it stays as it is. */
function restrictFolder(path: string): void {
  for (const part of parts.map((ending) => path + ending)) {
    try {
      if (existsSync(part) && (statSync(part).mode & 0o077) !== 0) chmodSync(part, 0o600)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error
    }
  }
}

/** Checks that the file is ours to use, makes writes durable, and brings its layout up to date. */
function prepareStatement(database: Database): void {
  database.pragma('locking_mode = EXCLUSIVE')
  const version = database.pragma('user_version', { simple: true }) as number
  const owner = database.pragma('application_id', { simple: true }) as number
  const tables = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM sqlite_schema').get()?.n ?? 0
  if (tables > 0 && owner !== applicationId) throw new StoreError('it is a database of another program')
  if (version > migrations.length) {
    throw new StoreError(
      `it was written by a newer version (its layout is ${version}, this program knows up to ${migrations.length})`,
    )
  }
  // Of a new file: twice the usual, for where many leads move at once. One that was made before stays as it is.
  database.pragma('page_size = 8192')
  database.pragma('journal_mode = WAL')
  // WAL alone drops to NORMAL after the first write: a power cut would then take acknowledged facts with it.
  database.pragma('synchronous = FULL')
  // 16 MB: the machine keeps the file's pages too, and memory is the developer's.
  database.pragma('cache_size = -16384')
  database.pragma('temp_store = MEMORY')
  // 64 MB: pages that change again and again are copied into the file less often.
  database.pragma('wal_autocheckpoint = 8000')
  database
    .transaction(() => {
      for (const step of migrations.slice(version)) database.exec(step)
      database.pragma(`application_id = ${applicationId}`)
      database.pragma(`user_version = ${migrations.length}`)
    })
    .immediate()
}

/** Where the header of a database says how it is written, and what it says of one without a log. */
const headerVersions = [18, 20] as const
const withoutLog = 1
