/** Follows the events of an account for as long as anybody wants them, over gaps: none missed, none repeated. */
import { ApiError, ConnectionError, NotTheApiError } from '../../client/errors.js'
import type { Doorbell } from '../../client/doorbell.js'
import type { SystemClock } from '../../client/system-clock.js'
import type { Event } from '../../contract/events.js'
import type { EventFeed } from './event-feed.js'
import { PollingPace } from './polling-pace.js'

export interface WatchOptions {
  feed: EventFeed
  doorbell: Doorbell
  /** How often to look where nothing rings. */
  intervalMs: number
  machine: SystemClock
  /** Its abort ends it. */
  signal: AbortSignal
  /** The service cannot be reached any more. */
  onLost: (error: Error) => void
  /** It can again, after so long. */
  onBack: (lostMs: number) => void
}

/** How often to look where the bell rings, in case it does not. */
const besideTheBellMs = 30_000
const shortestIntervalMs = 10
/** What the client may spend on trying again by itself before we say that the service is lost. */
const quietMs = 400
/** A line that broke unheard, while the machine slept, is noticed after so long. */
const answerWithinMs = 15_000
const firstPauseMs = 250
const longestPauseMs = 2_000

/** Events in batches, oldest first. Ends with the signal, and throws what no waiting can mend: a key that was revoked. */
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
      // A simulator that is there again rings at once.
      else await doorbell.wait(pauseAfter(failures, machine.random()))
    }
  }
  return []
}

/** Where the service is there and asks us to wait. */
const askedPauseMs = (error: unknown): number | undefined =>
  error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 1) * 1_000 : undefined

/** Half of it is chance, so that many do not come back together. */
const pauseAfter = (failures: number, random: number): number =>
  Math.min(firstPauseMs * 2 ** failures, longestPauseMs) * (0.5 + random / 2)

function isPassing(error: unknown): error is Error {
  if (error instanceof ApiError) return error.status >= 500
  return error instanceof ConnectionError || error instanceof NotTheApiError
}
