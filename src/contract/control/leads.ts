/** Leads, as people load and move them in the app. */
import * as z from 'zod'
import { endpoint } from '../base/endpoint.js'
import { Id, SentId, byId } from '../base/identifiers.js'
import { Lead } from '../leads.js'
import { DateTimeInput } from '../base/date-time.js'
import { leadFields } from '../new-leads.js'
import { noBody, noParams, noQuery } from '../base/empty-body.js'
import { dataReply } from '../base/page.js'
import { tenantScope } from './tenant-scope.js'

export const LoadedLead = z.strictObject({ ...leadFields, lead_source: z.string().optional() })
export type LoadedLead = z.output<typeof LoadedLead>

export const loadLeads = endpoint({
  id: 'leads.load',
  method: 'POST',
  path: '/_sim/leads',
  summary: 'Load leads in the app',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: z.strictObject({ campaign_id: SentId, ...tenantScope, leads: z.array(LoadedLead) }),
  replies: { 201: dataReply(z.object({ ids: z.array(Id) })) },
  refusals: [
    'invalid_phone',
    'number_not_allowed',
    'on_dnc_list',
    'number_retired',
    'duplicate_lead',
    'campaign_closed',
    'not_found',
  ],
})

export const takeOutLead = endpoint({
  id: 'leads.take_out',
  method: 'POST',
  path: '/_sim/leads/{id}/take_out',
  summary: 'Take a lead out of the dialing queue',
  permissions: [],
  params: byId,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(Lead) },
  refusals: [],
})

/** Errors that keep a lead from going back to the queue. */
const backInQueueRefusals = ['on_dnc_list', 'number_retired', 'campaign_closed', 'lead_busy'] as const

export const putBackLead = endpoint({
  id: 'leads.put_back',
  method: 'POST',
  path: '/_sim/leads/{id}/put_back',
  summary: 'Put a lead back in the dialing queue',
  permissions: [],
  params: byId,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(Lead) },
  refusals: backInQueueRefusals,
})

export const updateLeadInApp = endpoint({
  id: 'leads.update',
  method: 'PATCH',
  path: '/_sim/leads/{id}',
  summary: 'Set when a lead is dialed next',
  permissions: [],
  params: byId,
  query: noQuery,
  body: z.strictObject({ next_dial_at: DateTimeInput }),
  replies: { 200: dataReply(Lead) },
  refusals: backInQueueRefusals,
})
