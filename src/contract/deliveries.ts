/** A delivery: one event for one webhook endpoint. */
import * as z from 'zod'
import { endpoint } from './base/endpoint.js'
import { Event, EventType } from './events.js'
import { Id, PathId, byId, livemode } from './base/identifiers.js'
import { deliveriesPageSize, webhookTries } from './limits.js'
import { DateTime } from './base/date-time.js'
import { noBody, noQuery } from './base/empty-body.js'
import { limit, dataReply, pageReply, startingAfter } from './base/page.js'
import { deliveryStatuses } from './enums.js'

export const DeliveryStatus = z.enum(deliveryStatuses).meta({ id: 'DeliveryStatus' })
export type DeliveryStatus = z.output<typeof DeliveryStatus>

export const Delivery = z
  .object({
    id: z.string(),
    object: z.literal('webhook_delivery'),
    endpoint_id: Id,
    event_id: z.string().nullable(),
    event_type: EventType,
    status: DeliveryStatus,
    attempts: z.int().min(0).max(webhookTries),
    next_attempt_at: DateTime.nullable(),
    last_attempt_at: DateTime.nullable(),
    response_status: z.int().nullable(),
    response_body: z.string().nullable().meta({ description: 'The first 4 KB of what the receiver answered.' }),
    duration_ms: z.int().nullable(),
    resent_from: z.string().nullable(),
    created: DateTime,
    livemode,
  })
  .meta({ id: 'WebhookDelivery' })
export type Delivery = z.output<typeof Delivery>

export const SampleDelivery = Delivery.extend({ event: Event }).meta({ id: 'WebhookSampleDelivery' })
export type SampleDelivery = z.output<typeof SampleDelivery>

export const testWebhookEndpoint = endpoint({
  id: 'webhook_endpoints.test',
  method: 'POST',
  path: '/webhook_endpoints/{id}/test',
  summary: 'Send a sample event',
  permissions: ['webhooks:write'],
  params: byId,
  query: noQuery,
  body: z.strictObject({ type: EventType }),
  replies: { 202: dataReply(SampleDelivery) },
  refusals: ['endpoint_paused'],
})

export const listDeliveries = endpoint({
  id: 'webhook_endpoints.list_deliveries',
  method: 'GET',
  path: '/webhook_endpoints/{id}/deliveries',
  summary: 'List what was sent to a webhook endpoint',
  permissions: ['webhooks:read'],
  params: byId,
  query: z.object({
    limit: limit(deliveriesPageSize),
    starting_after: startingAfter,
    status: DeliveryStatus.optional(),
  }),
  body: noBody,
  replies: { 200: pageReply(Delivery) },
  refusals: [],
})

export const resendDelivery = endpoint({
  id: 'webhook_endpoints.resend_delivery',
  method: 'POST',
  path: '/webhook_endpoints/{id}/deliveries/{delivery_id}/resend',
  summary: 'Send an event once more',
  permissions: ['webhooks:write'],
  params: byId.extend({ delivery_id: PathId }),
  query: noQuery,
  body: noBody,
  replies: { 202: dataReply(Delivery) },
  refusals: ['endpoint_paused'],
})
