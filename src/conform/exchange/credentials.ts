/** The credentials of a request: whether they can be read, the key's mode, and the secrets to mask. */
import type { Mode } from '../../contract/base/identifiers.js'
import { headerOf, type HeaderMap } from './exchange.js'

export interface Credentials {
  /** Why the header cannot be read (rule K1); null if it can. */
  problem: string | null
  /** From the form of the key; null for a key of another form. */
  mode: Mode | null
  /** Texts that no message may show. */
  secrets: readonly string[]
}

export function readCredentials(headers: HeaderMap): Credentials {
  const header = headerOf(headers, 'authorization')
  if (header === null || header.trim() === '') return { problem: 'no Authorization header', mode: null, secrets: [] }
  const [, scheme = '', sent = ''] = /^(\S+) +(\S+) *$/.exec(header) ?? []
  const unreadable = { problem: 'not HTTP Basic or Bearer', mode: null, secrets: [sent, header].filter(Boolean) }
  if (scheme.toLowerCase() === 'bearer') return { problem: null, mode: modeOf(sent), secrets: [sent] }
  if (scheme.toLowerCase() !== 'basic' || !/^[A-Za-z0-9+/_-]+=*$/.test(sent)) return unreadable
  const text = Buffer.from(sent, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return unreadable
  return { problem: null, mode: modeOf(text), secrets: [sent, text.slice(colon + 1)] }
}

const modeOf = (text: string): Mode | null => (/^c[ks]_(live|test)_/.exec(text)?.[1] as Mode | undefined) ?? null
