/** Connects the engine with the webhook rules, which prepare each attempt, and the courier, which sends it. */
import type { WebhookFaultName } from '../../src/contract/enums.js'
import type { Courier, SendOutcome, Tampering, WebhookRequest } from '../webhooks/sender/courier.js'
import { failureReason } from '../webhooks/sender/network-fault.js'
import type { Instant } from '../kernel/instant.js'
import type { Sender, Settle } from './sender.js'
import { isOff, webhookRequest, releaseStored, reserve, retryAfter, settleAttempt } from '../webhooks/attempts.js'
import { deliveriesThatWait } from '../model/webhooks/delivery.js'
import type { Effect } from '../model/task.js'
import type { TakenFault, WebhookFault, WebhookFaults } from '../webhooks/webhook-faults.js'
import type { Tenant, World } from '../model/world.js'

/** A started attempt. */
interface Start {
  began: Instant
  fault: WebhookFault | null
  /** Reordered deliveries to send after it. */
  behind: readonly number[]
}

function tamperWith(request: WebhookRequest, fault: WebhookFault | null): WebhookRequest {
  const tampering = fault && tamperings[fault.name]?.(fault)
  return tampering ? { ...request, tampering } : request
}

/** How each fault changes a request. `delay` and `reorder` only change its time. */
const tamperings: { [K in WebhookFaultName]?: (fault: WebhookFault) => Tampering } = {
  duplicate: ({ copies = 1 }) => ({ copies }),
  drop: () => ({ drop: true }),
  corrupt_signature: () => ({ corruptSignature: true }),
  stale: ({ by = 0 }) => ({ staleMs: by }),
}

/** Records an outcome. An attempt that the end of the program interrupts has none; it is repeated at the next start. */
function settlementOf(
  tenant: Tenant,
  faults: WebhookFaults,
  effect: Effect,
  { began, fault, behind }: Start,
  outcome: SendOutcome | null,
): Settle {
  if (outcome?.error === 'interrupted') return () => undefined
  const error = failureReason(outcome?.error ?? null)
  const result = outcome && { ...outcome, error, fault: fault?.name ?? null, began }
  return () => {
    settleAttempt(tenant, effect.delivery, result)
    if (result && behind.length > 0) faults.release(behind)
  }
}

export function senderBy(courier: Courier, world: World, faults: WebhookFaults): Sender {
  const organizationOf = ({ tenant }: Effect) => world.tenant(tenant)
  const requestOf = (effect: Effect, now: () => Instant) => webhookRequest(organizationOf(effect), effect.delivery, now)
  const settled = (effect: Effect, start: Start, outcome: SendOutcome | null) =>
    settlementOf(world.tenant(effect.tenant), faults, effect, start, outcome)
  return {
    live(effect, { isWanted, now }) {
      const start: { at: Instant | null; taken: TakenFault | null; behind: number[] } = {
        at: null,
        taken: null,
        behind: [],
      }
      const outcome = courier.send(String(effect.endpoint), () => {
        start.at = now()
        const request = isWanted() ? requestOf(effect, now) : null
        if (!request) return null
        start.taken = faults.take(effect)
        if (start.taken?.postpones) return null
        start.behind = faults.reorderedBehind(effect)
        return tamperWith(request, start.taken?.fault ?? null)
      })
      const settle = (came: SendOutcome | null): Settle => {
        const began = start.at ?? now()
        const { taken, behind } = start
        if (taken?.postpones) return () => faults.postpone(effect, taken.fault, began)
        return settled(effect, { began, fault: taken?.fault ?? null, behind }, came)
      }
      return { began: () => start.at, outcome: outcome.then(settle) }
    },
    recall: () => new Map([...courier.recall()].map(([lane, left]) => [Number(lane), left])),
    hold: ({ endpoint }, outcome) => courier.hold(String(endpoint), outcome),
    releaseStored: () => releaseStored(world),
    hasStored: () => deliveriesThatWait(world.store, 1).length > 0,

    dueOf(effect) {
      const delivery = organizationOf(effect).deliveries.get(effect.delivery)
      const due = delivery?.next_attempt_at ?? world.now
      return { due, reserved: effect.reserved }
    },
    endpoint(effect) {
      const endpoint = organizationOf(effect).endpoints.get(effect.endpoint)
      return endpoint && { failingSince: endpoint.failing_since, starts: endpoint.starts }
    },
    keepStarts(effect, starts) {
      const { endpoints } = organizationOf(effect)
      const endpoint = endpoints.get(effect.endpoint)
      if (endpoint) endpoints.change(endpoint, { starts: [...starts] })
    },
    reserve(effect, at) {
      reserve(organizationOf(effect), effect.delivery, at)
      faults.noteStart(effect, at)
    },
    retryAt(effect, at) {
      // Its outcome releases the deliveries that were reordered behind it.
      if (faults.reorderedBehind(effect).length > 0) return at
      return retryAfter(organizationOf(effect), effect.delivery, at)
    },
    reorderedBehind: (effect) => faults.reorderedBehind(effect),
    isOff: (effect, at) => isOff(organizationOf(effect), effect.delivery, at),
    takeFault: (effect) => faults.take(effect),
    postpone: (effect, fault, at) => faults.postpone(effect, fault, at),
    prepare(effect, at, fault) {
      const request = requestOf(effect, () => at)
      const ready = request && tamperWith(request, fault)
      const start = { began: at, fault, behind: faults.reorderedBehind(effect) }
      return async () => settled(effect, start, ready && (await courier.post(ready)))
    },
    skip: (effect) => settleAttempt(organizationOf(effect), effect.delivery, null),
  }
}
