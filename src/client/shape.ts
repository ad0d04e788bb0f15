/** Whether a reply is of the shape its endpoint answers with: a list, an object or text. More is not checked. */
import type { Query } from './url.js'

/**
 * What the contract's names tell: `list...` gives a list of objects, everything else an object with something in it (a
 * test holds the names to the contract). Proxies, sign-in pages and other services answer 200 as well.
 */
export function hasReplyShape(name: string, query: Query | undefined, body: unknown): boolean {
  if (typeof body === 'string') return name === 'getTranscript' || name === 'getMetrics'
  const data = (body as { data: unknown }).data
  if (name === 'getMetrics') return false
  if (!givesList(name, query)) return isObject(data) && Object.keys(data).length > 0
  return Array.isArray(data) && data.every(isObject)
}

/** A lead found by the caller's own id comes alone, from the route of the list (specification, Endpoints). */
function givesList(name: string, query: Query | undefined): boolean {
  return name.startsWith('list') && !(name === 'listLeads' && query?.['external_id'] !== undefined)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
