/** Limits polling, so that most of the key's requests stay free for other work (rule L2). */
import type { SystemClock } from '../../client/system-clock.js'
import { TokenBucket } from '../../client/token-bucket.js'

/** Requests allowed at once after a pause, far below the burst of a key. */
const burst = 5
/** Half of the sustained rate of a key. */
const perMs = 1 / 1_000

export class PollingPace {
  readonly #machine: SystemClock
  readonly #bucket: TokenBucket

  constructor(machine: SystemClock) {
    this.#machine = machine
    this.#bucket = new TokenBucket(burst, machine.now())
  }

  /** Resolves when a request may be sent; at once after a pause. */
  async turn(signal: AbortSignal): Promise<void> {
    const waitMs = this.#bucket.take(perMs, this.#machine.now())
    if (waitMs > 0) await this.#machine.sleep(waitMs, signal).catch(() => undefined)
  }
}
