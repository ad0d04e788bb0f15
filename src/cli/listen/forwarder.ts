/** Takes one event to a developer's server as the service would, and tries again where it is not taken. */
import { randomUUID } from 'node:crypto'
import type { SystemClock } from '../../client/system-clock.js'
import type { Post, PostOutcome } from '../../client/post.js'
import { webhookAnswerSeconds } from '../../contract/limits.js'
import type { Event } from '../../contract/events.js'
import { explainReceiverFailure, tooSlowHint } from './receiver-hint.js'

/** What one try says of itself. */
export interface SignedEvent {
  eventId: string
  eventType: string
  deliveryId: string
  /** 1 the first time. */
  attempt: number
  body: Uint8Array
}

export interface ForwarderOptions {
  post: (post: Post) => Promise<PostOutcome>
  /** All headers of a try, the signature made at this moment included. */
  headersOf: (letter: SignedEvent) => Readonly<Record<string, string>>
  /** Tries after the first. */
  retries: number
  /** For one try; 0: any time. */
  timeoutMs: number
  machine: SystemClock
  /** Told of each try that failed. */
  onFailure: (failure: FailedAttempt) => void
}

export interface FailedAttempt {
  event: Event
  outcome: PostOutcome
  hint: string
  attempt: number
  /** Until the next try; undefined: it was the last. */
  pauseMs: number | undefined
}

/** What came of an event; what is told of one try is told of the last. */
export interface Forwarded {
  id: string
  type: string
  created: string
  url: string
  delivery_id: string
  attempts: number
  /** Null when no answer came. */
  status: number | null
  ms: number
  /** Why no answer came; null when one did. */
  error: string | null
  hint: string | null
}

export const isAccepted = ({ status }: Pick<Forwarded, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

const firstPauseMs = 250
const longestPauseMs = 5_000
const serviceWaitsMs = webhookAnswerSeconds * 1_000

export class Forwarder {
  readonly #options: ForwarderOptions

  constructor(options: ForwarderOptions) {
    this.#options = options
  }

  /**
   * Undefined where it was left before it was settled: between two tries once `stop` is aborted, in the middle of one when
   * `abandon` is.
   */
  async forward(event: Event, url: URL, stop: AbortSignal, abandon: AbortSignal): Promise<Forwarded | undefined> {
    const { retries, machine, onFailure } = this.#options
    const deliveryId = randomUUID()
    // What a service that writes JSON compactly puts on the wire, byte for byte.
    const body = Buffer.from(JSON.stringify(event))
    for (let attempt = 1; ; attempt++) {
      const letter = { eventId: event.id, eventType: event.type, deliveryId, attempt, body }
      const outcome = await this.#try(letter, url, abandon)
      if (!outcome) return undefined
      const hint = hintOf(outcome)
      const settled = forwardResult(event, url, letter, outcome, hint)
      if (isAccepted(outcome)) return settled
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
  if (!isAccepted({ status })) return explainReceiverFailure(status ?? error ?? '')
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
