/** The rule that a field of a reply belongs to, for a field of a wrong form. */
import type { Endpoint } from '../../contract/base/endpoint.js'

const times = /^(created|updated|started|answered|ended|at|scheduled_for|createdAt|expiresAt|\w+_at|failing_since)$/

/** Rules of the field `status`, by the first word of the endpoint's id. */
const statusRules: Readonly<Record<string, string>> = { leads: 'S1', calls: 'S2', campaigns: 'S1' }

export function ruleOfField({ id }: Pick<Endpoint, 'id'>, field: string | null): string {
  const last =
    field
      ?.split('.')
      .at(-1)
      ?.replace(/\[\d+\]$/, '') ?? ''
  if (last === 'livemode') return 'C6'
  if (last === 'next_cursor' || last === 'has_more' || last === 'meta') return 'C3'
  if (last === 'id' || last.endsWith('_id') || last === 'campaign_ids') return 'C5'
  if (times.test(last)) return 'C4'
  if (last === 'status') return statusRules[id.split('.')[0] ?? ''] ?? 'C3'
  if (id === 'usage.get') return 'X4'
  if (last === 'calls') return 'S8'
  return last === 'secret' ? 'W3' : 'C3'
}
