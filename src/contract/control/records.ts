/** Records for inspection: requests, e-mails and deliveries, and the live event stream. */
import * as z from 'zod'
import { Delivery, DeliveryStatus } from '../deliveries.js'
import { endpoint } from '../base/endpoint.js'
import { Mode, byId } from '../base/identifiers.js'
import { DateTime } from '../base/date-time.js'
import { noBody, noParams, noQuery } from '../base/empty-body.js'
import { dataReply, limit } from '../base/page.js'
import { failureReasons, webhookFaults } from '../enums.js'
import { Glob, globLength } from './glob.js'

const usualRecords = 100
const mostRecords = 1_000
/** Maximum number of globs in one filter. */
const globsMost = 50

/** A list of the newest items, at most the number asked for. It has no next page. */
const newestList = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item) })

const LoggedBody = z
  .unknown()
  .meta({ description: 'As JSON where it is JSON, else as text; null where there was none.' })

export const LoggedRequest = z
  .object({
    id: z.string().meta({ description: 'The Request-Id.' }),
    at: DateTime,
    key_id: z.string().nullable(),
    method: z.string(),
    path: z.string().meta({ description: 'Below the base address, with the query.' }),
    status: z.int().nullable().meta({ description: 'Null where the connection was cut.' }),
    duration_ms: z.number().min(0),
    request_body: LoggedBody,
    response_body: LoggedBody,
    error_code: z.string().nullable().meta({ description: 'The code of the error in the reply.' }),
    fault: z.string().nullable().meta({ description: 'The injected fault that affected the request.' }),
    ignored_query: z.array(z.string()).optional().meta({ description: 'Query parameters the endpoint does not know.' }),
  })
  .meta({ id: 'LoggedRequest', description: 'An API request as it was answered, secrets masked.' })
export type LoggedRequest = z.output<typeof LoggedRequest>

export const Notification = z
  .object({
    id: z.string(),
    at: DateTime,
    organization_id: z.string(),
    to: z.array(z.string()),
    subject: z.string(),
    body: z.string(),
  })
  .meta({ id: 'Notification', description: 'An e-mail the service would have sent.' })
export type Notification = z.output<typeof Notification>

export const listRequests = endpoint({
  id: 'records.list_requests',
  method: 'GET',
  path: '/_sim/requests',
  summary: 'List the last API requests',
  permissions: [],
  params: noParams,
  query: z.object({
    limit: limit(usualRecords, mostRecords),
    path: Glob.optional().meta({ description: 'A glob, below the base address.' }),
    status: z.int().optional(),
    key_id: z.string().optional(),
  }),
  body: noBody,
  replies: { 200: newestList(LoggedRequest) },
  refusals: [],
})

export const listNotifications = endpoint({
  id: 'records.list_notifications',
  method: 'GET',
  path: '/_sim/notifications',
  summary: 'List the e-mails the service would have sent',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: noBody,
  replies: { 200: newestList(Notification) },
  refusals: [],
})

export const SimulatedDelivery = Delivery.extend({
  error: z.enum(failureReasons).nullable().meta({ description: 'Why the last attempt had no answer.' }),
  fault: z.enum(webhookFaults).nullable().meta({ description: 'The fault injected into the last attempt.' }),
}).meta({ id: 'SimulatedDelivery' })
export type SimulatedDelivery = z.output<typeof SimulatedDelivery>

export const listAllDeliveries = endpoint({
  id: 'records.list_deliveries',
  method: 'GET',
  path: '/_sim/deliveries',
  summary: 'List the deliveries of all webhook endpoints',
  permissions: [],
  params: noParams,
  query: z.object({ limit: limit(usualRecords, mostRecords), status: DeliveryStatus.optional() }),
  body: noBody,
  replies: { 200: newestList(SimulatedDelivery) },
  refusals: [],
})

export const DeliveryTry = z
  .object({
    number: z.int().min(1),
    at: DateTime,
    response_status: z.int().nullable(),
    error: z.enum(failureReasons).nullable(),
    fault: z.enum(webhookFaults).nullable(),
    duration_ms: z.int().min(0),
  })
  .meta({ id: 'DeliveryTry' })
export type DeliveryTry = z.output<typeof DeliveryTry>

export const DeliveryDetails = SimulatedDelivery.extend({
  url: z.string(),
  tries: z.array(DeliveryTry).meta({ description: 'Every attempt, oldest first.' }),
  retries_at: z.array(DateTime).meta({ description: 'When further attempts follow if none succeeds.' }),
  hint: z.string().nullable().meta({ description: 'What to do about the failure.' }),
  request: z
    .object({ headers: z.record(z.string(), z.string()), body: z.string() })
    .nullable()
    .meta({
      description: 'The request as it would be sent now, with a fresh signature. Null if its event is deleted.',
    }),
}).meta({ id: 'DeliveryDetails' })
export type DeliveryDetails = z.output<typeof DeliveryDetails>

export const getDelivery = endpoint({
  id: 'records.get_delivery',
  method: 'GET',
  path: '/_sim/deliveries/{id}',
  summary: 'Read a delivery with its request and all its attempts',
  permissions: [],
  params: byId,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(DeliveryDetails) },
  refusals: [],
})

export const stream = endpoint({
  id: 'records.stream',
  method: 'GET',
  path: '/_sim/stream',
  summary: 'Follow events, lead and call transitions and delivery attempts as they happen',
  permissions: [],
  params: noParams,
  query: z.object({
    types: z
      .string()
      .refine(
        (types) => types.length < 10_000 && types.split(',').every((type) => type.trim().length <= globLength),
        `Each glob has at most ${globLength} characters.`,
      )
      .refine((types) => types.split(',').length <= globsMost, `Name at most ${globsMost} globs.`)
      .optional()
      .meta({
        description:
          'Names or kinds to let through, with commas between; globs. Names: the event types, transition.lead, ' +
          'transition.call, delivery.attempt, and world.replaced (a reset, or a snapshot put back), which is let through ' +
          'only where it is named. Kinds: event, transition, delivery, world.',
      }),
    mode: Mode.optional(),
    organization_id: z.string().optional(),
  }),
  body: noBody,
  replies: { 200: z.string().meta({ contentMediaType: 'text/event-stream' }) },
  refusals: [],
})
