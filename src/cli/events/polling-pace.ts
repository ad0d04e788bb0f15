/** Limits polling, so that most of the key's requests stay free for other work (rule L2). */
import type { SystemClock } from '../../client/system-clock.js'

/** Requests allowed at once after a pause, far below the burst of a key. */
const burst = 5
/** Half of the sustained rate of a key. */
const perSecond = 1

export class PollingPace {
  readonly #machine: SystemClock
  #left = burst
  #at: number

  constructor(machine: SystemClock) {
    this.#machine = machine
    this.#at = machine.now()
  }

  /** Resolves when a request may be sent; at once after a pause. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.#machine.now()
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1_000) * perSecond)
    this.#at = now
    this.#left--
    if (this.#left >= 0) return
    await this.#machine.sleep((-this.#left / perSecond) * 1_000, signal).catch(() => undefined)
  }
}
