/** Compares a simulator's endpoints and deliveries, and the requests of its receivers, with the model of both. */
import Stripe from 'stripe'
import { expect } from 'vitest'
import type { Delivery } from '../../../src/contract/deliveries.js'
import type { Event } from '../../../src/contract/events.js'
import type { WebhookEndpoint } from '../../../src/contract/webhook-endpoints.js'
import type { DeliveryModel, ModelDelivery, ModelEndpoint } from './delivery-model.js'
import type { Received } from './receiver.js'

export interface SeenTry extends Received {
  /** On the simulated clock; null if the clock was not read. */
  simulatedAt: number | null
  machineAt: number
}

interface Seen {
  model: DeliveryModel
  /** One entry per endpoint of the model, in its order. Deliveries are oldest first. */
  seen: readonly { endpoint: WebhookEndpoint; url: string; deliveries: readonly Delivery[] }[]
  /** Every event and sample so far. */
  events: ReadonlyMap<string, Event>
  /** The bytes that each event was first sent with. */
  bodies: Map<string, Buffer>
  /** Attempts since the last comparison. */
  tries: readonly SeenTry[]
}

type Known = ReadonlyMap<string, { delivery: ModelDelivery; endpoint: ModelEndpoint }>

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

export function compare({ model, seen, events, bodies, tries }: Seen): void {
  const known = new Map<string, { delivery: ModelDelivery; endpoint: ModelEndpoint }>()
  for (const [n, endpoint] of model.endpoints.entries()) {
    const { endpoint: words, url, deliveries = [] } = seen[n] ?? {}
    expect(words).toMatchObject({ ...wordsOfEndpoint(endpoint, model.now), url })
    for (const [place, delivery] of endpoint.deliveries.entries()) {
      const one = deliveries[place]
      if (!one) throw new Error(`delivery ${place} of ${endpoint.id} is lost`)
      expect(model.adopt(delivery, one), `what a pause left: ${JSON.stringify(one)}`).toBe(true)
      known.set(one.id, { delivery, endpoint })
    }
    const ids = deliveries.map(({ id }) => id)
    expect(deliveries).toMatchObject(endpoint.deliveries.map((delivery) => wordsOf(delivery, endpoint, ids)))
  }
  compareTries(known, tries)
  for (const one of tries) checkTry(one, model, known, events, bodies)
}

/** Every receiver got exactly the attempts that the model expects. */
function compareTries(known: Known, tries: readonly SeenTry[]): void {
  const made = new Map<ModelDelivery, string[]>()
  for (const one of tries) {
    const { headers } = one
    const found = known.get(String(headers['service-delivery-id']))
    if (!found) throw new Error(`a try of a delivery that is not there: ${JSON.stringify(headers)}`)
    one.simulatedAt ??=
      found.delivery.tries.find(({ attempt }) => attempt === Number(headers['service-delivery-attempt']))?.at ?? null
    const words = `${String(headers['service-delivery-attempt'])} at ${iso(one.simulatedAt)}`
    made.set(found.delivery, [...(made.get(found.delivery) ?? []), words])
  }
  for (const { delivery } of known.values()) {
    const must = delivery.tries.splice(0).map(({ attempt, at }) => `${attempt} at ${iso(at)}`)
    const did = made.get(delivery) ?? []
    expect(delivery.mayRepeat ? [...new Set(did)] : did).toEqual(must)
    delivery.mayRepeat = false
  }
}

/** The bytes are those of the first attempt (rule W10), and an independent verifier accepts the signature. */
function checkTry(
  { headers, rawBody, simulatedAt, machineAt }: SeenTry,
  model: DeliveryModel,
  known: Known,
  events: Seen['events'],
  bodies: Seen['bodies'],
): void {
  const { delivery, endpoint } = known.get(String(headers['service-delivery-id'])) ?? {}
  if (!delivery || !endpoint) throw new Error('a try of a delivery that is not there')
  const { event_id, event_type } = delivery
  expect(headers).toMatchObject({ 'service-event-id': event_id, 'service-event-type': event_type })
  const first = bodies.get(event_id)
  if (first) expect(rawBody.equals(first), 'the same bytes on every try').toBe(true)
  bodies.set(event_id, rawBody)
  expect(JSON.parse(rawBody.toString())).toEqual(events.get(event_id))

  const signature = String(headers['service-signature'])
  const [time, ...values] = signature.split(',v1=')
  const secrets = model.secretsAt(endpoint, simulatedAt ?? model.now)
  expect(values).toHaveLength(secrets.length)
  const verify = (header: string, secret: string) =>
    Stripe.webhooks.constructEvent(rawBody, header, secret, 300, undefined, machineAt)
  // All secrets together, and each one separately, newest first.
  for (const [n, secret] of secrets.entries()) {
    expect(verify(signature, secret)).toMatchObject({ id: event_id })
    expect(verify(`${time},v1=${values[n]}`, secret)).toMatchObject({ id: event_id })
  }
  for (const old of endpoint.secrets.slice(secrets.length)) expect(() => verify(signature, old)).toThrow()
}

function wordsOfEndpoint(endpoint: ModelEndpoint, now: number): object {
  const { events, campaign_ids, status, failing_since, paused_at, last_success_at, until, mode } = endpoint
  return {
    events,
    campaign_ids,
    mode,
    status,
    failing_since: iso(failing_since),
    paused_at: iso(paused_at),
    last_success_at: iso(last_success_at),
    previous_secret_expires_at: until !== null && now < until ? iso(until) : null,
  }
}

function wordsOf(delivery: ModelDelivery, endpoint: ModelEndpoint, ids: readonly string[]): object {
  const { event_id, event_type, live, resentFrom, created, status, attempts, next, last, response } = delivery
  return {
    endpoint_id: endpoint.id,
    event_id,
    event_type,
    livemode: live,
    resent_from: resentFrom && ids[endpoint.deliveries.indexOf(resentFrom)],
    created: iso(created),
    status,
    attempts,
    next_attempt_at: iso(next),
    last_attempt_at: iso(last),
    response_status: response,
  }
}
