/**
 * The outbox: writes events with the change that caused them (rule E1) and creates deliveries for the endpoints that
 * subscribe to them (rule E3).
 */
import { apiVersion, type Event as Envelope, type EventType } from '../../src/contract/events.js'
import { toIso } from '../kernel/instant.js'
import type { Call } from '../model/call.js'
import type { Event } from '../model/webhooks/event.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { serializeCall } from '../model/serialize/calls.js'
import { createDelivery } from './deliveries.js'

/** Emits an event about a lead. `extra` holds the further fields of its data. */
export function emitEvent(
  tenant: Tenant,
  type: EventType,
  { n: lead, campaign }: Pick<Lead, 'n' | 'campaign'>,
  object: object,
  extra: object = {},
): void {
  recordEvent(tenant, { type, campaign, lead }, { object, ...extra })
}

/** Emits an event about a call. */
export function emitCallEvent(tenant: Tenant, type: EventType, call: Call): void {
  if (!tenant.world.recordsEvents) return
  const { campaign, lead } = call
  recordEvent(tenant, { type, campaign, lead }, dataOfCall(tenant, type, call))
}

/**
 * The data of an event about a call: the call, the paths of its recording and transcript if they exist, and the fields
 * of the event type.
 */
function dataOfCall(tenant: Tenant, type: EventType, call: Call): object {
  const object = serializeCall(tenant, call)
  const { id, recording_available, transcript_available, handled_by, tth_seconds } = object
  const at = toIso(tenant.world.now)
  return {
    object,
    ...(recording_available && { recording_path: `/calls/${id}/recording` }),
    ...(transcript_available && { transcript_path: `/calls/${id}/transcript` }),
    ...(type === 'call.completed' && { revision: call.revision }),
    ...(type === 'lead.interested' && { interest: { at } }),
    ...(type === 'handover.accepted' && { handover: { accepted_at: at, by: handled_by, tth_seconds } }),
    ...(type === 'voicemail.left' && { voicemail: { left_at: at } }),
  }
}

/** What an event is about. */
interface Subject {
  type: EventType
  campaign: number | null
  lead: number | null
}

function recordEvent(tenant: Tenant, { type, campaign, lead }: Subject, data: object): void {
  const { world, events } = tenant
  if (!world.recordsEvents) return
  const n = events.nextNumber()
  events.add({ n, tenant: tenant.n, campaign, type, created: world.now, data: JSON.stringify(data) })
  world.publish({ kind: 'event', tenant: tenant.n, n, type, lead })
  const endpoints = tenant.endpoints.all()
  if (endpoints.length === 0) return
  const campaignId = campaign === null ? null : tenant.campaign(campaign).id
  for (const endpoint of endpoints) {
    if (!endpoint.events.includes(type)) continue
    if (endpoint.campaign_ids && (campaignId === null || !endpoint.campaign_ids.includes(campaignId))) continue
    createDelivery(tenant, endpoint, { event: n, campaign, event_id: events.id(n), event_type: type })
  }
}

/** The JSON of a stored event's envelope; null if the event was deleted. */
export function readEnvelope(tenant: Tenant, n: number): string | null {
  const event = tenant.events.get(n)
  return event && formatEnvelope(tenant, event)
}

/** The JSON of an event's envelope, the same bytes each time. */
export const formatEnvelope = (tenant: Tenant, event: Event): string => JSON.stringify(envelopeOf(tenant, event))

/** The envelope in which the API shows an event and webhooks carry it. */
export const envelopeOf = ({ events, live }: Tenant, { n, type, created, data }: Event): Envelope =>
  ({
    id: events.id(n),
    type,
    created: toIso(created),
    livemode: live,
    api_version: apiVersion,
    data: JSON.parse(data) as object,
  }) as Envelope
