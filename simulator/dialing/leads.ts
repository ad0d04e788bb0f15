/** Leads: taken in, put back in the queue, changed, opted out. */
import { fieldsPerLead } from '../../src/contract/limits.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import type { LeadPatch } from '../../src/contract/leads.js'
import { zoneKey } from '../../src/phone/zones.js'
import type { Campaign } from '../model/campaign.js'
import type { ApiKey } from '../model/api-key.js'
import type { Lead, LeadDetails } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { dialFreeLines } from './dialer.js'
import { addToDnc, markOptedOut } from './dnc.js'
import { isWaiting, lateAppointmentOf, moveLead, enqueueLead } from './lead-transitions.js'
import { emitEvent } from '../webhooks/outbox.js'
import { NewLeadAdmission, type LeadInput } from './admission-request.js'
import { admit } from './admission.js'
import { countLead } from '../reporting/usage.js'
import { serializeLeadInEvent } from '../model/serialize/resources.js'

export interface Accepted {
  lead: Lead
  requeued: boolean
}

/** Takes a lead in through the API: every check of the table, then it is dialed, in line, scheduled or held. */
export function acceptLead(organization: Tenant, key: ApiKey, campaign: Campaign | null, words: LeadInput): Accepted {
  const petition = new NewLeadAdmission(organization, key, campaign, words)
  admit('add', petition)
  if (!campaign) throw new Error('a lead without a campaign passed the checks')
  const existing = petition.lead
  if (existing) {
    if (petition.call_now) countApiStart(organization, existing, key)
    requeueLead(existing, petition)
    return { lead: restartArrival(organization, existing, {}, petition.call_now), requeued: true }
  }
  const lead = addLead(organization, campaign, petition)
  emitAccepted(organization, lead)
  dialFreeLines(organization, campaign.n)
  return { lead: organization.leads.get(lead.n), requeued: false }
}

/** The events of a new lead, which show it where it waits before any line is taken. */
export function emitAccepted(organization: Tenant, lead: Lead, ahead?: number): void {
  const object = serializeLeadInEvent(organization, lead, ahead)
  emitEvent(organization, 'lead.created', lead, object)
  emitEvent(organization, 'lead.queued', lead, object)
}

const orNull = (text: string | null | undefined): string | null => (text === undefined || text === '' ? null : text)

/** Adds a lead that was checked, and lets it wait where it stands. */
export function addLead(
  organization: Tenant,
  campaign: Campaign,
  { words, e164, key, call_now }: NewLeadAdmission,
): Lead {
  const { now } = organization.world
  const source = key === null ? 'app' : 'api'
  const lead = organization.leads.add(
    {
      campaign: campaign.n,
      phone: e164,
      zone: zoneKey(e164),
      external_id: orNull(words.external_id),
      name: orNull(words.name),
      owner: null,
      source,
      key: key?.n ?? null,
      created: now,
      updated: now,
      accepted: now,
      status: 'new',
      call_now: call_now ? 1 : 0,
      line_at: now,
      due: now,
      arrived: now,
      turn: organization.queues.nextArrival(campaign.n),
      late: 0,
      scheduled_for: null,
      scheduled_reason: null,
      held_reason: null,
      not_before: null,
      not_before_reason: null,
      callback_at: null,
      attempts: 0,
      last_outcome: null,
      last_outcome_label: null,
      api_key: null,
      call_before: null,
      taken_out: 0,
    },
    {
      email: orNull(words.email),
      address: orNull(words.address),
      fields: JSON.stringify(words.fields ?? {}),
      consent: words.consent ? JSON.stringify(words.consent) : null,
      lead_source: key === null ? (words.lead_source ?? null) : 'api',
    },
  )
  countLead(organization, lead)
  enqueueLead(organization, campaign, lead)
  return lead
}

/** What a requeue takes over from the new request (by decision: Duplicate window). */
export function requeueLead(lead: Lead, { words, e164, key, organization }: NewLeadAdmission): void {
  organization.leads.change(lead, {
    phone: e164,
    zone: zoneKey(e164),
    ...(words.external_id && { external_id: words.external_id }),
    ...(words.name && { name: words.name }),
    ...(key && { key: key.n }),
    accepted: organization.world.now,
    taken_out: 0,
  })
  organization.leads.changeDetails(lead, {
    ...(words.email && { email: words.email }),
    ...(words.address && { address: words.address }),
    ...(words.fields && { fields: JSON.stringify(words.fields) }),
    ...(words.consent && { consent: JSON.stringify(words.consent) }),
  })
}

/**
 * A lead that is there arrives anew: it waits for nothing of its own any more, can be late again, and is judged afresh.
 * One that waits keeps its place, unless it becomes call_now.
 */
export function restartArrival(organization: Tenant, lead: Lead, changes: Partial<Lead>, callNow: boolean): Lead {
  const { world, leads } = organization
  const campaign = organization.campaign(lead.campaign)
  const keepsTurn = isWaiting(lead.status) && (lead.call_now === 1 || !callNow)
  world.agenda.cancel(lateAppointmentOf(lead))
  enqueueLead(organization, campaign, lead, {
    ...changes,
    call_now: callNow ? 1 : 0,
    ...(!(keepsTurn && callNow) && { arrived: world.now }),
    ...(!keepsTurn && { turn: organization.queues.nextArrival(campaign.n) }),
    late: 0,
    not_before: null,
    not_before_reason: null,
    call_before: latestCall(organization, lead),
  })
  emitEvent(organization, 'lead.queued', lead, serializeLeadInEvent(organization, lead))
  dialFreeLines(organization, campaign.n)
  return leads.get(lead.n)
}

/** The row number of the latest call of a lead. */
export const latestCall = ({ calls }: Tenant, lead: Lead): number | null => calls.lastOfLead(lead.n)[0]?.n ?? null

/** One more of the calls a lead can be given through the API in a day. */
export function countApiStart(organization: Tenant, lead: Lead, key: ApiKey): void {
  organization.leads.addApiStart(lead.n, organization.world.now)
  organization.leads.change(lead, { api_key: key.key_id })
}

/** Changes what is known about a lead (specification, PATCH /leads/{id}). */
export function changeLead(organization: Tenant, lead: Lead, patch: LeadPatch): void {
  if (patch.phone !== undefined) {
    throw new ApiError('phone_cannot_change', 'A lead keeps its number; add a new lead instead.', { param: 'phone' })
  }
  const { leads, world } = organization
  leads.change(lead, {
    ...(patch.name !== undefined && { name: orNull(patch.name) }),
    ...(patch.external_id !== undefined && { external_id: firstExternalId(organization, lead, patch.external_id) }),
    updated: world.now,
  })
  leads.changeDetails(lead, {
    ...(patch.email !== undefined && { email: orNull(patch.email) }),
    ...(patch.address !== undefined && { address: orNull(patch.address) }),
    ...(patch.fields && { fields: JSON.stringify(mergeFields(leads.details(lead), patch.fields)) }),
    ...(patch.consent && { consent: JSON.stringify(patch.consent) }),
  })
  if (patch.call_now === false && lead.call_now === 1) dropPriority(organization, lead)
}

/** Fields that are sent empty go; the others are kept or replaced. */
function mergeFields(details: LeadDetails, fields: Record<string, string>): Record<string, string> {
  const all = { ...(JSON.parse(details.fields) as Record<string, string>), ...fields }
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
  if (Object.keys(kept).length > fieldsPerLead) {
    throw new ApiError('invalid_request', `A lead has at most ${fieldsPerLead} custom fields.`, { param: 'fields' })
  }
  return kept
}

function firstExternalId(organization: Tenant, lead: Lead, externalId: string): string | null {
  if (externalId === lead.external_id) return externalId
  if (lead.external_id !== null) {
    throw new ApiError('invalid_request', 'The lead has an external_id; it does not change.', { param: 'external_id' })
  }
  const other = organization.leads.listByExternalId(externalId).find(({ campaign }) => campaign === lead.campaign)
  if (other) {
    const lead_id = organization.leads.id(other.n)
    throw new ApiError('duplicate_lead', 'The campaign already has this external_id.', {
      param: 'external_id',
      lead_id,
    })
  }
  return orNull(externalId)
}

/** From now on it waits among the ordinary leads, and cannot be late. */
function dropPriority(organization: Tenant, lead: Lead): void {
  organization.world.agenda.cancel(lateAppointmentOf(lead))
  organization.leads.change(lead, { call_now: 0, line_at: lead.due })
}

export interface OptedOut {
  lead: Lead
  callInProgress: boolean
}

/** The lead's number goes on the Do Not Call list; doing it again changes nothing (specification, States). */
export function optOutLead(organization: Tenant, lead: Lead, reason: string | undefined): OptedOut {
  const { world, leads, tenant } = organization
  const callInProgress = organization.calls.listOngoing(lead.n) !== null
  const listed = addToDnc(organization, lead.phone, 'api', { of: lead, reason: reason ?? null })
  if (!listed && lead.last_outcome !== 'dnc')
    moveLead(organization, lead, 'out_of_queue', { callback_at: null, ...markOptedOut })
  if (listed)
    world.store.insert('audit', { tenant, at: world.now, what: 'opt_out', lead: lead.n, reason: reason ?? null })
  return { lead: leads.get(lead.n), callInProgress }
}
