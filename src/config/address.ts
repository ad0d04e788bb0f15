/** The service's base address as a person writes it. */
import { urlOf } from '../url.js'
import { SettingsError } from './settings-error.js'

/** Where the API lives below a bare origin (specification, Conventions). */
const apiPath = '/api/v1/external'

const hint = `It reads like https://api.example.com${apiPath}.`

/** Reads an address; a bare origin gets the API's path, a trailing slash goes. `source` says where it was set. */
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
