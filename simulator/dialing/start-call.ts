/** Starts a call that was requested through the API (rule S4). */
import { apiCallsPerLead, apiCallsWindowHours } from '../../src/contract/limits.js'
import { before, hours } from '../kernel/instant.js'
import type { ApiKey } from '../model/api-key.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { restartArrival, countApiStart } from './leads.js'
import { CallAdmission } from './admission-request.js'
import { admit } from './admission.js'

/**
 * Checks the lead and queues it as call_now: before all ordinary leads, behind call_now leads that already wait (rule
 * S4).
 */
export function startCall(tenant: Tenant, key: ApiKey, lead: Lead): Lead {
  admit('call', new CallAdmission(tenant, key, lead))
  countApiStart(tenant, lead, key)
  return restartArrival(tenant, lead, { key: key.n }, true)
}

/** How many more calls the API can start for the lead now (rule D15). */
export function callsLeftToday({ leads, world }: Tenant, lead: Lead): number {
  const started = leads.listApiStarts(lead.n, before(world.now, hours(apiCallsWindowHours))).length
  return Math.max(0, apiCallsPerLead - started)
}
