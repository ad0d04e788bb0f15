/** Deliveries: one event for one webhook endpoint, with all its attempts. Attempts are only added, never changed. */
import type { EventType } from '../../../src/contract/events.js'
import type { IdsOfKind } from '../../kernel/ids.js'
import type { Instant } from '../../kernel/instant.js'
import { ListFilter } from '../../storage/list-filter.js'
import type { NumberRange } from '../../storage/bisect.js'
import type { Store } from '../../storage/store.js'
import { sql } from '../../storage/sql.js'
import { tables } from '../../storage/tables.js'

export type DeliveryStatus = 'pending' | 'sent' | 'failed' | 'gave_up' | 'skipped_paused'

/**
 * State of the next attempt.
 * `underWay`: the attempt runs or is about to run. After a crash, such a delivery is attempted again.
 * `waits`: the attempt is due and waits in the store.
 * `reserved`: while time advances, the attempt has a reserved start in a later second.
 */
export const sending = { no: 0, underWay: 1, waits: 2, reserved: 3 } as const

export interface Delivery {
  n: number
  tenant: number
  endpoint: number
  /** The event's number; null for a sample, which is not one of the account's events. */
  event: number | null
  /** The event's campaign; null for a sample. */
  campaign: number | null
  event_id: string
  event_type: EventType
  status: DeliveryStatus
  attempts: number
  /** When the first attempt was sent. Later attempts are scheduled from it (rule W6). */
  first_attempt_at: Instant | null
  next_attempt_at: Instant | null
  last_attempt_at: Instant | null
  response_status: number | null
  response_body: string | null
  duration_ms: number | null
  resent_from: number | null
  created: Instant
  /** The envelope of a sample. */
  sample: string | null
  sending: (typeof sending)[keyof typeof sending]
  /** Why the last attempt got no response. */
  error: string | null
  /** The fault that was injected into the last attempt. */
  fault: string | null
}

export interface DeliveryFilter {
  status: DeliveryStatus | undefined
  /** Only events of these campaigns, and samples; null means all. */
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
    return (
      this.store.one<Delivery>(sql`SELECT * FROM ${tables.deliveries} WHERE n = ? AND tenant = ?`, n, this.tenant) ??
      null
    )
  }

  byId(id: string): Delivery | null {
    const n = this.number(id)
    return n === null ? null : this.get(n)
  }

  /** The number that the next delivery gets. */
  nextNumber(): number {
    return (
      (this.store.one<{ seq: number }>(sql`SELECT seq FROM sqlite_sequence WHERE name = 'deliveries'`)?.seq ?? 0) + 1
    )
  }

  add(delivery: Omit<Delivery, 'n' | 'tenant'>): Delivery {
    const row = { tenant: this.tenant, ...delivery }
    return { n: this.store.insert(tables.deliveries, row), ...row }
  }

  change(delivery: Delivery, changes: Partial<Delivery>): void {
    this.store.update(tables.deliveries, delivery.n, changes)
    Object.assign(delivery, changes)
  }

  addAttempt(attempt: Attempt): void {
    this.store.insert(tables.attempts, attempt)
  }

  page(endpoint: number, { status, scope }: DeliveryFilter, before: number | null, limit: number): Delivery[] {
    const where = new ListFilter()
      .where('endpoint = ?', endpoint)
      .where('status = ?', status)
      .addOneOf(campaignOrSample, scope && [noCampaign, ...scope])
      .where('n < ?', before)
    const query = sql`SELECT * FROM ${tables.deliveries} WHERE ${where.sql} ORDER BY n DESC LIMIT ?`
    return this.store.all<Delivery>(query, ...where.values, limit)
  }

  /** Deliveries of some events, oldest first. */
  ofEvents(events: readonly number[], limit: number): Delivery[] {
    const marks = events.map(() => '?').join(',')
    const query = sql`SELECT * FROM ${tables.deliveries} WHERE event IN (${marks}) ORDER BY n LIMIT ?`
    return this.store.all<Delivery>(query, ...events, limit)
  }

  /** How many deliveries of an endpoint have a status, of those with a number in the range. */
  countWithStatus(endpoint: number, status: DeliveryStatus, { first, end }: NumberRange): number {
    const query = sql`SELECT count(*) AS count FROM ${tables.deliveries} WHERE endpoint = ? AND status = ? AND n >= ? AND n < ?`
    return this.store.one<{ count: number }>(query, endpoint, status, first, end)?.count ?? 0
  }

  /** The attempts of a delivery, oldest first. */
  attemptsOf({ n }: Delivery): Attempt[] {
    return this.store.all<Attempt>(
      sql`SELECT delivery, number, at, response_status, error, fault, duration_ms FROM ${tables.attempts} WHERE delivery = ? ORDER BY n`,
      n,
    )
  }

  oldestSkipped(endpoint: number, scope: readonly number[] | null, limit: number): Delivery[] {
    const where = new ListFilter()
      .where('endpoint = ?', endpoint)
      .where('status = ?', 'skipped_paused')
      .addOneOf(campaignOrSample, scope && [noCampaign, ...scope])
    return this.store.all<Delivery>(
      sql`SELECT * FROM ${tables.deliveries} WHERE ${where.sql} ORDER BY n LIMIT ?`,
      ...where.values,
      limit,
    )
  }

  /** Numbers of the deliveries that may be attempted again. */
  numbersOfOpen(endpoint: number): number[] {
    const query = sql`SELECT n FROM ${tables.deliveries} WHERE endpoint = ? AND ${open}`
    return this.store.all<{ n: number }>(query, endpoint).map(({ n }) => n)
  }

  /** Marks open deliveries as skipped (rule W9). Attempts under way are not cancelled. */
  skipOpen(endpoint: number): void {
    const stays = `iif(sending = ${sending.underWay}, sending, ${sending.no})`
    const skipped = `status = 'skipped_paused', next_attempt_at = NULL, sending = ${stays}`
    this.store.run(sql`UPDATE ${tables.deliveries} SET ${skipped} WHERE endpoint = ? AND ${open}`, endpoint)
  }

  /** Records that no attempt is under way, in the copy of a world. */
  clearUnderWay(endpoint: number): void {
    this.store.run(sql`UPDATE ${tables.deliveries} SET sending = ${sending.no} WHERE endpoint = ?`, endpoint)
  }

  countUnderWay(endpoint: number): number {
    const query = sql`SELECT count(*) AS n FROM ${tables.deliveries} WHERE endpoint = ? AND sending = ${sending.underWay}`
    return this.store.one<{ n: number }>(query, endpoint)?.n ?? 0
  }

  /** The delivery that has waited longest for a free slot. */
  longestWaiting(endpoint: number): Delivery | null {
    const query = sql`SELECT * FROM ${tables.deliveries} WHERE endpoint = ? AND sending = ${sending.waits} ORDER BY next_attempt_at, n LIMIT 1`
    return this.store.one<Delivery>(query, endpoint) ?? null
  }
}

const noCampaign = 0
const campaignOrSample = `iif(event IS NULL, ${noCampaign}, campaign)`

const open = `status IN ('pending', 'failed')`

/** Deliveries of every tenant that wait in the store for a free slot. */
export function deliveriesThatWait(store: Store, limit = -1): Delivery[] {
  const query = sql`SELECT * FROM ${tables.deliveries} WHERE sending = ${sending.waits} ORDER BY endpoint, next_attempt_at, n LIMIT ?`
  return store.all<Delivery>(query, limit)
}

/** Deliveries of every tenant, newest first. */
export function deliveriesOfAll(store: Store, status: DeliveryStatus | undefined, limit: number): Delivery[] {
  const where = status === undefined ? '' : 'WHERE status = ?'
  const values = status === undefined ? [] : [status]
  return store.all<Delivery>(sql`SELECT * FROM ${tables.deliveries} ${where} ORDER BY n DESC LIMIT ?`, ...values, limit)
}
