/** When a number may ring again after another campaign, or an inbound call, reached it (specification, Dialing rules, 4). */
import { cooldownHours } from '../../src/contract/limits.js'
import { after, hours, type Instant } from '../kernel/instant.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'

/** The end of the cooldown a lead is under, or null; what a call of its own campaign did does not count. */
export function cooldownEnd(organization: Tenant, lead: Lead): Instant | null {
  // Reserved numbers have no zone and no cooldown (by decision).
  if (lead.zone === '' || lead.alone === 1) return null
  const reached = organization.calls.lastReached(lead.phone, lead.campaign)
  if (reached === null) return null
  const ends = after(reached, hours(cooldownHours))
  return ends > organization.world.now ? ends : null
}
