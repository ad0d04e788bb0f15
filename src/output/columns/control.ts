/** Columns for objects of the simulator's control plane. */
import { faultKinds } from './faults.js'
import type { ResourceColumns } from './resources.js'

const organization: ResourceColumns = {
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
  table: ['name', 'time_zone', 'rate_usd_per_minute', 'recording', 'admins', 'id'],
}

const member: ResourceColumns = { name: 'members', columns: ['id', 'name', 'role'], table: ['name', 'role', 'id'] }

const key: ResourceColumns = {
  name: 'keys',
  columns: ['key_id', 'secret', 'name', 'mode', 'status', 'permissions', 'campaign_ids', 'expires_at', 'limits'],
  table: ['name', 'mode', 'status', 'secret', 'key_id'],
}

const appointment: ResourceColumns = {
  name: 'appointments',
  columns: ['at', 'kind', 'subject', 'what'],
  table: ['at', 'subject', 'what'],
}

const waitingLead: ResourceColumns = {
  name: 'waiting leads',
  columns: ['id', 'campaign_id', 'name', 'phone', 'status', 'since', 'until', 'decides', 'why'],
  table: ['phone', 'status', 'until', 'why', 'id'],
}

const explainedRule: ResourceColumns = {
  name: 'rules',
  columns: ['rule', 'verdict', 'says', 'until', 'label', 'applies'],
  table: ['rule', 'verdict', 'says', 'until'],
}

const script: ResourceColumns = {
  name: 'scripts',
  columns: ['phone', 'mode', 'organization_id', 'calls'],
  table: ['phone', 'mode', 'calls'],
}

const removed: ResourceColumns = { name: 'removals', columns: ['removed'], table: ['removed'] }

const health: ResourceColumns = {
  name: 'simulators',
  columns: ['status', 'version', 'now', 'base_url', 'local_webhooks'],
  table: ['status', 'version', 'now', 'base_url', 'local_webhooks'],
}

const text: ResourceColumns = { name: 'texts', columns: ['opted_out'], table: ['opted_out'] }

const dncBatch: ResourceColumns = {
  name: 'batches',
  columns: ['succeeded', 'failed', 'errors', 'livemode'],
  table: ['succeeded', 'failed', 'errors'],
}

const loadedLead: ResourceColumns = { name: 'leads', columns: ['id'], table: ['id'] }

const happening: ResourceColumns = {
  name: 'happenings',
  columns: ['at', 'event', 'subject', 'what'],
  table: ['at', 'event', 'subject', 'what'],
}

const snapshot: ResourceColumns = {
  name: 'snapshots',
  columns: ['name', 'now', 'saved_at'],
  table: ['name', 'now', 'saved_at'],
  // One is the simulated time of the saved state, the other the time of this machine.
  dates: ['now', 'saved_at'],
}

const isolatedWorld: ResourceColumns = {
  name: 'worlds',
  columns: ['id', 'name', 'base_url', 'control_url', 'now', 'seed', 'from', 'campaigns', 'keys', 'expires_at'],
  table: ['id', 'name', 'base_url', 'now', 'seed', 'from', 'expires_at'],
}

const listedWorld: ResourceColumns = {
  name: 'worlds',
  columns: ['id', 'name', 'from', 'created', 'last_used', 'leads', 'calls', 'memory_bytes', 'expires_at'],
  table: ['id', 'name', 'leads', 'calls', 'last_used', 'expires_at', 'from', 'memory_bytes'],
}

const deletedWorld: ResourceColumns = { name: 'worlds', columns: ['id', 'deleted'], table: ['id', 'deleted'] }

const difference: ResourceColumns = {
  name: 'differences',
  columns: ['kind', 'key', 'field', 'a', 'b'],
  table: ['kind', 'key', 'field', 'a', 'b'],
}

const request: ResourceColumns = {
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
  leastImportant: ['key_id', 'duration_ms', 'at'],
}

const notification: ResourceColumns = {
  name: 'notifications',
  columns: ['id', 'at', 'organization_id', 'to', 'subject', 'body'],
  table: ['at', 'to', 'subject', 'body'],
}

const openedConsole: ResourceColumns = { name: 'consoles', columns: ['url', 'opened'], table: ['url', 'opened'] }

const metric: ResourceColumns = {
  name: 'metrics',
  columns: ['name', 'type', 'labels', 'value'],
  table: ['name', 'labels', 'value'],
}

export const controlColumns = {
  organization,
  member,
  key,
  appointment,
  waitingLead,
  explainedRule,
  script,
  removed,
  ...faultKinds,
  health,
  text,
  dncBatch,
  loadedLead,
  happening,
  snapshot,
  isolatedWorld,
  listedWorld,
  deletedWorld,
  difference,
  request,
  notification,
  metric,
  openedConsole,
} as const
