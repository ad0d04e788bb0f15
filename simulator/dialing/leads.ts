/** Adds, requeues, changes and opts out leads. */
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
import { tables } from '../storage/tables.js'
import { emitEvent } from '../webhooks/outbox.js'
import { NewLeadAdmission, type LeadInput } from './admission-request.js'
import { admit } from './admission.js'
import { countLead } from '../reporting/usage.js'
import { serializeLeadInEvent } from '../model/serialize/resources.js'

export interface Accepted {
  lead: Lead
  requeued: boolean
}

/** Adds a lead through the API: runs the admission checks (rule A1), then dials, queues, schedules or holds it. */
export function acceptLead(tenant: Tenant, key: ApiKey, campaign: Campaign | null, input: LeadInput): Accepted {
  const request = new NewLeadAdmission(tenant, key, campaign, input)
  admit('add', request)
  if (!campaign) throw new Error('a lead without a campaign passed the checks')
  const existing = request.lead
  if (existing) {
    if (request.call_now) countApiStart(tenant, existing, key)
    requeueLead(existing, request)
    return { lead: restartArrival(tenant, existing, {}, request.call_now), requeued: true }
  }
  const lead = addLead(tenant, campaign, request)
  emitAccepted(tenant, lead)
  dialFreeLines(tenant, campaign.n)
  return { lead: tenant.leads.get(lead.n), requeued: false }
}

/** Emits the events of a new lead. They show it as waiting, before it gets a line. */
export function emitAccepted(tenant: Tenant, lead: Lead, ahead?: number): void {
  const object = serializeLeadInEvent(tenant, lead, ahead)
  emitEvent(tenant, 'lead.created', lead, object)
  emitEvent(tenant, 'lead.queued', lead, object)
}

const orNull = (text: string | null | undefined): string | null => (text === undefined || text === '' ? null : text)

/** Adds an admitted lead and evaluates it. */
export function addLead(tenant: Tenant, campaign: Campaign, { input, e164, key, call_now }: NewLeadAdmission): Lead {
  const { now } = tenant.world
  const source = key === null ? 'app' : 'api'
  const lead = tenant.leads.add(
    {
      campaign: campaign.n,
      phone: e164,
      zone: zoneKey(e164),
      external_id: orNull(input.external_id),
      name: orNull(input.name),
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
      arrival: tenant.queues.nextArrival(campaign.n),
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
      email: orNull(input.email),
      address: orNull(input.address),
      fields: JSON.stringify(input.fields ?? {}),
      consent: input.consent ? JSON.stringify(input.consent) : null,
      lead_source: key === null ? (input.lead_source ?? null) : 'api',
    },
  )
  countLead(tenant, lead)
  enqueueLead(tenant, campaign, lead)
  return lead
}

/** Takes over fields of the new request when a lead is requeued (rule D9). */
export function requeueLead(lead: Lead, { input, e164, key, tenant }: NewLeadAdmission): void {
  tenant.leads.change(lead, {
    phone: e164,
    zone: zoneKey(e164),
    ...(input.external_id && { external_id: input.external_id }),
    ...(input.name && { name: input.name }),
    ...(key && { key: key.n }),
    accepted: tenant.world.now,
    taken_out: 0,
  })
  tenant.leads.changeDetails(lead, {
    ...(input.email && { email: input.email }),
    ...(input.address && { address: input.address }),
    ...(input.fields && { fields: JSON.stringify(input.fields) }),
    ...(input.consent && { consent: JSON.stringify(input.consent) }),
  })
}

/**
 * Starts a new arrival of an existing lead: drops its own waiting time, resets `late` and evaluates it. A waiting lead
 * keeps its queue position unless it becomes call_now.
 */
export function restartArrival(tenant: Tenant, lead: Lead, changes: Partial<Lead>, callNow: boolean): Lead {
  const { world, leads } = tenant
  const campaign = tenant.campaign(lead.campaign)
  const keepsPlace = isWaiting(lead.status) && (lead.call_now === 1 || !callNow)
  world.agenda.cancel(lateAppointmentOf(lead))
  enqueueLead(tenant, campaign, lead, {
    ...changes,
    call_now: callNow ? 1 : 0,
    ...(!(keepsPlace && callNow) && { arrived: world.now }),
    ...(!keepsPlace && { arrival: tenant.queues.nextArrival(campaign.n) }),
    late: 0,
    not_before: null,
    not_before_reason: null,
    call_before: latestCall(tenant, lead),
  })
  emitEvent(tenant, 'lead.queued', lead, serializeLeadInEvent(tenant, lead))
  dialFreeLines(tenant, campaign.n)
  return leads.get(lead.n)
}

/** Row number of a lead's latest call. */
export const latestCall = ({ calls }: Tenant, lead: Lead): number | null => calls.lastOfLead(lead.n)[0]?.n ?? null

/** Counts one more API-started call of the lead (rule D15). */
export function countApiStart(tenant: Tenant, lead: Lead, key: ApiKey): void {
  tenant.leads.addApiStart(lead.n, tenant.world.now)
  tenant.leads.change(lead, { api_key: key.key_id })
}

/** Changes a lead by `PATCH` (rule A7). */
export function changeLead(tenant: Tenant, lead: Lead, patch: LeadPatch): void {
  if (patch.phone !== undefined) {
    throw new ApiError('phone_cannot_change', 'The phone number of a lead cannot change. Add a new lead.', {
      param: 'phone',
    })
  }
  const { leads, world } = tenant
  leads.change(lead, {
    ...(patch.name !== undefined && { name: orNull(patch.name) }),
    ...(patch.external_id !== undefined && { external_id: firstExternalId(tenant, lead, patch.external_id) }),
    updated: world.now,
  })
  leads.changeDetails(lead, {
    ...(patch.email !== undefined && { email: orNull(patch.email) }),
    ...(patch.address !== undefined && { address: orNull(patch.address) }),
    ...(patch.fields && { fields: JSON.stringify(mergeFields(leads.details(lead), patch.fields)) }),
    ...(patch.consent && { consent: JSON.stringify(patch.consent) }),
  })
  if (patch.call_now === false && lead.call_now === 1) dropPriority(tenant, lead)
}

/** Merges custom fields. A field sent empty is removed (rule A7). */
function mergeFields(details: LeadDetails, fields: Record<string, string>): Record<string, string> {
  const all = { ...(JSON.parse(details.fields) as Record<string, string>), ...fields }
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
  if (Object.keys(kept).length > fieldsPerLead) {
    throw new ApiError('invalid_request', `A lead has at most ${fieldsPerLead} custom fields.`, { param: 'fields' })
  }
  return kept
}

function firstExternalId(tenant: Tenant, lead: Lead, externalId: string): string | null {
  if (externalId === lead.external_id) return externalId
  if (lead.external_id !== null) {
    throw new ApiError('invalid_request', 'The lead has an external_id; it does not change.', { param: 'external_id' })
  }
  const other = tenant.leads.listByExternalId(externalId).find(({ campaign }) => campaign === lead.campaign)
  if (other) {
    const lead_id = tenant.leads.id(other.n)
    throw new ApiError('duplicate_lead', 'The campaign already has this external_id.', {
      param: 'external_id',
      lead_id,
    })
  }
  return orNull(externalId)
}

/** Moves a call_now lead to the ordinary leads. It cannot be late any more. */
function dropPriority(tenant: Tenant, lead: Lead): void {
  tenant.world.agenda.cancel(lateAppointmentOf(lead))
  tenant.leads.change(lead, { call_now: 0, line_at: lead.due })
}

export interface OptedOut {
  lead: Lead
  callInProgress: boolean
}

/** Puts the lead's number on the Do Not Call list (rule D6). Opting out again changes nothing. */
export function optOutLead(tenant: Tenant, lead: Lead, reason: string | undefined): OptedOut {
  const { world, leads } = tenant
  const callInProgress = tenant.calls.listOngoing(lead.n) !== null
  const listed = addToDnc(tenant, lead.phone, 'api', { of: lead, reason: reason ?? null })
  if (!listed && lead.last_outcome !== 'dnc')
    moveLead(tenant, lead, 'out_of_queue', { callback_at: null, ...markOptedOut })
  if (listed)
    world.store.insert(tables.audit, {
      tenant: tenant.n,
      at: world.now,
      what: 'opt_out',
      lead: lead.n,
      reason: reason ?? null,
    })
  return { lead: leads.get(lead.n), callInProgress }
}
