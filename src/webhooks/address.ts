/** Checks the text of a receiver's URL (rule W1). What its name resolves to is checked at each attempt. */

import { isIP } from 'node:net'
import { urlOf } from '../url.js'
import { mayConnect } from './ranges.js'

export type AddressCheck =
  /** `literal` is the host if it is an IP address, without brackets. */
  | { ok: true; url: URL; literal: string | null }
  /** A sentence for the caller. */
  | { ok: false; problem: string }

export interface AddressRules {
  /** Also allows `http:` and loopback addresses, for a receiver in development. */
  allowLocal: boolean
}

/** In characters (rule L6). */
const longestUrl = 2048

/** Names that always mean this machine or a private network. */
const privateSuffixes = ['localhost', 'local', 'internal']

type Rule = (url: URL, rules: AddressRules) => string | null

/**
 * A URL parser strips tabs and spaces, turns backslashes into slashes, drops an empty user and merges slashes. Such
 * URLs are refused, so that the address shown is the address used.
 */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/[\s\p{Cc}]/u, 'The URL must not contain white space or control characters.'],
  [/\\/, 'The URL must not contain a backslash.'],
  [/^(?!https?:\/\/[^/?#])/i, 'The URL must be an absolute URL that begins with https://.'],
  [/^[^/]*\/\/[^/?#]*@/, 'The URL must not contain a user name or a password.'],
  [/#/, 'The URL must not contain a fragment (#...): fragments are never sent.'],
]

/** Tried in this order on the parsed URL. */
const rules: readonly Rule[] = [
  ({ protocol }, { allowLocal }) =>
    protocol === 'https:' || (allowLocal && protocol === 'http:') ? null : 'The URL must begin with https://.',
  ({ port }) => (port === '0' ? 'The port of the URL must not be 0.' : null),
  hostProblem,
]

/** Whether webhooks may be sent to the URL as far as its text shows, and if not, why. */
export function checkAddress(written: string, options: AddressRules): AddressCheck {
  if (written.length > longestUrl) return rejectAddress(`The URL must be at most ${longestUrl} characters long.`)
  const misspelt = spellings.find(([pattern]) => pattern.test(written))
  if (misspelt) return rejectAddress(misspelt[1])
  const url = urlOf(written)
  if (!url) return rejectAddress('This is not a valid URL.')
  for (const rule of rules) {
    const problem = rule(url, options)
    if (problem !== null) return rejectAddress(problem)
  }
  return { ok: true, url, literal: literalOf(url) }
}

/** The host if it is an IP address, which the parser has normalized. */
function literalOf(url: URL): string | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? null : host
}

function hostProblem(url: URL, options: AddressRules): string | null {
  const literal = literalOf(url)
  if (literal !== null)
    return mayConnect(literal, options) ? null : `${literal} is not an address of the public internet.`
  return nameProblem(url.hostname, options)
}

function nameProblem(name: string, { allowLocal }: AddressRules): string | null {
  if (allowLocal && name === 'localhost') return null
  const labels = name.split('.')
  const last = labels[labels.length - 1]
  if (last === '') return 'The host name must not end in a dot.'
  if (last !== undefined && privateSuffixes.includes(last)) return `${name} is not a name of the public internet.`
  if (labels.length === 1) return `${name} is not a full host name.`
  const wellFormed = name.length <= 253 && labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
  return wellFormed ? null : `${name} is not a host name.`
}

function rejectAddress(problem: string): AddressCheck {
  return { ok: false, problem }
}
