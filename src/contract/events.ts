/** Events: their types, their contents, and the endpoints that list them. */
import * as z from 'zod'
import { Call, HandledBy } from './calls.js'
import { DncSource } from './dnc.js'
import { endpoint } from './base/endpoint.js'
import { livemode } from './base/identifiers.js'
import { Lead } from './leads.js'
import { eventsPageSize } from './limits.js'
import { DateTime, DateTimeFilter } from './base/date-time.js'
import { noBody, noParams } from './base/empty-body.js'
import { limit, pageReply } from './base/page.js'
import type { Permission } from './permissions.js'
import { eventTypes } from './enums.js'

/** The API version in every event envelope. */
export const apiVersion = '2026-10-01'

export const EventType = z.enum(eventTypes).meta({ id: 'EventType' })
export type EventType = z.output<typeof EventType>

/** The kind of `data.object` for each type of event. */
export const eventSubjects = {
  'lead.created': 'lead',
  'lead.queued': 'lead',
  'lead.interested': 'call',
  'lead.opted_out': 'lead',
  'lead.late': 'lead',
  'call.started': 'call',
  'call.answered': 'call',
  'call.completed': 'call',
  'handover.accepted': 'call',
  'voicemail.left': 'call',
  'callback.booked': 'lead',
} as const satisfies Record<EventType, 'lead' | 'call'>

/** The permission that a key needs to read events of a type. */
export function readPermission(type: EventType): Permission {
  return eventSubjects[type] === 'lead' ? 'leads:read' : 'calls:read'
}

/** A lead inside an event: `livemode` is false in test events and missing in live ones (rule C6). */
export const LeadInEvent = Lead.partial({ livemode: true }).meta({ id: 'LeadInEvent' })
export type LeadInEvent = z.output<typeof LeadInEvent>

const aboutLead = <S extends z.ZodRawShape>(own: S) => z.object({ object: LeadInEvent, ...own })
const aboutCall = <S extends z.ZodRawShape>(own: S) =>
  z.object({
    object: Call,
    recording_path: z.string().optional().meta({ description: 'Below the base address, once there is a recording.' }),
    transcript_path: z.string().optional().meta({ description: 'Below the base address, once there is a transcript.' }),
    ...own,
  })

/** The data of each type: the lead or the call, and the type's extra fields. */
const eventData = {
  'lead.created': aboutLead({}),
  'lead.queued': aboutLead({}),
  'lead.interested': aboutCall({ interest: z.object({ at: DateTime }) }),
  'lead.opted_out': aboutLead({ opt_out: z.object({ source: DncSource, reason: z.string().nullable() }) }),
  'lead.late': aboutLead({ late: z.object({ waited_seconds: z.int().min(0), limit_minutes: z.int().min(1) }) }),
  'call.started': aboutCall({}),
  'call.answered': aboutCall({}),
  'call.completed': aboutCall({ revision: z.int().min(1) }),
  'handover.accepted': aboutCall({
    handover: z.object({ accepted_at: DateTime, by: HandledBy, tth_seconds: z.number().nullable() }),
  }),
  'voicemail.left': aboutCall({ voicemail: z.object({ left_at: DateTime }) }),
  'callback.booked': aboutLead({ callback: z.object({ callback_at: DateTime, booked_by: HandledBy }) }),
} as const satisfies Record<EventType, z.ZodType>

/** The schema name of an event type: `lead.opted_out` becomes `LeadOptedOutEvent`. */
const schemaName = (type: EventType): string =>
  `${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`

const eventSchema = <T extends EventType>(type: T) =>
  z
    .object({
      id: z.string().regex(/^evt_/),
      type: z.literal(type),
      created: DateTime,
      livemode,
      api_version: z.string(),
      data: eventData[type],
      sample: z.literal(true).optional().meta({ description: 'Only on a sample sent to try an endpoint.' }),
    })
    .meta({ id: schemaName(type) })

export const Event = z
  .discriminatedUnion('type', [
    eventSchema('lead.created'),
    eventSchema('lead.queued'),
    eventSchema('lead.interested'),
    eventSchema('lead.opted_out'),
    eventSchema('lead.late'),
    eventSchema('call.started'),
    eventSchema('call.answered'),
    eventSchema('call.completed'),
    eventSchema('handover.accepted'),
    eventSchema('voicemail.left'),
    eventSchema('callback.booked'),
  ])
  .meta({ id: 'Event', description: 'Something that happened to a lead or a call.' })
export type Event = z.output<typeof Event>

export const listEvents = endpoint({
  id: 'events.list',
  method: 'GET',
  path: '/events',
  summary: 'List the events of the last 30 days',
  permissions: ['webhooks:read'],
  params: noParams,
  query: z.object({
    limit: limit(eventsPageSize),
    starting_after: z.string().optional().meta({ description: 'The id of the last event of the page before.' }),
    'created[gte]': DateTimeFilter.optional(),
    'created[lte]': DateTimeFilter.optional(),
    type: EventType.optional(),
  }),
  body: noBody,
  replies: { 200: pageReply(Event) },
  refusals: [],
})
