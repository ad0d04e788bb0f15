/** The database schema, and the migrations of data files. */

const schema = `
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
  external_id TEXT, name TEXT, owner INTEGER,
  source TEXT NOT NULL, key INTEGER, created INTEGER NOT NULL, updated INTEGER NOT NULL, accepted INTEGER NOT NULL,
  status TEXT NOT NULL, call_now INTEGER NOT NULL, line_at INTEGER NOT NULL, due INTEGER NOT NULL, arrived INTEGER NOT NULL,
  arrival INTEGER NOT NULL, late INTEGER NOT NULL,
  scheduled_for INTEGER, scheduled_reason TEXT, held_reason TEXT, not_before INTEGER, not_before_reason TEXT,
  callback_at INTEGER, attempts INTEGER NOT NULL, last_outcome TEXT, last_outcome_label TEXT, api_key TEXT,
  call_before INTEGER, taken_out INTEGER NOT NULL, follows_hours INTEGER NOT NULL, phone_is_unique INTEGER NOT NULL);
CREATE INDEX leads_of_tenant ON leads (tenant);
CREATE INDEX leads_of_campaign ON leads (tenant, campaign);
CREATE INDEX leads_by_phone ON leads (tenant, phone);
-- Calling hours move leads between statuses by the thousand, so an index on status holds only the other leads.
CREATE INDEX leads_by_status ON leads (tenant, status) WHERE follows_hours = 0;
CREATE INDEX leads_by_external_id ON leads (tenant, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX leads_in_line ON leads (tenant, campaign, call_now DESC, line_at, arrival) WHERE status = 'queued';
CREATE INDEX leads_following_hours ON leads (tenant, campaign, zone, arrival) WHERE follows_hours = 1;
CREATE INDEX leads_following_hours_at_once ON leads (tenant, campaign, zone) WHERE follows_hours = 1 AND call_now = 1;
-- Fields of a lead that dialing does not use.
CREATE TABLE lead_details (n INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, email TEXT, address TEXT, fields TEXT NOT NULL,
  consent TEXT, lead_source TEXT);
-- How many leads of a zone calling hours have moved to each status.
CREATE TABLE hours_groups (tenant INTEGER NOT NULL, campaign INTEGER NOT NULL, zone TEXT NOT NULL, queued INTEGER NOT NULL,
  scheduled INTEGER NOT NULL, PRIMARY KEY (tenant, campaign, zone)) WITHOUT ROWID;

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
-- By phone number, because the lead may have had another number then.
CREATE INDEX calls_by_phone ON calls (tenant, phone);

CREATE TABLE api_starts (n INTEGER PRIMARY KEY, lead INTEGER NOT NULL, at INTEGER NOT NULL);
CREATE INDEX api_starts_of_lead ON api_starts (lead, at);

CREATE TABLE scripts (tenant INTEGER NOT NULL, phone TEXT NOT NULL, calls TEXT NOT NULL, played INTEGER NOT NULL, PRIMARY KEY (tenant, phone)) WITHOUT ROWID;
CREATE TABLE dnc (n INTEGER PRIMARY KEY AUTOINCREMENT, tenant INTEGER NOT NULL, phone TEXT NOT NULL, source TEXT NOT NULL, created INTEGER NOT NULL);
CREATE UNIQUE INDEX dnc_by_phone ON dnc (tenant, phone);
CREATE INDEX dnc_of_tenant ON dnc (tenant);
CREATE TABLE audit (n INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, at INTEGER NOT NULL, what TEXT NOT NULL, lead INTEGER, reason TEXT);

CREATE TABLE events (n INTEGER PRIMARY KEY AUTOINCREMENT, tenant INTEGER NOT NULL, campaign INTEGER, type TEXT NOT NULL, created INTEGER NOT NULL, data TEXT NOT NULL);
CREATE INDEX events_of_tenant ON events (tenant);
CREATE INDEX events_by_type ON events (tenant, type);
CREATE TABLE endpoints (n INTEGER PRIMARY KEY AUTOINCREMENT, tenant INTEGER NOT NULL, url TEXT NOT NULL, events TEXT NOT NULL, campaign_ids TEXT,
  status TEXT NOT NULL, secret TEXT NOT NULL, previous_secret TEXT, previous_secret_expires_at INTEGER, failing_since INTEGER,
  paused_at INTEGER, last_success_at INTEGER, starts TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL);
CREATE INDEX endpoints_of_tenant ON endpoints (tenant);
CREATE TABLE deliveries (n INTEGER PRIMARY KEY AUTOINCREMENT, tenant INTEGER NOT NULL, endpoint INTEGER NOT NULL, event INTEGER, campaign INTEGER,
  event_id TEXT NOT NULL, event_type TEXT NOT NULL, status TEXT NOT NULL, attempts INTEGER NOT NULL, first_attempt_at INTEGER, next_attempt_at INTEGER,
  last_attempt_at INTEGER, response_status INTEGER, response_body TEXT, duration_ms INTEGER, resent_from INTEGER,
  created INTEGER NOT NULL, sample TEXT, sending INTEGER NOT NULL, error TEXT, fault TEXT);
CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint);
CREATE INDEX deliveries_of_event ON deliveries (event) WHERE event IS NOT NULL;
CREATE INDEX deliveries_by_status ON deliveries (endpoint, status);
CREATE INDEX deliveries_under_way ON deliveries (endpoint) WHERE sending = 1;
CREATE INDEX deliveries_waiting ON deliveries (endpoint, next_attempt_at) WHERE sending = 2;
CREATE TABLE attempts (n INTEGER PRIMARY KEY, delivery INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL,
  response_status INTEGER, error TEXT, fault TEXT, duration_ms INTEGER NOT NULL);
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

/**
 * Migration i upgrades a file from version i to i + 1; the first one creates the schema. Once a version is released, its
 * migrations never change: add another one at the end.
 */
export const migrations: readonly string[] = [schema]
