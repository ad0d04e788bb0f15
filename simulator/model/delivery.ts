/** One event for one endpoint, and each try to bring it there. Tries are only ever added. */
import type { EventType } from '../../src/contract/events.js'
import type { IdsOfKind } from '../kernel/ids.js'
import type { Instant } from '../kernel/instant.js'
import { ListFilter } from '../storage/list-filter.js'
import type { Store } from '../storage/store.js'

export type DeliveryStatus = 'pending' | 'sent' | 'failed' | 'gave_up' | 'skipped_paused'

/**
 * How far the next attempt is. `underWay`: it is due and being made, or about to be (found at start: the program died
 * during it). `waits`: it is due and waits in the store. `reserved`: pushed time gave it a start in a later second.
 */
export const sending = { no: 0, underWay: 1, waits: 2, reserved: 3 } as const

export interface Delivery {
  n: number
  tenant: number
  endpoint: number
  /** The event's number; null for a sample, which is no event of the account. */
  event: number | null
  /** Of its event; null for a sample. */
  campaign: number | null
  event_id: string
  event_type: EventType
  status: DeliveryStatus
  attempts: number
  /** When the first try of this schedule was sent: the later ones are counted from it. */
  first_attempt_at: Instant | null
  next_attempt_at: Instant | null
  last_attempt_at: Instant | null
  response_status: number | null
  response_body: string | null
  duration_ms: number | null
  resent_from: number | null
  created: Instant
  /** A sample's own envelope. */
  sample: string | null
  sending: (typeof sending)[keyof typeof sending]
  /** Why the last attempt had no answer. */
  error: string | null
  /** What the network did to the last attempt, because it was told to. */
  fault: string | null
}

export interface DeliveryFilter {
  status: DeliveryStatus | undefined
  /** Of events in these campaigns, and samples; null: of all. */
  scope: readonly number[] | null
}

export interface Attempt {
  delivery: number
  number: number
  at: Instant
  response_status: number | null
  error: string | null
  fault: string | null
  duration_ms: number
}

export class Deliveries {
  constructor(
    readonly store: Store,
    readonly tenant: number,
    readonly ids: IdsOfKind,
  ) {}

  id(n: number): string {
    return this.ids.uuid(n)
  }

  number(id: string): number | null {
    return this.ids.number(id)
  }

  get(n: number): Delivery | null {
    return this.store.one<Delivery>('SELECT * FROM deliveries WHERE n = ? AND tenant = ?', n, this.tenant) ?? null
  }

  /** The number the next delivery will have. */
  nextNumber(): number {
    return (this.store.one<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'deliveries'`)?.seq ?? 0) + 1
  }

  add(delivery: Omit<Delivery, 'n' | 'tenant'>): Delivery {
    const row = { tenant: this.tenant, ...delivery }
    return { n: this.store.insert('deliveries', row), ...row }
  }

  change(delivery: Delivery, changes: Partial<Delivery>): void {
    this.store.update('deliveries', delivery.n, changes)
    Object.assign(delivery, changes)
  }

  addAttempt(attempt: Attempt): void {
    this.store.insert('attempts', attempt)
  }

  page(endpoint: number, { status, scope }: DeliveryFilter, before: number | null, limit: number): Delivery[] {
    const where = new ListFilter()
      .where('endpoint = ?', endpoint)
      .where('status = ?', status)
      .addOneOf(campaignOrSample, scope && [noCampaign, ...scope])
      .where('n < ?', before)
    const sql = `SELECT * FROM deliveries WHERE ${where.sql} ORDER BY n DESC LIMIT ?`
    return this.store.all<Delivery>(sql, ...where.values, limit)
  }

  oldestSkipped(endpoint: number, scope: readonly number[] | null, limit: number): Delivery[] {
    const where = new ListFilter()
      .where('endpoint = ?', endpoint)
      .where('status = ?', 'skipped_paused')
      .addOneOf(campaignOrSample, scope && [noCampaign, ...scope])
    return this.store.all<Delivery>(
      `SELECT * FROM deliveries WHERE ${where.sql} ORDER BY n LIMIT ?`,
      ...where.values,
      limit,
    )
  }

  /** Those that more tries may follow. */
  numbersOfOpen(endpoint: number): number[] {
    const sql = `SELECT n FROM deliveries WHERE endpoint = ? AND ${open}`
    return this.store.all<{ n: number }>(sql, endpoint).map(({ n }) => n)
  }

  /** Skips them; tries that are on their way are not called back. */
  skipOpen(endpoint: number): void {
    const stays = `iif(sending = ${sending.underWay}, sending, ${sending.no})`
    const skipped = `status = 'skipped_paused', next_attempt_at = NULL, sending = ${stays}`
    this.store.run(`UPDATE deliveries SET ${skipped} WHERE endpoint = ? AND ${open}`, endpoint)
  }

  countUnderWay(endpoint: number): number {
    const sql = `SELECT count(*) AS n FROM deliveries WHERE endpoint = ? AND sending = ${sending.underWay}`
    return this.store.one<{ n: number }>(sql, endpoint)?.n ?? 0
  }

  /** Of those that wait for room, the one that was due first. */
  longestWaiting(endpoint: number): Delivery | null {
    const sql = `SELECT * FROM deliveries WHERE endpoint = ? AND sending = ${sending.waits} ORDER BY next_attempt_at, n LIMIT 1`
    return this.store.one<Delivery>(sql, endpoint) ?? null
  }
}

const noCampaign = 0
const campaignOrSample = `iif(event IS NULL, ${noCampaign}, campaign)`

const open = `status IN ('pending', 'failed')`

/** Those of every tenant that wait in the store until there is room for them. */
export function deliveriesThatWait(store: Store, limit = -1): Delivery[] {
  const sql = `SELECT * FROM deliveries WHERE sending = ${sending.waits} ORDER BY endpoint, next_attempt_at, n LIMIT ?`
  return store.all<Delivery>(sql, limit)
}

/** Those of every tenant, newest first. */
export function deliveriesOfAll(store: Store, status: DeliveryStatus | undefined, limit: number): Delivery[] {
  const where = status === undefined ? '' : 'WHERE status = ?'
  const values = status === undefined ? [] : [status]
  return store.all<Delivery>(`SELECT * FROM deliveries ${where} ORDER BY n DESC LIMIT ?`, ...values, limit)
}
