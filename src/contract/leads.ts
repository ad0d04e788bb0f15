/** A lead: its fields, its position in the campaign's queue, and the endpoints that read and change leads. */
import * as z from 'zod'
import { NewConsent, Consent } from './base/consent.js'
import { endpoint } from './base/endpoint.js'
import { Id, SentId, byId, livemode } from './base/identifiers.js'
import {
  addressLength,
  callsInLead,
  emailLength,
  externalIdLength,
  fieldsPerLead,
  leadsPageSize,
  nameLength,
  optOutReasonLength,
} from './limits.js'
import { DateTime, DateTimeFilter } from './base/date-time.js'
import { noBody, noParams, noQuery } from './base/empty-body.js'
import { Outcome } from './base/outcomes.js'
import { limit, dataReply, pageReply, startingAfter } from './base/page.js'
import { leadStatuses } from './enums.js'

export const LeadStatus = z.enum(leadStatuses).meta({ id: 'LeadStatus' })
export type LeadStatus = z.output<typeof LeadStatus>

const scheduledReasons = [
  'outside_calling_hours',
  'recent_contact_cooldown',
  'retry_after_outcome',
  'next_dial_time',
] as const
export const ScheduledReason = z.enum(scheduledReasons).meta({ id: 'ScheduledReason' })
export type ScheduledReason = z.output<typeof ScheduledReason>

const heldReasons = ['campaign_paused', 'campaign_not_started', 'spend_cap_reached'] as const
export const HeldReason = z.enum(heldReasons).meta({ id: 'HeldReason' })
export type HeldReason = z.output<typeof HeldReason>

export const LeadCallSummary = z
  .object({
    id: Id,
    started: DateTime,
    outcome: Outcome.nullable(),
    outcome_label: z.string().nullable(),
    duration_seconds: z.int().nullable(),
  })
  .meta({ id: 'LeadCallSummary', description: 'One call of a lead, in short.' })
export type LeadCallSummary = z.output<typeof LeadCallSummary>

/** A lead's status and queue position, as part of the lead and of replies that accept a lead or start a call. */
export const standing = {
  place_in_line: z.int().nullable().meta({ description: '1 is next, 0 is being dialed. An estimate.' }),
  estimated_wait_seconds: z.int().nullable(),
  scheduled_for: DateTime.nullable().meta({ description: 'The first moment the lead can be called.' }),
  held_reason: HeldReason.nullable(),
}

/** The sales representative (SDR) that the latest call was made for. */
export const Owner = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Owner' })

export const Lead = z
  .object({
    id: Id,
    external_id: z.string().nullable(),
    campaign_id: Id,
    name: z.string().nullable(),
    phone: z.string().regex(/^\+1\d{10}$/),
    email: z.string().nullable(),
    address: z.string().nullable(),
    fields: z.record(z.string(), z.string()),
    consent: Consent.nullable(),
    lead_source: z.string().nullable(),
    owner: Owner.nullable(),
    created: DateTime,
    updated: DateTime,
    status: LeadStatus,
    call_now: z.boolean(),
    ...standing,
    scheduled_reason: ScheduledReason.nullable(),
    callback_at: DateTime.nullable(),
    late: z.boolean(),
    attempts: z.int().min(0),
    last_outcome: Outcome.nullable(),
    last_outcome_label: z.string().nullable(),
    next_dial_at: DateTime.nullable(),
    calls: z.array(LeadCallSummary).max(callsInLead),
    livemode,
  })
  .meta({ id: 'Lead', description: 'Somebody to call.' })
export type Lead = z.output<typeof Lead>

export const LeadOptOut = Lead.extend({ call_in_progress: z.boolean() }).meta({
  id: 'LeadOptOut',
  description: 'The lead that opted out, and whether a call with it was live.',
})
export type LeadOptOut = z.output<typeof LeadOptOut>

/**
 * Custom fields of a request. Refuses a `__proto__` key before the record is copied, because the copy would drop it
 * silently.
 */
export const SentFields = z.preprocess(
  (sent: Record<string, string>, context) => {
    if (typeof sent === 'object' && sent !== null && Object.hasOwn(sent, '__proto__')) {
      context.addIssue({ code: 'custom', path: ['__proto__'], message: 'a field cannot have this name' })
    }
    return sent
  },
  z
    .record(z.string(), z.string())
    .refine((fields) => Object.keys(fields).length <= fieldsPerLead, { error: `send at most ${fieldsPerLead} fields` })
    .meta({ maxProperties: fieldsPerLead, description: 'Custom fields; the script of the campaign can use them.' }),
)

/** Null or an empty string clears the field. */
const clearableText = (length: number) => z.string().max(length).nullable().optional()

export const LeadPatch = z
  .strictObject({
    name: clearableText(nameLength),
    email: clearableText(emailLength),
    address: clearableText(addressLength),
    fields: SentFields.optional().meta({ description: 'Merged; an empty string removes the field.' }),
    consent: NewConsent.optional().meta({ description: 'Replaces the stored one as a whole.' }),
    external_id: z.string().max(externalIdLength).optional().meta({ description: 'Only while the lead has none.' }),
    call_now: z.literal(false).optional().meta({ description: 'Gives up the place ahead of other leads.' }),
    // Accepted here so that the endpoint can refuse it with `phone_cannot_change` (rule A7). Hidden in the document.
    phone: z.unknown().optional().meta({ 'x-hidden': true }),
  })
  .meta({ id: 'LeadPatch', description: 'A lead keeps its number: a phone is refused with 422 phone_cannot_change.' })
export type LeadPatch = z.output<typeof LeadPatch>

export const getLead = endpoint({
  id: 'leads.get',
  method: 'GET',
  path: '/leads/{id}',
  summary: 'Read a lead, with its place in line',
  permissions: ['leads:read'],
  params: byId,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(Lead) },
  refusals: [],
})

export const listLeads = endpoint({
  id: 'leads.list',
  method: 'GET',
  path: '/leads',
  summary: 'List leads, or find the one with an external_id',
  permissions: ['leads:read'],
  params: noParams,
  query: z.object({
    external_id: z.string().max(externalIdLength).optional().meta({ description: 'Answers the one lead, not a list.' }),
    campaign_id: SentId.optional(),
    status: LeadStatus.optional(),
    'created[gte]': DateTimeFilter.optional(),
    limit: limit(leadsPageSize),
    starting_after: startingAfter,
  }),
  body: noBody,
  replies: { 200: z.union([dataReply(Lead), pageReply(Lead)]) },
  refusals: ['ambiguous_external_id', 'not_found'],
})

export const updateLead = endpoint({
  id: 'leads.update',
  method: 'PATCH',
  path: '/leads/{id}',
  summary: 'Change a lead',
  permissions: ['leads:write'],
  params: byId,
  query: noQuery,
  body: LeadPatch,
  replies: { 200: dataReply(Lead) },
  refusals: ['duplicate_lead', 'phone_cannot_change'],
})

export const optOutLead = endpoint({
  id: 'leads.opt_out',
  method: 'POST',
  path: '/leads/{id}/opt_out',
  summary: 'Never call a lead again',
  permissions: ['leads:write'],
  params: byId,
  query: noQuery,
  body: z.strictObject({ reason: z.string().max(optOutReasonLength).optional() }).prefault({}),
  replies: { 200: dataReply(LeadOptOut) },
  refusals: [],
})
