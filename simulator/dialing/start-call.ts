/** A call asked for through the API: the lead goes to the front of its campaign's line (specification, POST /calls). */
import { apiCallsPerLead, apiCallsWindowHours } from '../../src/contract/limits.js'
import { before, hours } from '../kernel/instant.js'
import type { ApiKey } from '../model/api-key.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { restartArrival, countApiStart } from './leads.js'
import { CallAdmission } from './admission-request.js'
import { admit } from './admission.js'

/** Checks the lead and puts it in line as call_now: before all ordinary leads, behind call_now leads that wait already. */
export function startCall(organization: Tenant, key: ApiKey, lead: Lead): Lead {
  admit('call', new CallAdmission(organization, key, lead))
  countApiStart(organization, lead, key)
  return restartArrival(organization, lead, { key: key.n }, true)
}

/** How many more calls the lead can be given through the API now. */
export function callsLeftToday({ leads, world }: Tenant, lead: Lead): number {
  const started = leads.listApiStarts(lead.n, before(world.now, hours(apiCallsWindowHours))).length
  return Math.max(0, apiCallsPerLead - started)
}
