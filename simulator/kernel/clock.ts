/** The simulated clock. It runs with the system clock, faster, or not at all, and it can be set forward. */
import { earlier, endOfTime, instant, later, type Instant } from './instant.js'
import type { SystemClock } from './system-clock.js'

/** The stored state of the clock, for a restart. */
export interface ClockRecord {
  now: Instant
  /** Simulated time minus system time when it was recorded. */
  offset: number
  speed: number
  paused: boolean
}

export class Clock {
  /** The last time shown, the passed fraction of the next millisecond, and the system time at that moment. */
  #shown: Instant
  #part = 0
  #seen: number
  #speed: number
  #paused: boolean

  constructor(
    readonly machine: SystemClock,
    record: ClockRecord,
  ) {
    this.#speed = record.speed
    this.#paused = record.paused
    this.#seen = machine.now()
    // A running clock continues while the program is down. It never goes back.
    const meanwhile = earlier(instant(Math.floor(this.#seen + record.offset)), endOfTime)
    this.#shown = record.paused ? record.now : later(record.now, meanwhile)
  }

  get speed() {
    return this.#speed
  }

  get paused() {
    return this.#paused
  }

  /**
   * The current simulated time. It never decreases, even if the system clock is set back, and it stops at `endOfTime`.
   */
  now(): Instant {
    const seen = this.machine.now()
    const passed = this.#paused ? 0 : this.#part + Math.max(0, seen - this.#seen) * this.#speed
    const left = Math.max(0, endOfTime - this.#shown)
    this.#seen = seen
    this.#part = passed < left ? passed % 1 : 0
    this.#shown = instant(this.#shown + Math.floor(Math.min(passed, left)))
    return this.#shown
  }

  /** Saves the clock's state. Returns the function that restores it. */
  savepoint(): () => void {
    const [shown, part, seen, speed, paused] = [this.#shown, this.#part, this.#seen, this.#speed, this.#paused]
    return () => {
      this.#shown = shown
      this.#part = part
      this.#seen = seen
      this.#speed = speed
      this.#paused = paused
    }
  }

  /** Sets the clock forward to an instant. An earlier instant changes nothing. */
  advanceTo(at: Instant): void {
    if (at > this.now()) this.#show(at)
  }

  /** Sets the time, earlier or later, and the speed: for another world. */
  replace({ now, speed, paused }: Pick<ClockRecord, 'now' | 'speed' | 'paused'>): void {
    this.#show(now)
    this.#speed = speed
    this.#paused = paused
  }

  /** Changes the speed or the pause state from now on, or from an earlier instant if no later one was shown. */
  set(how: { speed?: number | undefined; paused?: boolean | undefined }, from = this.now()): void {
    this.#show(from)
    this.#speed = how.speed ?? this.#speed
    this.#paused = how.paused ?? this.#paused
  }

  #show(at: Instant): void {
    this.#shown = at
    this.#part = 0
    this.#seen = this.machine.now()
  }

  /** Milliseconds of system time until a simulated instant; null while the clock is paused. */
  systemMsUntil(at: Instant): number | null {
    if (at <= this.now()) return 0
    return this.#paused ? null : (at - this.now()) / this.#speed
  }

  record(): ClockRecord {
    const now = this.now()
    return { now, offset: now - this.machine.now(), speed: this.#speed, paused: this.#paused }
  }
}
