/** Files of older layouts, brought up to date by whoever opens them. */
import { afterEach, expect, it } from 'vitest'
import { Database } from '../../simulator/world/database.js'
import { migrations } from '../../simulator/world/schema.js'
import { Store } from '../../simulator/world/store.js'
import { temporaryFile } from '../support/temporary-folder.js'

const opened: Store[] = []
afterEach(() => opened.splice(0).forEach((store) => store.close()))

function open(path: string): Store {
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
  }
  const rest = { line_at: 0, arrived: 0, turn: 1, late: 0, attempts: 0, taken_out: 0, external_id: 'crm-1', name: 'Jo' }
  for (const row of [
    { n: 5, tenant: 1, ...lead, ...rest, ...details },
    { n: 8, tenant: 2, ...lead, ...rest, ...none },
  ]) {
    const columns = Object.keys(row)
    file
      .prepare(`INSERT INTO leads (${columns.join()}) VALUES (${columns.map(() => '?').join()})`)
      .run(...Object.values(row))
  }
  file.close()
  const store = open(path)
  expect(store.all('SELECT * FROM lead_details ORDER BY n')).toEqual([
    { n: 5, tenant: 1, ...details },
    { n: 8, tenant: 2, ...none },
  ])
  const leads = store.all<object>('SELECT * FROM leads ORDER BY n')
  expect(leads).toMatchObject([
    { n: 5, tenant: 1, ...lead, ...rest },
    { n: 8, tenant: 2, ...lead, ...rest },
  ])
  expect(Object.keys(leads[0] ?? {})).not.toContain('email')
})

it('a file from before leads were marked that hours move has those marked that wait for nothing else', () => {
  const { path, file } = fileBefore('ADD COLUMN by_hours')
  const rest = `1, '+12125550123', '', 'app', 0, 0, 0, 0, 0, 0, 1, 0, 0, 0`
  const columns = `campaign, phone, zone, source, created, updated, accepted, call_now, line_at, arrived, turn, late, attempts, taken_out`
  for (const [n, status, reason] of [
    [1, 'queued', null],
    [2, 'scheduled', 'outside_calling_hours'],
    [3, 'scheduled', 'recent_contact_cooldown'],
    [4, 'held', null],
  ] as const)
    file
      .prepare(`INSERT INTO leads (n, tenant, status, scheduled_reason, ${columns}) VALUES (?, 1, ?, ?, ${rest})`)
      .run(n, status, reason)
  file.close()
  expect(open(path).all('SELECT n, by_hours FROM leads ORDER BY n')).toEqual([
    { n: 1, by_hours: 1 },
    { n: 2, by_hours: 1 },
    { n: 3, by_hours: 0 },
    { n: 4, by_hours: 0 },
  ])
})
