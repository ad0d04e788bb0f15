/** Prepares a database that was opened: who may use it, how durable its writes are, and its schema. */
import type { Database } from './driver.js'
import { StoreError } from './store-error.js'

/** Marks the file as a data file of this program. Databases of other programs are refused and not written to. */
const applicationId = 0x53564331

/** Twice the default of SQLite, which is faster when many leads move at once. */
export const usualPageBytes = 8_192

/** Checks that this program may use the file, makes writes durable and upgrades the schema. */
export function prepareDatabase(database: Database, steps: readonly string[], pageBytes = usualPageBytes): void {
  database.pragma('locking_mode = EXCLUSIVE')
  const version = database.pragma('user_version', { simple: true }) as number
  const owner = database.pragma('application_id', { simple: true }) as number
  const tables = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM sqlite_schema').get()?.n ?? 0
  if (tables > 0 && owner !== applicationId) throw new StoreError('it is a database of another program')
  if (version > steps.length) {
    throw new StoreError(
      `it was written by a newer version (its layout is ${version}, this program knows up to ${steps.length})`,
    )
  }
  // It applies to new files only.
  database.pragma(`page_size = ${pageBytes}`)
  database.pragma('journal_mode = WAL')
  // In WAL mode the default is NORMAL, which can lose committed transactions in a power cut.
  database.pragma('synchronous = FULL')
  // 16 MB. The operating system caches the file as well.
  database.pragma('cache_size = -16384')
  database.pragma('temp_store = MEMORY')
  // 64 MB. Pages that change often are copied into the file less often.
  database.pragma('wal_autocheckpoint = 8000')
  database
    .transaction(() => {
      for (const step of steps.slice(version)) database.exec(step)
      database.pragma(`application_id = ${applicationId}`)
      database.pragma(`user_version = ${steps.length}`)
    })
    .immediate()
}
