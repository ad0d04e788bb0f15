/** Events: written once, in the transaction of the change that caused them, and never changed (rule E1). */
import type { EventType } from '../../../src/contract/events.js'
import type { IdsOfKind } from '../../kernel/ids.js'
import type { Instant } from '../../kernel/instant.js'
import { ListFilter } from '../../storage/list-filter.js'
import type { Store, Value } from '../../storage/store.js'
import type { Cache } from '../../storage/caches.js'
import { sql } from '../../storage/sql.js'
import { tables } from '../../storage/tables.js'

export interface Event {
  n: number
  tenant: number
  campaign: number | null
  type: EventType
  created: Instant
  /** JSON of the envelope's data: the object that the event is about, and the fields of its type. */
  data: string
}

export interface EventFilter {
  campaigns: readonly number[] | null
  types: readonly EventType[]
  createdFrom?: Instant | undefined
  createdTo?: Instant | undefined
}

const columns = ['tenant', 'n', 'campaign', 'type', 'created', 'data'] as const

/** Maximum number of events in memory before they are written. */
const most = 16

export class Events implements Cache {
  readonly table = tables.events
  /** The unwritten events, each as the values of its columns. */
  #unwritten: Value[][] = []

  constructor(
    readonly store: Store,
    readonly tenant: number,
    readonly ids: IdsOfKind,
  ) {
    store.register(this)
  }

  id(n: number): string {
    return `evt_${this.ids.uuid(n).replaceAll('-', '')}`
  }

  number(id: string): number | null {
    const shape = /^evt_(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(id)
    return shape ? this.ids.number(shape.slice(1).join('-')) : null
  }

  /** The number that the next event gets. The event's id is part of its body. */
  nextNumber(): number {
    return this.store.nextNumber(tables.events)
  }

  add({ n, tenant, campaign, type, created, data }: Event): void {
    this.#unwritten.push([tenant, n, campaign, type, created, data])
    if (this.#unwritten.length < most) this.store.markDirty(this)
    else this.flush()
  }

  flush(): void {
    this.store.insertAll(tables.events, columns, this.#unwritten)
    this.#unwritten = []
  }

  invalidate(): void {
    this.#unwritten = []
  }

  get(n: number): Event | null {
    return this.store.one<Event>(sql`SELECT * FROM ${tables.events} WHERE n = ? AND tenant = ?`, n, this.tenant) ?? null
  }

  /** The latest events, newest first. */
  latest(limit: number): Event[] {
    const query = sql`SELECT * FROM ${tables.events} WHERE tenant = ? ORDER BY n DESC LIMIT ?`
    return this.store.all<Event>(query, this.tenant, limit)
  }

  page(filter: EventFilter, before: number | null, limit: number): Event[] {
    const where = new ListFilter()
      .where('tenant = ?', this.tenant)
      .addOneOf('campaign', filter.campaigns)
      .where('created >= ?', filter.createdFrom)
      .where('created <= ?', filter.createdTo)
      .where('n < ?', before)
    const types = filter.types.map(() => '?').join(',')
    const query = sql`SELECT * FROM ${tables.events} WHERE ${where.sql} AND ${filter.types.length > 1 ? '+' : ''}type IN (${types}) ORDER BY n DESC LIMIT ?`
    return this.store.all<Event>(query, ...where.values, ...filter.types, limit)
  }
}
