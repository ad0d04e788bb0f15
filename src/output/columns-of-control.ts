/** Which fields the objects of the simulator's control plane show. */
import type { Kind } from './columns-of-resources.js'

const organization: Kind = {
  name: 'organizations',
  columns: [
    'id',
    'name',
    'time_zone',
    'requests_per_minute',
    'rate_usd_per_minute',
    'recording',
    'admins',
    'members',
    'campaigns',
    'keys',
  ],
  table: ['id', 'name', 'time_zone', 'rate_usd_per_minute', 'recording', 'admins'],
}

const member: Kind = { name: 'members', columns: ['id', 'name', 'role'], table: ['id', 'name', 'role'] }

const key: Kind = {
  name: 'keys',
  columns: ['key_id', 'secret', 'name', 'mode', 'status', 'permissions', 'campaign_ids', 'expires_at', 'limits'],
  table: ['key_id', 'secret', 'name', 'mode', 'status'],
}

const appointment: Kind = {
  name: 'appointments',
  columns: ['at', 'kind', 'subject', 'what'],
  table: ['at', 'subject', 'what'],
}

const waitingLead: Kind = {
  name: 'waiting leads',
  columns: ['id', 'campaign_id', 'name', 'phone', 'status', 'since', 'until', 'why'],
  table: ['id', 'phone', 'status', 'until', 'why'],
}

const script: Kind = {
  name: 'scripts',
  columns: ['phone', 'mode', 'organization_id', 'calls'],
  table: ['phone', 'mode', 'calls'],
}

const removed: Kind = { name: 'removals', columns: ['removed'], table: ['removed'] }

const faultColumns = ['method', 'path', 'count', 'latency_ms', 'status', 'code', 'drop', 'after_commit']
const fault: Kind = { name: 'faults', columns: faultColumns, table: faultColumns }

const health: Kind = {
  name: 'simulators',
  columns: ['status', 'version', 'now', 'base_url'],
  table: ['status', 'version', 'now', 'base_url'],
}

const text: Kind = { name: 'texts', columns: ['opted_out'], table: ['opted_out'] }

const dncBatch: Kind = {
  name: 'batches',
  columns: ['succeeded', 'failed', 'errors', 'livemode'],
  table: ['succeeded', 'failed', 'errors'],
}

const loadedLead: Kind = { name: 'leads', columns: ['id'], table: ['id'] }

const happening: Kind = {
  name: 'happenings',
  columns: ['at', 'event', 'subject', 'what'],
  table: ['at', 'event', 'subject', 'what'],
}

const snapshot: Kind = { name: 'snapshots', columns: ['name', 'now'], table: ['name', 'now'] }

const request: Kind = {
  name: 'requests',
  columns: [
    'id',
    'at',
    'key_id',
    'method',
    'path',
    'status',
    'duration_ms',
    'request_body',
    'response_body',
    'ignored_query',
  ],
  table: ['at', 'method', 'path', 'status', 'duration_ms', 'key_id'],
}

const notification: Kind = {
  name: 'notifications',
  columns: ['id', 'at', 'organization_id', 'to', 'subject', 'body'],
  table: ['at', 'to', 'subject', 'body'],
}

export const controlKinds = {
  organization,
  member,
  key,
  appointment,
  waitingLead,
  script,
  removed,
  fault,
  health,
  text,
  dncBatch,
  loadedLead,
  happening,
  snapshot,
  request,
  notification,
} as const
