/** Which IP addresses webhooks may be sent to: public ones, and loopback addresses on request (rule W1). */

import { BlockList, isIP } from 'node:net'

type Subnet = readonly [network: string, prefix: number]

/** IPv4 addresses are public unless they are in one of these special-purpose ranges. */
const special4 = blockListOf('ipv4', [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by the customers of a provider
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, where clouds keep their metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // multicast tunnelling
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
])

/**
 * IPv6 addresses are public only in the global unicast range. Loopback, mapped, translated, local and multicast are
 * outside it.
 */
const global6 = blockListOf('ipv6', [['2000::', 3]])

/** Special-purpose ranges within global unicast. */
const special6 = blockListOf('ipv6', [
  ['2001::', 23], // protocol assignments: Teredo, benchmarking, identifiers that are no addresses
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which wraps any IPv4 address
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
])

const loopback4 = blockListOf('ipv4', [['127.0.0.0', 8]])
const loopback6 = blockListOf('ipv6', [['::1', 128]])

/** Whether the address is public. False for text that is not an address or has a zone. */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 4) return !special4.check(ip, 'ipv4')
  return isPlain6(ip) && global6.check(ip, 'ipv6') && !special6.check(ip, 'ipv6')
}

/** Whether the address is a plain loopback address: 127.0.0.0/8 or ::1, not a mapped form of them. */
export function isLoopback(ip: string): boolean {
  if (isIP(ip) === 4) return loopback4.check(ip, 'ipv4')
  return isPlain6(ip) && loopback6.check(ip, 'ipv6')
}

/** Whether a webhook may be sent to the address. */
export function mayConnect(ip: string, { allowLocal }: { allowLocal: boolean }): boolean {
  return isPublicAddress(ip) || (allowLocal && isLoopback(ip))
}

function isPlain6(ip: string): boolean {
  return isIP(ip) === 6 && !ip.includes('%')
}

function blockListOf(family: 'ipv4' | 'ipv6', ranges: readonly Subnet[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family)
  return list
}
