/**
 * Batch sizes of an import, in order. A later run over the same file uses the same sizes, so that each batch gets the
 * same Idempotency-Key.
 */
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'

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
