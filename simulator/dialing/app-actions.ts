/**
 * What people do with leads in the app: load them, take them out of the queue, put them back, set the next dial time
 * (rule D16).
 */
import { ApiError } from '../../src/contract/errors/error-codes.js'
import type { Instant } from '../kernel/instant.js'
import type { Campaign } from '../model/campaign.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { dialFreeLines } from './dialer.js'
import { addLead, emitAccepted, restartArrival, latestCall, requeueLead } from './leads.js'
import { moveLead, enqueueLead } from './lead-transitions.js'
import { CallAdmission, NewLeadAdmission, type LeadInput } from './admission-request.js'
import { admit } from './admission.js'

/**
 * Loads all leads, or none if one is refused. Consent and API limits do not apply. Dialing starts after the last lead
 * is added. Returns the row numbers in the order of the input.
 */
export function loadLeads(tenant: Tenant, campaign: Campaign, many: readonly LeadInput[]): number[] {
  const added: Lead[] = []
  const again: { n: number; call_now: boolean }[] = []
  const numbers = many.map((input, i) => {
    const request = new NewLeadAdmission(tenant, null, campaign, input)
    checkItem(request, i)
    const { lead: existing, call_now } = request
    if (existing) {
      requeueLead(existing, request)
      again.push({ n: existing.n, call_now })
      return existing.n
    }
    const lead = addLead(tenant, campaign, request)
    added.push(lead)
    return lead.n
  })
  // Positions in the queue, for the events.
  const line = new Map(tenant.leads.queue.numbers(campaign.n).map((n, ahead) => [n, ahead]))
  for (const lead of added) emitAccepted(tenant, lead, line.get(lead.n))
  for (const { n, call_now } of again) restartArrival(tenant, tenant.leads.get(n), {}, call_now)
  dialFreeLines(tenant, campaign.n)
  return numbers
}

/** Puts the position of the lead before the field name in the error, as in `leads[3].phone`. */
function checkItem(request: NewLeadAdmission, index: number): void {
  try {
    admit('load', request)
  } catch (error) {
    const param = error instanceof ApiError ? error.details.param : undefined
    if (!(error instanceof ApiError) || typeof param !== 'string' || param === 'campaign_id') throw error
    throw new ApiError(error.code, error.message, { ...error.details, param: `leads[${index}].${param}` })
  }
}

/** Takes a lead out of the queue from any status, until a person puts it back. An ongoing call continues (rule S5). */
export function takeLeadOut(tenant: Tenant, lead: Lead): Lead {
  moveLead(tenant, lead, 'out_of_queue', {
    taken_out: 1,
    callback_at: null,
    not_before: null,
    not_before_reason: null,
  })
  return lead
}

/** Puts a lead back into the queue and evaluates it like a new arrival (rule D16). */
export function putLeadBack(tenant: Tenant, lead: Lead): Lead {
  admit('put_back', new CallAdmission(tenant, null, lead))
  return restartArrival(tenant, lead, { taken_out: 0, api_key: null }, lead.call_now === 1)
}

/**
 * Sets when a lead is dialed next, or as soon after it as the dialing rules allow. It replaces every other waiting time
 * (rule D16).
 */
export function setNextDialTime(tenant: Tenant, lead: Lead, at: Instant): Lead {
  admit('put_back', new CallAdmission(tenant, null, lead))
  const { leads, world } = tenant
  const own =
    at > world.now
      ? ({ not_before: at, not_before_reason: 'next_dial_time' } as const)
      : { not_before: null, not_before_reason: null }
  leads.change(lead, { taken_out: 0, api_key: null, call_before: latestCall(tenant, lead), ...own })
  enqueueLead(tenant, tenant.campaign(lead.campaign), lead)
  dialFreeLines(tenant, lead.campaign)
  return leads.get(lead.n)
}
