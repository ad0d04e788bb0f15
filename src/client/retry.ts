/** When a request is sent again, and after how long: a pure decision about what came of the last try. */
import { mayRepeat } from './connection.js'
import { ConnectionError } from './errors.js'
import type { Answer } from './exchange.js'
import { parseJson } from './json.js'
import { readApiError, retryAfterSeconds } from './reply.js'

/** Tries after the first that a failing service or line is given. */
const furtherTries = 3
const firstBackoffMs = 200

export interface Attempt {
  outcome: Answer | ConnectionError
  /** 1 the first time. */
  number: number
  /** True where the method or an Idempotency-Key makes a repetition do nothing twice. */
  repeatable: boolean
  /** Milliseconds that may still be waited. */
  patienceMs: number
  now: number
  random: number
}

export interface Pause {
  ms: number
  /** The API's code, the status of a failing service, or the connection's code. */
  code: string
  /** True where the service itself said how long to wait. */
  asked: boolean
}

/** The pause before the next try; undefined where this outcome is final. */
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
  // Neither was carried out, so any method may be repeated, as often as patience lasts (specification, Errors).
  if (answer.status === 429 || code === 'idempotency_in_progress') {
    return { ms: Math.max(asked ?? 1, 1) * 1000, code, asked: true }
  }
  if (answer.status < 500 || !attempt.repeatable || attempt.number > furtherTries) return undefined
  return { ms: asked === undefined ? backoffMs(attempt) : asked * 1000, code, asked: asked !== undefined }
}

/** Doubles with every try; half of it is chance, so that many clients do not come back together. */
function backoffMs({ number, random }: Attempt): number {
  return Math.round(firstBackoffMs * 2 ** (number - 1) * (0.5 + random))
}
