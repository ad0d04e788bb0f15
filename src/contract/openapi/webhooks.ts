/** The events as the document's webhooks: the request to the receiver, and the answer it must give. */
import { Event } from '../events.js'
import { webhookAnswerSeconds } from '../limits.js'
import type { Json, Schemas } from './schemas.js'

const sentHeaders = {
  'Service-Signature': 'The signing time and one or two signatures: t=<unix seconds>,v1=<hex>.',
  'Service-Event-Id': "The event's id; skip one already handled.",
  'Service-Event-Type': 'The type of the event.',
  'Service-Delivery-Id': 'The id of this delivery; a resend has another.',
  'Service-Delivery-Attempt': '1 the first time.',
} as const

const nameOf = (header: string): string => header.replaceAll('-', '')

/** The headers of a delivery, as shared parameters. */
export const deliveryParameters: Json = Object.fromEntries(
  Object.entries(sentHeaders).map(([name, description]) => [
    nameOf(name),
    { name, in: 'header', required: true, description, schema: { type: 'string' } },
  ]),
)

/** The answers of a receiver, as shared responses. */
export const deliveryResponses: Json = {
  Taken: { description: `Taken, within ${webhookAnswerSeconds} seconds.` },
  NotTaken: { description: 'Not taken. The event is sent again later.' },
}

const parameters = Object.keys(sentHeaders).map((name) => ({ $ref: `#/components/parameters/${nameOf(name)}` }))
const responses = {
  '2XX': { $ref: '#/components/responses/Taken' },
  default: { $ref: '#/components/responses/NotTaken' },
}

export function describeWebhooks(schemas: Schemas): Json {
  return Object.fromEntries(
    Event.options.map((event) => {
      const type = event.shape.type.value
      const post = {
        operationId: `receive.${type}`,
        summary: `Receive ${type}`,
        tags: ['events'],
        security: [],
        parameters,
        requestBody: { required: true, content: { 'application/json': { schema: schemas.of(event) } } },
        responses,
      }
      return [type, { post }]
    }),
  )
}
