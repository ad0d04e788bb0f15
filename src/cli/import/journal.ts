/**
 * The progress of an import, written before each batch is sent. After any end of the program, the next run knows
 * which rows have an answer and how the next batch was cut. Contains no values of the file.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../errors/usage-error.js'
import { CutsFile } from './cuts.js'
import type { FailedMark } from './failed-rows.js'
import type { RateMemory } from './lead-rate.js'
import { lockImport } from './lock.js'
import type { Counts } from './tally.js'

export interface Progress {
  version: 2
  /** Milliseconds since the epoch of this entry. */
  at: number
  /** Rows answered, from the first. */
  rows: number
  /** The line of the last answered row. */
  line: number
  /** Batches answered. */
  batch: number
  /** Batches answered in any earlier run. */
  reached: number
  /** Items in the batch that was sent next; 0 if none was. */
  next: number
  counts: Counts
  /** Undefined if no row was refused. */
  failed?: FailedMark | undefined
  /** Part of every Idempotency-Key: differs between two runs if the second must not be answered like the first. */
  salt: string
  /**
   * Number of times that the batch had to wait, for example for a full queue. Each time it is sent as a new request.
   */
  attempt: number
  finished: boolean
  rate: RateMemory
}

/** An older journal is not used to resume. */
const keptMs = 30 * 24 * 3600 * 1000

/** Creates the folder of the journals and deletes old ones. Throws `UsageError` if that fails. */
export function importFolder(dataFolder: string, now: number): string {
  const folder = join(dataFolder, 'imports')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(folder)) {
      const found = statSync(join(folder, name), { throwIfNoEntry: false })
      if (found && found.mtimeMs < now - keptMs) rmSync(join(folder, name), { force: true })
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new UsageError(`${folder} cannot be used: ${code}.`, 'SVC_DATA_DIR names another folder.')
  }
  return folder
}

export class Journal {
  readonly #path: string

  /** `of` identifies the import: the file's content, the key, and the target. */
  constructor(folder: string, of: unknown) {
    const name = createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 32)
    this.#path = join(folder, `${name}.json`)
  }

  /** Locks the journal until the returned function is called. Throws `UsageError` if another process has locked it. */
  lock(): () => void {
    return lockImport(`${this.#path}.lock`)
  }

  /** Undefined if there was no such import, or its journal cannot be read. */
  read(): Progress | undefined {
    try {
      const progress = JSON.parse(readFileSync(this.#path, 'utf8')) as Progress
      return progress.version === 2 ? progress : undefined
    } catch {
      return undefined
    }
  }

  /** The batch sizes of the import. With `keep`, those of an earlier run are used again. */
  cuts(keep: boolean): CutsFile {
    return new CutsFile(`${this.#path}.cuts`, keep)
  }

  /** Writes atomically. After a power cut the last batch may be missing; it is then sent again. */
  write(progress: Progress): void {
    const temporary = `${this.#path}.${process.pid}`
    try {
      writeFileSync(temporary, JSON.stringify(progress), { mode: 0o600 })
      renameSync(temporary, this.#path)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    }
  }
}
