/** The cooldown of a phone number (rule D4). */
import { cooldownHours } from '../../src/contract/limits.js'
import { after, hours, type Instant } from '../kernel/instant.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'

/** The end of the lead's cooldown, or null. Calls of the lead's own campaign do not count. */
export function cooldownEnd(organization: Tenant, lead: Lead): Instant | null {
  // Reserved test numbers have no time zone and no cooldown.
  if (lead.zone === '' || lead.alone === 1) return null
  const reached = organization.calls.lastReached(lead.phone, lead.campaign)
  if (reached === null) return null
  const ends = after(reached, hours(cooldownHours))
  return ends > organization.world.now ? ends : null
}
