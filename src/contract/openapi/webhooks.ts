/** The events as the document's webhooks: what a receiver is sent, and what it has to answer. */
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

const parameters = Object.entries(sentHeaders).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}))

export function webhooks(schemas: Schemas): Json {
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
        responses: {
          '2XX': { description: `Taken, within ${webhookAnswerSeconds} seconds.` },
          default: { description: 'Not taken: it is sent again later.' },
        },
      }
      return [type, { post }]
    }),
  )
}
