/** One event for one endpoint, and each try to bring it there. Tries are only ever added. */
import type { EventType } from '../../src/contract/events.js'
import type { Ids } from '../kernel/ids.js'
import type { Instant } from '../kernel/instant.js'
import type { Flag } from './lead.js'
import type { Store } from './store.js'

export type DeliveryStatus = 'pending' | 'sent' | 'failed' | 'gave_up' | 'skipped_paused'

export interface Delivery {
  n: number
  tenant: number
  endpoint: number
  /** The event's number; null for a sample, which is no event of the account. */
  event: number | null
  event_id: string
  event_type: EventType
  status: DeliveryStatus
  attempts: number
  /** When the first try of this schedule was due to start: the later ones are counted from it. */
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
  /** A try is under way; found so at start, the program died during it. */
  sending: Flag
}

export interface Attempt {
  delivery: number
  number: number
  at: Instant
  response_status: number | null
  error: string | null
  duration_ms: number
}

export class Deliveries {
  constructor(
    readonly store: Store,
    readonly tenant: number,
    readonly ids: Ids,
  ) {}

  id(n: number): string {
    return this.ids.uuid(`delivery/${this.tenant}`, n)
  }

  number(id: string): number | null {
    return this.ids.number(`delivery/${this.tenant}`, id)
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

  page(endpoint: number, status: string | undefined, before: number | null, limit: number): Delivery[] {
    return this.store.all<Delivery>(
      `SELECT * FROM deliveries WHERE endpoint = ? AND n < ? AND (? IS NULL OR status = ?) ORDER BY n DESC LIMIT ?`,
      endpoint,
      before ?? Number.MAX_SAFE_INTEGER,
      status ?? null,
      status ?? null,
      limit,
    )
  }

  /** Those of an endpoint with a status, oldest first. */
  withStatus(endpoint: number, status: DeliveryStatus, limit: number): Delivery[] {
    return this.store.all<Delivery>(
      'SELECT * FROM deliveries WHERE endpoint = ? AND status = ? ORDER BY n LIMIT ?',
      endpoint,
      status,
      limit,
    )
  }
}

/** Those of every tenant, newest first. */
export function deliveriesOfAll(store: Store, status: DeliveryStatus | undefined, limit: number): Delivery[] {
  const where = status === undefined ? '' : 'WHERE status = ?'
  const values = status === undefined ? [] : [status]
  return store.all<Delivery>(`SELECT * FROM deliveries ${where} ORDER BY n DESC LIMIT ?`, ...values, limit)
}
