/** Campaigns, as people create and change them in the app. */
import * as z from 'zod'
import { SentCallingHours } from '../base/calling-hours.js'
import { Campaign, CampaignStatus } from '../campaigns.js'
import { endpoint } from '../base/endpoint.js'
import { byId } from '../base/identifiers.js'
import { noParams, noQuery } from '../base/empty-body.js'
import { dataReply } from '../base/page.js'
import { tenantScope } from './tenant-scope.js'

/** The API's Campaign. Campaigns belong to both modes, so `livemode` may be left out. */
export const CampaignInWorld = Campaign.partial({ livemode: true }).meta({ id: 'CampaignInWorld' })
export type CampaignInWorld = z.output<typeof CampaignInWorld>

const name = z.string().min(1)
const yearMinutes = 525_600
const centuryDays = 36_525

export const CampaignSettings = z.strictObject({
  status: CampaignStatus.optional(),
  lines: z.int().min(0).optional(),
  calling_hours: SentCallingHours.optional(),
  any_hour: z.boolean().optional(),
  consent_required: z.boolean().optional(),
  call_now_default: z.boolean().optional(),
  late_after_minutes: z.int().min(1).max(yearMinutes).optional(),
  duplicate_window_days: z.int().min(0).max(centuryDays).optional(),
  max_attempts: z.int().min(1).optional(),
  retire_after_failures: z.int().min(1).optional(),
  spend_cap_usd: z.number().min(0).nullable().optional(),
})
export type CampaignSettings = z.output<typeof CampaignSettings>

export const createCampaign = endpoint({
  id: 'campaigns.create',
  method: 'POST',
  path: '/_sim/campaigns',
  summary: 'Make a campaign',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: CampaignSettings.extend({ organization_id: tenantScope.organization_id, name }),
  replies: { 201: dataReply(CampaignInWorld) },
  refusals: ['not_found'],
})

export const updateCampaign = endpoint({
  id: 'campaigns.update',
  method: 'PATCH',
  path: '/_sim/campaigns/{id}',
  summary: 'Change a campaign',
  permissions: [],
  params: byId,
  query: noQuery,
  body: CampaignSettings.extend({ name: name.optional() }),
  replies: { 200: dataReply(CampaignInWorld) },
  refusals: [],
})
