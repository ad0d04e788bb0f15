/** Extra headers for forwarded events. They cannot replace the headers of a delivery. */
import { checkHeaders } from '../../client/headers.js'
import { headersOf } from '../base/flags.js'
import { UsageError } from '../errors/usage-error.js'

/** Headers that HTTP itself uses. They cannot be set. */
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

/** `ofDelivery` lists the headers of every delivery. Throws `UsageError` for one of them. */
export function parseExtraHeaders(texts: readonly string[], ofDelivery: readonly string[]): Record<string, string> {
  const extra = headersOf(texts, '--header')
  checkHeaders(extra)
  const fixed = new Set([...ofTheConnection, ...ofDelivery.map((name) => name.toLowerCase())])
  const taken = Object.keys(extra).find((name) => fixed.has(name.toLowerCase()))
  if (taken !== undefined)
    throw new UsageError(`--header cannot set ${taken}.`, 'svc sets this header itself. Leave it out.')
  return extra
}
