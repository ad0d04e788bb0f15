/** Faults that change the next matching API requests or webhook attempts. */
import * as z from 'zod'
import { endpoint } from '../base/endpoint.js'
import { noBody, noParams, noQuery } from '../base/empty-body.js'
import { Id, SentId } from '../base/identifiers.js'
import { dataReply } from '../base/page.js'
import { ErrorCode } from '../errors/error-codes.js'
import { Length } from './clock.js'
import { Glob } from './glob.js'

const dayMs = 86_400_000
const requestFields = {
  to: z.literal('requests').optional(),
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']).optional(),
  path: Glob.optional().meta({ description: 'A glob, below the base address.' }),
  latency_ms: z.int().min(0).max(dayMs).optional(),
  status: z.int().min(400).max(599).optional(),
  code: ErrorCode.optional(),
  drop: z.boolean().optional().meta({ description: 'The connection is cut instead of answered.' }),
  after_commit: z.boolean().optional().meta({ description: 'Only after the work was done.' }),
}

/** Maximum number of copies of one attempt. */
export const webhookCopiesMost = 10

const webhookFields = {
  to: z.literal('webhooks'),
  endpoint_id: SentId.optional().meta({ description: 'A webhook endpoint; any when left out.' }),
  event: Glob.optional().meta({ description: 'A type of event, or a glob such as call.*; any when left out.' }),
  duplicate: z.int().min(1).max(webhookCopiesMost).optional().meta({ description: 'Number of extra copies sent.' }),
  delay: Length.optional().meta({ description: 'Send that much later, in simulated time.' }),
  reorder: z
    .literal(true)
    .optional()
    .meta({ description: 'Send after the next delivery to that endpoint, or after one simulated minute.' }),
  drop: z.literal(true).optional().meta({ description: 'Lose the request; the attempt fails with network_error.' }),
  corrupt_signature: z.literal(true).optional().meta({ description: 'Send a signature that does not fit.' }),
  stale: Length.optional().meta({ description: 'Sign with a time that old.' }),
}
const count = z.int().min(1)
const newCount = count.default(1)

export const NewRequestFault = z
  .strictObject({
    ...requestFields,
    count: newCount.meta({ description: 'Number of requests that the fault affects.' }),
  })
  .meta({ id: 'NewRequestFault' })
export type NewRequestFault = z.output<typeof NewRequestFault>

export const NewWebhookFault = z
  .strictObject({
    ...webhookFields,
    count: newCount.meta({ description: 'Number of attempts that the fault affects.' }),
  })
  .meta({ id: 'NewWebhookFault', description: 'Send exactly one fault, from duplicate to stale.' })
export type NewWebhookFault = z.output<typeof NewWebhookFault>

export const NewFault = z
  .discriminatedUnion('to', [NewRequestFault, NewWebhookFault], { error: 'send requests or webhooks' })
  .meta({ id: 'NewFault' })
export type NewFault = z.output<typeof NewFault>

const id = z.string().meta({ description: 'Names the fault until it has affected its requests.' })
export const RequestFault = z.object({ id, ...requestFields, count }).meta({ id: 'RequestFault' })
export const WebhookFault = z
  .object({ id, ...webhookFields, endpoint_id: Id.optional(), count })
  .meta({ id: 'WebhookFault' })
export const Fault = z.discriminatedUnion('to', [RequestFault, WebhookFault]).meta({ id: 'Fault' })
export type Fault = z.output<typeof Fault>

export const addFault = endpoint({
  id: 'faults.add',
  method: 'POST',
  path: '/_sim/faults',
  summary: 'Inject a fault into the next matching requests or webhooks',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: NewFault,
  replies: { 201: dataReply(Fault) },
  refusals: ['not_found'],
})

export const listFaults = endpoint({
  id: 'faults.list',
  method: 'GET',
  path: '/_sim/faults',
  summary: 'List the faults that wait',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: noBody,
  replies: { 200: z.object({ data: z.array(Fault) }) },
  refusals: [],
})

export const removeFault = endpoint({
  id: 'faults.remove_one',
  method: 'DELETE',
  path: '/_sim/faults/{id}',
  summary: 'Remove one fault that waits',
  permissions: [],
  params: z.object({ id: z.string() }),
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(Fault) },
  refusals: [],
})

export const removeFaults = endpoint({
  id: 'faults.remove',
  method: 'DELETE',
  path: '/_sim/faults',
  summary: 'Remove all faults that wait, and send the webhooks they hold back',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(z.object({ removed: z.int().min(0) })) },
  refusals: [],
})
