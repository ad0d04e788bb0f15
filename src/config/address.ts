/** Reads the service's base address as a user types it. */
import { urlOf } from '../url.js'
import { SettingsError } from './settings-error.js'

/** The API's path below a bare origin (rule C1). */
export const apiPath = '/api/v1/external'

const hint = `It reads like https://api.example.com${apiPath}.`

/**
 * Parses an address. Adds the API's path to a bare origin and removes a trailing slash. `source` names the setting in
 * errors.
 */
export function baseAddress(text: string, source: string): URL {
  const url = urlOf(text)
  if (!url) throw new SettingsError(`The base URL (${source}) is not a URL.`, hint)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new SettingsError(`The base URL (${source}) is neither https: nor http:.`, hint)
  }
  if (url.username || url.password) {
    throw new SettingsError(
      `The base URL (${source}) holds a user name or password.`,
      'The key belongs in SVC_KEY_ID and SVC_SECRET, or in a profile.',
    )
  }
  url.search = ''
  url.hash = ''
  url.pathname = url.pathname.replace(/\/+$/, '') || apiPath
  return url
}
