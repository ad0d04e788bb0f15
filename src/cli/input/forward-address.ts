/** The address of a developer's own server, as briefly as a person writes it: a port, a path, a host, or all of it. */
import { urlOf } from '../../url.js'
import { UsageError } from '../errors/usage-error.js'

/** Where servers under development are, unless told otherwise. */
const usualPort = 3000

/** `flag` is named when the text is not an address. */
export function parseForwardAddress(text: string, flag: string): URL {
  const written = wholeAddress(text.trim())
  const url = urlOf(written)
  if (url?.username || url?.password) {
    // The text is not repeated: the password is in it.
    throw new UsageError(`${flag} holds a user name or a password.`, 'The service sends webhooks to no such address.')
  }
  if ((url?.protocol !== 'http:' && url?.protocol !== 'https:') || url.port === '0') {
    throw new UsageError(
      `${flag} ${text} is not an address.`,
      `It reads like 3000, /hooks (on port ${usualPort}), or http://localhost:3000/hooks.`,
    )
  }
  return url
}

function wholeAddress(text: string): string {
  const [, port, rest = ''] = /^:?(\d{1,5})([/?].*)?$/.exec(text) ?? []
  if (port !== undefined) return `http://localhost:${port}${rest}`
  if (text.startsWith('/')) return `http://localhost:${usualPort}${text}`
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
}
