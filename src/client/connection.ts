/** Connection failures by code: the text for the user, and whether the request may be repeated. */
import { ConnectionError } from './errors.js'
import { answerTimeout, connectTimeout } from './http.js'

interface Failure {
  /** Completes a sentence that begins with the address. */
  explanation: string
  /** True if the request cannot have reached the service, so that repeating it is safe. */
  unsent: boolean
  /** True if another attempt a moment later may succeed. */
  passing: boolean
}

const refused = { explanation: 'refused the connection', unsent: true, passing: true }
const unreachable = { explanation: 'cannot be reached from here', unsent: true, passing: true }
const unknownHost = { explanation: 'could not be found: no such host', unsent: true, passing: false }
const untrusted = { explanation: 'has a certificate that cannot be trusted', unsent: true, passing: false }
const silent = { explanation: 'accepted the connection but did not answer in time', unsent: false, passing: true }
const broken = { explanation: 'broke the connection before the answer was whole', unsent: false, passing: true }

const failures: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: refused,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EAI_AGAIN: { ...unknownHost, explanation: 'could not be looked up', passing: true },
  ENOTFOUND: unknownHost,
  [connectTimeout]: { ...unreachable, explanation: 'did not accept the connection in time' },
  [answerTimeout]: silent,
  // Not temporary: a repeated request would take as long.
  ANSWER_TOO_SLOW: { explanation: 'did not finish its answer in time', unsent: false, passing: false },
  CERT_HAS_EXPIRED: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
}

const failureOf = (code: string): Failure => failures[code] ?? broken

/** Turns an error of the transport into a `ConnectionError` with a plain message. */
export function connectionError(origin: string, thrown: unknown): ConnectionError {
  if (thrown instanceof ConnectionError) return thrown
  const code = codeOf(thrown)
  return new ConnectionError(origin, code, failureOf(code).explanation, thrown)
}

/**
 * Whether the request may be repeated after this failure. `repeatable` is true for a safe method or with an
 * idempotency key.
 */
export function mayRepeat(error: ConnectionError, repeatable: boolean): boolean {
  const { passing, unsent } = failureOf(error.code)
  return passing && (unsent || repeatable)
}

/** Finds the first code in the error or its causes. With several addresses, each one has its own error. */
function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'UNKNOWN'
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code
  const inner: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown.cause
  return inner === undefined ? 'UNKNOWN' : codeOf(inner)
}
