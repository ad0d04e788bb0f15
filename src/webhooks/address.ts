/** What a receiver's URL must look like before anything is sent to it; what its name resolves to is asked at every try. */

import { isIP } from 'node:net'
import { urlOf } from '../url.js'
import { mayConnect } from './ranges.js'

export type AddressCheck =
  /** `literal` is the host where it is an IP address, without brackets. */
  | { ok: true; url: URL; literal: string | null }
  /** A sentence for the caller. */
  | { ok: false; problem: string }

export interface AddressRules {
  /** Also takes `http:` and this machine's own addresses, for a receiver under development. */
  allowLocal: boolean
}

/** Characters, as in the table of field lengths (specification, Limits). */
const longestUrl = 2048

/** Names that mean this machine or a private network wherever they are looked up. */
const privateSuffixes = ['localhost', 'local', 'internal']

type Rule = (url: URL, rules: AddressRules) => string | null

/**
 * A URL parser strips tabs and spaces, turns backslashes round, drops an empty user and takes any number of slashes. What
 * is written here is refused instead of mended, so that the address shown is the address used.
 */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/[\s\p{Cc}]/u, 'The URL must not contain white space or control characters.'],
  [/\\/, 'The URL must not contain a backslash.'],
  [/^(?!https?:\/\/[^/?#])/i, 'The URL must be an absolute URL that begins with https://.'],
  [/^[^/]*\/\/[^/?#]*@/, 'The URL must not contain a user name or a password.'],
  [/#/, 'The URL must not contain a fragment (#...): fragments are never sent.'],
]

/** Tried in this order, on the URL as the parser reads it. */
const rules: readonly Rule[] = [
  ({ protocol }, { allowLocal }) =>
    protocol === 'https:' || (allowLocal && protocol === 'http:') ? null : 'The URL must begin with https://.',
  ({ port }) => (port === '0' ? 'The port of the URL must not be 0.' : null),
  hostProblem,
]

/** Says whether webhooks may be sent to the URL as far as its text can tell, and if not, why. */
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

/** The host where it is an IP address: by now in its one usual form, however it was written. */
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
