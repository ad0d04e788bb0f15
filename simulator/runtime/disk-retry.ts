/** Asks a disk that took nothing again and again, so that what waits for it goes on by itself when it takes something. */
import type { SystemClock, Timer } from '../kernel/system-clock.js'
import { StoreError } from '../storage/store-error.js'

const againMs = 1_000

export interface DiskRetryOptions {
  machine: SystemClock
  /** Writes something. Throws `StoreError` as long as nothing is taken. */
  ask: () => void
  /** Told once of a disk that begins to fail. */
  onFailure: (error: unknown) => void
}

export class DiskRetry {
  readonly #options: DiskRetryOptions
  #timer: Timer | null = null

  constructor(options: DiskRetryOptions) {
    this.#options = options
  }

  /** Nothing was taken when it was last asked. */
  get fails(): boolean {
    return this.#timer !== null
  }

  /** A commit failed; whatever the reason, it may be told here. */
  handleFailure(error: unknown): void {
    if (!(error instanceof StoreError) || this.fails) return
    this.#options.onFailure(error)
    this.#askLater()
  }

  /** A commit was kept, or nobody asks any more. */
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

/** Does the work, or leaves it where the disk takes nothing: that is told of by whoever failed to commit. */
export function ignoreDiskFailure(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}
