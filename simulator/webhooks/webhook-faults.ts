/** Faults set through the control plane: what the network does to the next matching webhook attempts. Kept in memory. */
import type { WebhookFaultName } from '../../src/contract/enums.js'
import { after, minutes, type Duration, type Instant } from '../kernel/instant.js'
import { sending } from '../model/webhooks/delivery.js'
import type { Effect } from '../model/task.js'
import type { World } from '../model/world.js'
import { postpone } from './attempts.js'
import { isOpen, scheduleAttempt } from './deliveries.js'

export interface WebhookFault {
  name: WebhookFaultName
  /** Of `duplicate`: the number of extra requests. */
  copies?: number
  /** Of `delay` and `stale`: how long. */
  by?: Duration
}

export interface WebhookFaultRule {
  id: string
  /** The glob that `matchesEvent` was made from; null matches every type. */
  event: string | null
  fault: WebhookFault
  /** Number of attempts that the fault affects. */
  count: number
  /** An endpoint's number; null: any endpoint. */
  endpoint: number | null
  matchesEvent: (type: string) => boolean
}

/** A fault that meets one attempt. */
export interface TakenFault {
  fault: WebhookFault
  /** Whether the attempt must wait: it is sent later, and recorded then. */
  postpones: boolean
  /** Undoes the taking. */
  putBack: () => void
}

/** A delivery that a fault holds back. */
interface Held {
  name: WebhookFaultName
  tenant: number
  endpoint: number
  /** When its attempt is due, and was before. An attempt due at another time has nothing to do with the fault. */
  dueTimes: Instant[]
}

/** A reordered attempt waits no longer than this for the next delivery. */
const reorderMost = minutes(1)

export class WebhookFaults {
  #rules: WebhookFaultRule[] = []
  #added = 0
  #generation: number
  /** By delivery. */
  readonly #held = new Map<number, Held>()

  constructor(readonly world: World) {
    this.#generation = world.generation
  }

  /** Adds a rule and returns its id. */
  add(rule: Omit<WebhookFaultRule, 'id'>): string {
    const id = `webhook_${++this.#added}`
    this.#rules.push({ ...rule, id })
    return id
  }

  /** The rules that wait, oldest first. */
  list(): readonly WebhookFaultRule[] {
    return this.#rules
  }

  /** Removes one rule that waits. */
  remove(id: string): void {
    this.#rules = this.#rules.filter((rule) => rule.id !== id)
  }

  /** Removes the faults that have not met their attempts, and returns how many. */
  clear(): number {
    return this.#rules.splice(0).length
  }

  /** Returns the fault that meets an attempt about to start: the one that held it back, or else the oldest that matches. */
  take({ tenant, delivery: n }: Effect): TakenFault | null {
    this.#forgetOtherWorld()
    if (this.#rules.length === 0 && this.#held.size === 0) return null
    const delivery = this.world.tenant(tenant).deliveries.get(n)
    if (!delivery) return null
    const held = this.#held.get(n)
    this.#held.delete(n)
    if (held && isDueAt(held, delivery.next_attempt_at)) {
      return { fault: { name: held.name }, postpones: false, putBack: () => this.#held.set(n, held) }
    }
    const rule = this.#rules.find(
      ({ endpoint, matchesEvent }) =>
        (endpoint ?? delivery.endpoint) === delivery.endpoint && matchesEvent(delivery.event_type),
    )
    if (!rule) return null
    const before = [...this.#rules]
    rule.count -= 1
    if (rule.count === 0) this.#rules = this.#rules.filter((other) => other !== rule)
    const { fault } = rule
    return {
      fault,
      postpones: fault.name === 'delay' || fault.name === 'reorder',
      putBack: () => {
        rule.count += 1
        this.#rules = before
      },
    }
  }

  /** Holds back an attempt that would start at that time; only inside a step. */
  postpone({ tenant, endpoint, delivery }: Effect, { name, by = reorderMost }: WebhookFault, at: Instant): void {
    const due = after(at, by)
    this.#held.set(delivery, { name, tenant, endpoint, dueTimes: [due] })
    postpone(this.world.tenant(tenant), delivery, due)
  }

  /** An attempt got a later start: when it comes, it is still the one that was held back. */
  noteStart({ delivery }: Effect, at: Instant): void {
    this.#held.get(delivery)?.dueTimes.push(at)
  }

  /** The reordered deliveries that are sent once an attempt that starts now has been made. */
  reorderedBehind({ endpoint, delivery }: Effect): number[] {
    this.#forgetOtherWorld()
    if (this.#held.size === 0) return []
    const behind = [...this.#held].filter(([, held]) => held.name === 'reorder' && held.endpoint === endpoint)
    return behind.map(([n]) => n).filter((n) => n !== delivery)
  }

  /** Makes held deliveries due now; only inside a step. */
  release(deliveries: readonly number[] = [...this.#held.keys()]): void {
    this.#forgetOtherWorld()
    for (const n of deliveries) {
      const held = this.#held.get(n)
      if (!held) continue
      const tenant = this.world.tenant(held.tenant)
      const delivery = tenant.deliveries.get(n)
      if (!delivery || !isOpen(delivery) || !isDueAt(held, delivery.next_attempt_at)) continue
      // While time is advanced, it may already wait in the queue of an endpoint that lags behind.
      const isQueued = delivery.sending === sending.underWay && this.world.pushed
      if (delivery.sending !== sending.no && !isQueued) continue
      const { now } = this.world
      held.dueTimes.push(now)
      tenant.deliveries.change(delivery, { next_attempt_at: now })
      if (!isQueued) scheduleAttempt(tenant, delivery, now)
    }
  }

  /** A reset or a restored snapshot has other deliveries under the same numbers. */
  #forgetOtherWorld(): void {
    if (this.#generation === this.world.generation) return
    this.#generation = this.world.generation
    this.#held.clear()
  }
}

const isDueAt = ({ dueTimes }: Held, at: Instant | null): boolean => at !== null && dueTimes.includes(at)
