/**
 * How far the import of a file has come, written before each batch goes out: whatever ends the program, the next run
 * knows what was answered and how the batch was cut whose answer it may have missed. It holds no word of the file.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../usage-error.js'
import type { FailedMark } from './failed-rows.js'
import type { RateMemory } from './lead-rate.js'
import { lock } from './lock.js'
import type { Counts } from './tally.js'

export interface Progress extends RateMemory {
  version: 1
  /** Milliseconds since the epoch of this entry. */
  at: number
  /** Rows answered, from the first. */
  rows: number
  /** The line of the last of them. */
  line: number
  /** Leads in the batch that was sent next, if it was. */
  next: number
  counts: Counts
  /** Undefined while nothing was refused. */
  failed?: FailedMark | undefined
  /** Part of every Idempotency-Key of the run, where each run is to be one of its own. */
  salt: string
  /** How often a batch was refused to its last row by what may change, so that it may be sent as a new one. */
  attempt: number
  finished: boolean
}

/** Nobody goes on with an import after so long. */
const keptMs = 30 * 24 * 3600 * 1000

/** The folder of all journals, made where there is none and rid of old ones. Throws `UsageError` where that cannot be. */
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

  /** `of` is all that makes one import another: the content of the file, whose it is, and what is sent of it. */
  constructor(folder: string, of: unknown) {
    const name = createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 32)
    this.#path = join(folder, `${name}.json`)
  }

  /** Nobody else writes it until the function given back is called. Throws `UsageError` where somebody does. */
  lock(): () => void {
    return lock(`${this.#path}.lock`)
  }

  /** Undefined where there was no such import, or nothing can be made of what is left of it. */
  read(): Progress | undefined {
    try {
      const progress = JSON.parse(readFileSync(this.#path, 'utf8')) as Progress
      return progress.version === 1 ? progress : undefined
    } catch {
      return undefined
    }
  }

  /** Whole or not at all. It need not outlast the machine: what it then lacks is sent again, and answered as before. */
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
