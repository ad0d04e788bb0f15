/** The latest events and delivery attempts of one tenant, and how many there were per second. */
import type { FeedItem, Pulse } from '../../../../src/contract/control/pulse.js'
import type { SimulatedDelivery } from '../../../../src/contract/control/records.js'
import { toIso } from '../../../kernel/instant.js'
import { envelopeOf } from '../../../webhooks/outbox.js'
import type { Notification, Tenant } from '../../../model/world.js'

type Noted = Extract<Notification, { kind: 'event' | 'attempt' }>

const most = 16
/** Rates are measured over at least this time. */
const rateMs = 900

export class Feed {
  /** A ring: item `count % most` is the oldest. */
  readonly #latest: Noted[] = []
  #count = 0
  #events = 0
  #calls = 0
  #measured: { at: number; events: number; calls: number } | null = null
  #rates = { calls_per_second: 0, events_per_second: 0 }

  /** Begins with the latest stored events. */
  constructor(readonly tenant: Tenant) {
    const { events } = tenant
    for (const { n, type } of events.latest(most).reverse())
      this.#latest[this.#count++] = { kind: 'event', tenant: tenant.n, n, type, lead: null }
  }

  add(notice: Notification): void {
    if (notice.kind === 'world') return this.#clear()
    if (notice.tenant !== this.tenant.n) return
    if (notice.kind === 'call' && notice.to === 'ended') this.#calls++
    if (notice.kind !== 'event' && notice.kind !== 'attempt') return
    if (notice.kind === 'event') this.#events++
    this.#latest[this.#count++ % most] = notice
  }

  #clear(): void {
    this.#latest.length = 0
    this.#count = 0
  }

  /** The feed, with rates per second of system time. */
  read(now: number): Pick<Pulse, 'feed' | 'feed_count' | 'calls_per_second' | 'events_per_second'> {
    this.#measure(now)
    const start = this.#count > most ? this.#count % most : 0
    const inOrder = [...this.#latest.slice(start), ...this.#latest.slice(0, start)]
    const first = this.#count - inOrder.length
    return {
      ...this.#rates,
      feed: inOrder.flatMap((notice, i) => this.#item(notice, first + i) ?? []),
      feed_count: this.#count,
    }
  }

  #measure(now: number): void {
    const [events, calls] = [this.#events, this.#calls]
    this.#measured ??= { at: now, events, calls }
    const ms = now - this.#measured.at
    if (ms < rateMs) return
    const perSecond = (many: number) => Math.round((10_000 * many) / ms) / 10
    this.#rates = {
      calls_per_second: perSecond(calls - this.#measured.calls),
      events_per_second: perSecond(events - this.#measured.events),
    }
    this.#measured = { at: now, events, calls }
  }

  /** One item; null for an event that was deleted because of its age. */
  #item(notice: Noted, n: number): FeedItem | null {
    if (notice.kind === 'attempt') {
      const { event_type, response_status, error, id } = notice.delivery() as SimulatedDelivery
      const detail = `${event_type}: ${response_status ?? error ?? notice.result}`
      return { id: `${n}-${id}`, at: toIso(notice.at), type: 'delivery.attempt', who: null, lead_id: null, detail }
    }
    const event = this.tenant.events.get(notice.n)
    if (!event) return null
    const { created, type, data } = envelopeOf(this.tenant, event)
    const subject = data.object
    const lead = 'object' in subject ? subject.lead : subject
    const detail = 'object' in subject ? subject.outcome : subject.status
    return { id: `${n}`, at: created, type, who: lead?.name ?? lead?.phone ?? null, lead_id: lead?.id ?? null, detail }
  }
}
