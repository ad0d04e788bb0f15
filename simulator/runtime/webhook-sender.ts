/** Sends webhooks for the engine: what the service says is sent, the courier brings to the receiver. */
import type { Courier, SendOutcome } from '../webhooks/sender/courier.js'
import { failureReason } from '../webhooks/sender/network-fault.js'
import type { Instant } from '../kernel/instant.js'
import type { Sender, Settle } from './sender.js'
import { isOff, webhookRequest, releaseStored, reserve, retryAfter, settleAttempt } from '../webhooks/attempts.js'
import { deliveriesThatWait } from '../model/delivery.js'
import type { Effect } from '../model/effect.js'
import type { World } from '../model/world.js'

export function senderBy(courier: Courier, world: World): Sender {
  const organizationOf = ({ tenant }: Effect) => world.tenant(tenant)
  const parcelOf = (effect: Effect, now: () => Instant) => webhookRequest(organizationOf(effect), effect.delivery, now)
  /** An attempt that was cut off by the end of the program is none: it is made again at the next start. */
  const settled = (effect: Effect, began: Instant, outcome: SendOutcome | null): Settle => {
    if (outcome?.error === 'interrupted') return () => undefined
    const error = failureReason(outcome?.error ?? null)
    return () =>
      settleAttempt(organizationOf(effect), effect.delivery, outcome && { ...outcome, error, fault: null, began })
  }
  return {
    live(effect, { isWanted, now }) {
      let began: Instant | null = null
      const outcome = courier.send(String(effect.endpoint), () => {
        began = now()
        return isWanted() ? parcelOf(effect, now) : null
      })
      return { began: () => began, outcome: outcome.then((came) => settled(effect, began ?? now(), came)) }
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
    reserve: (effect, at) => reserve(organizationOf(effect), effect.delivery, at),
    retryAt: (effect, at) => retryAfter(organizationOf(effect), effect.delivery, at),
    isOff: (effect, at) => isOff(organizationOf(effect), effect.delivery, at),
    prepare(effect, at) {
      const ready = parcelOf(effect, () => at)
      return async () => settled(effect, at, ready && (await courier.post(ready)))
    },
    skip: (effect) => settleAttempt(organizationOf(effect), effect.delivery, null),
  }
}
