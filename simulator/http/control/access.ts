/** Access control: programs may use the simulator, web pages of other origins may not. */
import { timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { isLoopback } from '../../../src/webhooks/ranges.js'

export interface Access {
  /** The address it listens on. */
  host: string
  /** Further names that requests may give in `Host`. */
  allowHosts: readonly string[]
  /** The token that the control API requires if other machines can reach it. */
  token: string | null
}

interface RequestHeaders {
  host?: string | undefined
  origin?: string | undefined
  authorization?: string | undefined
  'sec-fetch-site'?: string | string[] | undefined
  'sec-fetch-mode'?: string | string[] | undefined
  'sec-fetch-dest'?: string | string[] | undefined
}

/** Checked first: parsing an address costs more than all other checks of a request. */
const localNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

export const isLocalHost = (host: string): boolean => localNames.has(host) || isLoopback(host.replace(/^\[|\]$/g, ''))

/** Whether a text can be a token. An empty text or one with blanks cannot be sent safely in a header. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

const hostName = String.raw`(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])`
const hostHeader = new RegExp(`^${hostName}(?::\\d{1,5})?$`, 'i')

/** Whether a text is a host name or an address without a port. */
export const isHostName = (text: string): boolean => new RegExp(`^${hostName}$`, 'i').test(text)

/** A signed link proves access itself, so that it also opens from a mail or a page. */
const isSignedLink = (url: string): boolean => url.startsWith('/storage/')

/**
 * Refuses requests from pages of other origins while only this machine can reach the simulator. This includes DNS
 * rebinding: such a page sends a foreign `Host`. Beyond this machine any name may lead here, and API keys protect the
 * API.
 */
export function checkSender(access: Access, url: string, headers: RequestHeaders): void {
  if (!isLocalHost(access.host)) return
  checkOrigin(access, headers)
  if (!(isSignedLink(url) && isOpenedLink(headers))) checkFetchSite(headers)
}

/** Refuses pages of other origins and, beyond this machine, requests without the token. */
export function checkControlAccess(access: Access, headers: RequestHeaders): void {
  checkOrigin(access, headers)
  checkFetchSite(headers)
  checkToken(access, headers)
}

/** Refuses requests without the token if one is required. */
export function checkToken({ token }: Access, headers: RequestHeaders): void {
  if (token === null) return
  const sent = Buffer.from(/^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '')
  const expected = Buffer.from(token)
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
    throw new ApiError(
      'authentication_failed',
      'Send Authorization: Bearer <token>, with the control token printed at start.',
      {
        reason: headers.authorization === undefined ? 'missing_credentials' : 'wrong_secret',
      },
    )
  }
}

function checkOrigin(access: Access, { host = '', origin }: RequestHeaders): void {
  const asked = hostHeader.test(host) ? urlOf(`http://${host}`) : null
  if (asked === null || !isOwn(access, asked.hostname)) {
    throw permissionDenied(
      'The Host header is not the simulator’s own. Start it with --allow-host <name> to add a name.',
    )
  }
  if (origin !== undefined && !isSame(access, asked, urlOf(origin))) {
    throw permissionDenied('The simulator answers no page of another origin.')
  }
}

/**
 * Whether a browser opens a link as a page in a tab. The page with the link cannot read the answer. Embedded files
 * differ.
 */
const isOpenedLink = (headers: RequestHeaders): boolean =>
  headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'

/**
 * Refuses cross-site requests by `Sec-Fetch-Site`. Browsers send it even without `Origin`, as for links, images and
 * scripts.
 */
function checkFetchSite({ 'sec-fetch-site': site = 'none' }: RequestHeaders): void {
  if (site !== 'same-origin' && site !== 'none')
    throw permissionDenied('The simulator answers no page of another origin.')
}

const permissionDenied = (message: string): ApiError => new ApiError('permission_denied', message)

function urlOf(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

const isAllowed = ({ allowHosts }: Access, name: string): boolean =>
  allowHosts.some((allowed) => allowed.toLowerCase() === name)

/**
 * Whether a host name belongs to the simulator. On this machine these are the usual names; beyond it, the name it
 * listens on or any address. The port may be forwarded.
 */
function isOwn(access: Access, name: string): boolean {
  const { host } = access
  if (isLocalHost(name) || isAllowed(access, name)) return true
  return !isLocalHost(host) && (name === host.toLowerCase() || /^[\d.]+$|^\[.*\]$/.test(name))
}

/** Whether a page has the same origin as the request. Another port is another program's. */
function isSame(access: Access, asked: URL, page: URL | null): boolean {
  if (page === null || page.port !== asked.port) return false
  // An allowed name may belong to a proxy that serves https.
  if (page.protocol !== 'http:' && !(page.protocol === 'https:' && isAllowed(access, page.hostname))) return false
  return page.hostname === asked.hostname || (isLocalHost(page.hostname) && isLocalHost(asked.hostname))
}
