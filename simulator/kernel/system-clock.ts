/** The machine's own clock and timers: the one door to them. Simulated time is `clock.ts`. */

export interface Timer {
  cancel(): void
}

/** What the program may ask of the machine about time. Tests pass one of their own. */
export interface SystemClock {
  /** Wall-clock milliseconds since the epoch. */
  now(): number
  /** Milliseconds that never go back, from an arbitrary start: for measuring lengths. */
  monotonic(): number
  /** Calls back once after so many milliseconds; a length past the timers' range is cut to it. */
  after(ms: number, callback: () => void): Timer
  /** Resolves when input and output that wait have had their turn. */
  turn(): Promise<void>
}

/** Timers fire at once when asked to wait longer than this. */
const longestTimerMs = 2 ** 31 - 1

export const systemClock: SystemClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, Math.ceil(ms)), longestTimerMs))
    return { cancel: () => clearTimeout(timer) }
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
}
