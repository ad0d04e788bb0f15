/** Names the leads that left their queue because their number was put on the Do Not Call list. */
import type { Lead } from '../../contract/leads.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import { countOf } from './words.js'

const namedMost = 3

/** Leads that are not called any more anyway do not leave a queue. */
export const canLeaveQueue = ({ status }: Pick<Lead, 'status'>): boolean =>
  status !== 'done' && status !== 'out_of_queue'

/** "2 leads left the queue: Ann Lee, Bo." Nothing if there are none. */
export function describeLeftQueue(leads: readonly Pick<Lead, 'name' | 'phone'>[]): string[] {
  if (leads.length === 0) return []
  const named = leads.slice(0, namedMost).map(({ name, phone }) => stripControlsFromLine(name ?? phone))
  const rest = leads.length - named.length
  const more = rest > 0 ? ` and ${rest.toLocaleString('en-US')} more` : ''
  return [`${countOf(leads.length, 'lead')} left the queue: ${named.join(', ')}${more}.`]
}
