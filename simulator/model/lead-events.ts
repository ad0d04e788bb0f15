/**
 * Finds the events of one lead. Events have no index on the lead, so they are found by the moments at which the lead or
 * its calls changed: events are numbered in the order of time.
 */
import type { EventType } from '../../src/contract/events.js'
import { instant, type Instant } from '../kernel/instant.js'
import { numberAt } from '../storage/bisect.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'
import type { Lead } from './lead.js'
import type { Tenant } from './world.js'
import type { Event } from './webhooks/event.js'

/** Events of one moment that are read at most. An import adds many leads at one moment. */
const readMost = 2_000

/** Events at any of these moments that name one of these ids, oldest first. None is older than event number `from`. */
export function eventsAt(tenant: Tenant, moments: Iterable<Instant>, ids: readonly string[], from: number): Event[] {
  const { store } = tenant.world
  const found: Event[] = []
  const named = ids.map(() => 'instr(data, ?) > 0').join(' OR ')
  for (const at of [...new Set(moments)].sort((a, b) => a - b)) {
    const first = Math.max(numberAt(store, tables.events, 'created', at), from)
    const end = Math.min(numberAt(store, tables.events, 'created', instant(at + 1)), first + readMost)
    const query = sql`SELECT * FROM ${tables.events} WHERE n >= ? AND n < ? AND +tenant = ? AND (${named}) ORDER BY n`
    found.push(...store.all<Event>(query, first, end, tenant.n, ...ids))
  }
  return found
}

/** The event that announced a lead. Leads are announced in the order of their numbers. */
export function eventOfNewLead(tenant: Tenant, lead: Lead): Event | null {
  return announcement(tenant, 'lead.created', lead)
}

function announcement({ world, leads, n: tenant }: Tenant, type: EventType, lead: Lead): Event | null {
  const { store } = world
  const query = sql`SELECT * FROM ${tables.events} WHERE tenant = ? AND type = ? AND n >= ? ORDER BY n LIMIT 1`
  const end = store.nextNumber(tables.events)
  const numberOf = ({ data }: Event): number =>
    leads.number((JSON.parse(data) as { object: { id: string } }).object.id) ?? 0
  let [low, high] = [1, end]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const event = store.one<Event>(query, tenant, type, middle)
    if (event && numberOf(event) === lead.n) return event
    if (event && numberOf(event) < lead.n) low = event.n + 1
    else high = middle
  }
  return null
}
