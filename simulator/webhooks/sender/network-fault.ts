/** Codes for network faults on the way to a receiver. */
import type { FailureReason } from '../../../src/contract/enums.js'

/** A response with any status is not a fault, including a redirect. */
export type NetworkFaultCode =
  /** The name does not resolve, or the name servers did not answer. */
  | 'dns_error'
  /** Webhooks may not go to the URL or to an address of its name (rule W1). */
  | 'blocked_address'
  | 'connection_refused'
  | 'connection_reset'
  /** There is no route to the address. */
  | 'unreachable'
  /** Status line and headers did not arrive in time (rule W2). */
  | 'timeout'
  | 'tls_error'
  /** The response is not valid HTTP. */
  | 'bad_response'
  /** The headers of the response are longer than 16 KB. */
  | 'too_large'
  /** The simulator was closed during the attempt, which says nothing about the receiver. */
  | 'interrupted'

export class NetworkFault extends Error {
  readonly word: NetworkFaultCode

  constructor(word: NetworkFaultCode) {
    super(`The webhook could not be delivered: ${word}.`)
    this.word = word
  }
}

/** The first pattern that matches the code of an error from Node or OpenSSL. */
const words: readonly (readonly [RegExp, NetworkFaultCode])[] = [
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'connection_reset'],
  [/^ETIMEDOUT$/, 'timeout'],
  [/^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$)/, 'tls_error'],
  [/^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CRL_|ERROR_IN_C|INVALID_|PATH_LENGTH_|HOSTNAME_)/, 'tls_error'],
  [/^HPE_HEADER_OVERFLOW$/, 'too_large'],
  [/^HPE_/, 'bad_response'],
]

/** Returns the fault code for an error of a network library. */
export function faultCodeOf(error: unknown): NetworkFaultCode {
  if (error instanceof NetworkFault) return error.word
  if (!(error instanceof Error)) return 'unreachable'
  const code = 'code' in error ? String(error.code) : ''
  return words.find(([pattern]) => pattern.test(code))?.[1] ?? 'unreachable'
}

/** Failure reasons of the control API. Every other code is a `network_error`. */
const reasons: { [K in NetworkFaultCode]?: FailureReason } = {
  connection_refused: 'refused',
  tls_error: 'tls',
  timeout: 'timeout',
  bad_response: 'not_http',
  too_large: 'too_large',
}

export const failureReason = (word: NetworkFaultCode | null): FailureReason | null =>
  word === null ? null : (reasons[word] ?? 'network_error')
