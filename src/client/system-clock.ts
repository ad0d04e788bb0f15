/** The command line's only access to the system's clock, timers and random numbers. */
import { setTimeout as timer } from 'node:timers/promises'

export interface SystemClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** From 0 to just below 1. */
  random(): number
  /** Resolves after `ms`. Rejects at once when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: SystemClock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => timer(ms, undefined, signal ? { signal } : {}),
}
