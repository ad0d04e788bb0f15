/** Leads that are never called, grouped by the reason. */
import type { UnreachableLead } from './plan-result.js'

const reasons: Readonly<Record<UnreachableLead['reason'], string>> = {
  unreadable_row: 'the row cannot be read',
  invalid_phone: 'not a telephone number that can be called',
  premium: 'premium-rate number',
  international: 'outside the US and Canada',
  on_dnc_list: 'on the Do Not Call list',
  duplicate_lead: 'the same phone or external id as an earlier row',
  no_common_hour: 'the calling hours never open in its time zones',
}

const linesShown = 5

/** The largest group first: its count and reason, and its first lines. */
export function listUnreachable(leads: readonly UnreachableLead[]): (readonly [string, string])[] {
  const groups = new Map<UnreachableLead['reason'], number[]>()
  for (const { reason, line } of leads) {
    const lines = groups.get(reason) ?? []
    lines.push(line)
    groups.set(reason, lines)
  }
  return [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, lines]) => {
      const first = lines.slice(0, linesShown).join(', ')
      const more = lines.length > linesShown ? ', ...' : ''
      return [lines.length.toLocaleString('en-US'), `${reasons[reason]} (line ${first}${more})`] as const
    })
}
