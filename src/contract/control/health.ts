/** Health check: a simulator that answers is ready. */
import * as z from 'zod'
import { endpoint } from '../base/endpoint.js'
import { DateTime } from '../base/date-time.js'
import { noBody, noParams, noQuery } from '../base/empty-body.js'
import { dataReply } from '../base/page.js'

export const Health = z
  .object({
    status: z.literal('ok'),
    version: z.string(),
    now: DateTime,
    base_url: z.url(),
    local_webhooks: z
      .boolean()
      .meta({ description: 'Whether webhook endpoints may have http: addresses and addresses of this machine' }),
  })
  .meta({ id: 'Health' })
export type Health = z.output<typeof Health>

export const getHealth = endpoint({
  id: 'health.get',
  method: 'GET',
  path: '/_sim/health',
  summary: 'Ask whether the simulator is ready',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(Health) },
  refusals: [],
})
