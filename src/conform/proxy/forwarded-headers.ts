/** The headers that a proxy passes on: all except those of one connection (RFC 9110, section 7.6.1). */

const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Returns names and values in turn, as `rawHeaders` has them, so that case, order and repetitions stay. Leaves out the
 * headers of the connection, those that `Connection` names, and `more`.
 */
export function forwardedHeaders(raw: readonly string[], more: readonly string[] = []): string[] {
  const pairs = pairsOf(raw)
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim())
  // A length is never of the connection, whatever the header says: without it the body would be read wrongly.
  const dropped = new Set([...named.filter((name) => name !== 'content-length'), ...more])
  return pairs.filter(([name]) => !isDropped(name.toLowerCase(), dropped)).flat()
}

const isDropped = (name: string, dropped: ReadonlySet<string>): boolean => ofConnection.has(name) || dropped.has(name)

function pairsOf(raw: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? '', raw[at + 1] ?? ''])
  return pairs
}
