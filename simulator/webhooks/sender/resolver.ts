/** Where a host name leads: every IPv4 and IPv6 address of it, or a fault that says why there is none to go to. */

import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { mayConnect } from '../../../src/webhooks/ranges.js'
import { NetworkFault } from './network-fault.js'

export interface ResolverOptions {
  /** Whether a name may lead to this machine. */
  allowLocal: boolean
  /** Name servers to ask in place of the system's, as `address` or `address:port`. */
  nameServers?: readonly string[] | undefined
}

/** Two questions a name server may leave unanswered, the second waited for longer, still leave time for the request itself. */
const patience = { timeout: 1_500, tries: 2 }

const localhost: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Asks the name servers themselves and never the operating system's own lookup, whose few threads two silent name servers
 * would block for every receiver.
 * @throws Fault `dns_error` when there is no address; `blocked_address` when any one of them may not be connected to.
 */
export async function resolveHost(
  host: string,
  options: ResolverOptions,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  if (host === 'localhost' && options.allowLocal) return localhost
  // One of its own, so that giving up cancels no other's question and a changed network is noticed.
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
