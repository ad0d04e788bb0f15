/** The file of refused rows: the columns as they were, and where, by which code and why each was refused. */
import { createHash, type Hash } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { csvLine, escapeFormula } from '../../output/csv.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import { describeWriteFailure } from '../errors/file-error.js'
import { UsageError } from '../errors/usage-error.js'
import { failedFileColumns } from './columns.js'
import type { RawRow } from './raw-row.js'

/** How the file stood at a moment, to go on from there. */
export interface FailedMark {
  path: string
  bytes: number
  /** Of so many bytes. */
  digest: string
}

export class FailedRows {
  readonly #path: string
  readonly #header: string
  /** Columns that an earlier import had added are replaced. */
  readonly #kept: readonly number[]
  #file: number | undefined
  #bytes = 0
  #hash: Hash = createHash('sha256')

  /**
   * Throws `UsageError` for a place that cannot be written, while nothing is sent yet, and for a file that is there and
   * is no file of refused rows: it may be dear to somebody.
   */
  constructor(path: string, columns: readonly string[]) {
    this.#path = path
    this.#kept = [...columns.keys()].filter((at) => !failedFileColumns.includes(columns[at] ?? ''))
    this.#header = csvLine([...this.#kept.map((at) => escapeFormula(columns[at] ?? '')), ...failedFileColumns])
    checkPlace(path)
  }

  /** Undefined while nothing was refused. */
  get mark(): FailedMark | undefined {
    if (this.#file === undefined) return undefined
    return { path: this.#path, bytes: this.#bytes, digest: this.#hash.copy().digest('hex') }
  }

  /** Goes on where an earlier run stood; what was written after that is written anew. */
  goOn({ path, bytes, digest }: FailedMark): void {
    if (path !== this.#path) return
    const file = statSync(path, { throwIfNoEntry: false }) && openSync(path, 'r+')
    if (file === undefined || hashOf(file, bytes).digest('hex') !== digest) {
      throw new UsageError(
        `${path} is not as the stopped import left it.`,
        'Name another file with --failed-file, or leave --resume out: what was sent is answered as before.',
      )
    }
    ftruncateSync(file, bytes)
    this.#file = file
    this.#bytes = bytes
    this.#hash = hashOf(file, bytes)
  }

  add({ line, values }: RawRow, code: string, message: string): void {
    if (this.#file === undefined) {
      this.#file = this.#open()
      this.#write(this.#file, this.#header)
    }
    const cells = this.#kept.map((at) => escapeFormula(values[at] ?? ''))
    this.#write(this.#file, csvLine([...cells, String(line), code, escapeFormula(stripControlsFromLine(message))]))
  }

  /** Gives the names of earlier files that were put aside and hold what this one does not begin with. */
  close(): string[] {
    if (this.#file === undefined) return []
    closeSync(this.#file)
    return this.#asides().filter((aside) => {
      const isHere = beginsWith(this.#path, aside)
      if (isHere) rmSync(aside)
      return !isHere
    })
  }

  /** Those that are there, oldest first, up to the first name that is free. */
  #asides(): string[] {
    const there: string[] = []
    while (existsSync(this.#aside(there.length))) there.push(this.#aside(there.length))
    return there
  }

  #aside(nth: number): string {
    return `${this.#path}.bak${nth === 0 ? '' : String(nth + 1)}`
  }

  /** The rows of an earlier run may have been corrected in place: that file is put aside and kept. */
  #open(): number {
    try {
      if (existsSync(this.#path)) renameSync(this.#path, this.#aside(this.#asides().length))
      return openSync(this.#path, 'wx', 0o600)
    } catch (error) {
      return describeWriteFailure(this.#path)(error as NodeJS.ErrnoException)
    }
  }

  #write(file: number, text: string): void {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, this.#bytes + at)
    this.#bytes += bytes.length
    this.#hash.update(bytes)
  }
}

function checkPlace(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found && lstatSync(path, { throwIfNoEntry: false }))
    throw new UsageError(
      `${path} is a link to a file that is not there.`,
      'Remove it, or name another file with --failed-file.',
    )
  try {
    accessSync(found ? path : dirname(path), constants.W_OK)
  } catch (error) {
    describeWriteFailure(path)(error as NodeJS.ErrnoException)
  }
  if (found && found.size > 0 && !(found.isFile() && hasOwnColumns(path))) {
    throw new UsageError(
      `${path} is there and holds something else than refused rows.`,
      'Name another file with --failed-file.',
    )
  }
}

const pieceBytes = 65_536

function hasOwnColumns(path: string): boolean {
  const file = openSync(path, 'r')
  const [header = ''] = readPiece(file, 0, pieceBytes).toString('utf8').split('\n', 1)
  closeSync(file)
  return header.endsWith(failedFileColumns.join(','))
}

function beginsWith(path: string, other: string): boolean {
  const digests = [path, other].map((name) => {
    const file = openSync(name, 'r')
    const digest = hashOf(file, statSync(other).size).digest('hex')
    closeSync(file)
    return digest
  })
  return digests[0] === digests[1]
}

function hashOf(file: number, bytes: number): Hash {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes;) {
    const piece = readPiece(file, at, Math.min(pieceBytes, bytes - at))
    if (piece.length === 0) break
    hash.update(piece)
    at += piece.length
  }
  return hash
}

function readPiece(file: number, at: number, most: number): Buffer {
  const piece = Buffer.alloc(most)
  return piece.subarray(0, readSync(file, piece, 0, most, at))
}
