/** One HTTP request on a connection of its own, and the answer to it. */

import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { readExcerpt } from './excerpt.js'

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
  /** The beginning of the body, as far as it comes before the signal. Never rejects. */
  text: () => Promise<string>
}

/** One address that does not answer leaves time for the next. */
const nextAddressAfterMs = 1_000

/**
 * Posts the letter and resolves when the answer's headers are there. Redirects are answers like others, nothing is unpacked,
 * and the connection is never used again. The signal's abort hangs up whatever the state; without it nothing here ends by itself.
 * @param connected called when the connection stands and the request leaves.
 */
export async function postWebhook(
  letter: PostRequest,
  signal: AbortSignal,
  connected: () => void,
): Promise<PostAnswer> {
  signal.throwIfAborted()
  // Loading it is a noticeable part of a start, and many a simulator sends nothing.
  const { buildConnector, Client } = (await import('undici')).default
  signal.throwIfAborted()
  const open = buildConnector({
    allowH2: false,
    timeout: 0,
    // The client itself lets go of a connection still being made only once it is made.
    signal,
    lookup: pinAddresses(letter.addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    rejectUnauthorized: true,
    ...(letter.authorities === undefined ? {} : { ca: letter.authorities }),
  })
  const client = new Client(letter.url.origin, {
    pipelining: 0,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, callback) {
      open(options, (...result) => {
        connected()
        callback(...result)
      })
    },
  })
  signal.addEventListener('abort', () => void client.destroy(), { once: true })

  const { pathname, search } = letter.url
  const { headers, body } = letter
  const response = await client.request({ method: 'POST', path: pathname + search, headers, body: Buffer.from(body) })
  return { status: response.statusCode, text: () => readExcerpt(response.body) }
}

function pinAddresses(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses
    if (first === undefined) callback(new Error('There is no address to connect to.'), '')
    else if (all) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}
