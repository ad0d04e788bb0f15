/** A machine clock that advances only when a test says so. Timers fire on the way, each at its own time. */
import type { SystemClock, Timer } from '../../simulator/kernel/system-clock.js'

interface Pending {
  at: number
  /** The delay it was set with. */
  ms: number
  callback: () => void
}

export class ManualMachine implements SystemClock {
  /** The wall clock. Setting it does not affect timers and durations. */
  wall: number
  #passed = 0
  readonly #pending = new Set<Pending>()

  constructor(wall = Date.UTC(2026, 9, 1)) {
    this.wall = wall
  }

  now(): number {
    return this.wall
  }

  monotonic(): number {
    return this.#passed
  }

  after(ms: number, callback: () => void): Timer {
    const pending = { at: this.#passed + Math.max(0, Math.ceil(ms)), ms, callback }
    this.#pending.add(pending)
    return { cancel: () => void this.#pending.delete(pending) }
  }

  turn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve))
  }

  /** Number of waiting timers. */
  get timers(): number {
    return this.#pending.size
  }

  /** Number of waiting timers with that delay. */
  timersOf(ms: number): number {
    return [...this.#pending].filter((pending) => pending.ms === ms).length
  }

  /** Advances to the next timer, if there is one. */
  passToNext(): void {
    const [next] = [...this.#pending].sort((a, b) => a.at - b.at)
    if (next) this.pass(next.at - this.#passed)
  }

  /** Advances time. */
  pass(ms: number): void {
    const until = this.#passed + ms
    for (let next = this.#next(until); next; next = this.#next(until)) {
      this.#pending.delete(next)
      this.#set(next.at)
      next.callback()
    }
    this.#set(until)
  }

  #set(passed: number): void {
    this.wall += passed - this.#passed
    this.#passed = passed
  }

  #next(until: number): Pending | undefined {
    const due = [...this.#pending].filter(({ at }) => at <= until)
    return due.sort((a, b) => a.at - b.at)[0]
  }
}
