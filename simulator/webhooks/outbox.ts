/**
 * The outbox: writes events with the change that caused them (rule E1) and creates deliveries for the endpoints that
 * subscribe to them (rule E3).
 */
import { apiVersion, type EventType } from '../../src/contract/events.js'
import { toIso } from '../kernel/instant.js'
import type { Call } from '../model/call.js'
import type { Event } from '../model/event.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { serializeCallFacts, captureCallFacts, type CallFacts } from '../model/serialize/calls.js'
import { createDelivery } from './deliveries.js'

/** Emits an event about a lead. `extra` holds the further fields of its data. */
export function emitEvent(
  organization: Tenant,
  type: EventType,
  { n: lead, campaign }: Pick<Lead, 'n' | 'campaign'>,
  object: object,
  extra: object = {},
): void {
  const { world, events } = organization
  const n = events.nextNumber()
  const body = JSON.stringify(writeEnvelope(organization, { n, type, created: world.now }, { object, ...extra }))
  recordEvent(organization, { n, type, campaign, body }, lead)
}

/** Emits an event about a call. It stores facts of the call, from which the envelope is built later. */
export function emitCallEvent(organization: Tenant, type: EventType, call: Call): void {
  const n = organization.events.nextNumber()
  const body = JSON.stringify(captureCallFacts(organization, call, organization.world.now))
  recordEvent(organization, { n, type, campaign: call.campaign, body }, call.lead)
}

function recordEvent(organization: Tenant, recorded: Omit<Event, 'tenant' | 'created'>, lead: number | null): void {
  const { world, events, tenant } = organization
  const event = { ...recorded, tenant, created: world.now }
  const { n, type, campaign } = event
  events.add(event)
  world.publish({ kind: 'event', tenant, type, lead, body: () => bodyOf(organization, event) })
  const endpoints = organization.endpoints.all()
  if (endpoints.length === 0) return
  const campaignId = campaign === null ? null : organization.campaign(campaign).id
  for (const endpoint of endpoints) {
    if (!endpoint.events.includes(type)) continue
    if (endpoint.campaign_ids && (campaignId === null || !endpoint.campaign_ids.includes(campaignId))) continue
    createDelivery(organization, endpoint, { event: n, campaign, event_id: events.id(n), event_type: type })
  }
}

/** The envelope's JSON, the same bytes each time. */
export const bodyOf = (organization: Tenant, event: Event): string =>
  isOfCall(event) ? JSON.stringify(envelopeOf(organization, event)) : event.body

export function envelopeOf(organization: Tenant, event: Event): object {
  const told = JSON.parse(event.body) as object
  return isOfCall(event) ? writeEnvelope(organization, event, aboutCall(organization, event, told as CallFacts)) : told
}

/** Events about leads store their envelope. Events about calls store facts as an array. */
const isOfCall = ({ body }: Event): boolean => body.startsWith('[')

function writeEnvelope(
  { events, live }: Tenant,
  { n, type, created }: Pick<Event, 'n' | 'type' | 'created'>,
  data: object,
): object {
  return { id: events.id(n), type, created: toIso(created), livemode: live, api_version: apiVersion, data }
}

/**
 * The data of an event about a call: the call, the paths of its recording and transcript if they exist, and the fields
 * of the event type.
 */
function aboutCall(organization: Tenant, { type, created }: Event, facts: CallFacts): object {
  const object = serializeCallFacts(organization, facts, created)
  const { id, recording_available, transcript_available, handled_by, tth_seconds } = object
  const at = toIso(created)
  return {
    object,
    ...(recording_available && { recording_path: `/calls/${id}/recording` }),
    ...(transcript_available && { transcript_path: `/calls/${id}/transcript` }),
    ...(type === 'call.completed' && { revision: facts[21] }),
    ...(type === 'lead.interested' && { interest: { at } }),
    ...(type === 'handover.accepted' && { handover: { accepted_at: at, by: handled_by, tth_seconds } }),
    ...(type === 'voicemail.left' && { voicemail: { left_at: at } }),
  }
}
