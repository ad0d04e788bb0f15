/** Attempts of deliveries: start, request, result and retry schedule (rule W6). */
import {
  pauseAfterFailuresHours,
  webhookGiveUpHours,
  webhookTries,
  webhookTriesMinutes,
} from '../../src/contract/limits.js'
import { deliveryHeaders } from '../../src/webhooks/headers.js'
import { after, between, hours, later, minutes, type Instant } from '../kernel/instant.js'
import { deliveriesThatWait, sending, type Delivery } from '../model/webhooks/delivery.js'
import type { Endpoint } from '../model/webhooks/endpoint.js'
import type { Tenant, World } from '../model/world.js'
import { scheduleAttempt, isOpen, pauseEndpoint } from './deliveries.js'
import { notifyPaused } from './notifications.js'
import { formatEnvelope } from './outbox.js'
import { simulatedDelivery } from '../model/serialize/resources.js'

/** How many due attempts of one endpoint the courier holds in memory. The rest waits in the store. */
const withCourierMost = 1_000

/** The result of one attempt. */
export interface AttemptOutcome {
  responseStatus: number | null
  responseBody: string | null
  durationMs: number
  error: string | null
  /** The injected fault, or null. */
  fault: string | null
  /** When it was sent. */
  began: Instant
}

/**
 * Marks a due attempt as under way. Returns false if there is nothing to send, if it is under way already, or if the
 * courier holds enough attempts of the endpoint while the clock runs; it then waits in the store.
 */
export function beginAttempt(tenant: Tenant, delivery: Delivery): boolean {
  const { world, deliveries, endpoints } = tenant
  const { endpoint } = delivery
  if (endpoints.get(endpoint)?.status !== 'active' || !isOpen(delivery)) return false
  if (delivery.sending === sending.underWay) return false
  const hasRoom = world.pushed || deliveries.countUnderWay(endpoint) < withCourierMost
  deliveries.change(delivery, { sending: hasRoom ? sending.underWay : sending.waits })
  return hasRoom
}

/** No attempt is made 24 hours or more after the first, even if it waited for a slot (rule W6). */
const isTooLate = ({ first_attempt_at: first }: Delivery, at: Instant): boolean =>
  first !== null && between(first, at) >= hours(webhookGiveUpHours)

function giveUp({ deliveries }: Tenant, delivery: Delivery): void {
  deliveries.change(delivery, { status: 'gave_up', next_attempt_at: null, sending: sending.no })
}

/** Whether an attempt at that time has nothing to send: its endpoint or delivery is deleted, paused or finished. */
export function isOff(tenant: Tenant, n: number, at: Instant): boolean {
  const delivery = tenant.deliveries.get(n)
  if (!delivery || !isOpen(delivery) || isTooLate(delivery, at)) return true
  return tenant.endpoints.get(delivery.endpoint)?.status !== 'active'
}

/** Reserves a start in a later simulated second for a due attempt. */
export function reserve(tenant: Tenant, n: number, at: Instant): void {
  const delivery = tenant.deliveries.get(n)
  if (!delivery) return
  tenant.deliveries.change(delivery, { sending: sending.reserved, next_attempt_at: at })
  scheduleAttempt(tenant, delivery, at)
}

/** Postpones an attempt that is about to start. */
export function postpone(tenant: Tenant, n: number, at: Instant): void {
  const { deliveries } = tenant
  const delivery = deliveries.get(n)
  if (!delivery) return
  deliveries.change(delivery, { sending: sending.no, ...(isOpen(delivery) && { next_attempt_at: at }) })
  if (isOpen(delivery)) scheduleAttempt(tenant, delivery, at)
  releaseNext(tenant, delivery.endpoint)
}

/** When the next attempt is due if the one that starts at `at` fails; null if it was the last. */
export function retryAfter(tenant: Tenant, n: number, at: Instant): Instant | null {
  const delivery = tenant.deliveries.get(n)
  return delivery && nextAttemptAt(delivery.first_attempt_at ?? at, delivery.attempts + 1, at)
}

/** Puts attempts that wait in the store back on the agenda, because an advance schedules every attempt. */
export function releaseStored(world: World): void {
  for (const delivery of deliveriesThatWait(world.store)) {
    const tenant = world.tenant(delivery.tenant)
    tenant.deliveries.change(delivery, { sending: sending.no })
    scheduleAttempt(tenant, delivery, world.now)
  }
}

/** Schedules the attempt of the endpoint that has waited longest in the store. */
function releaseNext(tenant: Tenant, endpoint: number): void {
  const { world, deliveries } = tenant
  for (let next = deliveries.longestWaiting(endpoint); next; next = deliveries.longestWaiting(endpoint)) {
    if (!isTooLate(next, world.now)) {
      deliveries.change(next, { sending: sending.no })
      return scheduleAttempt(tenant, next, world.now)
    }
    giveUp(tenant, next)
  }
}

/**
 * Builds the request of an attempt: the same bytes each time, with the current URL and secrets (rule W2). Null if there
 * is nothing to send.
 */
export function webhookRequest(tenant: Tenant, n: number, now: () => Instant) {
  const { deliveries, endpoints } = tenant
  const delivery = deliveries.get(n)
  const endpoint = delivery && endpoints.get(delivery.endpoint)
  if (!delivery || !endpoint || isOff(tenant, n, now())) return null
  const request = requestOfDelivery(tenant, delivery, now)
  if (request === null) throw new Error(`the event of delivery ${deliveries.id(n)} is gone before it was sent`)
  return request
}

/** The request of a delivery's next attempt. Null if its event or its endpoint is deleted. */
export function requestOfDelivery(tenant: Tenant, delivery: Delivery, now = () => tenant.world.now) {
  const { deliveries, endpoints, events } = tenant
  const endpoint = endpoints.get(delivery.endpoint)
  const event = delivery.event === null ? null : events.get(delivery.event)
  const body = delivery.sample ?? (event && formatEnvelope(tenant, event))
  if (!endpoint || body === null) return null
  return {
    url: endpoint.url,
    headers: deliveryHeaders({
      eventId: delivery.event_id,
      eventType: delivery.event_type,
      deliveryId: deliveries.id(delivery.n),
      attempt: delivery.attempts + 1,
    }),
    body: Buffer.from(body),
    secrets: () => secretsInForce(endpoint, now()),
  }
}

/** The secrets that sign now, newest first. The old one signs until its grace period ends (rule W4). */
function secretsInForce(endpoint: Endpoint, now: Instant): string[] {
  const { secret, previous_secret, previous_secret_expires_at: until } = endpoint
  return previous_secret !== null && until !== null && now < until ? [secret, previous_secret] : [secret]
}

/** Records the result of an attempt and schedules the next one. A null outcome means that nothing was sent. */
export function settleAttempt(tenant: Tenant, n: number, outcome: AttemptOutcome | null): void {
  const { world, deliveries, endpoints } = tenant
  const delivery = deliveries.get(n)
  const endpoint = delivery && endpoints.get(delivery.endpoint)
  if (!delivery || !endpoint) return
  if (!outcome) deliveries.change(delivery, { sending: sending.no })
  if (outcome) recordAttempt(tenant, delivery, endpoint, outcome)
  else if (isOpen(delivery) && isTooLate(delivery, world.now)) giveUp(tenant, delivery)
  // The endpoint was paused at the attempt's turn, but is active again.
  else if (isOpen(delivery)) scheduleAttempt(tenant, delivery, world.now)
  releaseNext(tenant, endpoint.n)
}

function recordAttempt(tenant: Tenant, delivery: Delivery, endpoint: Endpoint, outcome: AttemptOutcome): void {
  const { world, deliveries } = tenant
  const { n } = delivery
  const { responseStatus: response_status, responseBody: response_body, began } = outcome
  const attempts = delivery.attempts + 1
  const success = response_status !== null && response_status >= 200 && response_status < 300
  deliveries.addAttempt({
    delivery: n,
    number: attempts,
    at: began,
    response_status,
    error: outcome.error,
    fault: outcome.fault,
    duration_ms: outcome.durationMs,
  })
  const first_attempt_at = delivery.first_attempt_at ?? began
  const next = success || !isOpen(delivery) ? null : nextAttemptAt(first_attempt_at, attempts, world.now)
  deliveries.change(delivery, {
    sending: sending.no,
    attempts,
    first_attempt_at,
    last_attempt_at: began,
    next_attempt_at: next,
    response_status,
    response_body,
    duration_ms: Math.round(outcome.durationMs),
    error: outcome.error,
    fault: outcome.fault,
    ...((isOpen(delivery) || success) && { status: success ? 'sent' : next === null ? 'gave_up' : 'failed' }),
  })
  if (next !== null) scheduleAttempt(tenant, delivery, next)
  updateHealth(tenant, endpoint, success)
  // Reads the delivery again, because this failure may have paused the endpoint.
  const told = () => simulatedDelivery(tenant, deliveries.get(n) ?? delivery)
  const result = success ? 'sent' : next === null ? 'gave_up' : 'failed'
  world.publish({ kind: 'attempt', tenant: tenant.n, result, delivery: told, at: world.now })
}

/** When attempt number `done` + 1 is due, counted from the first; null if there is none (rule W6). */
export function nextAttemptAt(first: Instant, done: number, now: Instant): Instant | null {
  if (done >= webhookTries) return null
  const planned = after(first, minutes(webhookTriesMinutes[done] ?? 0))
  const gap = minutes((webhookTriesMinutes[done] ?? 0) - (webhookTriesMinutes[done - 1] ?? 0))
  // After a pause of the clock, missed attempts keep their distance instead of running all at once.
  const at = planned > now ? planned : later(planned, after(now, gap))
  return between(first, at) >= hours(webhookGiveUpHours) ? null : at
}

/** Records whether the endpoint fails, and pauses it after 24 hours of failures (rule W8). */
function updateHealth(tenant: Tenant, endpoint: Endpoint, success: boolean): void {
  const { world, endpoints } = tenant
  if (success) {
    endpoints.change(endpoint, { last_success_at: world.now, failing_since: null })
    return
  }
  const failing_since = endpoint.failing_since ?? world.now
  endpoints.change(endpoint, { failing_since })
  if (endpoint.status === 'active' && between(failing_since, world.now) >= hours(pauseAfterFailuresHours)) {
    pauseEndpoint(tenant, endpoint)
    notifyPaused(tenant, endpoint)
  }
}

/** Repeats attempts that a crash interrupted. Receivers may get an event more than once. */
export function resumeInterrupted(organizationOf: (tenant: number) => Tenant, interrupted: readonly Delivery[]): void {
  for (const delivery of interrupted) {
    const tenant = organizationOf(delivery.tenant)
    tenant.deliveries.change(delivery, { sending: sending.no })
    scheduleAttempt(tenant, delivery, tenant.world.now)
  }
}
