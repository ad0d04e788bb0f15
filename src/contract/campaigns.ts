/** A campaign: its calling hours, lines and limits, and the endpoints that list and change campaigns. */
import * as z from 'zod'
import { CallingHours } from './base/calling-hours.js'
import { endpoint } from './base/endpoint.js'
import { Id, PathId, byId, livemode } from './base/identifiers.js'
import { campaignsPageSize } from './limits.js'
import { DateTime } from './base/date-time.js'
import { CampaignLead, CampaignLeadBatch, LeadAccepted, LeadBatchResult, newLeadErrors } from './new-leads.js'
import { noBody, noParams, noQuery } from './base/empty-body.js'
import { limit, dataReply, pageReply, startingAfter } from './base/page.js'
import { campaignStatuses } from './enums.js'

export const CampaignStatus = z.enum(campaignStatuses).meta({ id: 'CampaignStatus' })
export type CampaignStatus = z.output<typeof CampaignStatus>

export const Campaign = z
  .object({
    id: Id,
    object: z.literal('campaign'),
    name: z.string(),
    status: CampaignStatus,
    lines: z.int().min(0).meta({ description: 'How many calls it makes at a time.' }),
    calling_hours: CallingHours,
    any_hour: z.boolean(),
    consent_required: z.boolean(),
    call_now_default: z.boolean(),
    late_after_minutes: z.int().min(1),
    duplicate_window_days: z.int().min(0),
    max_attempts: z.int().min(1),
    retire_after_failures: z.int().min(1),
    spend_cap_usd: z.number().nullable(),
    spent_usd: z.number(),
    created: DateTime,
    updated: DateTime,
    livemode,
  })
  .meta({ id: 'Campaign' })
export type Campaign = z.output<typeof Campaign>

const byCampaign = z.object({ campaignId: PathId })

export const listCampaigns = endpoint({
  id: 'campaigns.list',
  method: 'GET',
  path: '/campaigns',
  summary: 'List campaigns',
  permissions: ['campaigns:read'],
  params: noParams,
  query: z.object({
    limit: limit(campaignsPageSize),
    starting_after: startingAfter,
    status: CampaignStatus.optional(),
  }),
  body: noBody,
  replies: { 200: pageReply(Campaign) },
  refusals: [],
})

export const getCampaign = endpoint({
  id: 'campaigns.get',
  method: 'GET',
  path: '/campaigns/{id}',
  summary: 'Read a campaign',
  permissions: ['campaigns:read'],
  params: byId,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(Campaign) },
  refusals: [],
})

export const startCampaign = endpoint({
  id: 'campaigns.start',
  method: 'POST',
  path: '/campaigns/{id}/start',
  summary: 'Start a campaign, or go on with a paused one',
  permissions: ['campaigns:write'],
  params: byId,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(Campaign) },
  refusals: ['campaign_closed'],
})

export const pauseCampaign = endpoint({
  id: 'campaigns.pause',
  method: 'POST',
  path: '/campaigns/{id}/pause',
  summary: 'Pause a campaign',
  permissions: ['campaigns:write'],
  params: byId,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(Campaign) },
  refusals: ['campaign_closed'],
})

export const createCampaignLead = endpoint({
  id: 'campaigns.create_lead',
  method: 'POST',
  path: '/campaigns/{campaignId}/leads',
  summary: 'Add a lead to this campaign',
  permissions: ['leads:write'],
  params: byCampaign,
  query: noQuery,
  body: CampaignLead,
  replies: { 201: dataReply(LeadAccepted), 200: dataReply(LeadAccepted) },
  refusals: newLeadErrors,
})

export const createCampaignLeads = endpoint({
  id: 'campaigns.create_leads',
  method: 'POST',
  path: '/campaigns/{campaignId}/leads/batch',
  summary: 'Add leads to this campaign, each with its own result',
  permissions: ['leads:write'],
  params: byCampaign,
  query: noQuery,
  body: CampaignLeadBatch,
  replies: { 200: dataReply(LeadBatchResult) },
  refusals: ['lead_rate_limited'],
})
