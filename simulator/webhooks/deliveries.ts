/** Webhook deliveries: creates, skips and resends them. Attempts are in `attempts.ts`. */
import type { EventType } from '../../src/contract/events.js'
import { eventRetentionDays, resumeResendDeliveries } from '../../src/contract/limits.js'
import { before, days, type Instant } from '../kernel/instant.js'
import { sending, type Delivery } from '../model/webhooks/delivery.js'
import type { Endpoint } from '../model/webhooks/endpoint.js'
import type { Tenant } from '../model/world.js'

/** What to deliver: an event of the account, or a sample. */
export interface DeliveryInput {
  event: number | null
  /** The campaign of the event. */
  campaign: number | null
  event_id: string
  event_type: EventType
  sample?: string
  resent_from?: number
}

const appointmentOf = (n: number): string => `delivery:${n}`

/** Creates a delivery. It is due at once, or skipped while the endpoint is paused (rule W9). */
export function createDelivery(tenant: Tenant, endpoint: Endpoint, input: DeliveryInput): Delivery {
  const { world, deliveries } = tenant
  const paused = endpoint.status === 'paused'
  const delivery = deliveries.add({
    endpoint: endpoint.n,
    event: input.event,
    campaign: input.campaign,
    event_id: input.event_id,
    event_type: input.event_type,
    status: paused ? 'skipped_paused' : 'pending',
    attempts: 0,
    first_attempt_at: null,
    next_attempt_at: paused ? null : world.now,
    last_attempt_at: null,
    response_status: null,
    response_body: null,
    duration_ms: null,
    resent_from: input.resent_from ?? null,
    created: world.now,
    sample: input.sample ?? null,
    sending: sending.no,
    error: null,
    fault: null,
  })
  if (!paused) scheduleAttempt(tenant, delivery, world.now)
  return delivery
}

/** Schedules the next attempt. */
export function scheduleAttempt({ world, n: tenant }: Tenant, { n }: Delivery, at: Instant): void {
  world.agenda.put(appointmentOf(n), at, { kind: 'delivery.attempt', delivery: n, tenant })
}

/** Whether further attempts may follow. */
export const isOpen = ({ status }: Delivery): boolean => status === 'pending' || status === 'failed'

/** Pauses an endpoint. Its open deliveries and later ones are skipped (rule W9). */
export function pauseEndpoint(tenant: Tenant, endpoint: Endpoint): void {
  const { world, endpoints, deliveries } = tenant
  // Frees reserved starts.
  const starts = endpoint.starts.filter((at) => at <= world.now)
  endpoints.change(endpoint, { status: 'paused', paused_at: world.now, updated: world.now, starts })
  cancelAttempts(tenant, endpoint)
  deliveries.skipOpen(endpoint.n)
}

/** Skips what is open or under way in the copy of a world: the original delivers it. */
export function skipPendingDeliveries(tenant: Tenant, endpoint: Endpoint): void {
  const { world, endpoints } = tenant
  endpoints.change(endpoint, { starts: endpoint.starts.filter((at) => at <= world.now) })
  cancelAttempts(tenant, endpoint)
  tenant.deliveries.skipOpen(endpoint.n)
  tenant.deliveries.clearUnderWay(endpoint.n)
}

/** Deletes the endpoint with its deliveries. Its events stay. */
export function removeEndpoint(tenant: Tenant, endpoint: Endpoint): void {
  cancelAttempts(tenant, endpoint)
  tenant.endpoints.remove(endpoint)
}

function cancelAttempts({ world, deliveries }: Tenant, endpoint: Endpoint): void {
  for (const n of deliveries.numbersOfOpen(endpoint.n)) world.agenda.cancel(appointmentOf(n))
}

/** Resumes an endpoint and clears its failures. Skipped deliveries stay skipped. */
export function resumeEndpoint(tenant: Tenant, endpoint: Endpoint): void {
  const { world, endpoints } = tenant
  endpoints.change(endpoint, { status: 'active', paused_at: null, failing_since: null, updated: world.now })
}

/**
 * Sends the oldest skipped deliveries of these campaigns (null: of all), each on a new schedule (rule W9). Returns how
 * many.
 */
export function sendSkipped(tenant: Tenant, endpoint: Endpoint, scope: readonly number[] | null): number {
  const { world, deliveries } = tenant
  const skipped = deliveries.oldestSkipped(endpoint.n, scope, resumeResendDeliveries)
  for (const delivery of skipped) {
    deliveries.change(delivery, { status: 'pending', attempts: 0, first_attempt_at: null, next_attempt_at: world.now })
    // An attempt that is still under way from before the pause is the first of the new schedule.
    if (delivery.sending === sending.no) scheduleAttempt(tenant, delivery, world.now)
  }
  return skipped.length
}

/**
 * Resends an event or a sample as a new delivery to the same endpoint (rule W10). Returns null if the event is past its
 * retention period.
 */
export function resendDelivery(tenant: Tenant, endpoint: Endpoint, delivery: Delivery): Delivery | null {
  const { event, campaign, event_id, event_type, sample, n } = delivery
  if (sample === null && !isKept(tenant, event)) return null
  return createDelivery(tenant, endpoint, {
    event,
    campaign,
    event_id,
    event_type,
    resent_from: n,
    ...(sample !== null && { sample }),
  })
}

/** Whether the event is within its retention period (rule E2). */
function isKept({ events, world }: Tenant, n: number | null): boolean {
  const event = n === null ? null : events.get(n)
  return event !== null && event.created >= before(world.now, days(eventRetentionDays))
}
