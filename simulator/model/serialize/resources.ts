/** Serializes rows to API objects, the same for replies and events. */
import type { Consent } from '../../../src/contract/base/consent.js'
import type { Lead as LeadWords } from '../../../src/contract/leads.js'
import type { FailureReason, WebhookFaultName } from '../../../src/contract/enums.js'
import { acceptedStatuses, type AcceptedStatus, type LeadAccepted } from '../../../src/contract/new-leads.js'
import { seconds, toIso, toIsoOrNull, type Instant } from '../../kernel/instant.js'
import type { CallSummary } from '../call.js'
import type { Campaign } from '../campaign.js'
import type { Delivery } from '../webhooks/delivery.js'
import type { DncEntry } from '../dnc.js'
import type { Endpoint } from '../webhooks/endpoint.js'
import { scheduledReason, type Lead } from '../lead.js'
import type { Tenant } from '../world.js'
import { talkSeconds } from './calls.js'

/** Assumed mean length of a call before a campaign has had one. */
const meanCallWithoutAny = seconds(120)

/** Queue position and estimated wait of a queued or dialing lead; null for others. */
export function placeInQueue(
  tenant: Tenant,
  lead: Lead,
  ahead?: number,
): { place_in_line: number | null; estimated_wait_seconds: number | null } {
  if (lead.status === 'dialing') return { place_in_line: 0, estimated_wait_seconds: 0 }
  if (lead.status !== 'queued') return { place_in_line: null, estimated_wait_seconds: null }
  const place = (ahead ?? tenant.leads.queue.countAhead(lead)) + 1
  const { calls_ended, line_ms } = tenant.queues.of(lead.campaign)
  const mean = calls_ended === 0 ? meanCallWithoutAny : line_ms / calls_ended
  const { lines } = tenant.campaign(lead.campaign)
  return { place_in_line: place, estimated_wait_seconds: Math.round((place / Math.max(1, lines)) * (mean / 1000)) }
}

function summarizeCall(tenant: Tenant, call: CallSummary) {
  return {
    id: tenant.calls.id(call.n),
    started: toIso(call.started),
    outcome: call.outcome,
    outcome_label: call.outcome_label,
    duration_seconds: talkSeconds(call),
  }
}

interface LeadView {
  inList?: boolean
  ahead?: number | undefined
}

/** Serializes a lead. Lists leave out the queue position. `ahead` is the number of leads before it, if known. */
export function serializeLead(tenant: Tenant, lead: Lead, { inList = false, ahead }: LeadView = {}): LeadWords {
  const { email, address, fields, consent, lead_source } = tenant.leads.details(lead)
  const owner = lead.owner === null ? undefined : tenant.member(lead.owner)
  return {
    id: tenant.leads.id(lead.n),
    external_id: lead.external_id,
    campaign_id: tenant.campaign(lead.campaign).id,
    name: lead.name,
    phone: lead.phone,
    email,
    address,
    fields: JSON.parse(fields) as Record<string, string>,
    consent: consent === null ? null : (JSON.parse(consent) as Consent),
    lead_source,
    owner: owner ? { id: owner.id, name: owner.name } : null,
    created: toIso(lead.created),
    updated: toIso(lead.updated),
    status: lead.status,
    call_now: lead.call_now === 1,
    ...(inList ? { place_in_line: null, estimated_wait_seconds: null } : placeInQueue(tenant, lead, ahead)),
    scheduled_for: toIsoOrNull(lead.scheduled_for),
    scheduled_reason: scheduledReason(lead),
    held_reason: lead.held_reason,
    callback_at: toIsoOrNull(lead.callback_at),
    late: lead.late === 1,
    attempts: lead.attempts,
    last_outcome: lead.last_outcome,
    last_outcome_label: lead.last_outcome_label,
    next_dial_at: toIsoOrNull(nextDialAt(lead)),
    calls: lastCalls(tenant, lead),
    livemode: tenant.live,
  }
}

/** Skips the query for a lead that was never dialed and has a unique number (rule S8). */
function lastCalls(tenant: Tenant, lead: Lead) {
  if (lead.attempts === 0 && lead.phone_is_unique === 1) return []
  return tenant.calls.lastOfLead(lead.n).map((call) => summarizeCall(tenant, call))
}

/** When a lead that is not queued is dialed next: its own time, or the first time the rules allow. */
function nextDialAt(lead: Lead): Instant | null {
  if (lead.status === 'callback_scheduled') return lead.callback_at
  return lead.status === 'scheduled' ? (lead.not_before ?? lead.scheduled_for) : null
}

/** Serializes a lead inside an event. A live one has no `livemode` (rule C6). */
export function serializeLeadInEvent(tenant: Tenant, lead: Lead, ahead?: number) {
  const { livemode, ...rest } = serializeLead(tenant, lead, { ahead })
  return tenant.live ? rest : { ...rest, livemode }
}

/** The status of a lead that was just accepted or is to be called through the API. */
export function serializeAcceptedStatus(tenant: Tenant, lead: Lead) {
  const { status, held_reason } = lead
  const scheduled_reason = scheduledReason(lead)
  if (!isAccepted(status)) throw new Error(`a lead that was just accepted is ${status}`)
  if (scheduled_reason !== null && !isAcceptedReason(scheduled_reason)) {
    throw new Error(`a lead that was just accepted waits for ${scheduled_reason}`)
  }
  return {
    status,
    ...placeInQueue(tenant, lead),
    scheduled_for: toIsoOrNull(lead.scheduled_for),
    scheduled_reason,
    held_reason,
  }
}

const isAccepted = (status: string): status is AcceptedStatus =>
  (acceptedStatuses as readonly string[]).includes(status)
const isAcceptedReason = (reason: string): reason is 'outside_calling_hours' | 'recent_contact_cooldown' =>
  reason === 'outside_calling_hours' || reason === 'recent_contact_cooldown'

/** The reply to an accepted lead. */
export function serializeAcceptedLead(tenant: Tenant, lead: Lead, { requeued = false } = {}): LeadAccepted {
  return {
    id: tenant.leads.id(lead.n),
    external_id: lead.external_id,
    call_now: lead.call_now === 1,
    ...serializeAcceptedStatus(tenant, lead),
    dry_run: false,
    ...(requeued && { requeued: true as const }),
    livemode: tenant.live,
  }
}

export function serializeDncEntry(tenant: Tenant, entry: DncEntry) {
  return {
    id: tenant.dnc.id(entry.n),
    phone: entry.phone,
    source: entry.source,
    createdAt: toIso(entry.created),
    livemode: tenant.live,
  }
}

export function serializeCampaign(campaign: Campaign, live: boolean) {
  const { n: _n, organization: _organization, created, updated, ...rest } = campaign
  return { ...rest, object: 'campaign' as const, created: toIso(created), updated: toIso(updated), livemode: live }
}

/** Serializes an endpoint without its secret. Two endpoints add the secret to it. */
export function serializeEndpoint(tenant: Tenant, endpoint: Endpoint) {
  const { now } = tenant.world
  const { previous_secret_expires_at: until } = endpoint
  return {
    id: tenant.endpoints.id(endpoint.n),
    object: 'webhook_endpoint' as const,
    url: endpoint.url,
    events: endpoint.events,
    campaign_ids: endpoint.campaign_ids,
    mode: tenant.mode,
    livemode: tenant.live,
    status: endpoint.status,
    failing_since: toIsoOrNull(endpoint.failing_since),
    paused_at: toIsoOrNull(endpoint.paused_at),
    last_success_at: toIsoOrNull(endpoint.last_success_at),
    previous_secret_expires_at: until !== null && now < until ? toIso(until) : null,
    created: toIso(endpoint.created),
    updated: toIso(endpoint.updated),
  }
}

export function serializeDelivery(tenant: Tenant, delivery: Delivery) {
  return {
    id: tenant.deliveries.id(delivery.n),
    object: 'webhook_delivery' as const,
    endpoint_id: tenant.endpoints.id(delivery.endpoint),
    event_id: delivery.event_id,
    event_type: delivery.event_type,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: toIsoOrNull(delivery.next_attempt_at),
    last_attempt_at: toIsoOrNull(delivery.last_attempt_at),
    response_status: delivery.response_status,
    response_body: delivery.response_body,
    duration_ms: delivery.duration_ms,
    resent_from: delivery.resent_from === null ? null : tenant.deliveries.id(delivery.resent_from),
    created: toIso(delivery.created),
    livemode: delivery.sample === null ? tenant.live : false,
  }
}

/** Serializes a delivery for the control API, with the result of its last attempt. */
export function simulatedDelivery(tenant: Tenant, delivery: Delivery) {
  const { error, fault } = delivery
  return {
    ...serializeDelivery(tenant, delivery),
    error: error as FailureReason | null,
    fault: fault as WebhookFaultName | null,
  }
}
