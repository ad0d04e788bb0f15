/** Calls back when the simulated clock reaches an instant, even if the clock's speed changes. */
import type { Clock } from './clock.js'
import type { Instant } from './instant.js'
import type { SystemClock, Timer } from './system-clock.js'

/** The system clock may be set and the machine may sleep while a timer runs, so the alarm rings at least this often. */
const longestSleepMs = 60_000

export class Alarm {
  #timer: Timer | null = null
  #at: Instant | null = null

  constructor(
    readonly clock: Clock,
    readonly machine: SystemClock,
    readonly ring: () => void,
  ) {}

  /**
   * Sets the alarm. It rings at that instant or earlier, so the caller checks the time. It does not ring for null or
   * while the clock is paused.
   */
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

  /** Cancels the timer. Also call it before the clock is changed, because the timer used the old speed. */
  cancel(): void {
    this.#timer?.cancel()
    this.#timer = null
  }
}
