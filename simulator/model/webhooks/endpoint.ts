/** Webhook endpoints: where a tenant's events are sent, and how the deliveries go. */
import type { EventType } from '../../../src/contract/events.js'
import type { IdsOfKind } from '../../kernel/ids.js'
import type { Instant } from '../../kernel/instant.js'
import type { Store } from '../../storage/store.js'
import type { Cache } from '../../storage/caches.js'
import { sql } from '../../storage/sql.js'
import { tables } from '../../storage/tables.js'

export interface Endpoint {
  n: number
  tenant: number
  url: string
  events: EventType[]
  /** Campaign ids; null means every campaign. */
  campaign_ids: string[] | null
  status: 'active' | 'paused'
  secret: string
  previous_secret: string | null
  previous_secret_expires_at: Instant | null
  failing_since: Instant | null
  paused_at: Instant | null
  last_success_at: Instant | null
  /** Start times of the latest attempts while time advances, oldest first. Some may lie in the future. */
  starts: Instant[]
  created: Instant
  updated: Instant
}

type EndpointRow = Omit<Endpoint, 'events' | 'campaign_ids' | 'starts'> & {
  events: string
  campaign_ids: string | null
  starts: string
}

const readEndpoint = (row: EndpointRow): Endpoint => ({
  ...row,
  events: JSON.parse(row.events) as EventType[],
  campaign_ids: row.campaign_ids === null ? null : (JSON.parse(row.campaign_ids) as string[]),
  starts: JSON.parse(row.starts) as Instant[],
})

function writeEndpoint(endpoint: Partial<Endpoint>): Partial<EndpointRow> {
  const { events, campaign_ids, starts, ...rest } = endpoint
  return {
    ...rest,
    ...(events && { events: JSON.stringify(events) }),
    ...(starts && { starts: JSON.stringify(starts) }),
    ...(campaign_ids !== undefined && { campaign_ids: campaign_ids && JSON.stringify(campaign_ids) }),
  }
}

/**
 * The endpoints of one tenant. They are few and every event reads them, so the list stays in memory until one changes.
 */
export class Endpoints implements Cache {
  readonly table = tables.endpoints
  #known: Endpoint[] | null = null

  constructor(
    readonly store: Store,
    readonly tenant: number,
    readonly ids: IdsOfKind,
  ) {
    store.register(this)
  }

  id(n: number): string {
    return this.ids.uuid(n)
  }

  byId(id: string): Endpoint | null {
    const n = this.ids.number(id)
    return n === null ? null : this.get(n)
  }

  get(n: number): Endpoint | null {
    return this.all().find((endpoint) => endpoint.n === n) ?? null
  }

  /** Newest first. */
  all(): readonly Endpoint[] {
    return (this.#known ??= this.store
      .all<EndpointRow>(sql`SELECT * FROM ${tables.endpoints} WHERE tenant = ? ORDER BY n DESC`, this.tenant)
      .map(readEndpoint))
  }

  invalidate(): void {
    this.#known = null
  }

  add(endpoint: Omit<Endpoint, 'n' | 'tenant'>): Endpoint {
    const row = { tenant: this.tenant, ...endpoint }
    const n = this.store.insert(tables.endpoints, writeEndpoint(row))
    this.invalidate()
    return this.get(n) as Endpoint
  }

  change(endpoint: Endpoint, changes: Partial<Endpoint>): void {
    this.store.update(tables.endpoints, endpoint.n, writeEndpoint(changes))
    Object.assign(endpoint, changes)
  }

  /** Deletes the endpoint with its deliveries and attempts. */
  remove(endpoint: Endpoint): void {
    this.store.run(
      sql`DELETE FROM ${tables.attempts} WHERE delivery IN (SELECT n FROM ${tables.deliveries} WHERE endpoint = ?)`,
      endpoint.n,
    )
    this.store.run(sql`DELETE FROM ${tables.deliveries} WHERE endpoint = ?`, endpoint.n)
    this.store.run(sql`DELETE FROM ${tables.endpoints} WHERE n = ?`, endpoint.n)
    this.invalidate()
  }
}
