/**
 * The cost of calls: minutes rounded up per call, at the organization's rate. Test calls cost nothing (rules X3 and
 * T4).
 */
import type { Call } from '../model/call.js'
import type { Tenant } from '../model/world.js'

/** Billed minutes of an ended call; 0 if it was not answered. */
export function billedMinutes(call: Pick<Call, 'answered' | 'ended'>): number {
  if (call.answered === null || call.ended === null) return 0
  return Math.ceil((call.ended - call.answered) / 60_000)
}

/** The cost of minutes at the organization's rate, rounded to a millionth. Test calls cost nothing. */
export function costUsd({ live, record }: Tenant, minutes: number): number {
  return live ? Math.round(minutes * record.rate_usd_per_minute * 1e6) / 1e6 : 0
}

/** Adds the cost of an ended call to its campaign's spending. The caller checks the spend cap. */
export function billCall(tenant: Tenant, call: Call): void {
  if (!tenant.live || call.campaign === null) return
  const minutes = billedMinutes(call)
  if (minutes === 0) return
  const campaign = tenant.campaign(call.campaign)
  const spent_usd = Math.round((campaign.spent_usd + minutes * tenant.record.rate_usd_per_minute) * 1e6) / 1e6
  tenant.world.campaigns.addSpending(campaign, spent_usd)
}
