/** How connections fail, by code: what to tell a person, and what may be done again. */
import { ConnectionError } from './errors.js'
import { answerTimeout, connectTimeout } from './http.js'

interface Failure {
  /** Completes the sentence that begins with the address. */
  explanation: string
  /** True where the request cannot have reached the service, so that repeating it does nothing twice. */
  unsent: boolean
  /** True where a moment later may be better. */
  passing: boolean
}

const refused = { explanation: 'refused the connection', unsent: true, passing: true }
const unreachable = { explanation: 'cannot be reached from here', unsent: true, passing: true }
const unknownHost = { explanation: 'could not be found: no such host', unsent: true, passing: false }
const untrusted = { explanation: 'has a certificate that cannot be trusted', unsent: true, passing: false }
const silent = { explanation: 'did not answer in time', unsent: false, passing: true }
const broken = { explanation: 'broke the connection before the answer was whole', unsent: false, passing: true }

const failures: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: refused,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EAI_AGAIN: { ...unknownHost, explanation: 'could not be looked up', passing: true },
  ENOTFOUND: unknownHost,
  [connectTimeout]: { ...unreachable, explanation: 'did not accept the connection in time' },
  [answerTimeout]: silent,
  // Sending the request again would take as long again.
  ANSWER_TOO_SLOW: { explanation: 'did not finish its answer in time', unsent: false, passing: false },
  CERT_HAS_EXPIRED: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
}

const failureOf = (code: string): Failure => failures[code] ?? broken

/** Puts a thrown error of the transport into our words. */
export function connectionError(origin: string, thrown: unknown): ConnectionError {
  if (thrown instanceof ConnectionError) return thrown
  const code = codeOf(thrown)
  return new ConnectionError(origin, code, failureOf(code).explanation, thrown)
}

/** True where the same request may be sent again after this failure; `repeatable` as the method or a key makes it. */
export function mayRepeat(error: ConnectionError, repeatable: boolean): boolean {
  const { passing, unsent } = failureOf(error.code)
  return passing && (unsent || repeatable)
}

/** The first code in the error or below it: several addresses tried give one error each. */
function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'UNKNOWN'
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code
  const inner: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown.cause
  return inner === undefined ? 'UNKNOWN' : codeOf(inner)
}
