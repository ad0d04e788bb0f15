/** Creating leads: the request for one or a batch, and the replies. The endpoints below a campaign are in `campaigns.ts`. */
import * as z from 'zod'
import { NewConsent } from './base/consent.js'
import { endpoint } from './base/endpoint.js'
import { Id, SentId, livemode } from './base/identifiers.js'
import { SentFields, standing } from './leads.js'
import { addressLength, emailLength, externalIdLength, leadsPerBatch, nameLength, phoneLength } from './limits.js'
import { noParams, noQuery } from './base/empty-body.js'
import { dataReply } from './base/page.js'
import { ErrorCode } from './errors/error-codes.js'

/** Statuses of a lead that was just accepted, or moved to the front by a call started through the API. */
export const acceptedStatuses = ['dialing', 'queued', 'scheduled', 'held'] as const
export const AcceptedStatus = z.enum(acceptedStatuses).meta({ id: 'AcceptedStatus' })
export type AcceptedStatus = z.output<typeof AcceptedStatus>

/** Why an accepted lead waits. */
export const AcceptedReason = z
  .enum(['outside_calling_hours', 'recent_contact_cooldown'])
  .meta({ id: 'AcceptedReason' })

export const LeadAccepted = z
  .object({
    id: Id.nullable().meta({ description: 'Null on a dry run.' }),
    external_id: z.string().nullable(),
    status: AcceptedStatus,
    call_now: z.boolean(),
    ...standing,
    scheduled_reason: AcceptedReason.nullable(),
    dry_run: z.boolean(),
    requeued: z.literal(true).optional().meta({ description: 'The lead existed and is back in the queue.' }),
    livemode,
  })
  .meta({ id: 'LeadAccepted', description: 'What became of a lead that was sent.' })
export type LeadAccepted = z.output<typeof LeadAccepted>

/** Fields of a lead, the same for every way to create one. */
export const leadFields = {
  external_id: z.string().max(externalIdLength).optional().meta({ description: "The caller's own id." }),
  phone: z.string().max(phoneLength).meta({ description: 'A US or Canadian number in any common form.' }),
  name: z.string().max(nameLength).optional(),
  email: z.string().max(emailLength).optional(),
  address: z.string().max(addressLength).optional(),
  fields: SentFields.optional(),
  consent: NewConsent.optional(),
  call_now: z.boolean().optional().meta({ description: "Ahead of other leads; the campaign's setting if left out." }),
}

const dryRun = z.boolean().default(false).meta({ description: 'Run every check, save nothing.' })
const batchOf = <T extends z.ZodType>(lead: T) => z.array(lead).max(leadsPerBatch)

export const CampaignLead = z.strictObject({ ...leadFields, dry_run: dryRun }).meta({ id: 'NewCampaignLead' })
export const NewLead = z.strictObject({ campaign_id: SentId, ...leadFields, dry_run: dryRun }).meta({ id: 'NewLead' })
export type NewLead = z.output<typeof NewLead>

export const CampaignLeadBatch = z
  .strictObject({ dry_run: dryRun, leads: batchOf(z.strictObject(leadFields).meta({ id: 'CampaignLeadBatchItem' })) })
  .meta({ id: 'CampaignLeadBatch' })

export const LeadBatch = z
  .strictObject({
    campaign_id: SentId.optional().meta({ description: 'For every lead that names none.' }),
    dry_run: dryRun,
    leads: batchOf(z.strictObject({ campaign_id: SentId.optional(), ...leadFields }).meta({ id: 'LeadBatchItem' })),
  })
  .superRefine((batch, context) => {
    if (batch.campaign_id !== undefined) return
    batch.leads.forEach((lead, index) => {
      if (lead.campaign_id !== undefined) return
      const message = 'send campaign_id, here or once for the batch'
      context.addIssue({ code: 'custom', path: ['leads', index, 'campaign_id'], message })
    })
  })
  .meta({ id: 'LeadBatch' })
export type LeadBatch = z.output<typeof LeadBatch>

const BatchResult = z.discriminatedUnion('ok', [
  z.object({ index: z.int().min(0), ok: z.literal(true), lead: LeadAccepted }).meta({ id: 'LeadBatchSuccess' }),
  z
    .object({
      index: z.int().min(0),
      ok: z.literal(false),
      error: z.object({
        code: ErrorCode,
        message: z.string(),
        param: z.string().nullable(),
        lead_id: Id.nullable().optional(),
      }),
    })
    .meta({ id: 'LeadBatchFailure' }),
])

export const LeadBatchResult = z
  .object({
    succeeded: z.int().min(0),
    failed: z.int().min(0),
    dry_run: z.boolean(),
    results: z.array(BatchResult).max(leadsPerBatch).meta({ description: 'In the order sent.' }),
    livemode,
  })
  .meta({ id: 'LeadBatchResult' })
export type LeadBatchResult = z.output<typeof LeadBatchResult>

/** Errors that the admission checks and the limits give for one lead. */
export const newLeadErrors = [
  'invalid_phone',
  'on_dnc_list',
  'duplicate_lead',
  'number_retired',
  'consent_required',
  'campaign_closed',
  'queue_full',
  'test_flows_busy',
  'not_found',
  'lead_rate_limited',
  'call_limit_reached',
  'number_not_allowed',
] as const satisfies readonly ErrorCode[]

export const createLead = endpoint({
  id: 'leads.create',
  method: 'POST',
  path: '/leads',
  summary: 'Add a lead to a campaign',
  permissions: ['leads:write'],
  params: noParams,
  query: noQuery,
  body: NewLead,
  replies: { 201: dataReply(LeadAccepted), 200: dataReply(LeadAccepted) },
  refusals: newLeadErrors,
})

export const createLeads = endpoint({
  id: 'leads.create_batch',
  method: 'POST',
  path: '/leads/batch',
  summary: 'Add leads, each with its own result',
  permissions: ['leads:write'],
  params: noParams,
  query: noQuery,
  body: LeadBatch,
  replies: { 200: dataReply(LeadBatchResult) },
  refusals: ['not_found', 'lead_rate_limited'],
})
