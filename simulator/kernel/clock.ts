/** What time it is in the world: it passes with the machine's clock, faster, or not at all; and it can be set forward. */
import { instant, later, type Instant } from './instant.js'
import type { Machine } from './machine.js'

/** What a restart needs to know of the clock. */
export interface ClockRecord {
  now: Instant
  /** Simulated time less the machine's, when it was recorded. */
  offset: number
  speed: number
  paused: boolean
}

export class Clock {
  #anchor: Instant
  #anchorMachine: number
  #speed: number
  #paused: boolean

  constructor(
    readonly machine: Machine,
    record: ClockRecord,
  ) {
    this.#speed = record.speed
    this.#paused = record.paused
    this.#anchorMachine = machine.now()
    // While the program was down a running clock went on with the machine's; it never goes back (by decision).
    this.#anchor = record.paused ? record.now : later(record.now, instant(Math.floor(this.#anchorMachine + record.offset)))
  }

  get speed() {
    return this.#speed
  }

  get paused() {
    return this.#paused
  }

  now(): Instant {
    if (this.#paused) return this.#anchor
    const passed = Math.max(0, this.machine.now() - this.#anchorMachine)
    return instant(this.#anchor + Math.floor(passed * this.#speed))
  }

  /** Sets the clock forward to a moment; a moment already past changes nothing. */
  reach(at: Instant): void {
    const now = this.now()
    if (at <= now) return
    this.#anchor = at
    this.#anchorMachine = this.machine.now()
  }

  /** Shows another time from now on, be it earlier: for another world. */
  put({ now, speed, paused }: Pick<ClockRecord, 'now' | 'speed' | 'paused'>): void {
    this.#anchor = now
    this.#anchorMachine = this.machine.now()
    this.#speed = speed
    this.#paused = paused
  }

  /** Changes how time passes from now on. */
  set(how: { speed?: number | undefined; paused?: boolean | undefined }): void {
    this.#anchor = this.now()
    this.#anchorMachine = this.machine.now()
    this.#speed = how.speed ?? this.#speed
    this.#paused = how.paused ?? this.#paused
  }

  /** Milliseconds of the machine's time until a moment of simulated time; null while the clock stands. */
  machineTimeUntil(at: Instant): number | null {
    if (at <= this.now()) return 0
    return this.#paused ? null : (at - this.now()) / this.#speed
  }

  record(): ClockRecord {
    const now = this.now()
    return { now, offset: now - this.machine.now(), speed: this.#speed, paused: this.#paused }
  }
}
