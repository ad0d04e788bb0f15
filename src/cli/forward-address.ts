/** The address of a developer's own server, as briefly as a person writes it: a port, a path, a host, or all of it. */
import { UsageError } from './usage-error.js'

/** Where servers under development are, unless told otherwise. */
const usualPort = 3000

/** `flag` is named when the text is no address. */
export function forwardAddress(text: string, flag: string): URL {
  const written = wholeAddress(text.trim())
  if (!URL.canParse(written)) throw notAnAddress(text, flag)
  const url = new URL(written)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw notAnAddress(text, flag)
  return url
}

function wholeAddress(text: string): string {
  if (/^\d{1,5}$/.test(text)) return `http://localhost:${text}`
  if (text.startsWith('/')) return `http://localhost:${usualPort}${text}`
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
}

function notAnAddress(text: string, flag: string): UsageError {
  return new UsageError(
    `${flag} ${text} is no address.`,
    `It reads like 3000, /hooks (on port ${usualPort}), or http://localhost:3000/hooks.`,
  )
}
