/** What people do with leads in the app: load them, take them out of the queue, put them back, say when one is dialed next. */
import { Refusal } from '../../src/contract/errors/error-codes.js'
import type { Instant } from '../kernel/instant.js'
import type { Campaign } from '../model/campaign.js'
import type { Lead } from '../model/lead.js'
import type { Organization } from '../model/world.js'
import { fillLines } from './dialer.js'
import { add, announce, arriveAnew, latestCall, takeOver } from './leads.js'
import { move, place } from './lead-transitions.js'
import { CallPetition, NewLeadPetition, type LeadWords } from './admission-request.js'
import { check } from './admission.js'

/**
 * Loads leads: all of them or, where one is refused, none. They ask for no consent and count toward no limit of the
 * API. No line is taken before the last is in. The answer is their numbers, in order.
 */
export function load(organization: Organization, campaign: Campaign, many: readonly LeadWords[]): number[] {
  const added: Lead[] = []
  const again: { n: number; call_now: boolean }[] = []
  const numbers = many.map((words, i) => {
    const petition = new NewLeadPetition(organization, null, campaign, words)
    checkItem(petition, i)
    const { lead: existing, call_now } = petition
    if (existing) {
      takeOver(existing, petition)
      again.push({ n: existing.n, call_now })
      return existing.n
    }
    const lead = add(organization, campaign, petition)
    added.push(lead)
    return lead.n
  })
  const line = new Map(organization.leads.line(campaign.n).map((n, ahead) => [n, ahead]))
  for (const lead of added) announce(organization, lead, line.get(lead.n))
  for (const { n, call_now } of again) arriveAnew(organization, organization.leads.get(n), {}, call_now)
  fillLines(organization, campaign.n)
  return numbers
}

/** Which of the many it is stands before the field. */
function checkItem(petition: NewLeadPetition, index: number): void {
  try {
    check('load', petition)
  } catch (error) {
    const param = error instanceof Refusal ? error.details.param : undefined
    if (!(error instanceof Refusal) || typeof param !== 'string' || param === 'campaign_id') throw error
    throw new Refusal(error.code, error.message, { ...error.details, param: `leads[${index}].${param}` })
  }
}

/** Out of the dialing queue, from wherever it stands, until a person puts it back; no call is cut (specification, States). */
export function takeOut(organization: Organization, lead: Lead): Lead {
  move(organization, lead, 'out_of_queue', {
    taken_out: 1,
    callback_at: null,
    not_before: null,
    not_before_reason: null,
  })
  return lead
}

/** Back in the queue, judged afresh like a new arrival (by decision). */
export function putBack(organization: Organization, lead: Lead): Lead {
  check('put_back', new CallPetition(organization, null, lead))
  return arriveAnew(organization, lead, { taken_out: 0, api_key: null }, lead.call_now === 1)
}

/** Dialed at that time, or as soon after it as the dialing rules allow; whatever it waited for before is given up. */
export function dialNextAt(organization: Organization, lead: Lead, at: Instant): Lead {
  check('put_back', new CallPetition(organization, null, lead))
  const { leads, world } = organization
  const own =
    at > world.now
      ? ({ not_before: at, not_before_reason: 'next_dial_time' } as const)
      : { not_before: null, not_before_reason: null }
  leads.change(lead, { taken_out: 0, api_key: null, call_before: latestCall(organization, lead), ...own })
  place(organization, organization.campaign(lead.campaign), lead)
  fillLines(organization, lead.campaign)
  return leads.get(lead.n)
}
