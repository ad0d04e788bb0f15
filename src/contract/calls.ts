/** A call, its recording and transcript, and the endpoint that starts a call. */
import * as z from 'zod'
import { endpoint } from './base/endpoint.js'
import { Id, SentId, byId, livemode } from './base/identifiers.js'
import { Owner, standing } from './leads.js'
import { callsPageSize, externalIdLength, olderCallsPageSizeMax } from './limits.js'
import { DateTime, DateTimeFilter } from './base/date-time.js'
import { AcceptedReason, AcceptedStatus } from './new-leads.js'
import { noBody, noParams, noQuery } from './base/empty-body.js'
import { Outcome } from './base/outcomes.js'
import { limit, dataReply, pageReply, startingAfter } from './base/page.js'

const callStatuses = ['ringing', 'in_progress', 'ended'] as const
export const CallStatus = z.enum(callStatuses).meta({ id: 'CallStatus' })
export type CallStatus = z.output<typeof CallStatus>

const roles = ['sdr', 'closer', 'ai'] as const
export const Role = z.enum(roles).meta({ id: 'Role' })
export type Role = z.output<typeof Role>

export const HandledBy = z
  .object({
    id: z.string().nullable().meta({ description: 'Null for the AI and for a closer.' }),
    name: z.string(),
    role: Role,
  })
  .meta({ id: 'HandledBy' })
export type HandledBy = z.output<typeof HandledBy>

const CalledLead = z
  .object({
    id: Id,
    external_id: z.string().nullable(),
    name: z.string().nullable(),
    phone: z.string().nullable(),
  })
  .meta({ id: 'CalledLead' })

const CallDirection = z.enum(['outbound', 'inbound']).meta({ id: 'CallDirection' })
const StartedByType = z.enum(['dialer', 'api', 'person']).meta({ id: 'StartedByType' })

export const Call = z
  .object({
    id: Id,
    object: z.literal('call'),
    livemode,
    lead: CalledLead.nullable(),
    campaign_id: Id.nullable(),
    direction: CallDirection,
    status: CallStatus,
    outcome: Outcome.nullable(),
    outcome_label: z.string().nullable(),
    note: z.string().nullable(),
    duration_seconds: z.int().nullable(),
    started: DateTime,
    answered: DateTime.nullable(),
    ended: DateTime.nullable(),
    updated: DateTime,
    handled_by: HandledBy,
    owner: Owner.nullable(),
    tth_seconds: z.number().nullable().meta({ description: 'From buying intent to a person on the call.' }),
    callback_at: DateTime.nullable(),
    recording_available: z.boolean(),
    transcript_available: z.boolean(),
    started_by: z.object({ type: StartedByType, api_key_id: z.string().nullable() }),
  })
  .meta({ id: 'Call', description: 'One telephone call.' })
export type Call = z.output<typeof Call>

const speakers = ['ai', 'lead', 'agent'] as const
export const Speaker = z.enum(speakers).meta({ id: 'Speaker' })
export type Speaker = z.output<typeof Speaker>

export const Transcript = z
  .object({
    call_id: Id,
    lines: z.array(z.object({ speaker: Speaker, name: z.string(), text: z.string(), at: DateTime })),
    livemode,
  })
  .meta({ id: 'Transcript', description: 'What was said, in order. The agent is the person who took the call.' })
export type Transcript = z.output<typeof Transcript>

export const RecordingLink = z
  .object({ url: z.url(), expires_at: DateTime, livemode })
  .meta({ id: 'RecordingLink', description: 'A link made for this request; it stops working at expires_at.' })
export type RecordingLink = z.output<typeof RecordingLink>

/** The deprecated form of the list (rule P4). */
export const OlderCallList = z
  .object({ data: z.array(Call), total: z.int().min(0), limit: z.int(), offset: z.int(), livemode })
  .meta({ id: 'OlderCallList', deprecated: true })
export type OlderCallList = z.output<typeof OlderCallList>

export const StartCall = z
  .strictObject({
    lead_id: SentId.optional(),
    external_id: z.string().max(externalIdLength).optional(),
    campaign_id: SentId.optional().meta({ description: 'Where several campaigns have the external_id.' }),
  })
  .refine((call) => call.lead_id !== undefined || call.external_id !== undefined, {
    path: ['lead_id'],
    error: 'send lead_id or external_id',
  })
  .meta({
    id: 'StartCall',
    anyOf: [
      { title: 'StartCallByLeadId', required: ['lead_id'] },
      { title: 'StartCallByExternalId', required: ['external_id'] },
    ],
  })
export type StartCall = z.output<typeof StartCall>

export const CallStarted = z
  .object({
    lead_id: Id,
    external_id: z.string().nullable(),
    campaign_id: Id,
    status: AcceptedStatus,
    ...standing,
    scheduled_reason: AcceptedReason.nullable(),
    calls_left_today: z.int().min(0),
    livemode,
  })
  .meta({ id: 'CallStarted', description: 'Queue position of the lead.' })
export type CallStarted = z.output<typeof CallStarted>

export const listCalls = endpoint({
  id: 'calls.list',
  method: 'GET',
  path: '/calls',
  summary: 'List calls',
  permissions: ['calls:read'],
  params: noParams,
  query: z.object({
    // A `limit` above the usual maximum selects the deprecated form.
    limit: limit(callsPageSize, olderCallsPageSizeMax),
    starting_after: startingAfter,
    campaign_id: SentId.optional(),
    lead_id: SentId.optional(),
    external_id: z.string().max(externalIdLength).optional(),
    outcome: Outcome.optional(),
    'created[gte]': DateTimeFilter.optional(),
    'created[lte]': DateTimeFilter.optional(),
    offset: z.int().min(0).optional().meta({ deprecated: true, description: 'Selects the older shape.' }),
    status: CallStatus.optional().meta({ deprecated: true, description: 'Selects the older shape.' }),
  }),
  body: noBody,
  replies: { 200: z.union([pageReply(Call), OlderCallList]) },
  headers: ['Deprecation', 'Link'],
  refusals: [],
})

export const getCall = endpoint({
  id: 'calls.get',
  method: 'GET',
  path: '/calls/{id}',
  summary: 'Read a call',
  permissions: ['calls:read'],
  params: byId,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(Call) },
  refusals: [],
})

export const getRecording = endpoint({
  id: 'calls.get_recording',
  method: 'GET',
  path: '/calls/{id}/recording',
  summary: "Make a link to a call's recording",
  permissions: ['calls:read'],
  params: byId,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(RecordingLink) },
  refusals: ['service_unavailable', 'recording_not_available'],
})

export const getTranscript = endpoint({
  id: 'calls.get_transcript',
  method: 'GET',
  path: '/calls/{id}/transcript',
  summary: 'Read what was said on a call',
  permissions: ['calls:read'],
  params: byId,
  query: z.object({ format: z.enum(['json', 'text']).default('json') }),
  body: noBody,
  replies: {
    200: z.union([dataReply(Transcript), z.string().meta({ description: 'One line a turn: name, colon, text.' })]),
  },
  refusals: [],
})

export const startCall = endpoint({
  id: 'calls.start',
  method: 'POST',
  path: '/calls',
  summary: 'Put a lead at the front of the queue',
  permissions: ['calls:write'],
  params: noParams,
  query: noQuery,
  body: StartCall,
  replies: { 202: dataReply(CallStarted) },
  refusals: [
    'on_dnc_list',
    'number_retired',
    'campaign_closed',
    'test_flows_busy',
    'ambiguous_external_id',
    'not_found',
    'lead_busy',
    'lead_taken_out_of_queue',
    'call_limit_reached',
    'number_not_allowed',
  ],
})
