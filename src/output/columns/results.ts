/** Columns of what commands report themselves: webhooks sent and forwarded, findings, settings, imports. */
import type { ResourceColumns } from './resources.js'

/** A webhook sent by `webhooks trigger`, and the answer. */
const sentWebhook: ResourceColumns = {
  name: 'webhooks',
  columns: ['type', 'event_id', 'delivery_id', 'url', 'status', 'duration_ms', 'error', 'response_body'],
  table: ['type', 'status', 'duration_ms', 'error', 'response_body', 'event_id'],
  ifAny: ['status', 'error', 'response_body'],
}

/** A forwarded event, and the answer. */
const forwardedEvent: ResourceColumns = {
  name: 'events',
  columns: ['created', 'type', 'id', 'status', 'ms', 'attempts', 'url', 'error', 'delivery_id', 'hint'],
  table: ['created', 'type', 'id', 'status', 'ms', 'error', 'url'],
}

const exchange: ResourceColumns = {
  name: 'exchanges',
  columns: ['at', 'method', 'path', 'status', 'request_id', 'ms', 'departures', 'error'],
  table: ['at', 'method', 'path', 'status', 'ms'],
  dates: ['at'],
}

const profile: ResourceColumns = {
  name: 'profiles',
  columns: ['name', 'current', 'base_url', 'key_id', 'mode'],
  table: ['name', 'current', 'mode', 'base_url', 'key_id'],
  leastImportant: ['key_id', 'base_url'],
}

const setting: ResourceColumns = {
  name: 'settings',
  columns: ['setting', 'value', 'source'],
  table: ['setting', 'value', 'source'],
}

const finding: ResourceColumns = {
  name: 'findings',
  columns: ['check', 'result', 'detail', 'advice'],
  table: ['check', 'result', 'detail', 'advice'],
}

/** A check of `svc conform`. */
const conformanceCheck: ResourceColumns = {
  name: 'checks',
  columns: ['rule', 'result', 'group', 'title', 'reason', 'expected', 'request', 'response'],
  table: ['rule', 'result', 'title', 'reason', 'expected'],
}

/** Result of an import. */
const leadImport: ResourceColumns = {
  name: 'imports',
  columns: ['added', 'requeued', 'refused', 'already_added', 'would_add', 'by_code', 'failed_file', 'left_out'],
  table: ['added', 'requeued', 'refused', 'already_added', 'would_add', 'by_code', 'failed_file', 'left_out'],
}

const dncImport: ResourceColumns = {
  name: 'imports',
  columns: ['added', 'refused', 'would_add', 'by_code', 'failed_file', 'undo', 'left_out'],
  table: ['added', 'refused', 'would_add', 'by_code', 'failed_file', 'undo', 'left_out'],
}

/** The name of an import is what `dnc remove --from-import` takes. */
const dncImports: ResourceColumns = {
  name: 'imports',
  columns: ['file', 'numbers', 'imported', 'import'],
  table: ['file', 'numbers', 'imported', 'import'],
  // Imports are on the clock of this machine.
  dates: ['imported'],
}

const dncUndo: ResourceColumns = {
  name: 'undone imports',
  columns: ['removed', 'kept'],
  table: ['removed', 'kept'],
}

export const resultColumns = {
  sentWebhook,
  forwardedEvent,
  exchange,
  profile,
  setting,
  finding,
  conformanceCheck,
  leadImport,
  dncImport,
  dncImports,
  dncUndo,
} as const
