/** Explains to people why a data file cannot be used. */

/** The store cannot be opened or written. The message says which file, why, and what to do. */
export class StoreError extends Error {
  override name = 'StoreError'
}

const inUse = 'another simulator is using it'
const notAllowed = 'this program may not write it'

/** Reasons by error code of the database or the system. For other codes, the original message is shown. */
const reasons: Readonly<Record<string, string>> = {
  SQLITE_BUSY: inUse,
  SQLITE_LOCKED: inUse,
  SQLITE_NOTADB: 'it is not a data file of this program',
  SQLITE_CORRUPT: 'it is damaged',
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'the disk reports an error',
  SQLITE_READONLY: notAllowed,
  SQLITE_CANTOPEN: notAllowed,
  EACCES: notAllowed,
  ENOENT: 'its folder does not exist',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EIO: 'the disk reports an error',
}

/** SQLite adds a third part to some codes, as in SQLITE_BUSY_RECOVERY. Only the first two count. */
export const explainStoreError = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? reasons[String(error.code).split('_', 2).join('_')] : undefined

/** Converts a database error to a message with the file and the reason. */
export function describeStoreError(path: string, error: unknown): StoreError {
  // The package was installed without its install script, or for another release of Node.
  if (error instanceof Error && /bindings file|NODE_MODULE_VERSION/.test(error.message)) {
    return new StoreError('The database is not built for this Node: run npm rebuild better-sqlite3, then try again.', {
      cause: error,
    })
  }
  const why = explainStoreError(error) ?? (error instanceof Error ? error.message : String(error))
  return new StoreError(`The data file ${path} cannot be used: ${why}. Nothing in it was changed.`, { cause: error })
}
