/** Sends one event to a developer's server like the service does, with retries. */
import { randomUUID } from 'node:crypto'
import type { SystemClock } from '../../client/system-clock.js'
import type { Post, PostOutcome } from '../../client/post.js'
import { webhookAnswerSeconds } from '../../contract/limits.js'
import type { Event } from '../../contract/events.js'
import { explainReceiverFailure, tooSlowHint } from './receiver-hint.js'

/** Ids and headers of one attempt. */
export interface SignedEvent {
  eventId: string
  eventType: string
  deliveryId: string
  /** Attempt number, from 1. */
  attempt: number
  body: Uint8Array
}

export interface ForwarderOptions {
  post: (post: Post) => Promise<PostOutcome>
  /** All headers of an attempt, with a fresh signature. */
  headersOf: (letter: SignedEvent) => Readonly<Record<string, string>>
  /** Retries after the first attempt. */
  retries: number
  /** Timeout of one attempt; 0 for none. */
  timeoutMs: number
  machine: SystemClock
  /** Called for each failed attempt. */
  onFailure: (failure: FailedAttempt) => void
}

export interface FailedAttempt {
  event: Event
  outcome: PostOutcome
  hint: string
  attempt: number
  /** Pause before the next attempt; undefined after the last one. */
  pauseMs: number | undefined
}

/** Result of an event, with the details of its last attempt. */
export interface Forwarded {
  id: string
  type: string
  created: string
  url: string
  delivery_id: string
  attempts: number
  /** Null if there was no answer. */
  status: number | null
  ms: number
  /** Why there was no answer; null if there was one. */
  error: string | null
  hint: string | null
}

/** True if the answer is a 2xx, in time or not. */
export const isSuccess = ({ status }: Pick<Forwarded, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

/** True if the service would count the event as delivered: a 2xx before it gives up (rule W2). */
export const isAccepted = ({ status, ms }: Pick<Forwarded, 'status' | 'ms'>): boolean =>
  isSuccess({ status }) && ms <= serviceWaitsMs

const firstPauseMs = 250
const longestPauseMs = 5_000
const serviceWaitsMs = webhookAnswerSeconds * 1_000

export class Forwarder {
  readonly #options: ForwarderOptions

  constructor(options: ForwarderOptions) {
    this.#options = options
  }

  /**
   * Returns undefined if it stopped early: between two attempts after `stop` is aborted, or in the middle of one after
   * `abandon` is aborted.
   */
  async forward(event: Event, url: URL, stop: AbortSignal, abandon: AbortSignal): Promise<Forwarded | undefined> {
    const { retries, machine, onFailure } = this.#options
    const deliveryId = randomUUID()
    // Compact JSON, byte for byte as the service sends it.
    const body = Buffer.from(JSON.stringify(event))
    for (let attempt = 1; ; attempt++) {
      const letter = { eventId: event.id, eventType: event.type, deliveryId, attempt, body }
      const outcome = await this.#try(letter, url, abandon)
      if (!outcome) return undefined
      const hint = hintOf(outcome)
      const settled = forwardResult(event, url, letter, outcome, hint)
      if (isAccepted(settled)) return settled
      if (isSuccess(outcome)) {
        // Not repeated: the server has the event, and may have been stopped in a debugger.
        onFailure({ event, outcome, hint: hint ?? '', attempt, pauseMs: undefined })
        return settled
      }
      const pauseMs = attempt > retries ? undefined : Math.min(firstPauseMs * 3 ** (attempt - 1), longestPauseMs)
      onFailure({ event, outcome, hint: hint ?? '', attempt, pauseMs })
      if (pauseMs === undefined) return settled
      await machine.sleep(pauseMs, stop).catch(() => undefined)
      if (stop.aborted) return undefined
    }
  }

  async #try(letter: SignedEvent, url: URL, signal: AbortSignal): Promise<PostOutcome | undefined> {
    const { post, headersOf, timeoutMs } = this.#options
    try {
      return await post({ url, headers: headersOf(letter), body: letter.body, timeoutMs, signal })
    } catch (error) {
      if (signal.aborted) return undefined
      throw error
    }
  }
}

function hintOf({ status, error, duration_ms }: PostOutcome): string | null {
  if (!isSuccess({ status })) return explainReceiverFailure(status ?? error ?? '')
  return duration_ms > serviceWaitsMs ? tooSlowHint : null
}

function forwardResult(
  { id, type, created }: Event,
  url: URL,
  { deliveryId, attempt }: SignedEvent,
  { status, duration_ms, error }: PostOutcome,
  hint: string | null,
): Forwarded {
  return {
    ...{ id, type, created, url: url.href, delivery_id: deliveryId },
    ...{ attempts: attempt, status, ms: duration_ms, error, hint },
  }
}
