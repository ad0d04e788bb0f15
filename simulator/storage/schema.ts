/**
 * The database schema, version by version: migration i upgrades a file from version i to i + 1. Released migrations
 * never change.
 */
import type { Database } from './driver.js'

const first = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE clock (n INTEGER PRIMARY KEY, now INTEGER NOT NULL, offset INTEGER NOT NULL, speed REAL NOT NULL, paused INTEGER NOT NULL);

-- Appointments: by time, then in the order they were made.
CREATE TABLE agenda (at INTEGER NOT NULL, seq INTEGER NOT NULL, key TEXT NOT NULL UNIQUE, task TEXT NOT NULL, PRIMARY KEY (at, seq)) WITHOUT ROWID;

CREATE TABLE organizations (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, time_zone TEXT NOT NULL,
  rate_usd_per_minute REAL NOT NULL, recording INTEGER NOT NULL, admins TEXT NOT NULL, requests_per_minute INTEGER NOT NULL);
CREATE TABLE members (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, organization INTEGER NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL);
CREATE TABLE keys (n INTEGER PRIMARY KEY, key_id TEXT NOT NULL UNIQUE, secret TEXT NOT NULL UNIQUE, organization INTEGER NOT NULL,
  mode TEXT NOT NULL, name TEXT NOT NULL, permissions TEXT NOT NULL, campaign_ids TEXT, status TEXT NOT NULL,
  expires_at INTEGER, limits TEXT NOT NULL);
CREATE TABLE campaigns (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, organization INTEGER NOT NULL, name TEXT NOT NULL,
  status TEXT NOT NULL, lines INTEGER NOT NULL, calling_hours TEXT NOT NULL, any_hour INTEGER NOT NULL,
  consent_required INTEGER NOT NULL, call_now_default INTEGER NOT NULL, late_after_minutes INTEGER NOT NULL,
  duplicate_window_days INTEGER NOT NULL, max_attempts INTEGER NOT NULL, retire_after_failures INTEGER NOT NULL,
  spend_cap_usd REAL, spent_usd REAL NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL);
CREATE INDEX campaigns_of_organization ON campaigns (organization);

-- A tenant is one organization in one mode: the live and the test set never meet.
CREATE TABLE leads (n INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, campaign INTEGER NOT NULL, phone TEXT NOT NULL, zone TEXT NOT NULL,
  external_id TEXT, name TEXT, email TEXT, address TEXT, fields TEXT NOT NULL, consent TEXT, lead_source TEXT, owner INTEGER,
  source TEXT NOT NULL, key INTEGER, created INTEGER NOT NULL, updated INTEGER NOT NULL, accepted INTEGER NOT NULL,
  status TEXT NOT NULL, call_now INTEGER NOT NULL, line_at INTEGER NOT NULL, arrived INTEGER NOT NULL, turn INTEGER NOT NULL, late INTEGER NOT NULL,
  scheduled_for INTEGER, scheduled_reason TEXT, held_reason TEXT, not_before INTEGER, not_before_reason TEXT,
  callback_at INTEGER, attempts INTEGER NOT NULL, last_outcome TEXT, last_outcome_label TEXT, last_rang INTEGER,
  last_inbound INTEGER, api_key TEXT, taken_out INTEGER NOT NULL);
CREATE INDEX leads_of_tenant ON leads (tenant);
CREATE INDEX leads_of_campaign ON leads (tenant, campaign);
CREATE INDEX leads_by_phone ON leads (tenant, phone);
CREATE INDEX leads_by_status ON leads (tenant, status);
CREATE INDEX leads_by_external_id ON leads (tenant, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX leads_in_line ON leads (tenant, campaign, call_now DESC, line_at, turn) WHERE status = 'queued';
CREATE INDEX leads_waiting_for_hours ON leads (tenant, campaign, zone, status) WHERE status IN ('queued', 'scheduled');

-- What the dialer counts of a campaign in one mode.
CREATE TABLE queues (tenant INTEGER NOT NULL, campaign INTEGER NOT NULL, busy INTEGER NOT NULL, queued INTEGER NOT NULL,
  waiting_from_api INTEGER NOT NULL, calls_ended INTEGER NOT NULL, line_ms INTEGER NOT NULL, arrivals INTEGER NOT NULL, PRIMARY KEY (tenant, campaign)) WITHOUT ROWID;
CREATE TABLE numbers (tenant INTEGER NOT NULL, campaign INTEGER NOT NULL, phone TEXT NOT NULL, failures INTEGER NOT NULL,
  retired INTEGER NOT NULL, PRIMARY KEY (tenant, campaign, phone)) WITHOUT ROWID;

CREATE TABLE calls (n INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, campaign INTEGER, lead INTEGER, lead_before TEXT, phone TEXT NOT NULL,
  direction TEXT NOT NULL, status TEXT NOT NULL, outcome TEXT, outcome_label TEXT, note TEXT,
  started INTEGER NOT NULL, answered INTEGER, ended INTEGER, updated INTEGER NOT NULL, machine INTEGER NOT NULL,
  handler INTEGER, handler_role TEXT NOT NULL, owner INTEGER, interested_at INTEGER, handed_over_at INTEGER,
  callback_at INTEGER, revision INTEGER NOT NULL, started_by TEXT NOT NULL, api_key TEXT, key INTEGER, script TEXT);
CREATE INDEX calls_of_tenant ON calls (tenant);
CREATE INDEX calls_of_campaign ON calls (tenant, campaign);
CREATE INDEX calls_of_lead ON calls (lead) WHERE lead IS NOT NULL;
CREATE INDEX calls_by_outcome ON calls (tenant, outcome) WHERE outcome IS NOT NULL;
CREATE INDEX calls_going_on ON calls (key) WHERE status <> 'ended';
CREATE INDEX calls_from_strangers ON calls (tenant, phone) WHERE lead IS NULL;

CREATE TABLE api_starts (n INTEGER PRIMARY KEY, lead INTEGER NOT NULL, at INTEGER NOT NULL);
CREATE INDEX api_starts_of_lead ON api_starts (lead, at);

CREATE TABLE scripts (tenant INTEGER NOT NULL, phone TEXT NOT NULL, calls TEXT NOT NULL, played INTEGER NOT NULL, PRIMARY KEY (tenant, phone)) WITHOUT ROWID;
CREATE TABLE dnc (n INTEGER PRIMARY KEY AUTOINCREMENT, tenant INTEGER NOT NULL, phone TEXT NOT NULL, source TEXT NOT NULL, created INTEGER NOT NULL);
CREATE UNIQUE INDEX dnc_by_phone ON dnc (tenant, phone);
CREATE INDEX dnc_of_tenant ON dnc (tenant);
CREATE TABLE audit (n INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, at INTEGER NOT NULL, what TEXT NOT NULL, lead INTEGER, reason TEXT);

CREATE TABLE events (n INTEGER PRIMARY KEY AUTOINCREMENT, tenant INTEGER NOT NULL, campaign INTEGER, type TEXT NOT NULL, created INTEGER NOT NULL, body TEXT NOT NULL);
CREATE INDEX events_of_tenant ON events (tenant);
CREATE INDEX events_by_type ON events (tenant, type);
CREATE TABLE endpoints (n INTEGER PRIMARY KEY AUTOINCREMENT, tenant INTEGER NOT NULL, url TEXT NOT NULL, events TEXT NOT NULL, campaign_ids TEXT,
  status TEXT NOT NULL, secret TEXT NOT NULL, previous_secret TEXT, previous_secret_expires_at INTEGER, failing_since INTEGER,
  paused_at INTEGER, last_success_at INTEGER, created INTEGER NOT NULL, updated INTEGER NOT NULL);
CREATE INDEX endpoints_of_tenant ON endpoints (tenant);
CREATE TABLE deliveries (n INTEGER PRIMARY KEY AUTOINCREMENT, tenant INTEGER NOT NULL, endpoint INTEGER NOT NULL, event INTEGER, event_id TEXT NOT NULL,
  event_type TEXT NOT NULL, status TEXT NOT NULL, attempts INTEGER NOT NULL, first_attempt_at INTEGER, next_attempt_at INTEGER,
  last_attempt_at INTEGER, response_status INTEGER, response_body TEXT, duration_ms INTEGER, resent_from INTEGER,
  created INTEGER NOT NULL, sample TEXT, sending INTEGER NOT NULL);
CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint);
CREATE INDEX deliveries_of_event ON deliveries (event) WHERE event IS NOT NULL;
CREATE INDEX deliveries_being_sent ON deliveries (sending) WHERE sending = 1;
CREATE TABLE attempts (n INTEGER PRIMARY KEY, delivery INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL,
  response_status INTEGER, error TEXT, duration_ms INTEGER NOT NULL);
CREATE INDEX attempts_of_delivery ON attempts (delivery);

-- What is counted for the bill: by five minutes; key and campaign 0 are none.
CREATE TABLE usage (tenant INTEGER NOT NULL, slot INTEGER NOT NULL, key INTEGER NOT NULL, campaign INTEGER NOT NULL,
  requests INTEGER NOT NULL, leads_added INTEGER NOT NULL, calls INTEGER NOT NULL, calls_connected INTEGER NOT NULL,
  minutes INTEGER NOT NULL, PRIMARY KEY (tenant, slot, key, campaign)) WITHOUT ROWID;
CREATE TABLE exports (n INTEGER PRIMARY KEY AUTOINCREMENT, tenant INTEGER NOT NULL, type TEXT NOT NULL, rows INTEGER NOT NULL,
  created INTEGER NOT NULL, expires INTEGER NOT NULL, file BLOB);
CREATE INDEX exports_of_tenant ON exports (tenant);
CREATE INDEX exports_with_file ON exports (expires) WHERE file IS NOT NULL;

CREATE TABLE notifications (n INTEGER PRIMARY KEY, organization INTEGER NOT NULL, at INTEGER NOT NULL, recipients TEXT NOT NULL,
  subject TEXT NOT NULL, body TEXT NOT NULL);

CREATE TABLE idempotency (key INTEGER NOT NULL, name TEXT NOT NULL, fingerprint TEXT NOT NULL, status INTEGER NOT NULL,
  body TEXT NOT NULL, created INTEGER NOT NULL, PRIMARY KEY (key, name)) WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency (created);
`

/** The cooldown reads calls by phone number, because the lead may have had another number then. */
const cooldownByCalls = `
DROP INDEX calls_from_strangers;
CREATE INDEX calls_by_phone ON calls (tenant, phone);
ALTER TABLE leads DROP COLUMN last_rang;
ALTER TABLE leads DROP COLUMN last_inbound;
`

/** Finds deliveries of an endpoint by status, and those under way or waiting. */
const deliveriesByStatus = `
CREATE INDEX deliveries_by_status ON deliveries (endpoint, status);
CREATE INDEX deliveries_under_way ON deliveries (endpoint) WHERE sending = 1;
CREATE INDEX deliveries_waiting ON deliveries (endpoint, next_attempt_at) WHERE sending = 2;
`

/** Stores the latest call of a lead at its last return to the queue. Only later calls can move it when corrected. */
const callsBeforeReturn = `
ALTER TABLE leads ADD COLUMN call_before INTEGER;
`

/** Separates the time a lead entered the queue from its position, which it needs when it stops being call_now. */
const dueApart = `
ALTER TABLE leads ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
UPDATE leads SET due = line_at;
`

/**
 * Stores the campaign of a delivery, to decide which limited keys may see it. Deliveries of deleted events stay
 * invisible to such keys.
 */
const campaignsOfDeliveries = `
ALTER TABLE deliveries ADD COLUMN campaign INTEGER;
UPDATE deliveries SET campaign = (SELECT campaign FROM events WHERE events.n = deliveries.event) WHERE event IS NOT NULL;
`

/** Finds waiting call_now leads without reading the others. */
const waitingByCallNow = `
DROP INDEX leads_waiting_for_hours;
CREATE INDEX leads_waiting_for_hours ON leads (tenant, campaign, zone, status, call_now) WHERE status IN ('queued', 'scheduled');
`

/**
 * Moves columns that dialing does not use into another table, because thousands of leads are rewritten when hours open.
 */
const detailsApart = `
CREATE TABLE lead_details (n INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, email TEXT, address TEXT, fields TEXT NOT NULL,
  consent TEXT, lead_source TEXT);
INSERT INTO lead_details SELECT n, tenant, email, address, fields, consent, lead_source FROM leads;
ALTER TABLE leads DROP COLUMN email;
ALTER TABLE leads DROP COLUMN address;
ALTER TABLE leads DROP COLUMN fields;
ALTER TABLE leads DROP COLUMN consent;
ALTER TABLE leads DROP COLUMN lead_source;
`

/**
 * Marks the leads that calling hours move. Their index does not change when they move; an index on status would change
 * twice.
 */
const markedByHours = `
ALTER TABLE leads ADD COLUMN by_hours INTEGER NOT NULL DEFAULT 0;
UPDATE leads SET by_hours = 1 WHERE status = 'queued' OR (status = 'scheduled' AND scheduled_reason = 'outside_calling_hours');
DROP INDEX leads_waiting_for_hours;
CREATE INDEX leads_by_hours ON leads (tenant, campaign, zone) WHERE by_hours = 1;
CREATE INDEX leads_by_hours_at_once ON leads (tenant, campaign, zone) WHERE by_hours = 1 AND call_now = 1;
`

/**
 * Marks leads with a unique number, so that no other calls and leads need to be searched. Existing leads are not
 * marked.
 */
const numbersOfTheirOwn = `
ALTER TABLE leads ADD COLUMN alone INTEGER NOT NULL DEFAULT 0;
`

/**
 * Counts leads moved by calling hours per status. An index on their status took a quarter of the time to move them.
 * Other leads keep the index.
 */
const countedByHours = `
DROP INDEX leads_by_status;
CREATE INDEX leads_by_status ON leads (tenant, status) WHERE by_hours = 0;
CREATE TABLE hours_groups (tenant INTEGER NOT NULL, campaign INTEGER NOT NULL, zone TEXT NOT NULL, queued INTEGER NOT NULL,
  scheduled INTEGER NOT NULL, PRIMARY KEY (tenant, campaign, zone)) WITHOUT ROWID;
INSERT INTO hours_groups SELECT tenant, campaign, zone, sum(status = 'queued'), sum(status = 'scheduled') FROM leads
  WHERE by_hours = 1 GROUP BY tenant, campaign, zone;
`

/** Leaves out the most common reason to wait, so that moving leads does not write it. */
const hoursGoWithoutSaying = `
UPDATE leads SET scheduled_reason = NULL WHERE scheduled_reason = 'outside_calling_hours';
`

/**
 * Stores start times of attempts, so that the limit per simulated second holds across advances, restarts and snapshots.
 */
const startsOfPushedTime = `
ALTER TABLE endpoints ADD COLUMN starts TEXT NOT NULL DEFAULT '[]';
`

/** Stores why the last attempt failed and which fault was injected, with the names of the control API. */
const reasonsOfFailures = `
ALTER TABLE deliveries ADD COLUMN error TEXT;
ALTER TABLE deliveries ADD COLUMN fault TEXT;
ALTER TABLE attempts ADD COLUMN fault TEXT;
UPDATE attempts SET error = CASE error WHEN 'connection_refused' THEN 'refused' WHEN 'tls_error' THEN 'tls'
  WHEN 'bad_response' THEN 'not_http' WHEN 'timeout' THEN 'timeout' ELSE 'network_error' END WHERE error IS NOT NULL;
UPDATE deliveries SET error = (SELECT error FROM attempts WHERE delivery = deliveries.n ORDER BY attempts.n DESC LIMIT 1)
  WHERE attempts > 0 AND response_status IS NULL;
`

export const migrations: readonly string[] = [
  first,
  cooldownByCalls,
  deliveriesByStatus,
  callsBeforeReturn,
  dueApart,
  campaignsOfDeliveries,
  waitingByCallNow,
  detailsApart,
  markedByHours,
  numbersOfTheirOwn,
  countedByHours,
  hoursGoWithoutSaying,
  startsOfPushedTime,
  reasonsOfFailures,
]

/** Schema of a new database as SQL, from the first one that this process created. */
let newSchema: string | undefined

/** Creates the newest schema. The migrations take several times as long, so they run only for the first database. */
export function createSchema(database: Database): void {
  if (newSchema !== undefined) return void database.exec(newSchema)
  for (const step of migrations) database.exec(step)
  const statements = database.prepare<[], { sql: string }>(
    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid",
  )
  newSchema = statements
    .all()
    .map(({ sql }) => `${sql};`)
    .join('\n')
}
