/** What an organization used in a month, and the cost (rules X3 and X4). */
import * as z from 'zod'
import { endpoint } from './base/endpoint.js'
import { Id, livemode } from './base/identifiers.js'
import { Day, DateTime, Month } from './base/date-time.js'
import { noBody, noParams } from './base/empty-body.js'
import { dataReply } from './base/page.js'
import { usageGroupings } from './enums.js'

export const UsageGrouping = z.enum(usageGroupings).meta({ id: 'UsageGrouping' })
export type UsageGrouping = z.output<typeof UsageGrouping>

const count = z.int().min(0)
const counts = {
  requests: count,
  leads_added: count,
  calls: count,
  calls_connected: count,
  minutes: count.meta({ description: 'Every call rounded up, as on the bill.' }),
  cost_usd: z.number().min(0),
}

export const UsageCounts = z.object(counts).meta({ id: 'UsageCounts' })
export type UsageCounts = z.output<typeof UsageCounts>

export const UsageGroup = z
  .union([
    z
      .object({
        key_id: z
          .string()
          .nullable()
          .meta({ description: 'Null: what no key brought, such as leads loaded in the app.' }),
        key_name: z.string().nullable(),
        ...counts,
      })
      .meta({ id: 'UsageOfKey' }),
    z.object({ campaign_id: Id, campaign_name: z.string(), ...counts }).meta({ id: 'UsageOfCampaign' }),
    z.object({ day: Day, ...counts }).meta({ id: 'UsageOfDay' }),
  ])
  .meta({ id: 'UsageGroup' })
export type UsageGroup = z.output<typeof UsageGroup>

export const Usage = z
  .object({
    object: z.literal('usage'),
    period: Month,
    timezone: z.string().meta({ description: "The organization's time zone, which its months follow." }),
    livemode,
    totals: UsageCounts,
    group_by: UsageGrouping.nullable(),
    groups: z.array(UsageGroup),
    updated: DateTime.nullable().meta({ description: 'When the numbers were last counted.' }),
  })
  .meta({ id: 'Usage' })
export type Usage = z.output<typeof Usage>

export const getUsage = endpoint({
  id: 'usage.get',
  method: 'GET',
  path: '/usage',
  summary: 'Read what was used in a month',
  permissions: ['usage:read'],
  params: noParams,
  query: z.object({
    period: z.union([z.literal('current'), Month], { error: 'send current, or a month as YYYY-MM' }).default('current'),
    group_by: UsageGrouping.optional(),
  }),
  body: noBody,
  replies: { 200: dataReply(Usage) },
  refusals: [],
})
