/**
 * Compares two worlds. Leads are matched by campaign and external id, else by phone number; calls and deliveries by
 * their lead and their order. Ids that differ only because the seeds differ count as equal.
 */
import type { Difference, WorldDiff } from '../../src/contract/control/worlds.js'
import { toIso } from '../kernel/instant.js'
import type { Call } from '../model/call.js'
import { modes } from '../model/api-key.js'
import type { Lead } from '../model/lead.js'
import { tenantNumberOf } from '../model/organization.js'
import { serializeCall } from '../model/serialize/calls.js'
import { serializeLead, simulatedDelivery } from '../model/serialize/resources.js'
import type { Delivery } from '../model/webhooks/delivery.js'
import type { Event } from '../model/webhooks/event.js'
import type { Tenant, World } from '../model/world.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

type Fields = Record<string, unknown>
/** Objects of one world by the key that both worlds have in common. */
type Keyed = Map<string, Fields>

export function compareWorlds(a: World, b: World): WorldDiff {
  const [left, right] = [new Side(a), new Side(b)]
  const first_event = firstDifferentEvent(left, right)
  const leads = compareAll(left, right, left.leads(), right.leads())
  const calls = compareAll(left, right, left.calls(), right.calls())
  const deliveries = compareAll(left, right, left.deliveries(), right.deliveries())
  const identical = first_event === null && leads.length + calls.length + deliveries.length === 0
  return { identical, first_event, leads, calls, deliveries }
}

function firstDifferentEvent(left: Side, right: Side): WorldDiff['first_event'] {
  const [inA, inB] = [left.events(), right.events()]
  for (let index = 0; ; index++) {
    const [a, b] = [nextOf(inA), nextOf(inB)]
    if (a === null && b === null) return null
    if (a === null || b === null || left.normalize(a) !== right.normalize(b)) {
      // Ends both queries.
      inA.return?.()
      inB.return?.()
      return { index, a: a && left.envelope(a), b: b && right.envelope(b) }
    }
  }
}

function nextOf<T>(rows: Iterator<T>): T | null {
  const next = rows.next()
  return next.done ? null : next.value
}

function compareAll(left: Side, right: Side, inA: Keyed, inB: Keyed): Difference[] {
  const keys = new Set([...inA.keys(), ...inB.keys()])
  return [...keys].flatMap((key) => {
    const [a, b] = [inA.get(key) ?? null, inB.get(key) ?? null]
    if (a && b) return compareFields(left, right, key, a, b)
    return [{ key, a, b }]
  })
}

/** The fields that differ, with the ids; nothing if none does. */
function compareFields(left: Side, right: Side, key: string, a: Fields, b: Fields): Difference[] {
  const differs = (name: string) => left.normalize(a[name]) !== right.normalize(b[name])
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(differs)
  if (names.length === 0) return []
  const pick = (from: Fields) => Object.fromEntries(['id', ...names].map((name) => [name, from[name]]))
  return [{ key, a: pick(a), b: pick(b) }]
}

const idPattern =
  /evt_[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|ck_(?:live|test)_\w+/g

/** One of the two worlds. */
class Side {
  readonly #tenants: Tenant[]
  /** Ids that are stored, such as those of campaigns and keys, with what stands for them in a comparison. */
  readonly #stored = new Map<string, string>()

  constructor(readonly world: World) {
    const { organizations, campaigns, keys } = world
    const all = organizations.all()
    this.#tenants = all.flatMap(({ n }) => modes.map((mode) => world.tenant(tenantNumberOf(n, mode))))
    const keep = (kind: string, rows: readonly { id: string }[], owner: number) =>
      rows.forEach(({ id }, i) => this.#stored.set(id, `${kind} ${owner}/${i}`))
    for (const { n, id } of all) {
      keep('organization', [{ id }], n)
      keep('member', organizations.listMembers(n), n)
      keep('campaign', campaigns.listByOrganization(n), n)
      keep(
        'key',
        keys.listByOrganization(n).map(({ key_id: id }) => ({ id })),
        n,
      )
    }
  }

  /** The JSON of a value in which ids are replaced by the kind and number of their object. */
  normalize(value: unknown): string {
    return (JSON.stringify(value) ?? '').replace(idPattern, (id) => this.#nameOf(id))
  }

  #nameOf(id: string): string {
    const stored = this.#stored.get(id)
    if (stored !== undefined) return stored
    for (const { leads, calls, events, endpoints, deliveries, exports, dnc, n: tenant } of this.#tenants) {
      if (id.startsWith('evt_')) {
        const n = events.number(id)
        if (n !== null) return `event ${n}`
        continue
      }
      for (const { ids } of [leads, calls, endpoints, deliveries, exports, dnc]) {
        const n = ids.number(id)
        if (n !== null) return `${ids.kind} ${tenant}/${n}`
      }
    }
    return id
  }

  events(): Iterator<Event> {
    return this.world.store.each<Event>(sql`SELECT * FROM ${tables.events} ORDER BY n`)
  }

  envelope({ n, tenant, type, created, data }: Event): Fields {
    const { events } = this.world.tenant(tenant)
    return { id: events.id(n), type, created: toIso(created), data: JSON.parse(data) as Fields }
  }

  leads(): Keyed {
    const found: Keyed = new Map()
    for (const tenant of this.#tenants) {
      for (const { n } of this.#rows<Lead>(tables.leads, tenant)) {
        const lead = tenant.leads.get(n)
        put(found, this.#keyOfLead(tenant, lead), serializeLead(tenant, lead, { inList: true }))
      }
    }
    return found
  }

  calls(): Keyed {
    const found: Keyed = new Map()
    for (const tenant of this.#tenants) {
      for (const call of this.#rows<Call>(tables.calls, tenant)) {
        const lead = call.lead === null ? null : tenant.leads.get(call.lead)
        const key = lead ? this.#keyOfLead(tenant, lead) : `${tenant.mode} ${call.phone}`
        put(found, key, serializeCall(tenant, call))
      }
    }
    return found
  }

  /** Without what the network decides: durations and the receivers' answers in words. */
  deliveries(): Keyed {
    const found: Keyed = new Map()
    for (const tenant of this.#tenants) {
      for (const row of this.#rows<Delivery>(tables.deliveries, tenant)) {
        const event = row.event === null ? null : tenant.events.get(row.event)
        const about = event ? this.#leadIn(JSON.parse(event.data) as Fields) : ''
        const { id, status, attempts, response_status, error, fault } = simulatedDelivery(tenant, row) as Fields
        put(found, `${about} ${row.event_type}`.trim(), {
          id,
          status,
          attempts,
          response_status,
          error,
          fault,
        })
      }
    }
    return found
  }

  #leadIn({ lead, call }: Fields): string {
    const about = (lead ?? (call as Fields | undefined)?.lead ?? {}) as { external_id?: string | null; phone?: string }
    return about.external_id ?? about.phone ?? ''
  }

  #rows<T>(table: (typeof tables)['leads' | 'calls' | 'deliveries'], { n: tenant }: Tenant): T[] {
    return this.world.store.all<T>(sql`SELECT * FROM ${table} WHERE tenant = ? ORDER BY n`, tenant)
  }

  #keyOfLead(tenant: Tenant, { campaign, external_id, phone }: Lead): string {
    return `${tenant.mode} ${tenant.campaign(campaign).name} ${external_id ?? phone}`
  }
}

/** Adds an object. Those that follow it under the same key are numbered. */
function put(found: Keyed, key: string, fields: object): void {
  let name = key
  for (let i = 2; found.has(name); i++) name = `${key} (${i})`
  found.set(name, fields as Fields)
}
