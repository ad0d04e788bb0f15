/** Leaves a key most of its requests: looking for events is not what it is for (specification, Limits). */
import type { SystemClock } from '../../client/system-clock.js'

/** After a pause so many are free, far below the burst of a key. */
const burst = 5
/** Half of what a key may go on sending. */
const perSecond = 1

export class PollingPace {
  readonly #machine: SystemClock
  #left = burst
  #at: number

  constructor(machine: SystemClock) {
    this.#machine = machine
    this.#at = machine.now()
  }

  /** Resolves when a request may go; at once after a pause. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.#machine.now()
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1_000) * perSecond)
    this.#at = now
    this.#left--
    if (this.#left >= 0) return
    await this.#machine.sleep((-this.#left / perSecond) * 1_000, signal).catch(() => undefined)
  }
}
