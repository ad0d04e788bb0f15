/** The condition at which an advance of the clock stops: an event, or a lead with a status or an outcome. */
import type { EventType } from '../../src/contract/events.js'
import type { LeadStatus } from '../../src/contract/leads.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'
import type { Event } from './webhooks/event.js'
import type { LeadsMoved, Notification, World } from './world.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

/** Every part that is given must hold. */
export interface Wanted {
  /** The lead to watch. Any lead when left out. */
  lead?: { tenant: number; n: number } | undefined
  status?: LeadStatus | undefined
  outcome?: Outcome | undefined
  /** Which event types count. Only events after the start of the advance count. */
  isWantedEvent?: ((type: EventType) => boolean) | undefined
}

interface Found {
  /** The event that met the condition; null when the condition asks for none. */
  event: Event | null
}

/**
 * Reads the notices of each transaction instead of the store, so a task that changes no lead costs nothing.
 * A rollback also discards what was read from that transaction.
 */
export class StopCondition {
  readonly #world: World
  readonly #wanted: Wanted
  /** The wanted events so far, one per lead. They are kept here because the store deletes old ones. */
  readonly #events = new Map<string, Event>()
  /** The wanted events of the transaction that is not committed yet. */
  readonly #newEvents = new Map<string, Event>()
  /** How many notices of the transaction were read. */
  #read = 0
  #found: Found | null = null
  #isCommitted = false

  constructor(world: World, wanted: Wanted) {
    this.#world = world
    this.#wanted = wanted
    this.#found = this.#holdsNow()
    this.#isCommitted = this.#found !== null
  }

  get isReached(): boolean {
    return this.#found !== null
  }

  /** The event that met the condition. */
  get event(): Event | undefined {
    return this.#found?.event ?? undefined
  }

  /** Reads the new notices of the transaction. Returns whether the condition holds. */
  look(): boolean {
    const { notices } = this.#world
    while (this.#found === null && this.#read < notices.length) {
      const notice = notices[this.#read++]
      if (notice) this.#found = this.#after(notice)
    }
    return this.isReached
  }

  /** Call this after the transaction is committed. */
  keep(): void {
    this.look()
    for (const [lead, event] of this.#newEvents) this.#events.set(lead, event)
    this.#newEvents.clear()
    this.#isCommitted = this.isReached
    this.#read = 0
  }

  /** Call this after the transaction is rolled back. */
  undo(): void {
    this.#newEvents.clear()
    if (!this.#isCommitted) this.#found = null
    this.#read = 0
  }

  #after(notice: Notification): Found | null {
    if (notice.kind === 'lead') return this.#holdsFor(notice.tenant, notice.n)
    if (notice.kind === 'leads') return this.#holdsAfterMove(notice)
    if (notice.kind !== 'event') return null
    const { tenant, type, lead } = notice
    const { isWantedEvent, status, outcome } = this.#wanted
    if (isWantedEvent?.(type)) {
      const event = this.#world.tenant(tenant).events.get(notice.n)
      if (lead !== null && event) this.#newEvents.set(keyOf(tenant, lead), event)
      else if (!this.#wanted.lead && status === undefined && outcome === undefined) return { event }
    } else if (outcome === undefined) return null
    // A correction changes an outcome without moving the lead. Only its event shows that.
    return lead === null ? null : this.#holdsFor(tenant, lead)
  }

  #holdsFor(tenant: number, n: number): Found | null {
    const { lead, status, outcome, isWantedEvent } = this.#wanted
    if (lead && (lead.tenant !== tenant || lead.n !== n)) return null
    const key = keyOf(tenant, n)
    const event = isWantedEvent ? (this.#newEvents.get(key) ?? this.#events.get(key)) : null
    if (event === undefined) return null
    if (status === undefined && outcome === undefined) return isWantedEvent ? { event } : null
    const found = this.#world.tenant(tenant).leads.get(n)
    return (status ?? found.status) === found.status && (outcome ?? found.last_outcome) === found.last_outcome
      ? { event }
      : null
  }

  /** Leads that move as a group keep their outcomes and cause no event. */
  #holdsAfterMove({ tenant, campaign, to }: LeadsMoved): Found | null {
    const { lead, status, isWantedEvent } = this.#wanted
    if (status !== to) return null
    if (lead) return this.#holdsFor(lead.tenant, lead.n)
    if (!isWantedEvent) return this.#anyLead('tenant = ? AND campaign = ?', tenant, campaign)
    for (const key of [...this.#events.keys(), ...this.#newEvents.keys()]) {
      const [ofTenant = 0, n = 0] = key.split(':').map(Number)
      const found = ofTenant === tenant ? this.#holdsFor(tenant, n) : null
      if (found) return found
    }
    return null
  }

  /** A status or an outcome may hold at the start. An event must be new. */
  #holdsNow(): Found | null {
    const { lead, status, outcome, isWantedEvent } = this.#wanted
    if (isWantedEvent) return null
    return lead ? this.#holdsFor(lead.tenant, lead.n) : this.#anyLead((status ?? outcome) ? '1' : '0')
  }

  #anyLead(where: string, ...values: number[]): Found | null {
    const { status, outcome } = this.#wanted
    const conditions = [where, ...(status ? ['status = ?'] : []), ...(outcome ? ['last_outcome = ?'] : [])]
    const found = this.#world.store.one(
      sql`SELECT n FROM ${tables.leads} WHERE ${conditions.join(' AND ')} LIMIT 1`,
      ...values,
      ...(status ? [status] : []),
      ...(outcome ? [outcome] : []),
    )
    return found === undefined ? null : { event: null }
  }
}

const keyOf = (tenant: number, lead: number): string => `${tenant}:${lead}`
