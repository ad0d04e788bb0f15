/** Decides whether and when a request is sent again. A pure function of the last attempt's result. */
import { mayRepeat } from './connection.js'
import { ConnectionError } from './errors.js'
import type { Answer } from './exchange.js'
import { parseJson } from './json.js'
import { readApiError, retryAfterSeconds } from './reply.js'

/** Attempts after the first when the service or the connection fails. */
const furtherTries = 3
const firstBackoffMs = 200

export interface Attempt {
  outcome: Answer | ConnectionError
  /** 1 for the first attempt. */
  number: number
  /** True if the method or an Idempotency-Key makes a repetition harmless. */
  repeatable: boolean
  /** Milliseconds of waiting that are left. */
  patienceMs: number
  now: number
  random: number
}

export interface Pause {
  ms: number
  /** The API's error code, the status of a failing service, or the connection's error code. */
  code: string
  /** True if the service said how long to wait. */
  asked: boolean
}

/** The pause before the next attempt; undefined if this result is final. */
export function pauseBeforeRetry(attempt: Attempt): Pause | undefined {
  const pause =
    attempt.outcome instanceof ConnectionError
      ? afterFailure(attempt.outcome, attempt)
      : afterAnswer(attempt.outcome, attempt)
  return pause && pause.ms <= attempt.patienceMs ? pause : undefined
}

function afterFailure(error: ConnectionError, attempt: Attempt): Pause | undefined {
  if (!mayRepeat(error, attempt.repeatable) || attempt.number > furtherTries) return undefined
  return { ms: backoffMs(attempt), code: error.code, asked: false }
}

function afterAnswer(answer: Answer, attempt: Attempt): Pause | undefined {
  const asked = retryAfterSeconds(answer.headers, attempt.now)
  const code = readApiError(parseJson(answer.text))?.code ?? String(answer.status)
  // The service did not run the request, so any method may be repeated while time is left (rules I4 and L4).
  if (answer.status === 429 || code === 'idempotency_in_progress') {
    return { ms: Math.max(asked ?? 1, 1) * 1000, code, asked: true }
  }
  if (answer.status < 500 || !attempt.repeatable || attempt.number > furtherTries) return undefined
  return { ms: asked === undefined ? backoffMs(attempt) : asked * 1000, code, asked: asked !== undefined }
}

/** Doubles with each attempt, times a random factor of 0.5 to 1.5, so that clients do not return together. */
function backoffMs({ number, random }: Attempt): number {
  return Math.round(firstBackoffMs * 2 ** (number - 1) * (0.5 + random))
}
