/** Checks usage against a sum over the calls of the model (rules X3 and X4). */
import type { Usage } from '../../src/contract/usage.js'
import { minuteMs } from './model/hours.js'
import { campaignOf, isLive } from './model/mirror.js'
import { must } from './model/rule.js'
import type { OwnKey, Run } from './run.js'

const slotMs = 5 * minuteMs

/** The month at a moment in a time zone, as `2026-10`. */
function monthOf(zone: string, at: number): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', month: '2-digit' })
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${parts.year}-${parts.month}`
}

/** This month's figures as of the last full five minutes. */
export async function checkUsage(run: Run, key: OwnKey): Promise<void> {
  const { mirror } = run
  const usage = (await run.stage.simulation.as(key).get<Usage>('/usage?group_by=campaign')).data
  const { period, timezone, totals, groups } = usage
  const counted = Math.floor(run.now / slotMs) * slotMs
  must(period === monthOf(timezone, run.now), 'usage is of the month it is', { usage, now: run.now })
  const counts = (at: number | null): at is number => at !== null && at < counted && monthOf(timezone, at) === period
  const calls = [...mirror.calls.values()].filter(({ tenant, ended }) => tenant === key.tenant && counts(ended))
  const leads = [...mirror.leads.values()].filter(({ tenant, created }) => tenant === key.tenant && counts(created))
  const minutes = calls.reduce(
    (sum, { answered, ended }) => sum + (answered === null ? 0 : Math.ceil(((ended ?? 0) - answered) / minuteMs)),
    0,
  )
  const own = {
    leads_added: leads.length,
    calls: calls.length,
    calls_connected: calls.filter(({ answered, machine }) => answered !== null && !machine).length,
    minutes,
  }
  const told = {
    leads_added: totals.leads_added,
    calls: totals.calls,
    calls_connected: totals.calls_connected,
    minutes: totals.minutes,
  }
  must(JSON.stringify(told) === JSON.stringify(own), 'usage is the sum of leads and calls', { usage, own })
  const [any] = mirror.campaigns.values()
  const rate =
    [...mirror.campaigns.values()].find(({ organization }) => organization === key.organization)?.rate ?? any?.rate ?? 0
  const cost = isLive(key.tenant) ? minutes * rate : 0
  must(Math.abs(totals.cost_usd - cost) < 1e-6, 'minutes cost the rate of the organization', { totals, cost })
  for (const group of groups) if ('campaign_id' in group) campaignOf(mirror, group.campaign_id)
  const sum = groups.reduce((total, group) => total + group.minutes, 0)
  must(sum === minutes, 'the groups add up to the totals', { usage })
}
