/** Posts one webhook on a new connection, and returns the answer. */

import type { LookupAddress } from 'node:dns'
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import type { RequestOptions } from 'node:https'
import type { LookupFunction, TcpSocketConnectOpts } from 'node:net'
import { readExcerpt } from './excerpt.js'
import { NetworkFault } from './network-fault.js'

export interface PostRequest {
  url: URL
  /** What the URL's name resolved to: the connection goes to one of these. Not used where the host is an address itself. */
  addresses: readonly LookupAddress[]
  headers: Record<string, string>
  body: Uint8Array
  /** PEM certificates of authorities to trust in place of the system's. */
  authorities?: string | undefined
}

export interface PostAnswer {
  status: number
  /** The beginning of the body, as far as it came before the signal; null if it was not asked for. */
  text: string | null
}

/** What the caller learns while the exchange is under way. */
export interface PostProgress {
  signal: AbortSignal
  /** Called when the connection is made and the request leaves. */
  connected: () => void
  /** Called when the answer's headers are there. Returns whether to read the body. */
  answered: () => boolean
}

/** One address that does not answer leaves time for the next. */
const nextAddressAfterMs = 1_000

/**
 * Posts the request and resolves when the exchange is over. Redirects are answers like others, nothing is unpacked, and
 * the connection is never used again. The signal's abort closes the connection in any state; without it nothing here
 * ends by itself.
 */
export async function postWebhook(
  { url, addresses, headers, body, authorities }: PostRequest,
  { signal, connected, answered }: PostProgress,
): Promise<PostAnswer> {
  signal.throwIfAborted()
  const isSecure = url.protocol === 'https:'
  // Most simulators post to plain HTTP only, and loading TLS takes time.
  const request = isSecure ? (await import('node:https')).request : requestHttp
  signal.throwIfAborted()
  const options: RequestOptions & Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'> = {
    method: 'POST',
    agent: false,
    headers,
    lookup: pinAddresses(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    rejectUnauthorized: true,
    ...(authorities === undefined ? {} : { ca: authorities }),
  }
  const sent = request(url, options)
  const hangUp = () => sent.destroy(new NetworkFault('interrupted'))
  signal.addEventListener('abort', hangUp)
  sent.once('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', connected))
  try {
    const response = await answerTo(sent, body)
    return { status: response.statusCode ?? 0, text: answered() ? await readExcerpt(response) : null }
  } finally {
    signal.removeEventListener('abort', hangUp)
    sent.destroy()
  }
}

function answerTo(sent: ClientRequest, body: Uint8Array): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      sent.destroy()
      reject(new NetworkFault('bad_response'))
    }
    sent.on('error', reject)
    sent.once('upgrade', fail)
    sent.once('continue', fail)
    // The client passes on a status below all, and a change of protocol that names none.
    sent.once('response', (response) => ((response.statusCode ?? 0) < 200 ? fail() : resolve(response)))
    sent.end(body)
  })
}

function pinAddresses(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses
    if (first === undefined) callback(new Error('There is no address to connect to.'), '')
    else if (all) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}
