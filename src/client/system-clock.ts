/** The machine's clock, timers and chance as the command line reads them: the one door to each. */
import { setTimeout as timer } from 'node:timers/promises'

export interface SystemClock {
  /** Wall-clock milliseconds since the epoch. */
  now(): number
  /** A number from 0 to just below 1. */
  random(): number
  /** Resolves after so many milliseconds; rejects at once when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: SystemClock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => timer(ms, undefined, signal ? { signal } : {}),
}
