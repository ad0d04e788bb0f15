/** The engine's transactions: rows, clock and request counts are committed together, and listeners hear of it after that. */
import type { Clock } from '../kernel/clock.js'
import type { SystemClock } from '../kernel/system-clock.js'
import type { StopCondition } from '../model/stop-condition.js'
import type { World } from '../model/world.js'
import type { DiskRetry } from './disk-retry.js'
import type { Listeners } from './listeners.js'

/** How often a push waits for the disk after its first commit. */
const durableEveryMs = 250

export interface CommitsOptions {
  world: World
  clock: Clock
  machine: SystemClock
  listeners: Listeners
  diskRetry: DiskRetry
}

export class Commits {
  readonly #options: CommitsOptions
  /** Hears of each commit of a push that may stop early. */
  condition: StopCondition | null = null
  /** When the last durable commit ended, by the system clock. */
  #durableAt = -Infinity
  /** Whether everything committed is durable. */
  #isDurable = true

  constructor(options: CommitsOptions) {
    this.#options = options
  }

  /** Runs work in one transaction, together with the time it ends at. */
  commit<T>(work: () => T, isDurable = true): T {
    const { world, clock } = this.#options
    return this.run(() => {
      const done = work()
      // The clock may be ahead of a world that cannot keep up with it. The world's time is the one that belongs to its rows.
      world.recordClock({ ...clock.record(), now: world.now })
      world.requests.flush()
      return done
    }, isDurable)
  }

  /** Like `commit`, for a push: waits for the disk at the first commit after `beginPush`, then every 250 ms. */
  commitPushed<T>(work: () => T): T {
    return this.commit(work, this.#options.machine.monotonic() - this.#durableAt >= durableEveryMs)
  }

  /** A push begins: a disk that fails now refuses it before time passes. */
  beginPush(condition: StopCondition | null): void {
    this.condition = condition
    this.#durableAt = -Infinity
  }

  /** Waits for the disk if the last commit did not. */
  makeDurable(): void {
    if (!this.#isDurable) this.commit(() => undefined)
  }

  /** Runs one transaction and tells the listeners. If it fails, time and memory are as they were before. */
  run<T>(work: () => T, isDurable = true): T {
    const { world, clock, machine, listeners, diskRetry } = this.#options
    const { now } = world
    const putClockBack = clock.savepoint()
    try {
      const result = world.store.transaction(work, isDurable)
      this.#isDurable = isDurable
      if (isDurable) this.#durableAt = machine.monotonic()
      world.requests.clearFlushed()
      diskRetry.stop()
      this.condition?.keep()
      listeners.tell()
      return result
    } catch (error) {
      this.condition?.undo()
      world.now = now
      putClockBack()
      world.refresh()
      diskRetry.handleFailure(error)
      throw error
    }
  }
}
