/** A webhook endpoint: an address for events, and its secret. */
import * as z from 'zod'
import { endpoint } from './base/endpoint.js'
import { EventType } from './events.js'
import { Id, Mode, SentId, byId, livemode } from './base/identifiers.js'
import { eventsPerEndpoint, rollGraceHours, rollGraceHoursMax, webhookUrlLength } from './limits.js'
import { DateTime } from './base/date-time.js'
import { noBody, noParams, noQuery } from './base/empty-body.js'
import { dataReply, pageReply } from './base/page.js'

const endpointStatuses = ['active', 'paused'] as const
export const EndpointStatus = z.enum(endpointStatuses).meta({ id: 'WebhookEndpointStatus' })
export type EndpointStatus = z.output<typeof EndpointStatus>

export const WebhookEndpoint = z
  .object({
    id: Id,
    object: z.literal('webhook_endpoint'),
    url: z.url(),
    events: z.array(EventType),
    campaign_ids: z.array(Id).nullable().meta({ description: 'Null is every campaign.' }),
    mode: Mode,
    livemode,
    status: EndpointStatus,
    failing_since: DateTime.nullable(),
    paused_at: DateTime.nullable(),
    last_success_at: DateTime.nullable(),
    previous_secret_expires_at: DateTime.nullable().meta({ description: 'When the old secret stops signing.' }),
    created: DateTime,
    updated: DateTime,
  })
  .meta({ id: 'WebhookEndpoint' })
export type WebhookEndpoint = z.output<typeof WebhookEndpoint>

/** Only creating an endpoint and rolling its secret show the secret (rule W13). */
export const WebhookEndpointWithSecret = WebhookEndpoint.extend({ secret: z.string().regex(/^whsec_/) }).meta({
  id: 'WebhookEndpointWithSecret',
})
export type WebhookEndpointWithSecret = z.output<typeof WebhookEndpointWithSecret>

export const WebhookEndpointResumed = WebhookEndpoint.extend({
  resent: z.int().min(0).meta({ description: 'How many skipped deliveries are sent after all.' }),
}).meta({ id: 'WebhookEndpointResumed' })
export type WebhookEndpointResumed = z.output<typeof WebhookEndpointResumed>

export const WebhookEndpointDeleted = z
  .object({ id: Id, object: z.literal('webhook_endpoint'), deleted: z.literal(true), livemode })
  .meta({ id: 'WebhookEndpointDeleted' })
export type WebhookEndpointDeleted = z.output<typeof WebhookEndpointDeleted>

// The service checks the address itself, because that depends on DNS (rule W1).
const url = z.string().max(webhookUrlLength).meta({ description: 'HTTPS, on the public internet.' })
const events = z.array(EventType).min(1).max(eventsPerEndpoint)
const campaignIds = z.array(SentId).min(1).nullable().optional().meta({ description: 'Null or left out: every one.' })

export const NewWebhookEndpoint = z
  .strictObject({ url, events, campaign_ids: campaignIds })
  .meta({ id: 'NewWebhookEndpoint' })
export type NewWebhookEndpoint = z.output<typeof NewWebhookEndpoint>

export const WebhookEndpointPatch = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    campaign_ids: campaignIds,
    status: EndpointStatus.optional(),
  })
  .meta({ id: 'WebhookEndpointPatch' })
export type WebhookEndpointPatch = z.output<typeof WebhookEndpointPatch>

export const createWebhookEndpoint = endpoint({
  id: 'webhook_endpoints.create',
  method: 'POST',
  path: '/webhook_endpoints',
  summary: 'Have events sent to an address',
  // The endpoint also requires the read permission of every subscribed event.
  permissions: ['webhooks:write'],
  params: noParams,
  query: noQuery,
  body: NewWebhookEndpoint,
  replies: { 201: dataReply(WebhookEndpointWithSecret) },
  refusals: ['not_found', 'limit_reached'],
})

export const listWebhookEndpoints = endpoint({
  id: 'webhook_endpoints.list',
  method: 'GET',
  path: '/webhook_endpoints',
  summary: 'List webhook endpoints',
  permissions: ['webhooks:read'],
  params: noParams,
  query: noQuery,
  body: noBody,
  replies: { 200: pageReply(WebhookEndpoint) },
  refusals: [],
})

export const getWebhookEndpoint = endpoint({
  id: 'webhook_endpoints.get',
  method: 'GET',
  path: '/webhook_endpoints/{id}',
  summary: 'Read a webhook endpoint',
  permissions: ['webhooks:read'],
  params: byId,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(WebhookEndpoint) },
  refusals: [],
})

export const updateWebhookEndpoint = endpoint({
  id: 'webhook_endpoints.update',
  method: 'PATCH',
  path: '/webhook_endpoints/{id}',
  summary: 'Change, pause or resume a webhook endpoint',
  permissions: ['webhooks:write'],
  params: byId,
  query: noQuery,
  body: WebhookEndpointPatch,
  replies: { 200: dataReply(WebhookEndpoint) },
  refusals: [],
})

export const deleteWebhookEndpoint = endpoint({
  id: 'webhook_endpoints.delete',
  method: 'DELETE',
  path: '/webhook_endpoints/{id}',
  summary: 'Delete a webhook endpoint and its deliveries',
  permissions: ['webhooks:write'],
  params: byId,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(WebhookEndpointDeleted) },
  refusals: [],
})

export const rollSecret = endpoint({
  id: 'webhook_endpoints.roll_secret',
  method: 'POST',
  path: '/webhook_endpoints/{id}/roll_secret',
  summary: 'Make a new secret, the old one signing along for a while',
  permissions: ['webhooks:write'],
  params: byId,
  query: noQuery,
  body: z.strictObject({ grace_hours: z.int().min(0).max(rollGraceHoursMax).default(rollGraceHours) }).prefault({}),
  replies: { 200: dataReply(WebhookEndpointWithSecret) },
  refusals: [],
})

export const resumeWebhookEndpoint = endpoint({
  id: 'webhook_endpoints.resume',
  method: 'POST',
  path: '/webhook_endpoints/{id}/resume',
  summary: 'Resume a paused webhook endpoint',
  permissions: ['webhooks:write'],
  params: byId,
  query: noQuery,
  body: z.strictObject({ resend_skipped: z.boolean().default(false) }).prefault({}),
  replies: { 200: dataReply(WebhookEndpointResumed) },
  refusals: [],
})
