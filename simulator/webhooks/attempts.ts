/** The tries of a delivery: begun, sent, written down, and made again on the schedule until it is taken or given up. */
import {
  pauseAfterFailuresHours,
  webhookGiveUpHours,
  webhookTries,
  webhookTriesMinutes,
} from '../../src/contract/limits.js'
import { deliveryHeaders } from '../../src/webhooks/headers.js'
import { after, between, hours, later, minutes, type Instant } from '../kernel/instant.js'
import { deliveriesThatWait, sending, type Delivery } from '../model/delivery.js'
import type { Endpoint } from '../model/endpoint.js'
import type { Tenant, World } from '../model/world.js'
import { scheduleAttempt, isOpen, pauseEndpoint } from './deliveries.js'
import { notifyPaused } from './notifications.js'
import { bodyOf } from './outbox.js'
import { simulatedDelivery } from '../model/serialize/resources.js'

/** So many of one endpoint the courier is given ahead of their turn: they are in memory, and there may be any number. */
const withCourierMost = 1_000

/** What came of one try, as the courier reports it. */
export interface AttemptOutcome {
  responseStatus: number | null
  responseBody: string | null
  durationMs: number
  error: string | null
  /** What the network did to it because it was told to; null when it did nothing. */
  fault: string | null
  /** When it was sent. */
  began: Instant
}

/**
 * An attempt is due: marks it as under way. False when there is nothing to send any more, it is under way already, or,
 * while time passes by itself, the courier has enough of this endpoint: then it waits in the store.
 */
export function beginAttempt(organization: Tenant, delivery: Delivery): boolean {
  const { world, deliveries, endpoints } = organization
  const { endpoint } = delivery
  if (endpoints.get(endpoint)?.status !== 'active' || !isOpen(delivery)) return false
  if (delivery.sending === sending.underWay) return false
  const hasRoom = world.pushed || deliveries.countUnderWay(endpoint) < withCourierMost
  deliveries.change(delivery, { sending: hasRoom ? sending.underWay : sending.waits })
  return hasRoom
}

/** No attempt is made a day after the first (specification, Retries), however long it waited for its turn. */
const isTooLate = ({ first_attempt_at: first }: Delivery, at: Instant): boolean =>
  first !== null && between(first, at) >= hours(webhookGiveUpHours)

function giveUp({ deliveries }: Tenant, delivery: Delivery): void {
  deliveries.change(delivery, { status: 'gave_up', next_attempt_at: null, sending: sending.no })
}

/** Whether an attempt at that time has nothing to send: its endpoint or the delivery is gone, paused or done. */
export function isOff(organization: Tenant, n: number, at: Instant): boolean {
  const delivery = organization.deliveries.get(n)
  if (!delivery || !isOpen(delivery) || isTooLate(delivery, at)) return true
  return organization.endpoints.get(delivery.endpoint)?.status !== 'active'
}

/** Gives a due attempt a start in a later second of pushed time. */
export function reserve(organization: Tenant, n: number, at: Instant): void {
  const delivery = organization.deliveries.get(n)
  if (!delivery) return
  organization.deliveries.change(delivery, { sending: sending.reserved, next_attempt_at: at })
  scheduleAttempt(organization, delivery, at)
}

/** Puts off an attempt that was about to start. */
export function postpone(organization: Tenant, n: number, at: Instant): void {
  const { deliveries } = organization
  const delivery = deliveries.get(n)
  if (!delivery) return
  deliveries.change(delivery, { sending: sending.no, ...(isOpen(delivery) && { next_attempt_at: at }) })
  if (isOpen(delivery)) scheduleAttempt(organization, delivery, at)
  releaseNext(organization, delivery.endpoint)
}

/** When the next attempt is due if the one that starts at that time fails; null when there is none. */
export function retryAfter(organization: Tenant, n: number, at: Instant): Instant | null {
  const delivery = organization.deliveries.get(n)
  return delivery && nextAttemptAt(delivery.first_attempt_at ?? at, delivery.attempts + 1, at)
}

/** Puts those that wait for room with the courier back on the agenda: pushed time has a turn for each. */
export function releaseStored(world: World): void {
  for (const delivery of deliveriesThatWait(world.store)) {
    const organization = world.tenant(delivery.tenant)
    organization.deliveries.change(delivery, { sending: sending.no })
    scheduleAttempt(organization, delivery, world.now)
  }
}

/** The courier has room for one more of this endpoint: the one that was due first of those that wait for it. */
function releaseNext(organization: Tenant, endpoint: number): void {
  const { world, deliveries } = organization
  for (let next = deliveries.longestWaiting(endpoint); next; next = deliveries.longestWaiting(endpoint)) {
    if (!isTooLate(next, world.now)) {
      deliveries.change(next, { sending: sending.no })
      return scheduleAttempt(organization, next, world.now)
    }
    giveUp(organization, next)
  }
}

/** What a try sends: the same bytes each time, to the address and with the secrets in force at that moment; null if it is off. */
export function webhookRequest(organization: Tenant, n: number, now: () => Instant) {
  const { deliveries, endpoints, events } = organization
  const delivery = deliveries.get(n)
  const endpoint = delivery && endpoints.get(delivery.endpoint)
  if (!delivery || !endpoint || isOff(organization, n, now())) return null
  const event = delivery.event === null ? null : events.get(delivery.event)
  const body = delivery.sample ?? (event && bodyOf(organization, event))
  if (body === null) throw new Error(`the event of delivery ${deliveries.id(n)} is gone before it was sent`)
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

/** Newest first; the old secret signs too until its time is up (specification, Signature, 2). */
function secretsInForce(endpoint: Endpoint, now: Instant): string[] {
  const { secret, previous_secret, previous_secret_expires_at: until } = endpoint
  return previous_secret !== null && until !== null && now < until ? [secret, previous_secret] : [secret]
}

/** Writes down what came of a try, and when the next one is due. Without an outcome nothing was sent. */
export function settleAttempt(organization: Tenant, n: number, outcome: AttemptOutcome | null): void {
  const { world, deliveries, endpoints } = organization
  const delivery = deliveries.get(n)
  const endpoint = delivery && endpoints.get(delivery.endpoint)
  if (!delivery || !endpoint) return
  if (!outcome) deliveries.change(delivery, { sending: sending.no })
  if (outcome) recordAttempt(organization, delivery, endpoint, outcome)
  else if (isOpen(delivery) && isTooLate(delivery, world.now)) giveUp(organization, delivery)
  // The endpoint was paused when its turn came, and is not any more.
  else if (isOpen(delivery)) scheduleAttempt(organization, delivery, world.now)
  releaseNext(organization, endpoint.n)
}

function recordAttempt(organization: Tenant, delivery: Delivery, endpoint: Endpoint, outcome: AttemptOutcome): void {
  const { world, deliveries, tenant } = organization
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
  if (next !== null) scheduleAttempt(organization, delivery, next)
  updateHealth(organization, endpoint, success)
  // Read again: its own failure may have paused the endpoint.
  const told = () => simulatedDelivery(organization, deliveries.get(n) ?? delivery)
  const result = success ? 'sent' : next === null ? 'gave_up' : 'failed'
  world.publish({ kind: 'attempt', tenant, result, delivery: told, at: world.now })
}

/** When try number `done` + 1 is due, counted from the first; null when there is none (specification, Retries). */
export function nextAttemptAt(first: Instant, done: number, now: Instant): Instant | null {
  if (done >= webhookTries) return null
  const planned = after(first, minutes(webhookTriesMinutes[done] ?? 0))
  const gap = minutes((webhookTriesMinutes[done] ?? 0) - (webhookTriesMinutes[done - 1] ?? 0))
  // After a time of standing still the tries that were missed are not made up for one upon the other.
  const at = planned > now ? planned : later(planned, after(now, gap))
  return between(first, at) >= hours(webhookGiveUpHours) ? null : at
}

/** Keeps what the endpoint's health is judged by, and pauses it after a day of failures (specification, Delivery). */
function updateHealth(organization: Tenant, endpoint: Endpoint, success: boolean): void {
  const { world, endpoints } = organization
  if (success) {
    endpoints.change(endpoint, { last_success_at: world.now, failing_since: null })
    return
  }
  const failing_since = endpoint.failing_since ?? world.now
  endpoints.change(endpoint, { failing_since })
  if (endpoint.status === 'active' && between(failing_since, world.now) >= hours(pauseAfterFailuresHours)) {
    pauseEndpoint(organization, endpoint)
    notifyPaused(organization, endpoint)
  }
}

/** Tries that were under way when the program died are made again at once: an event arrives at least once. */
export function resumeInterrupted(organizationOf: (tenant: number) => Tenant, interrupted: readonly Delivery[]): void {
  for (const delivery of interrupted) {
    const organization = organizationOf(delivery.tenant)
    organization.deliveries.change(delivery, { sending: sending.no })
    scheduleAttempt(organization, delivery, organization.world.now)
  }
}
