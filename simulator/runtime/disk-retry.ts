/** Retries after a disk failure until the disk accepts writes, so that waiting work continues. */
import type { SystemClock, Timer } from '../kernel/system-clock.js'
import { StoreError } from '../storage/store-error.js'

const againMs = 1_000

export interface DiskRetryOptions {
  machine: SystemClock
  /** Writes something. Throws `StoreError` while the disk fails. */
  ask: () => void
  /** Called once when the disk begins to fail. */
  onFailure: (error: unknown) => void
}

export class DiskRetry {
  readonly #options: DiskRetryOptions
  #timer: Timer | null = null

  constructor(options: DiskRetryOptions) {
    this.#options = options
  }

  /** Whether the last write failed. */
  get fails(): boolean {
    return this.#timer !== null
  }

  /** Starts retrying if the error is a disk failure. Ignores other errors. */
  handleFailure(error: unknown): void {
    if (!(error instanceof StoreError) || this.fails) return
    this.#options.onFailure(error)
    this.#askLater()
  }

  /** Stops retrying, after a successful commit or when the engine stops. */
  stop(): void {
    this.#timer?.cancel()
    this.#timer = null
  }

  #askLater(): void {
    this.#timer = this.#options.machine.after(againMs, () => {
      ignoreDiskFailure(this.#options.ask)
      if (this.fails) this.#askLater()
    })
  }
}

/** Runs `work` and ignores a disk failure. The failed commit reports it. */
export function ignoreDiskFailure(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}
