/** Figures: calls, answers, minutes and cost by hour or day, and the results of calls and deliveries. */
import * as z from 'zod'
import { endpoint } from '../base/endpoint.js'
import { DateTime, DateTimeInput } from '../base/date-time.js'
import { noBody, noParams } from '../base/empty-body.js'
import { Outcome } from '../base/outcomes.js'
import { dataReply } from '../base/page.js'
import { DeliveryStatus } from '../deliveries.js'
import { tenantScope } from './tenant-scope.js'

const count = z.int().min(0)

export const FigureBucket = z
  .object({
    start: DateTime,
    label: z.string().meta({ description: 'The hour or the day, in the time zone of the organization.' }),
    calls: count,
    calls_connected: count,
    minutes: count,
    cost_usd: z.number().min(0),
    leads_added: count,
    requests: count,
  })
  .meta({ id: 'FigureBucket' })
export type FigureBucket = z.output<typeof FigureBucket>

export const Figures = z
  .object({
    from: DateTime,
    to: DateTime,
    by: z.enum(['hour', 'day']),
    time_zone: z.string(),
    buckets: z.array(FigureBucket).meta({ description: 'Every hour or day of the range, also empty ones.' }),
    outcomes: z.array(z.object({ outcome: Outcome, calls: count })).meta({ description: 'Most frequent first.' }),
    deliveries: z.array(z.object({ status: DeliveryStatus, deliveries: count })),
  })
  .meta({ id: 'Figures' })
export type Figures = z.output<typeof Figures>

export const getFigures = endpoint({
  id: 'figures.get',
  method: 'GET',
  path: '/_sim/figures',
  summary: 'Read calls, minutes, cost and results by hour or day',
  permissions: [],
  params: noParams,
  query: z.object({
    from: DateTimeInput.optional().meta({ description: 'By default 24 hours ago by hour, 30 days ago by day.' }),
    to: DateTimeInput.optional().meta({ description: 'Now, if left out.' }),
    by: z.enum(['hour', 'day']).default('hour'),
    ...tenantScope,
  }),
  body: noBody,
  replies: { 200: dataReply(Figures) },
  refusals: ['not_found'],
})
