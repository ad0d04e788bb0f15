/** Writes the file of refused rows: the original columns plus the line, the error code and the reason. */
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
import { escapeFormulaExceptNumber } from '../../../csv/formula.js'
import { csvLines } from '../../../csv/lines.js'
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { describeWriteFailure } from '../../errors/file-error.js'
import { UsageError } from '../../errors/usage-error.js'
import { failedFileColumns } from '../source/columns.js'
import { beginOf, decodeBeginning, encodeText, plainForm, type FileForm } from '../source/file-form.js'
import { lineToName, type RawRow } from '../rows.js'

/** State of the file at a checkpoint, for a resumed run. */
export interface FailedMark {
  path: string
  bytes: number
  /** Digest of this number of bytes. */
  digest: string
}

export class FailedRows {
  readonly #path: string
  readonly #header: Buffer
  /** Replaces the columns that an earlier import added. */
  readonly #kept: readonly number[]
  readonly #form: FileForm
  /** Index of the line numbers that an earlier import added; -1 if there are none. */
  readonly #lineColumn: number
  #file: number | undefined
  #bytes = 0
  #hash: Hash = createHash('sha256')

  /**
   * Throws `UsageError` before anything is sent if the path cannot be written, or if the existing file
   * is not a file of refused rows and must not be overwritten.
   */
  constructor(path: string, columns: readonly string[], form: FileForm = plainForm) {
    this.#path = path
    this.#form = form
    this.#lineColumn = columns.indexOf(failedFileColumns[0] ?? '')
    this.#kept = [...columns.keys()].filter((at) => !failedFileColumns.includes(columns[at] ?? ''))
    const names = this.#kept.map((at) => escapeFormulaExceptNumber(columns[at] ?? ''))
    this.#header = this.#line([...names, ...failedFileColumns])
    checkPlace(path)
  }

  /** Undefined if no row was refused. */
  get mark(): FailedMark | undefined {
    if (this.#file === undefined) return undefined
    return { path: this.#path, bytes: this.#bytes, digest: this.#hash.copy().digest('hex') }
  }

  /** Continues from the checkpoint of an earlier run. Rows written after it are written again. */
  resumeAt({ path, bytes, digest }: FailedMark): void {
    if (path !== this.#path) return
    const file = statSync(path, { throwIfNoEntry: false }) && openSync(path, 'r+')
    if (file === undefined || hashOf(file, bytes).digest('hex') !== digest) {
      throw new UsageError(
        `${path} was changed after the import stopped.`,
        'Name another file with --failed-file, or leave --resume out: what was sent is answered as before.',
      )
    }
    ftruncateSync(file, bytes)
    this.#file = file
    this.#bytes = bytes
    this.#hash = hashOf(file, bytes)
  }

  /** Returns the line that it writes for the row. */
  add(row: RawRow, code: string, message: string): number {
    const { values } = row
    this.#file ??= this.#begin()
    const cells = this.#kept.map((at) => escapeFormulaExceptNumber(values[at] ?? ''))
    const reason = escapeFormulaExceptNumber(stripControlsFromLine(message).replace(maskedNumber, 'The number'))
    // A corrected row keeps its line in the first file.
    const place = values[this.#lineColumn] || String(row.line)
    this.#write(this.#file, this.#line([...cells, place, code, reason]))
    return lineToName(row)
  }

  #line(cells: readonly string[]): Buffer {
    return encodeText(csvLines([cells], '\n', this.#form.separator), this.#form.encoding)
  }

  /** Puts the file in the place of another one. Without refused rows, it has only the header. */
  replace(path: string): void {
    this.#file ??= this.#begin()
    closeSync(this.#file)
    this.#file = undefined
    renameSync(this.#path, path)
  }

  /** Deletes the file. */
  discard(): void {
    if (this.#file === undefined) return
    closeSync(this.#file)
    this.#file = undefined
    rmSync(this.#path)
  }

  #begin(): number {
    const file = this.#open()
    this.#write(file, beginOf(this.#form))
    this.#write(file, this.#header)
    return file
  }

  /** Returns the names of earlier files that were kept under another name and whose rows are not in this file. */
  close(): string[] {
    if (this.#file === undefined) return []
    closeSync(this.#file)
    return this.#asides().filter((aside) => {
      const isHere = beginsWith(this.#path, aside)
      if (isHere) rmSync(aside)
      return !isHere
    })
  }

  /** Existing backup files, oldest first, up to the first free name. */
  #asides(): string[] {
    const there: string[] = []
    while (existsSync(this.#aside(there.length))) there.push(this.#aside(there.length))
    return there
  }

  #aside(nth: number): string {
    return `${this.#path}.bak${nth === 0 ? '' : String(nth + 1)}`
  }

  /** Renames the file of an earlier run, because its rows may have been corrected in place. */
  #open(): number {
    try {
      if (existsSync(this.#path)) renameSync(this.#path, this.#aside(this.#asides().length))
      return openSync(this.#path, 'wx', 0o600)
    } catch (error) {
      return describeWriteFailure(this.#path)(error as NodeJS.ErrnoException)
    }
  }

  #write(file: number, bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, this.#bytes + at)
    this.#bytes += bytes.length
    this.#hash.update(bytes)
  }
}

/** The service masks the number in its messages. The row has it whole. */
const maskedNumber = /^[+(\d]*\*[*\d()\s.+-]*\d(?= )/

function checkPlace(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found && lstatSync(path, { throwIfNoEntry: false }))
    throw new UsageError(`${path} is a link to a missing file.`, 'Remove it, or name another file with --failed-file.')
  try {
    accessSync(found ? path : dirname(path), constants.W_OK)
  } catch (error) {
    describeWriteFailure(path)(error as NodeJS.ErrnoException)
  }
  if (found && found.size > 0 && !(found.isFile() && hasOwnColumns(path))) {
    throw new UsageError(`${path} exists and is not a file of refused rows.`, 'Name another file with --failed-file.')
  }
}

const pieceBytes = 65_536

/** True for a file of refused rows, in any form that an import writes. */
function hasOwnColumns(path: string): boolean {
  const file = openSync(path, 'r')
  const [header = ''] = decodeBeginning(readPiece(file, 0, pieceBytes)).split(/\r?\n/, 1)
  closeSync(file)
  return [...',;\t|'].some((separator) => header.endsWith(failedFileColumns.join(separator)))
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
