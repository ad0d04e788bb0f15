/** Calls back when the simulated clock shows a moment, however the clock is changed meanwhile. */
import type { Clock } from './clock.js'
import type { Instant } from './instant.js'
import type { SystemClock, Timer } from './system-clock.js'

/** The machine's clock may be set, or the machine sleep, while a timer runs: it rings this often at least, to have the time looked at. */
const longestSleepMs = 60_000

export class Alarm {
  #timer: Timer | null = null
  #at: Instant | null = null

  constructor(
    readonly clock: Clock,
    readonly machine: SystemClock,
    readonly ring: () => void,
  ) {}

  /** Rings at that moment, or before it; not at all when there is none, or while time stands still before it. */
  set(at: Instant | null): void {
    const wait = at === null ? null : this.clock.systemMsUntil(at)
    if (this.#timer && this.#at === at && wait !== null) return
    this.cancel()
    if (wait === null) return
    this.#at = at
    this.#timer = this.machine.after(Math.min(wait, longestSleepMs), () => {
      this.#timer = null
      this.ring()
    })
  }

  /** To be called before the clock is changed, too: what was set was reckoned with the clock as it was. */
  cancel(): void {
    this.#timer?.cancel()
    this.#timer = null
  }
}
