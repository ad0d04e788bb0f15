/**
 * The progress of an import, written before each batch is sent. After any end of the program, the next run knows
 * which rows have an answer and how the next batch was cut. Contains no values of the file.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../config/settings.js'
import { replaceFile } from '../../config/atomic-file.js'
import { idempotencyRetentionHours } from '../../contract/limits.js'
import { UsageError } from '../errors/usage-error.js'
import type { FailedMark } from './failed/failed-rows.js'
import { initialRate, type RateMemory } from './lead-rate.js'
import { lockImport } from './lock.js'
import { noCounts, type Counts } from './report.js'

export interface Progress {
  version: 3
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
  /** The file that was imported; undefined for standard input. */
  file?: ImportedFile | undefined
}

/** The file of a run, so that a later run can say that it has changed. */
export interface ImportedFile {
  /** Digest of the command, the account and the path. */
  place: string
  /** Digest of the content. */
  digest: string
  /** Rows of the file. */
  total: number
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

/** Identifies the service and the key of a run. */
export const accountOf = ({ baseUrl, keyId, secret }: Pick<Settings, 'baseUrl' | 'keyId' | 'secret'>): unknown => [
  baseUrl.value,
  keyId?.value ?? secret?.value,
]

/** The name of an import's journal, in 32 hexadecimal digits. */
export const journalName = (of: unknown): string =>
  createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 32)

export class Journal {
  readonly #path: string
  readonly #file: ImportedFile | undefined

  /** `of` identifies the import: the file's content, the key, and the target. */
  constructor(folder: string, of: unknown, file?: ImportedFile) {
    this.#path = join(folder, `${journalName(of)}.json`)
    this.#file = file
  }

  /** Locks the journal until the returned function is called. Throws `UsageError` if another process has locked it. */
  lock(): () => void {
    return lockImport(`${this.#path}.lock`)
  }

  /** Undefined if there was no such import, or its journal cannot be read. */
  read(): Progress | undefined {
    return readProgress(this.#path)
  }

  /** The batch sizes of the import. With `keep`, those of an earlier run are used again. */
  cuts(keep: boolean): CutsFile {
    return new CutsFile(`${this.#path}.cuts`, keep)
  }

  /** Writes atomically. After a power cut the last batch may be missing; it is then sent again. */
  write(progress: Progress): void {
    replaceFile(this.#path, JSON.stringify({ ...progress, file: this.#file }), { isDurable: false })
  }
}

function readProgress(path: string): Progress | undefined {
  try {
    const progress = JSON.parse(readFileSync(path, 'utf8')) as Progress
    return progress.version === 3 ? progress : undefined
  } catch {
    return undefined
  }
}

/** The newest run that imported a file of this place, with any content and to any target. */
export function latestRunOf({ place }: ImportedFile, folder: string): Progress | undefined {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readProgress(join(folder, name)) ?? [])
    .filter(({ file }) => file?.place === place)
    .sort((a, b) => b.at - a.at)[0]
}

/**
 * Batch sizes of an import, in order. A later run over the same file uses the same sizes, so that each batch gets the
 * same Idempotency-Key.
 */
export interface Cuts {
  /** Undefined if there was no such batch. */
  get(batch: number): number | undefined
  /** Adds the next size, or replaces the size of a batch that was never accepted. */
  set(batch: number, size: number): void
}

/** For an import that is never repeated. */
export const noCuts: Cuts = { get: () => undefined, set: () => undefined }

/** Size of one record: three digits and a newline. */
const recordBytes = 4

/** Batch sizes in a file of fixed-size records, so that memory does not grow. */
export class CutsFile implements Cuts {
  readonly #file: number

  /** `keep` is false for an import that ignores an earlier run. */
  constructor(path: string, keep: boolean) {
    const { O_RDWR, O_CREAT, O_TRUNC } = constants
    this.#file = openSync(path, O_RDWR | O_CREAT | (keep ? 0 : O_TRUNC), 0o600)
  }

  get(batch: number): number | undefined {
    const record = Buffer.alloc(recordBytes)
    if (readSync(this.#file, record, 0, recordBytes, batch * recordBytes) < recordBytes) return undefined
    return Number(record.toString('latin1')) || undefined
  }

  set(batch: number, size: number): void {
    const record = Buffer.from(`${String(size).padStart(recordBytes - 1, '0')}\n`)
    writeSync(this.#file, record, 0, recordBytes, batch * recordBytes)
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** What decides where an import begins. */
export interface Start {
  /** State of the earlier run, if there is one. */
  earlier: Progress | undefined
  resume: boolean
  /** New leads per minute, if the user gave a rate. */
  rate: number | undefined
  /** Maximum leads in a batch. */
  most: number
  /** Used if the run starts at the first row. */
  salt: string
  now: number
}

export interface InitialProgress {
  progress: Progress
  /** True if the batches have the same sizes as in the earlier run, so that the service replays their answers. */
  repeatsCuts: boolean
}

/** The first row, or the place where an earlier run of the same import stopped. */
export function initialProgress({ earlier, resume, rate, most, salt, now }: Start): InitialProgress {
  const learned = earlier !== undefined && rate === undefined ? earlier.rate : initialRate(most, rate)
  const reached = earlier === undefined ? 0 : Math.max(earlier.reached, earlier.batch)
  if (earlier && resume) return { progress: { ...earlier, reached, rate: learned }, repeatsCuts: true }
  const isKept = earlier !== undefined && now - earlier.at < idempotencyRetentionHours * 3_600_000
  const progress: Progress = {
    version: 3,
    at: now,
    rows: 0,
    line: 0,
    batch: 0,
    reached: isKept ? reached : 0,
    next: 0,
    attempt: 0,
    counts: noCounts(),
    salt,
    finished: false,
    rate: isKept ? learned : initialRate(most, rate),
  }
  return { progress, repeatsCuts: isKept }
}
