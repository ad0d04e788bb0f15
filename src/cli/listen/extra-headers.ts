/** Headers a person adds to what is forwarded. Those of a delivery are the service's, and stay as they are. */
import { checkHeaders } from '../../client/headers.js'
import { headersOf } from '../base/flags.js'
import { UsageError } from '../errors/usage-error.js'

/** How the request itself is carried: none of them is a person's to say. */
const ofTheConnection = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** `ofDelivery` are the names of those that every delivery has. Throws `UsageError` for one of them. */
export function parseExtraHeaders(texts: readonly string[], ofDelivery: readonly string[]): Record<string, string> {
  const extra = headersOf(texts, '--header')
  checkHeaders(extra)
  const fixed = new Set([...ofTheConnection, ...ofDelivery.map((name) => name.toLowerCase())])
  const taken = Object.keys(extra).find((name) => fixed.has(name.toLowerCase()))
  if (taken !== undefined)
    throw new UsageError(`--header cannot set ${taken}.`, 'What is forwarded has the headers that the service sends.')
  return extra
}
