/** Checks only whether a reply is a list, an object or text, as its endpoint promises. */
import type { Query } from './url.js'

/**
 * The contract's names decide: `list...` gives a list of objects, any other name an object that is not empty. A test
 * checks this. Proxies, sign-in pages and other services also answer 200.
 */
export function hasReplyShape(name: string, query: Query | undefined, body: unknown): boolean {
  if (typeof body === 'string') return name === 'getTranscript'
  const data = (body as { data: unknown }).data
  if (!givesList(name, query)) return isObject(data) && Object.keys(data).length > 0
  return Array.isArray(data) && data.every(isObject)
}

/** Looking up a lead by `external_id` uses the list's route but gives one lead. */
function givesList(name: string, query: Query | undefined): boolean {
  return name.startsWith('list') && !(name === 'listLeads' && query?.['external_id'] !== undefined)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
