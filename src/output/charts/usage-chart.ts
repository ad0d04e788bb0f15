/** Draws the usage of a month as bars. */
import type { Usage, UsageCounts, UsageGroup } from '../../contract/usage.js'
import { renderBars } from './bars.js'
import { wrapWords } from '../table/width.js'

export function renderUsage({ period, timezone, totals, groups }: Usage, width: number): string {
  const summary = `Calls in ${period} (${timezone}): ${totals.calls}, answered ${totals.calls_connected}; ${formatCosts(totals)}`
  const head = `${wrapWords(summary, width).join('\n')}\n`
  if (groups.length === 0) return `${head}Nothing was used.\n`
  const bars = groups.map((group) => ({
    label: labelOf(group),
    whole: group.calls,
    part: group.calls_connected,
    note: `${group.calls} ${group.calls === 1 ? 'call' : 'calls'}, ${formatCosts(group)}`,
  }))
  return `${head}\n${renderBars(bars, width)}`
}

const formatCosts = ({ minutes, cost_usd }: UsageCounts): string => `${minutes} min, $${cost_usd.toFixed(2)}`

function labelOf(group: UsageGroup): string {
  if ('day' in group) return group.day
  return 'campaign_id' in group ? group.campaign_name : (group.key_name ?? group.key_id ?? 'no key')
}
