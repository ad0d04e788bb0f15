/** Leads as the console shows them: a list with filters, and the story of one lead. */
import * as z from 'zod'
import { Call } from '../calls.js'
import { endpoint } from '../base/endpoint.js'
import { DateTime } from '../base/date-time.js'
import { noBody, noParams, noQuery } from '../base/empty-body.js'
import { Id, SentId, byId } from '../base/identifiers.js'
import { Outcome } from '../base/outcomes.js'
import { PageMeta, dataReply, limit, startingAfter } from '../base/page.js'
import { HeldReason, Lead, LeadStatus, ScheduledReason } from '../leads.js'
import { Event } from '../events.js'
import { SimulatedDelivery } from './records.js'
import { tenantScope } from './tenant-scope.js'

const searchLength = 200
const usualLeads = 50

export const WaitingReason = z.enum([...ScheduledReason.options, ...HeldReason.options]).meta({ id: 'WaitingReason' })
export type WaitingReason = z.output<typeof WaitingReason>

export const ListedLead = z
  .object({
    id: Id,
    campaign_id: Id,
    name: z.string().nullable(),
    phone: z.string(),
    external_id: z.string().nullable(),
    status: LeadStatus,
    reason: WaitingReason.nullable().meta({ description: 'Why it waits, if it is scheduled or held.' }),
    next_at: DateTime.nullable().meta({ description: 'When it can be called, or is called back.' }),
    call_now: z.boolean(),
    late: z.boolean(),
    attempts: z.int().min(0),
    last_outcome: Outcome.nullable(),
    updated: DateTime,
  })
  .meta({ id: 'ListedLead' })
export type ListedLead = z.output<typeof ListedLead>

export const listLeadsInApp = endpoint({
  id: 'leads.search',
  method: 'GET',
  path: '/_sim/leads',
  summary: 'List leads by status, campaign, reason to wait, or text',
  permissions: [],
  params: noParams,
  query: z.object({
    status: LeadStatus.optional(),
    campaign_id: SentId.optional(),
    reason: WaitingReason.optional(),
    text: z
      .string()
      .max(searchLength)
      .optional()
      .meta({ description: 'Part of a name, a phone number or an external_id, or an id.' }),
    limit: limit(usualLeads),
    starting_after: startingAfter,
    ...tenantScope,
  }),
  body: noBody,
  replies: {
    200: z.object({
      data: z.array(ListedLead),
      meta: PageMeta.extend({
        is_partial: z.boolean().meta({
          description: 'True if the search stopped early. Continue it with next_cursor, even if the page is not full.',
        }),
      }),
    }),
  },
  refusals: ['not_found'],
})

export const StoryItem = z
  .object({
    at: DateTime,
    kind: z.enum(['event', 'call', 'delivery', 'dnc']),
    what: z.string().meta({ description: 'What happened, in words.' }),
    event: Event.optional(),
    call_id: Id.optional(),
    delivery: SimulatedDelivery.optional(),
    url: z.string().optional().meta({ description: 'Where a delivery went.' }),
  })
  .meta({ id: 'StoryItem' })
export type StoryItem = z.output<typeof StoryItem>

export const LeadStory = z
  .object({
    lead: Lead,
    organization_id: z.string(),
    campaign: z.object({ id: Id, name: z.string() }),
    calls: z.array(Call).meta({ description: 'The latest calls, newest first.' }),
    items: z.array(StoryItem).meta({ description: 'What happened, oldest first.' }),
  })
  .meta({ id: 'LeadStory' })
export type LeadStory = z.output<typeof LeadStory>

export const getLeadStory = endpoint({
  id: 'leads.story',
  method: 'GET',
  path: '/_sim/leads/{id}/story',
  summary: 'Read what happened to a lead: events, calls and deliveries on one time line',
  permissions: [],
  params: byId,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(LeadStory) },
  refusals: [],
})
