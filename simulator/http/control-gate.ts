/** Who may use the control plane: this machine's programs, not the web pages its browser shows. */
import { timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../src/contract/refusals.js'
import { isLoopback } from '../../src/webhooks/ranges.js'

export interface ControlAccess {
  host: string
  /** Asked for on every request when the simulator listens beyond this machine. */
  token: string | null
}

export const isLocalHost = (host: string): boolean => host === 'localhost' || isLoopback(host.replace(/^\[|\]$/g, ''))

/** Whether a text can be a token: one that is empty or holds blanks could be sent by nobody, or by everybody. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

/** A page of another origin, or one behind a name that was made to point here, is refused. */
export function checkControlAccess(
  { host, token }: ControlAccess,
  headers: { host?: string | undefined; origin?: string | undefined; authorization?: string | undefined },
): void {
  const asked = urlOf(`http://${headers.host ?? ''}`)
  if (asked === null || !isOwn(host, asked.hostname)) throw forbidden('The Host header is not the simulator’s own.')
  if (headers.origin !== undefined && !isSame(asked, urlOf(headers.origin))) {
    throw forbidden('The control plane answers no page of another origin.')
  }
  if (token === null) return
  const sent = Buffer.from(/^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '')
  const expected = Buffer.from(token)
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
    throw new Refusal(
      'authentication_failed',
      'Send Authorization: Bearer <token>, with the control token printed at start.',
      {
        reason: headers.authorization === undefined ? 'missing_credentials' : 'wrong_secret',
      },
    )
  }
}

const forbidden = (message: string): Refusal => new Refusal('permission_denied', message)

function urlOf(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** On this machine only the usual names, elsewhere the one it listens on or any address. The port may be a forwarded one. */
function isOwn(host: string, name: string): boolean {
  if (isLocalHost(name)) return true
  return !isLocalHost(host) && (name === host.toLowerCase() || /^[\d.]+$|^\[.*\]$/.test(name))
}

/** Whether a page comes from where the request goes: another port of this machine is another program's. */
function isSame(asked: URL, page: URL | null): boolean {
  if (page?.protocol !== 'http:' || page.port !== asked.port) return false
  return page.hostname === asked.hostname || (isLocalHost(page.hostname) && isLocalHost(asked.hostname))
}
