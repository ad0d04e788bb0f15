/** What can go wrong on the way to a receiver, in a closed list of words. */
import type { FailureReason } from '../../../src/contract/enums.js'

/** An answer of any status is no fault, a redirect included. */
export type NetworkFaultCode =
  /** The name has no address, or no name server said. */
  | 'dns_error'
  /** The URL, or an address its name has, is one webhooks are never sent to. */
  | 'blocked_address'
  | 'connection_refused'
  | 'connection_reset'
  /** No way there. */
  | 'unreachable'
  /** No status line and headers within the time allowed. */
  | 'timeout'
  | 'tls_error'
  /** What came back is not HTTP. */
  | 'bad_response'
  /** The headers of the answer are longer than 16 KB. */
  | 'too_large'
  /** The simulator was closed meanwhile: nothing is known about the receiver. */
  | 'interrupted'

export class NetworkFault extends Error {
  readonly word: NetworkFaultCode

  constructor(word: NetworkFaultCode) {
    super(`The webhook could not be delivered: ${word}.`)
    this.word = word
  }
}

/** By the error's code, as Node, OpenSSL and undici name it; the first that fits. */
const words: readonly (readonly [RegExp, NetworkFaultCode])[] = [
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, 'connection_reset'],
  [/^ETIMEDOUT$/, 'timeout'],
  [/^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$)/, 'tls_error'],
  [/^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CRL_|ERROR_IN_C|INVALID_|PATH_LENGTH_|HOSTNAME_)/, 'tls_error'],
  [/^(HPE_HEADER_OVERFLOW|UND_ERR_HEADERS_OVERFLOW)$/, 'too_large'],
  // The parser asserts what its author took for granted of an answer.
  [/^(HPE_|UND_ERR_|ERR_ASSERTION$)/, 'bad_response'],
]

/** What undici says of an answer against the rules; its codes do not tell that from a broken connection. */
const brokeProtocol = /^(bad response|bad upgrade|Response does not match the HTTP)/

/** The word for whatever a network library threw. */
export function faultCodeOf(error: unknown): NetworkFaultCode {
  if (error instanceof NetworkFault) return error.word
  if (!(error instanceof Error)) return 'unreachable'
  if (brokeProtocol.test(error.message)) return 'bad_response'
  const code = 'code' in error ? String(error.code) : ''
  return words.find(([pattern]) => pattern.test(code))?.[1] ?? 'unreachable'
}

/** The reasons as the control plane names them; every other word is a `network_error`. */
const reasons: { [K in NetworkFaultCode]?: FailureReason } = {
  connection_refused: 'refused',
  tls_error: 'tls',
  timeout: 'timeout',
  bad_response: 'not_http',
  too_large: 'too_large',
}

export const failureReason = (word: NetworkFaultCode | null): FailureReason | null =>
  word === null ? null : (reasons[word] ?? 'network_error')
