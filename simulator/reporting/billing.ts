/** What a call costs: whole minutes, rounded up per call, at the organization's rate; test calls cost nothing. */
import type { Call } from '../model/call.js'
import type { Tenant } from '../model/world.js'

/** Minutes on the bill for a call that has ended: 0 when it was never answered. */
export function billedMinutes(call: Pick<Call, 'answered' | 'ended'>): number {
  if (call.answered === null || call.ended === null) return 0
  return Math.ceil((call.ended - call.answered) / 60_000)
}

/** What so many minutes cost at the organization's rate, to the millionth; test calls are never billed. */
export function costUsd({ live, record }: Tenant, minutes: number): number {
  return live ? Math.round(minutes * record.rate_usd_per_minute * 1e6) / 1e6 : 0
}

/** Adds an ended call to what its campaign has spent. The spend cap is the campaign's hold to notice. */
export function billCall(organization: Tenant, call: Call): void {
  if (!organization.live || call.campaign === null) return
  const minutes = billedMinutes(call)
  if (minutes === 0) return
  const campaign = organization.campaign(call.campaign)
  const spent_usd = Math.round((campaign.spent_usd + minutes * organization.record.rate_usd_per_minute) * 1e6) / 1e6
  organization.world.campaigns.addSpending(campaign, spent_usd)
}
