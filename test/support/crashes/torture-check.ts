/** Checks a data file after a kill: everything acknowledged is there, and nothing is half done. */
import { FolderSnapshots } from '../../../simulator/storage/snapshots.js'
import { tenantNumberOf } from '../../../simulator/model/organization.js'
import { Store, type Value } from '../../../simulator/storage/store.js'
import { World, type Tenant } from '../../../simulator/model/world.js'
import { subscribed, type Acknowledged } from './torture-play.js'
import { sql } from '../../../simulator/storage/sql.js'
import { tables } from '../../../simulator/storage/tables.js'

const waiting = `status IN ('queued', 'scheduled', 'held')`
const types = subscribed.map((type) => `'${type}'`).join()

/** Queries for rows that must not exist, because they would show an inconsistency. */
const disagreements: Record<string, string> = {
  'a lead without its one lead.created event': `SELECT n FROM leads WHERE n NOT IN (SELECT lead FROM created)
     UNION ALL SELECT lead FROM created GROUP BY lead HAVING count(*) > 1
     UNION ALL SELECT lead FROM created WHERE lead NOT IN (SELECT n FROM leads)`,
  'a name that two leads have': 'SELECT external_id FROM leads GROUP BY external_id HAVING count(*) > 1',
  'an event without its one delivery': `SELECT n FROM events e WHERE type IN (${types}) AND (SELECT count(*) FROM deliveries WHERE event = e.n) <> 1`,
  'an open delivery without an appointment': `SELECT 'delivery:' || n FROM deliveries WHERE status IN ('pending', 'failed') AND sending = 0
     EXCEPT SELECT key FROM agenda`,
  'a delivery whose attempts are not those it counts':
    'SELECT n FROM deliveries d WHERE attempts <> (SELECT count(*) FROM attempts WHERE delivery = d.n)',
  'a call that goes on and nothing comes of it': `SELECT n FROM calls WHERE status <> 'ended' AND n NOT IN
     (SELECT json_extract(task, '$.call') FROM agenda WHERE json_extract(task, '$.kind') = 'call.beat')`,
  'a call without its call.started': `SELECT count(*) AS calls FROM calls HAVING count(*) <> (SELECT count(*) FROM events WHERE type = 'call.started')`,
  'an ended call without its call.completed': `SELECT count(*) AS calls FROM calls WHERE status = 'ended' HAVING count(*) <> (SELECT count(*) FROM events WHERE type = 'call.completed')`,
  'a lead that is marked wrong as one that hours move': `SELECT n FROM leads WHERE
     follows_hours <> (status = 'queued' OR (status = 'scheduled' AND scheduled_reason IS NULL))`,
  'a lead that hours move and that waits for no change of them': `SELECT l.n FROM leads l JOIN campaigns c ON c.n = l.campaign
     WHERE follows_hours = 1 AND zone <> '' AND any_hour = 0 AND (l.status = 'queued' OR scheduled_for IS NOT NULL) AND NOT EXISTS
     (SELECT 1 FROM agenda WHERE key = 'hours:' || l.tenant || ':' || l.campaign || ':' || l.zone AND (scheduled_for IS NULL OR at <= scheduled_for))`,
  'a lead without its details': `SELECT n FROM leads EXCEPT SELECT n FROM lead_details`,
  'details of no lead': `SELECT n FROM lead_details EXCEPT SELECT n FROM leads`,
  'a lead on the telephone without a call': `SELECT n FROM leads l WHERE status IN ('dialing', 'on_call') AND NOT EXISTS
     (SELECT 1 FROM calls WHERE lead = l.n AND status <> 'ended')`,
  'lines that are counted wrong': `SELECT campaign FROM queues q WHERE
     busy <> (SELECT count(*) FROM calls c WHERE c.tenant = q.tenant AND c.campaign = q.campaign AND c.status <> 'ended')
     OR calls_ended <> (SELECT count(*) FROM calls c WHERE c.tenant = q.tenant AND c.campaign = q.campaign AND c.status = 'ended')`,
  'a queue that is counted wrong': `SELECT campaign FROM queues q WHERE
     queued <> (SELECT count(*) FROM leads l WHERE l.tenant = q.tenant AND l.campaign = q.campaign AND status = 'queued')
     OR waiting_from_api <> (SELECT count(*) FROM leads l WHERE l.tenant = q.tenant AND l.campaign = q.campaign AND source = 'api' AND ${waiting})`,
  'groups of leads that hours move which do not add up': `SELECT * FROM hours_groups g WHERE (queued, scheduled) IS NOT (SELECT ifnull(sum(status = 'queued'), 0),
     ifnull(sum(status = 'scheduled'), 0) FROM leads l WHERE l.tenant = g.tenant AND l.campaign = g.campaign AND l.zone = g.zone AND follows_hours = 1)`,
  'leads that hours move of no group': `SELECT n FROM leads l WHERE follows_hours = 1 AND NOT EXISTS
     (SELECT 1 FROM hours_groups g WHERE l.tenant = g.tenant AND l.campaign = g.campaign AND l.zone = g.zone)`,
  'usage that does not add up': `SELECT sum(leads_added) AS added, sum(calls) AS ended FROM usage HAVING sum(leads_added) <> (SELECT count(*) FROM leads)
     OR sum(calls) <> (SELECT count(*) FROM calls WHERE status = 'ended')`,
}

/** Opens the file and describes what is wrong. Changes nothing. */
export function wrongIn(path: string, known: Acknowledged): string[] {
  const store = Store.open(path)
  try {
    const world = new World(store, {
      startCall: () => undefined,
      eventAt: () => ({ what: 'interested' }),
      playStep: () => ({ what: 'interested' }),
      transcript: () => [],
    })
    const tenant = world.tenant(tenantNumberOf(world.organizations.all()[0]?.n ?? 0, 'live'))
    const [check] = store.all<{ integrity_check: string }>(sql`PRAGMA integrity_check`)
    return [
      ...(check?.integrity_check === 'ok' ? [] : [`integrity: ${check?.integrity_check}`]),
      ...inDisagreement(store, tenant),
      ...missing(tenant, known, path),
    ]
  } finally {
    store.close()
  }
}

function inDisagreement(store: Store, { leads }: Tenant): string[] {
  store.run(sql`CREATE TEMP TABLE created (lead INTEGER)`)
  for (const { data } of store.all<{ data: string }>(
    sql`SELECT data FROM ${tables.events} WHERE type = 'lead.created'`,
  )) {
    const { object } = JSON.parse(data) as { object: { id: string } }
    store.run(sql`INSERT INTO created (lead) VALUES (?)`, leads.byId(object.id)?.n ?? -1)
  }
  return Object.entries(disagreements).flatMap(([what, text]) =>
    store
      .all<object>(sql`${text}`)
      .slice(0, 3)
      .map((row) => `${what}: ${JSON.stringify(row)}`),
  )
}

function missing({ world, leads, exports, live }: Tenant, known: Acknowledged, path: string): string[] {
  const { store } = world
  const has = (from: string, ...values: Value[]) => store.one(sql`SELECT 1 FROM ${from}`, ...values) !== undefined
  const wrong: string[] = []
  const must = (holds: boolean, what: string) => void (holds || wrong.push(`missing: ${what}`))
  must(live, 'the live mode')
  for (const [name, id] of known.leads) must(leads.byId(id)?.external_id === name, name)
  for (const [id, names] of known.names) must(names.has(leads.byId(id)?.name ?? ''), `the name of lead ${id}`)
  for (const id of known.optedOut) must(has('dnc WHERE phone = ?', leads.byId(id)?.phone ?? ''), `the opt-out of ${id}`)
  for (const phone of known.dnc) must(has('dnc WHERE phone = ?', phone), `${phone} on the list`)
  for (const [id, times] of known.calls) {
    const query = sql`SELECT count(*) AS n FROM ${tables.api_starts} WHERE lead = ?`
    must(
      (store.one<{ n: number }>(query, leads.byId(id)?.n ?? 0)?.n ?? 0) >= times,
      `${times} calls asked for to ${id}`,
    )
  }
  for (const id of known.exports) must(exports.file(id) !== null, `export ${id}`)
  for (const [id, moments] of known.keys)
    must(
      moments.has(
        String(store.one<{ at: number }>(sql`SELECT expires_at AS at FROM ${tables.keys} WHERE key_id = ?`, id)?.at),
      ),
      `key ${id}`,
    )
  for (const name of known.answers.keys()) must(has('idempotency WHERE name = ?', name), `the answer kept as ${name}`)
  const shelf = new FolderSnapshots(`${path}.snapshots`)
  for (const name of known.snapshots) must(shelf.image(name) !== null, name)
  must((world.clockRecord()?.now ?? 0) >= known.now, 'time that had passed')
  return wrong
}
