/** Refuses requests from web pages, because the proxy passes them to a deployment that this machine can reach. */
import type { IncomingHttpHeaders } from 'node:http'
import { isLoopbackHost, urlOf } from '../../url.js'

const hostForm = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Returns why a request is refused; null if a program on this machine sent it. A page that was made to point here (DNS
 * rebinding) sends a foreign `Host`, a page of another origin its `Origin` or `Sec-Fetch-Site`.
 */
export function whyForeign(headers: IncomingHttpHeaders): string | null {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = headers
  const asked = hostForm.test(host) ? urlOf(`http://${host}`) : undefined
  if (!asked || !isLoopbackHost(asked.hostname)) return 'The Host header does not name this machine.'
  if (origin !== undefined && !isSameOrigin(asked, urlOf(origin))) return 'The proxy answers no page of another origin.'
  if (site !== 'same-origin' && site !== 'none') return 'The proxy answers no page of another origin.'
  return null
}

const isSameOrigin = (asked: URL, page: URL | undefined): boolean =>
  page !== undefined && page.protocol === 'http:' && isLoopbackHost(page.hostname) && page.port === asked.port
