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

/** A page of another origin, or one behind a name that was made to point here, is refused. */
export function checkControlAccess(
  { host, token }: ControlAccess,
  headers: { host?: string | undefined; origin?: string | undefined; authorization?: string | undefined },
): void {
  if (!isOwn(host, headers.host)) throw forbidden('The Host header is not the simulator’s own.')
  if (headers.origin !== undefined && !isOwn(host, hostOf(headers.origin))) {
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

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host
  } catch {
    return undefined
  }
}

/** The name without its port: on this machine only the usual names, elsewhere the one it listens on or any address. */
function isOwn(host: string, sent: string | undefined): boolean {
  const name = sent === undefined ? undefined : hostnameOf(sent)
  if (name === undefined) return false
  if (isLocalHost(name)) return true
  return !isLocalHost(host) && (name === host || /^[\d.]+$|^\[.*\]$/.test(name))
}

function hostnameOf(host: string): string | undefined {
  try {
    return new URL(`http://${host}`).hostname
  } catch {
    return undefined
  }
}
