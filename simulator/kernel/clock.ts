/** What time it is in the world: it passes with the machine's clock, faster, or not at all; and it can be set forward. */
import { earlier, endOfTime, instant, later, type Instant } from './instant.js'
import type { SystemClock } from './system-clock.js'

/** What a restart needs to know of the clock. */
export interface ClockRecord {
  now: Instant
  /** Simulated time less the machine's, when it was recorded. */
  offset: number
  speed: number
  paused: boolean
}

export class Clock {
  /** What it showed when it was last looked at, how much of the next millisecond had passed, and the machine's time then. */
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
    // While the program was down a running clock went on with the machine's; it never goes back (by decision).
    const meanwhile = earlier(instant(Math.floor(this.#seen + record.offset)), endOfTime)
    this.#shown = record.paused ? record.now : later(record.now, meanwhile)
  }

  get speed() {
    return this.#speed
  }

  get paused() {
    return this.#paused
  }

  /** Never earlier than before: a machine's clock that is set back takes no time away. At the end of time it stands. */
  now(): Instant {
    const seen = this.machine.now()
    const passed = this.#paused ? 0 : this.#part + Math.max(0, seen - this.#seen) * this.#speed
    const left = Math.max(0, endOfTime - this.#shown)
    this.#seen = seen
    this.#part = passed < left ? passed % 1 : 0
    this.#shown = instant(this.#shown + Math.floor(Math.min(passed, left)))
    return this.#shown
  }

  /** How it stands, for taking back whatever is done to it from now on. */
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

  /** Sets the clock forward to a moment; a moment already past changes nothing. */
  advanceTo(at: Instant): void {
    if (at > this.now()) this.#show(at)
  }

  /** Shows another time from now on, be it earlier: for another world. */
  replace({ now, speed, paused }: Pick<ClockRecord, 'now' | 'speed' | 'paused'>): void {
    this.#show(now)
    this.#speed = speed
    this.#paused = paused
  }

  /** Changes how time passes from that moment on: from now, or from an earlier one that nobody has been shown a later one than. */
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

  /** Milliseconds of the machine's time until a moment of simulated time; null while the clock stands. */
  systemMsUntil(at: Instant): number | null {
    if (at <= this.now()) return 0
    return this.#paused ? null : (at - this.now()) / this.#speed
  }

  record(): ClockRecord {
    const now = this.now()
    return { now, offset: now - this.machine.now(), speed: this.#speed, paused: this.#paused }
  }
}
