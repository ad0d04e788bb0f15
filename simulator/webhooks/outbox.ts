/** Events, written with the change that caused them, and handed to the endpoints that want them. */
import { apiVersion, type EventType } from '../../src/contract/events.js'
import { toIso } from '../kernel/instant.js'
import type { Call } from '../model/call.js'
import type { Event } from '../model/event.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { serializeCallFacts, captureCallFacts, type CallFacts } from '../model/serialize/calls.js'
import { createDelivery } from './deliveries.js'

/** Records an event about a lead as the read endpoint gives it, with the event's own fields beside it. */
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

/** Records an event about a call: the call as it is at this moment, and what there is beside it follows. */
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

/** The envelope's bytes: the same each time they are asked for. */
export const bodyOf = (organization: Tenant, event: Event): string =>
  isOfCall(event) ? JSON.stringify(envelopeOf(organization, event)) : event.body

export function envelopeOf(organization: Tenant, event: Event): object {
  const told = JSON.parse(event.body) as object
  return isOfCall(event) ? writeEnvelope(organization, event, aboutCall(organization, event, told as CallFacts)) : told
}

/** Events about a call that were written before facts were have their envelopes, as those about leads. */
const isOfCall = ({ body }: Event): boolean => body.startsWith('[')

function writeEnvelope(
  { events, live }: Tenant,
  { n, type, created }: Pick<Event, 'n' | 'type' | 'created'>,
  data: object,
): object {
  return { id: events.id(n), type, created: toIso(created), livemode: live, api_version: apiVersion, data }
}

/** The call, where its recording and transcript can be fetched once they can (by decision), and what the event is about. */
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
