/** Webhook deliveries: one event on its way to one endpoint, made, skipped, sent again. Its tries are `tries.ts`. */
import type { EventType } from '../../src/contract/events.js'
import { eventRetentionDays, resumeResendDeliveries } from '../../src/contract/limits.js'
import { before, days, type Instant } from '../kernel/instant.js'
import { sending, type Delivery } from '../model/delivery.js'
import type { Endpoint } from '../model/endpoint.js'
import type { Tenant } from '../model/world.js'

/** What is to be delivered: an event of the account, or a sample that is none. */
export interface DeliveryInput {
  event: number | null
  /** Of the event. */
  campaign: number | null
  event_id: string
  event_type: EventType
  sample?: string
  resent_from?: number
}

const appointmentOf = (n: number): string => `delivery:${n}`

/** Makes a delivery: due at once, or skipped while the endpoint is paused. */
export function createDelivery(organization: Tenant, endpoint: Endpoint, letter: DeliveryInput): Delivery {
  const { world, deliveries } = organization
  const paused = endpoint.status === 'paused'
  const delivery = deliveries.add({
    endpoint: endpoint.n,
    event: letter.event,
    campaign: letter.campaign,
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
    sending: sending.no,
    error: null,
    fault: null,
  })
  if (!paused) scheduleAttempt(organization, delivery, world.now)
  return delivery
}

/** The next try is due at that moment. */
export function scheduleAttempt({ world, tenant }: Tenant, { n }: Delivery, at: Instant): void {
  world.agenda.put(appointmentOf(n), at, { kind: 'delivery.attempt', delivery: n, tenant })
}

/** Whether more tries may follow. */
export const isOpen = ({ status }: Delivery): boolean => status === 'pending' || status === 'failed'

/** Pauses an endpoint: what was not delivered yet is skipped, and so is what comes. */
export function pauseEndpoint(organization: Tenant, endpoint: Endpoint): void {
  const { world, endpoints, deliveries } = organization
  // Starts that were reserved are free again.
  const starts = endpoint.starts.filter((at) => at <= world.now)
  endpoints.change(endpoint, { status: 'paused', paused_at: world.now, updated: world.now, starts })
  cancelAttempts(organization, endpoint)
  deliveries.skipOpen(endpoint.n)
}

/** The endpoint goes and all that was sent to it; its events stay. */
export function removeEndpoint(organization: Tenant, endpoint: Endpoint): void {
  cancelAttempts(organization, endpoint)
  organization.endpoints.remove(endpoint)
}

function cancelAttempts({ world, deliveries }: Tenant, endpoint: Endpoint): void {
  for (const n of deliveries.numbersOfOpen(endpoint.n)) world.agenda.cancel(appointmentOf(n))
}

/** An endpoint is sent to again, with a clean record. What was skipped meanwhile stays so. */
export function resumeEndpoint(organization: Tenant, endpoint: Endpoint): void {
  const { world, endpoints } = organization
  endpoints.change(endpoint, { status: 'active', paused_at: null, failing_since: null, updated: world.now })
}

/** Sends the oldest skipped deliveries of these campaigns (null: of all) after all, each on a fresh schedule; the answer is how many. */
export function sendSkipped(organization: Tenant, endpoint: Endpoint, scope: readonly number[] | null): number {
  const { world, deliveries } = organization
  const skipped = deliveries.oldestSkipped(endpoint.n, scope, resumeResendDeliveries)
  for (const delivery of skipped) {
    deliveries.change(delivery, { status: 'pending', attempts: 0, first_attempt_at: null, next_attempt_at: world.now })
    // One that is on its way still, since before the pause, is the first try of the new schedule.
    if (delivery.sending === sending.no) scheduleAttempt(organization, delivery, world.now)
  }
  return skipped.length
}

/** The same event, or sample, again to the same endpoint: a delivery of its own. Null when its event is kept no more. */
export function resendDelivery(organization: Tenant, endpoint: Endpoint, delivery: Delivery): Delivery | null {
  const { event, campaign, event_id, event_type, sample, n } = delivery
  if (sample === null && !isKept(organization, event)) return null
  return createDelivery(organization, endpoint, {
    event,
    campaign,
    event_id,
    event_type,
    resent_from: n,
    ...(sample !== null && { sample }),
  })
}

/** Whether the list of events has it still, for as long as it is looked for there. */
function isKept({ events, world }: Tenant, n: number | null): boolean {
  const event = n === null ? null : events.get(n)
  return event !== null && event.created >= before(world.now, days(eventRetentionDays))
}
