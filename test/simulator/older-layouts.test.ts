/** Data files and snapshots of earlier versions of the program, brought up to date when they are opened or put back. */
import { afterEach, expect, it } from 'vitest'
import type { Event } from '../../src/contract/events.js'
import { Database } from '../../simulator/storage/driver.js'
import { startSimulator } from '../../simulator/index.js'
import { scheduledReason, type Lead } from '../../simulator/model/lead.js'
import { migrations } from '../../simulator/storage/schema.js'
import { inMemory, Store } from '../../simulator/storage/store.js'
import { temporaryFile } from '../support/temporary-folder.js'

const opened: Store[] = []
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
})

function open(path: string = inMemory): Store {
  const store = Store.open(path)
  opened.push(store)
  return store
}

/** A file as it was before the step that says this. */
function fileBefore(words: string): { path: string; file: InstanceType<typeof Database> } {
  const path = temporaryFile()
  const before = migrations.findIndex((step) => step.includes(words))
  const file = new Database(path)
  for (const step of migrations.slice(0, before)) file.exec(step)
  file.pragma(`application_id = ${0x53564331}`)
  file.pragma(`user_version = ${before}`)
  return { path, file }
}

const lead = {
  campaign: 1,
  phone: '+12125550123',
  zone: '',
  source: 'app',
  created: 0,
  updated: 0,
  accepted: 0,
  status: 'held',
  call_now: 0,
  line_at: 0,
  arrived: 0,
  turn: 1,
  late: 0,
  attempts: 0,
  taken_out: 0,
  external_id: 'crm-1',
  name: 'Jo',
}

function insertLeads(file: InstanceType<typeof Database>, rows: readonly Record<string, unknown>[]): void {
  for (const row of rows) {
    const columns = Object.keys(row)
    file
      .prepare(`INSERT INTO leads (${columns.join()}) VALUES (${columns.map(() => '?').join()})`)
      .run(...Object.values(row))
  }
}

it('a file from before deliveries had their campaigns has those of the events that are there still', () => {
  const { path, file } = fileBefore('ALTER TABLE deliveries ADD COLUMN campaign')
  file.exec(`INSERT INTO events (n, tenant, campaign, type, created, body) VALUES (7, 1, 3, 'lead.late', 0, '{}')`)
  const words = `'evt_1', 'lead.late', 'sent', 1, 0, 0`
  for (const event of [7, 6, null])
    file.exec(
      `INSERT INTO deliveries (tenant, endpoint, event, event_id, event_type, status, attempts, created, sending) VALUES (1, 1, ${event}, ${words})`,
    )
  file.close()
  const campaigns = open(path).all<{ campaign: number | null }>('SELECT campaign FROM deliveries ORDER BY n')
  expect(campaigns.map(({ campaign }) => campaign)).toEqual([3, null, null])
})

it('a file from before details of leads were kept apart has those of every lead', () => {
  const { path, file } = fileBefore('CREATE TABLE lead_details')
  const details = {
    email: 'j@example.com',
    address: '1 Main St',
    fields: '{"roof":"old"}',
    consent: '{}',
    lead_source: 'fair',
  }
  const none = { email: null, address: null, fields: '{}', consent: null, lead_source: null }
  insertLeads(file, [
    { n: 5, tenant: 1, ...lead, ...details },
    { n: 8, tenant: 2, ...lead, ...none },
  ])
  file.close()
  const store = open(path)
  expect(store.all('SELECT * FROM lead_details ORDER BY n')).toEqual([
    { n: 5, tenant: 1, ...details },
    { n: 8, tenant: 2, ...none },
  ])
  const leads = store.all<object>('SELECT * FROM leads ORDER BY n')
  expect(leads).toMatchObject([
    { n: 5, tenant: 1, ...lead },
    { n: 8, tenant: 2, ...lead },
  ])
  expect(Object.keys(leads[0] ?? {})).not.toContain('email')
})

it('a file or a snapshot from before leads were marked that hours move has those in line marked, and those that wait for the hours alone', () => {
  const { path, file } = fileBefore('ADD COLUMN by_hours')
  const waiting = [
    ['queued', null, 1],
    ['scheduled', 'outside_calling_hours', 1],
    ['scheduled', 'recent_contact_cooldown', 0],
    ['scheduled', 'retry_after_outcome', 0],
    ['scheduled', 'next_dial_time', 0],
    ['held', null, 0],
    ['callback_scheduled', null, 0],
    ['on_call', null, 0],
    ['done', null, 0],
  ] as const
  const rows = waiting.map(([status, scheduled_reason], i) => ({
    ...lead,
    n: i + 1,
    tenant: 2,
    status,
    scheduled_reason,
  }))
  insertLeads(file, rows)
  const image = file.serialize()
  file.close()
  const putBack = open()
  putBack.restore(image)
  for (const store of [open(path), putBack]) {
    const found = store.all<Record<string, unknown>>('SELECT * FROM leads ORDER BY n') as unknown as Lead[]
    expect(found.map((row) => [row.status, scheduledReason(row), row.by_hours])).toEqual(waiting)
    const counted = 'SELECT campaign, zone, queued, scheduled FROM hours_groups'
    expect(store.all(counted)).toEqual([{ campaign: 1, zone: '', queued: 1, scheduled: 1 }])
  }
})

it('events about calls that were written as whole envelopes are read as they were', async () => {
  const data = temporaryFile()
  const settings = { data, paused: true, now: '2026-10-01T15:00:00Z', limits: false, port: 0 } as const
  const events = async (simulator: Awaited<ReturnType<typeof startSimulator>>) => {
    const key = simulator.describe().keys.find(({ mode }) => mode === 'live')?.secret
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const lead = { campaign_id: simulator.describe().campaigns[0]?.id, phone: '+16462010001', name: 'Jo' }
    await fetch(`${simulator.baseUrl}/leads`, { method: 'POST', headers, body: JSON.stringify(lead) })
    await simulator.advance('30m')
    const page = (await (await fetch(`${simulator.baseUrl}/events?limit=100`, { headers })).json()) as { data: Event[] }
    return page.data.filter(({ type }) => type.startsWith('call.'))
  }
  const first = await startSimulator(settings)
  const told = await events(first)
  expect(told.map(({ type }) => type)).toContain('call.completed')
  await first.close()

  const file = new Database(data)
  const numbers = file.prepare<[], { n: number }>("SELECT n FROM events WHERE type LIKE 'call.%' ORDER BY n DESC").all()
  const put = file.prepare('UPDATE events SET body = ? WHERE n = ?')
  // With old wording: a stored envelope is never rewritten.
  const written = told.map((event) => ({ ...event, api_version: 'then' }))
  numbers.forEach(({ n }, i) => put.run(JSON.stringify(written[i]), n))
  file.close()

  const again = await startSimulator(settings)
  expect((await events(again)).slice(-written.length)).toEqual(written)
  await again.close()
})
