/**
 * Usage of an organization in a month (rule X4). A lead counts when it is added, a call with its minutes when it has
 * ended. Both belong to the key that added the lead, or to none.
 */
import type { Usage as UsageOnWire, UsageCounts, UsageGroup, UsageGrouping } from '../../src/contract/usage.js'
import { dayOf, endOfDay, spanOfMonth } from '../../src/phone/local-day.js'
import { earlier, instant, toIso } from '../kernel/instant.js'
import type { Call } from '../model/call.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { slotOf, type Usage, type UsageFilter } from '../model/usage.js'
import { billedMinutes, costUsd } from './billing.js'

export function countLead({ usage, world }: Tenant, { key, campaign }: Lead): void {
  usage.count(world.now, { key, campaign }, { leads_added: 1 })
}

/** Whether a person answered the call, not a machine. */
export const isConnected = ({ answered, machine }: Pick<Call, 'answered' | 'machine'>): boolean =>
  answered !== null && machine === 0

/** Counts a call that has just ended. */
export function countCall({ usage, world }: Tenant, call: Call, lead: Lead | null): void {
  const calls_connected = isConnected(call) ? 1 : 0
  usage.count(
    world.now,
    { key: lead?.key ?? null, campaign: call.campaign },
    { calls: 1, calls_connected, minutes: billedMinutes(call) },
  )
}

export interface UsageQuestion {
  /** A month such as `2026-10`, or `current`. */
  period: string
  group_by: UsageGrouping | null
  within: UsageFilter['within']
}

/** Reports the figures as of the last full five minutes (rule X4). Groups without counts are left out. */
export function reportUsage(tenant: Tenant, { period: asked, group_by, within }: UsageQuestion): UsageOnWire {
  const { world, record, usage, live } = tenant
  const zone = record.time_zone
  const period = asked === 'current' ? dayOf(zone, world.now).slice(0, 7) : asked
  const [from, to] = spanOfMonth(zone, period)
  const updated = slotOf(world.now)
  const filter: UsageFilter = { from: instant(from), to: earlier(instant(to), updated), within }
  return {
    object: 'usage',
    period,
    timezone: zone,
    livemode: live,
    totals: serializeCounts(tenant, usage.total(filter)),
    group_by,
    groups: group_by === null ? [] : groups[group_by](tenant, filter),
    updated: toIso(updated),
  }
}

const serializeCounts = (
  tenant: Tenant,
  { requests, leads_added, calls, calls_connected, minutes }: Usage,
): UsageCounts => ({
  requests,
  leads_added,
  calls,
  calls_connected,
  minutes,
  cost_usd: costUsd(tenant, minutes),
})

const groups: Readonly<Record<UsageGrouping, (tenant: Tenant, filter: UsageFilter) => UsageGroup[]>> = {
  key: (tenant, filter) => {
    const keys = new Map(tenant.world.keys.listByOrganization(tenant.organizationNumber).map((key) => [key.n, key]))
    return tenant.usage.by('key', filter).map(({ n, ...counts }) => {
      const key = n === null ? undefined : keys.get(n)
      return { key_id: key?.key_id ?? null, key_name: key?.name ?? null, ...serializeCounts(tenant, counts) }
    })
  },
  /** Requests and calls from unknown numbers belong to no campaign, so only the totals include them. */
  campaign: (tenant, filter) =>
    tenant.usage.by('campaign', filter).flatMap(({ n, ...counts }) => {
      if (n === null) return []
      const { id, name } = tenant.campaign(n)
      return { campaign_id: id, campaign_name: name, ...serializeCounts(tenant, counts) }
    }),
  day: (tenant, filter) => {
    const zone = tenant.record.time_zone
    const found: UsageGroup[] = []
    for (let from = tenant.usage.first(filter); from !== null;) {
      const to = instant(endOfDay(zone, dayOf(zone, from)))
      const counts = tenant.usage.total({ ...filter, from, to: earlier(to, filter.to) })
      found.push({ day: dayOf(zone, from), ...serializeCounts(tenant, counts) })
      from = tenant.usage.first({ ...filter, from: to })
    }
    return found
  },
}
