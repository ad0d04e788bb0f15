/** The pulse: a short, regular report of what the simulator does, for pages that show it live. */
import * as z from 'zod'
import { endpoint } from '../base/endpoint.js'
import { DateTime } from '../base/date-time.js'
import { noBody, noParams } from '../base/empty-body.js'
import { Id } from '../base/identifiers.js'
import { CampaignStatus } from '../campaigns.js'
import { leadStatuses } from '../enums.js'
import { Clock } from './clock.js'
import { tenantScope } from './tenant-scope.js'

export const LineCall = z
  .object({
    id: Id,
    lead_id: Id.nullable(),
    who: z.string().meta({ description: 'The name of the lead, or the phone number.' }),
    direction: z.enum(['inbound', 'outbound']),
    status: z.enum(['ringing', 'in_progress', 'ended']),
    started: DateTime,
  })
  .meta({ id: 'LineCall' })
export type LineCall = z.output<typeof LineCall>

export const CampaignLines = z
  .object({
    campaign_id: Id,
    name: z.string(),
    status: CampaignStatus,
    lines: z.int().min(0),
    busy: z.int().min(0),
    queued: z.int().min(0),
    calls: z.array(LineCall).meta({ description: 'Calls on the lines, some of them if there are many.' }),
  })
  .meta({ id: 'CampaignLines' })
export type CampaignLines = z.output<typeof CampaignLines>

export const FeedItem = z
  .object({
    id: z.string(),
    at: DateTime,
    type: z.string().meta({ description: 'An event type, or delivery.attempt.' }),
    who: z.string().nullable(),
    lead_id: Id.nullable(),
    detail: z.string().nullable().meta({ description: 'The outcome of a call, or the result of an attempt.' }),
  })
  .meta({ id: 'FeedItem' })
export type FeedItem = z.output<typeof FeedItem>

export const AwaitedReceiver = z
  .object({
    url: z.string(),
    event_type: z.string(),
    delivery_id: z.string(),
    seconds: z.number().min(0).meta({ description: 'In system time.' }),
  })
  .meta({ id: 'AwaitedReceiver' })
export type AwaitedReceiver = z.output<typeof AwaitedReceiver>

export const Push = z
  .object({
    from: DateTime,
    to: DateTime,
    waits_for: z.array(AwaitedReceiver).meta({ description: 'Webhook receivers that have not answered yet.' }),
  })
  .meta({ id: 'Push', description: 'An advance of the clock that is under way.' })
export type Push = z.output<typeof Push>

export const Pulse = Clock.extend({
  version: z.string(),
  run: z.string().meta({ description: 'Differs after a restart, a reset and a restored snapshot.' }),
  leads: z
    .object(Object.fromEntries(leadStatuses.map((status) => [status, z.int().min(0)])))
    .meta({ description: 'How many leads have each status.' }),
  lines: z.array(CampaignLines),
  next_at: DateTime.nullable().meta({ description: 'When something is due next.' }),
  push: Push.nullable(),
  calls_per_second: z.number().min(0).meta({ description: 'Calls that ended, per second of system time.' }),
  events_per_second: z.number().min(0).meta({ description: 'Events, per second of system time.' }),
  request_count: z.int().min(0).meta({ description: 'API requests that were logged since the start.' }),
  change_count: z.int().min(0).meta({
    description:
      'Control requests since the start that may have changed something. Each may be a reason to read again.',
  }),
  feed: z.array(FeedItem).meta({ description: 'The latest events and attempts, oldest first.' }),
  feed_count: z
    .int()
    .min(0)
    .meta({ description: 'How many the stream has counted. It begins with the latest stored events.' }),
}).meta({ id: 'Pulse' })
export type Pulse = z.output<typeof Pulse>

export const pulse = endpoint({
  id: 'pulse.follow',
  method: 'GET',
  path: '/_sim/pulse',
  summary: 'Follow the clock, the counts and the lines of one organization and mode, at most 4 times a second',
  permissions: [],
  params: noParams,
  query: z.object(tenantScope),
  body: noBody,
  replies: { 200: z.string().meta({ contentMediaType: 'text/event-stream' }) },
  refusals: ['not_found'],
})
