/** Follows the events of an account until stopped. Lost connections neither skip nor repeat an event. */
import { ApiError, ConnectionError, NotTheApiError } from '../../client/errors.js'
import type { Doorbell } from '../../client/doorbell.js'
import type { SystemClock } from '../../client/system-clock.js'
import type { Event } from '../../contract/events.js'
import type { EventFeed } from './event-feed.js'
import { PollingPace } from './polling-pace.js'

export interface WatchOptions {
  feed: EventFeed
  doorbell: Doorbell
  /** Polling interval while the doorbell is not connected. */
  intervalMs: number
  machine: SystemClock
  /** Abort it to stop. */
  signal: AbortSignal
  /** Called when the service becomes unreachable. */
  onLost: (error: Error) => void
  /** Called when it is reachable again, with the length of the gap. */
  onBack: (lostMs: number) => void
}

/** Fallback polling interval while the doorbell is connected. */
const besideTheBellMs = 30_000
const shortestIntervalMs = 10
/** Time the client may spend on retries before the service counts as lost. */
const quietMs = 400
/** Timeout that detects a connection that broke silently, for example during sleep. */
const answerWithinMs = 15_000
const firstPauseMs = 250
const longestPauseMs = 2_000

/** Yields batches of events, oldest first. Ends on abort. Throws errors that waiting cannot fix, such as a revoked key. */
export async function* watchEvents(options: WatchOptions): AsyncGenerator<Event[]> {
  const { feed, doorbell, intervalMs, machine, signal } = options
  const pace = new PollingPace(machine)
  while (!signal.aborted) {
    const events = await retryForever(options)
    if (events.length > 0) yield events
    if (!feed.caughtUp) continue
    await doorbell.wait(doorbell.isOpen ? besideTheBellMs : Math.max(intervalMs, shortestIntervalMs))
    if (feed.isLimited) await pace.turn(signal)
  }
}

async function retryForever({ feed, doorbell, machine, signal, onLost, onBack }: WatchOptions): Promise<Event[]> {
  let lostAt: number | undefined
  for (let failures = 0; !signal.aborted; failures++) {
    const known = doorbell.takeReplacement()
    if (known) feed.replace(known)
    try {
      const events = await feed.next({ signal, maxWaitMs: quietMs, timeoutMs: answerWithinMs })
      if (lostAt !== undefined) onBack(machine.now() - lostAt)
      return events
    } catch (error) {
      if (signal.aborted) break
      const askedMs = askedPauseMs(error)
      if (askedMs === undefined) {
        if (!isPassing(error)) throw error
        if (lostAt === undefined) onLost(error)
        lostAt ??= machine.now()
      }
      if (askedMs !== undefined) await machine.sleep(askedMs, signal).catch(() => undefined)
      // A restarted simulator rings at once.
      else await doorbell.wait(pauseAfter(failures, machine.random()))
    }
  }
  return []
}

/** The service is reachable and asks for a wait. */
const askedPauseMs = (error: unknown): number | undefined =>
  error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 1) * 1_000 : undefined

/** Half of the delay is random, so that clients do not reconnect at the same time. */
const pauseAfter = (failures: number, random: number): number =>
  Math.min(firstPauseMs * 2 ** failures, longestPauseMs) * (0.5 + random / 2)

function isPassing(error: unknown): error is Error {
  if (error instanceof ApiError) return error.status >= 500
  return error instanceof ConnectionError || error instanceof NotTheApiError
}
