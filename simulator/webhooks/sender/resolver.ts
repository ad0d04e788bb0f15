/** Resolves the host name of a receiver to all its IPv4 and IPv6 addresses. */

import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { mayConnect } from '../../../src/webhooks/ranges.js'
import { NetworkFault } from './network-fault.js'

export interface ResolverOptions {
  /** Whether a name may resolve to this machine. */
  allowLocal: boolean
  /** Name servers to use instead of the system's, as `address` or `address:port`. */
  nameServers?: readonly string[] | undefined
}

/** Two tries per name server, the second with a longer timeout. This leaves time for the request itself. */
const patience = { timeout: 1_500, tries: 2 }

const localhost: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Queries the name servers directly. The system's lookup has few threads, and two silent name servers would block them
 * for every receiver.
 * @throws NetworkFault `dns_error` if the name has no addresses; `blocked_address` if webhooks may not go to one of
 * them (rule W1).
 */
export async function resolveHost(
  host: string,
  options: ResolverOptions,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  if (host === 'localhost' && options.allowLocal) return localhost
  // A resolver per call: cancelling affects no other query, and a changed network is noticed.
  const resolver = new Resolver(patience)
  if (options.nameServers) resolver.setServers(options.nameServers)
  const giveUp = () => resolver.cancel()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer, index) => {
      const family = index === 0 ? 4 : 6
      return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
    })
    if (addresses.length === 0) throw new NetworkFault('dns_error')
    if (!addresses.every(({ address }) => mayConnect(address, options))) throw new NetworkFault('blocked_address')
    return addresses
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
