/** Columns of each kind of API object. A dot separates nested fields. */
import { valueAt } from './value-at.js'

export interface ResourceColumns {
  /** Plural name. */
  name: string
  /** Columns of TSV and CSV, and the ones that `--columns` accepts. Fields that the API adds later can be selected too. */
  columns: readonly string[]
  /** Default columns of a table; fewer, so that they fit. */
  table: readonly string[]
  /** Columns that a narrow table leaves out first, in this order. The others follow from the right. */
  leastImportant?: readonly string[]
  /** Columns that a person's table leaves out if no row has a value. */
  ifAny?: readonly string[]
  /** Columns of a person's table that show another one, if it is left out, where they have no value themselves. */
  standIns?: Readonly<Record<string, string>>
  /** Columns that are computed from an object, because the API does not send them. JSON has none of them. */
  computed?: Readonly<Record<string, (item: unknown) => unknown>>
  /** Times that are not relative to the clock of the service. They are shown as dates. */
  dates?: readonly string[]
}

const lead: ResourceColumns = {
  name: 'leads',
  columns: [
    'id',
    'external_id',
    'campaign_id',
    'name',
    'phone',
    'email',
    'address',
    'fields',
    'consent',
    'lead_source',
    'owner',
    'created',
    'updated',
    'status',
    'call_now',
    'place_in_line',
    'estimated_wait_seconds',
    'scheduled_for',
    'scheduled_reason',
    'held_reason',
    'callback_at',
    'late',
    'attempts',
    'last_outcome',
    'last_outcome_label',
    'next_dial_at',
    'calls',
    'livemode',
  ],
  table: ['phone', 'name', 'status', 'last_outcome', 'created', 'id'],
}

/** A lead in the opt-out reply. */
const optedOutLead: ResourceColumns = { ...lead, columns: [...lead.columns, 'call_in_progress'] }

const acceptedLead: ResourceColumns = {
  name: 'leads',
  columns: [
    'id',
    'external_id',
    'status',
    'call_now',
    'place_in_line',
    'estimated_wait_seconds',
    'scheduled_for',
    'scheduled_reason',
    'held_reason',
    'dry_run',
    'requeued',
    'livemode',
  ],
  table: ['status', 'place_in_line', 'scheduled_for', 'held_reason', 'id'],
}

const call: ResourceColumns = {
  name: 'calls',
  columns: [
    'id',
    'lead.id',
    'lead.external_id',
    'lead.name',
    'lead.phone',
    'campaign_id',
    'direction',
    'status',
    'outcome',
    'outcome_label',
    'note',
    'duration_seconds',
    'started',
    'answered',
    'ended',
    'updated',
    'handled_by',
    'owner',
    'tth_seconds',
    'callback_at',
    'recording_available',
    'transcript_available',
    'started_by',
    'livemode',
  ],
  table: ['lead.phone', 'lead.name', 'status', 'outcome', 'duration_seconds', 'handled_by.name', 'started', 'id'],
  // A call is almost always over; what came of it is what people look for.
  leastImportant: ['id', 'handled_by.name', 'duration_seconds', 'status', 'started'],
  standIns: { outcome: 'status' },
}

const acceptedCall: ResourceColumns = {
  name: 'calls',
  columns: [
    'lead_id',
    'external_id',
    'campaign_id',
    'status',
    'place_in_line',
    'estimated_wait_seconds',
    'scheduled_for',
    'scheduled_reason',
    'held_reason',
    'calls_left_today',
    'livemode',
  ],
  table: ['status', 'place_in_line', 'calls_left_today', 'lead_id'],
}

const transcriptLine: ResourceColumns = {
  name: 'lines',
  columns: ['at', 'speaker', 'name', 'text'],
  table: ['at', 'name', 'text'],
}

const recording: ResourceColumns = {
  name: 'recordings',
  columns: ['url', 'expires_at', 'livemode'],
  table: ['url', 'expires_at'],
}

/** A watched lead: the fields that change. */
const watchedLead: ResourceColumns = {
  name: 'changes',
  columns: [
    'updated',
    'status',
    'place_in_line',
    'estimated_wait_seconds',
    'scheduled_for',
    'scheduled_reason',
    'held_reason',
    'callback_at',
    'late',
    'attempts',
    'last_outcome',
    'id',
  ],
  table: ['updated', 'status', 'scheduled_for', 'scheduled_reason', 'held_reason', 'last_outcome'],
}

const dncEntry: ResourceColumns = {
  name: 'entries',
  columns: ['id', 'phone', 'source', 'createdAt', 'livemode'],
  table: ['phone', 'source', 'createdAt', 'id'],
}

const dncCheck: ResourceColumns = {
  name: 'numbers',
  columns: ['phone', 'normalizedPhone', 'onDncList', 'livemode'],
  table: ['phone', 'normalizedPhone', 'onDncList'],
}

const campaign: ResourceColumns = {
  name: 'campaigns',
  columns: [
    'id',
    'name',
    'status',
    'lines',
    'calling_hours',
    'any_hour',
    'consent_required',
    'call_now_default',
    'late_after_minutes',
    'duplicate_window_days',
    'max_attempts',
    'retire_after_failures',
    'spend_cap_usd',
    'spent_usd',
    'created',
    'updated',
    'livemode',
  ],
  table: ['name', 'status', 'lines', 'spent_usd', 'created', 'id'],
}

const exported: ResourceColumns = {
  name: 'exports',
  columns: ['id', 'exportType', 'status', 'rowCount', 'createdAt', 'expiresAt', 'livemode'],
  table: ['exportType', 'status', 'rowCount', 'createdAt', 'expiresAt', 'id'],
}

/** A new export, with the link to its file. */
const newExport: ResourceColumns = {
  ...exported,
  columns: [...exported.columns, 'downloadUrl'],
}

const counts = ['requests', 'leads_added', 'calls', 'calls_connected', 'minutes', 'cost_usd']

const usage: ResourceColumns = {
  name: 'months',
  columns: ['period', 'timezone', ...counts, 'updated'],
  table: ['period', ...counts],
}

const usageOf = {
  key: { name: 'usage by key', columns: ['key_id', 'key_name', ...counts], table: ['key_name', ...counts, 'key_id'] },
  campaign: {
    name: 'usage by campaign',
    columns: ['campaign_id', 'campaign_name', ...counts],
    table: ['campaign_name', ...counts],
  },
  day: { name: 'usage by day', columns: ['day', ...counts], table: ['day', ...counts] },
} as const satisfies Record<string, ResourceColumns>

const webhookEndpoint: ResourceColumns = {
  name: 'endpoints',
  columns: [
    'id',
    'url',
    'events',
    'campaign_ids',
    'mode',
    'status',
    'failing_since',
    'paused_at',
    'last_success_at',
    'previous_secret_expires_at',
    'created',
    'updated',
    'livemode',
  ],
  table: ['url', 'status', 'mode', 'events', 'last_success_at', 'id'],
  // The other commands take the id. A key sees only the endpoints of its own mode.
  leastImportant: ['mode', 'last_success_at', 'events'],
}

/** An endpoint with its secret, as in the two replies that show it. */
const newWebhookEndpoint: ResourceColumns = {
  ...webhookEndpoint,
  columns: [...webhookEndpoint.columns, 'secret'],
  table: ['url', 'status', 'mode', 'events', 'secret', 'id'],
}

/** A resumed endpoint, with the number of skipped deliveries to send. */
const resumedWebhookEndpoint: ResourceColumns = { ...webhookEndpoint, columns: [...webhookEndpoint.columns, 'resent'] }

const deleted: ResourceColumns = {
  name: 'deletions',
  columns: ['id', 'object', 'deleted', 'livemode'],
  table: ['object', 'deleted', 'id'],
}

const delivery: ResourceColumns = {
  name: 'deliveries',
  columns: [
    'id',
    'endpoint_id',
    'event_id',
    'event_type',
    'status',
    'attempts',
    'next_attempt_at',
    'last_attempt_at',
    'response_status',
    'response_body',
    'duration_ms',
    'resent_from',
    'created',
    'livemode',
  ],
  table: ['event_type', 'status', 'attempts', 'answer', 'duration_ms', 'next_attempt_at', 'created', 'id'],
  // svc webhooks resend takes the id.
  leastImportant: ['duration_ms', 'created', 'attempts', 'next_attempt_at'],
  ifAny: ['answer', 'duration_ms', 'next_attempt_at'],
  computed: { answer: answerOf },
}

/** A delivery as the control plane shows it. */
const simulatedDelivery: ResourceColumns = {
  name: 'deliveries',
  columns: [...delivery.columns, 'error', 'fault'],
  table: [
    'event_type',
    'status',
    'attempts',
    'response_status',
    'error',
    'fault',
    'next_attempt_at',
    'created',
    'endpoint_id',
    'id',
  ],
  leastImportant: ['created', 'attempts', 'next_attempt_at', 'fault', 'endpoint_id'],
  ifAny: ['response_status', 'error', 'fault', 'next_attempt_at'],
}

/** A sample delivery, with its event. */
const sampleDelivery: ResourceColumns = { ...delivery, columns: [...delivery.columns, 'event'] }

const event: ResourceColumns = {
  name: 'events',
  columns: ['id', 'type', 'created', 'livemode', 'api_version', 'data'],
  table: ['type', 'who', 'created', 'id'],
  // A narrow table shows only the beginning of the id.
  leastImportant: ['id', 'who'],
  computed: { who: leadOfEvent },
}

/** The status of the receiver's answer, or that there was none. The API does not say why. */
function answerOf(item: unknown): unknown {
  const status = valueAt(item, 'response_status')
  const isTried = typeof valueAt(item, 'last_attempt_at') === 'string'
  return status ?? (isTried ? 'no answer' : null)
}

/** The name of the lead that an event is about, else the phone. */
export function leadOfEvent(item: unknown): string | undefined {
  const [lead, subject] = ['data.object.lead', 'data.object'].map((path) => valueAt(item, path))
  const known = ['name', 'phone'].map((field) => valueAt(lead ?? subject, field))
  return known.find((value): value is string => typeof value === 'string' && value !== '')
}

const clock: ResourceColumns = {
  name: 'clocks',
  columns: ['now', 'speed', 'paused', 'events', 'reached', 'event', 'stopped'],
  table: ['now', 'speed', 'paused', 'events', 'reached', 'event.id', 'event.type'],
}

export const resourceColumns = {
  lead,
  optedOutLead,
  acceptedLead,
  call,
  acceptedCall,
  transcriptLine,
  recording,
  watchedLead,
  dncEntry,
  dncCheck,
  campaign,
  exported,
  newExport,
  usage,
  usageOf,
  webhookEndpoint,
  newWebhookEndpoint,
  resumedWebhookEndpoint,
  deleted,
  delivery,
  simulatedDelivery,
  sampleDelivery,
  event,
  clock,
} as const
