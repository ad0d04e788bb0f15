/** Reading a URL that a person or another program wrote, and whether secrets may travel to it. */

/**
 * The URL, or undefined where the text is none. `URL.canParse` would say so too, but in Node 20 and 22 it misreads any
 * text with an umlaut once it was called some thousand times.
 */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** True where others on the network cannot read along: https:, or this machine itself. */
export function isPrivateRoute(url: URL): boolean {
  return url.protocol === 'https:' || isLoopbackHost(url.hostname)
}

/** Whether a host name means this machine. The URL parser writes every IPv4 address in dotted form. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/**
 * The address that a simulator's `/_sim` is below: the origin, or the address of an isolated world, `/w/<id>`, if the
 * URL is below one.
 */
export function simulatorRoot(url: URL): string {
  return url.origin + (/^\/w\/[^/]+(?=\/|$)/.exec(url.pathname)?.[0] ?? '')
}
