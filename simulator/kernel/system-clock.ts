/** The system clock and timers. All other code reaches them through this file. Simulated time is in `clock.ts`. */

export interface Timer {
  cancel(): void
}

/** The system's time functions. Tests pass a fake. */
export interface SystemClock {
  /** Wall-clock milliseconds since the epoch. */
  now(): number
  /** Milliseconds that never decrease, from an arbitrary start, for measuring durations. */
  monotonic(): number
  /** Calls back once after `ms` milliseconds. A longer time than timers allow is shortened. */
  after(ms: number, callback: () => void): Timer
  /** Resolves after pending I/O was handled. */
  turn(): Promise<void>
}

/** A longer timeout would fire at once. */
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
