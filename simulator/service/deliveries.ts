/** Webhook deliveries: one event to one endpoint, tried on the schedule until it is taken or given up. */
import type { EventType } from '../../src/contract/events.js'
import {
  pauseAfterFailuresHours,
  resumeResendDeliveries,
  webhookGiveUpHours,
  webhookTries,
  webhookTriesMinutes,
} from '../../src/contract/limits.js'
import { deliveryHeaders } from '../../src/webhooks/headers.js'
import { after, between, hours, later, minutes, type Instant } from '../kernel/instant.js'
import type { Delivery } from '../world/delivery.js'
import type { Endpoint } from '../world/endpoint.js'
import type { Organization } from '../world/world.js'
import { tellOfPause } from './notifications.js'
import { deliveryOnWire } from './wire.js'

/** What came of one try, as the courier reports it. */
export interface TryOutcome {
  responseStatus: number | null
  responseBody: string | null
  durationMs: number
  error: string | null
}

/** What is to be delivered: an event of the account, or a sample that is none. */
export interface Letter {
  event: number | null
  event_id: string
  event_type: EventType
  sample?: string
  resent_from?: number
}

const appointmentOf = (delivery: Delivery): string => `delivery:${delivery.n}`

/** Makes a delivery: due at once, or skipped while the endpoint is paused. */
export function deliver(organization: Organization, endpoint: Endpoint, letter: Letter): Delivery {
  const { world, deliveries } = organization
  const paused = endpoint.status === 'paused'
  const delivery = deliveries.add({
    endpoint: endpoint.n,
    event: letter.event,
    event_id: letter.event_id,
    event_type: letter.event_type,
    status: paused ? 'skipped_paused' : 'pending',
    attempts: 0,
    first_attempt_at: null,
    next_attempt_at: paused ? null : world.now,
    last_attempt_at: null,
    response_status: null,
    response_body: null,
    duration_ms: null,
    resent_from: letter.resent_from ?? null,
    created: world.now,
    sample: letter.sample ?? null,
    sending: 0,
  })
  if (!paused) expectTry(organization, delivery, world.now)
  return delivery
}

function expectTry(organization: Organization, delivery: Delivery, at: Instant): void {
  const { world, tenant } = organization
  world.agenda.put(appointmentOf(delivery), at, { kind: 'delivery.attempt', delivery: delivery.n, tenant })
}

const isOpen = ({ status }: Delivery): boolean => status === 'pending' || status === 'failed'

/** A try is due: marks it as under way. False when there is nothing to send any more. */
export function begin(organization: Organization, delivery: Delivery): boolean {
  const endpoint = organization.endpoints.get(delivery.endpoint)
  if (!endpoint || endpoint.status === 'paused' || !isOpen(delivery)) return false
  const first_attempt_at = delivery.first_attempt_at ?? organization.world.now
  organization.deliveries.change(delivery, { sending: 1, first_attempt_at })
  return true
}

/** What a try sends: the stored bytes, to the address and with the secrets in force at this moment; null if it is off. */
export function parcel(organization: Organization, n: number) {
  const { deliveries, endpoints, events, world } = organization
  const delivery = deliveries.get(n)
  const endpoint = delivery && endpoints.get(delivery.endpoint)
  if (!delivery || !endpoint || endpoint.status === 'paused' || !isOpen(delivery)) return null
  const body = delivery.sample ?? (delivery.event === null ? null : (events.get(delivery.event)?.body ?? null))
  if (body === null) return null
  return {
    url: endpoint.url,
    headers: deliveryHeaders({
      eventId: delivery.event_id,
      eventType: delivery.event_type,
      deliveryId: deliveries.id(delivery.n),
      attempt: delivery.attempts + 1,
    }),
    body: Buffer.from(body),
    secrets: () => secretsInForce(endpoint, world.now),
  }
}

/** Newest first; the old secret signs too until its time is up (specification, Signature, 2). */
export function secretsInForce(endpoint: Endpoint, now: Instant): string[] {
  const { secret, previous_secret, previous_secret_expires_at: until } = endpoint
  return previous_secret !== null && until !== null && now < until ? [secret, previous_secret] : [secret]
}

/** Writes down what came of a try, and when the next one is due. Without an outcome nothing was sent. */
export function settle(organization: Organization, n: number, outcome: TryOutcome | null): void {
  const { world, deliveries, endpoints } = organization
  const delivery = deliveries.get(n)
  if (!delivery) return
  const endpoint = endpoints.get(delivery.endpoint)
  if (!outcome || !endpoint) {
    deliveries.change(delivery, { sending: 0 })
    return
  }
  const attempts = delivery.attempts + 1
  const success = outcome.responseStatus !== null && outcome.responseStatus >= 200 && outcome.responseStatus < 300
  deliveries.addAttempt({
    delivery: n,
    number: attempts,
    at: world.now,
    response_status: outcome.responseStatus,
    error: outcome.error,
    duration_ms: outcome.durationMs,
  })
  const next = success || !isOpen(delivery) ? null : nextTry(delivery, attempts, world.now)
  deliveries.change(delivery, {
    sending: 0,
    attempts,
    last_attempt_at: world.now,
    next_attempt_at: next,
    response_status: outcome.responseStatus,
    response_body: outcome.responseBody,
    duration_ms: Math.round(outcome.durationMs),
    ...((isOpen(delivery) || success) && { status: success ? 'sent' : next === null ? 'gave_up' : 'failed' }),
  })
  if (next !== null) expectTry(organization, delivery, next)
  keepHealth(organization, endpoint, success)
  world.notice({
    kind: 'attempt',
    tenant: organization.tenant,
    delivery: deliveryOnWire(organization, delivery),
    at: world.now,
  })
}

/** When try number `done` + 1 is due, counted from the first; null when there is none (specification, Retries). */
function nextTry(delivery: Delivery, done: number, now: Instant): Instant | null {
  const first = delivery.first_attempt_at ?? now
  if (done >= webhookTries) return null
  const planned = after(first, minutes(webhookTriesMinutes[done] ?? 0))
  const gap = minutes((webhookTriesMinutes[done] ?? 0) - (webhookTriesMinutes[done - 1] ?? 0))
  // After a time of standing still the tries that were missed are not made up for one upon the other.
  const at = planned > now ? planned : later(planned, after(now, gap))
  return between(first, at) >= hours(webhookGiveUpHours) ? null : at
}

/** Keeps what the endpoint's health is judged by, and pauses it after a day of failures (specification, Delivery). */
function keepHealth(organization: Organization, endpoint: Endpoint, success: boolean): void {
  const { world, endpoints } = organization
  if (success) {
    endpoints.change(endpoint, { last_success_at: world.now, failing_since: null })
    return
  }
  const failing_since = endpoint.failing_since ?? world.now
  endpoints.change(endpoint, { failing_since })
  if (endpoint.status === 'active' && between(failing_since, world.now) >= hours(pauseAfterFailuresHours)) {
    pause(organization, endpoint)
    tellOfPause(organization, endpoint)
  }
}

/** Pauses an endpoint: what was not delivered yet is skipped, and so is what comes. */
export function pause(organization: Organization, endpoint: Endpoint): void {
  const { world, endpoints, deliveries } = organization
  endpoints.change(endpoint, { status: 'paused', paused_at: world.now, updated: world.now })
  for (const status of ['pending', 'failed'] as const) {
    for (const delivery of deliveries.withStatus(endpoint.n, status, Number.MAX_SAFE_INTEGER)) {
      world.agenda.cancel(appointmentOf(delivery))
      deliveries.change(delivery, { status: 'skipped_paused', next_attempt_at: null })
    }
  }
}

/** An endpoint is sent to again, with a clean record. What was skipped meanwhile stays so. */
export function resume(organization: Organization, endpoint: Endpoint): void {
  const { world, endpoints } = organization
  endpoints.change(endpoint, { status: 'active', paused_at: null, failing_since: null, updated: world.now })
}

/** Sends the oldest skipped deliveries after all, each on a fresh schedule; the answer is how many. */
export function sendSkipped(organization: Organization, endpoint: Endpoint): number {
  const { world, deliveries } = organization
  const skipped = deliveries.withStatus(endpoint.n, 'skipped_paused', resumeResendDeliveries)
  for (const delivery of skipped) {
    deliveries.change(delivery, { status: 'pending', attempts: 0, first_attempt_at: null, next_attempt_at: world.now })
    expectTry(organization, delivery, world.now)
  }
  return skipped.length
}

/** The same event, or sample, again to the same endpoint: a delivery of its own. Null when its event is kept no more. */
export function resend(organization: Organization, endpoint: Endpoint, delivery: Delivery): Delivery | null {
  const { event, event_id, event_type, sample, n } = delivery
  if (sample === null && (event === null || !organization.events.get(event))) return null
  return deliver(organization, endpoint, {
    event,
    event_id,
    event_type,
    resent_from: n,
    ...(sample !== null && { sample }),
  })
}

/** Tries that were under way when the program died are made again at once: an event arrives at least once. */
export function resumeInterrupted(
  organizationOf: (tenant: number) => Organization,
  interrupted: readonly Delivery[],
): void {
  for (const delivery of interrupted) {
    const organization = organizationOf(delivery.tenant)
    organization.deliveries.change(delivery, { sending: 0 })
    expectTry(organization, delivery, organization.world.now)
  }
}
