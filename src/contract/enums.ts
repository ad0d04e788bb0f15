/** Value lists of the API without zod, because commands need them at every start. */

/** The types of events. Generated documents keep this order. */
export const eventTypes = [
  'lead.created',
  'lead.queued',
  'lead.interested',
  'lead.opted_out',
  'lead.late',
  'call.started',
  'call.answered',
  'call.completed',
  'handover.accepted',
  'voicemail.left',
  'callback.booked',
] as const

/** Outcomes of a call (rule S3). */
export const outcomes = [
  'interested',
  'not_interested',
  'callback',
  'voicemail',
  'no_answer',
  'busy',
  'failed',
  'dnc',
  'wrong_number',
  'hung_up',
  'screened',
  'language_barrier',
  'not_qualified',
  'undetermined',
  'other',
] as const

/** Statuses of a lead (rule S1). */
export const leadStatuses = [
  'new',
  'queued',
  'scheduled',
  'held',
  'dialing',
  'on_call',
  'callback_scheduled',
  'done',
  'out_of_queue',
] as const

/** Statuses of a campaign. */
export const campaignStatuses = ['not_started', 'running', 'paused', 'completed'] as const

/** Statuses of a delivery (rules W6 and W9). */
export const deliveryStatuses = ['pending', 'sent', 'failed', 'gave_up', 'skipped_paused'] as const

/** Types of exports. */
export const exportTypes = ['leads', 'call_history', 'analytics'] as const

/** What a month's usage can be grouped by (rule X4). */
export const usageGroupings = ['key', 'campaign', 'day'] as const

/** Statuses of a key that people set in the app. Expiry is a separate field. */
export const keyStatuses = ['active', 'revoked', 'disabled'] as const

/** Who answers a scripted call, or why it is not answered. */
export const answers = ['person', 'voicemail', 'no_answer', 'busy', 'failed'] as const

/** Why a webhook attempt got no answer. */
export const failureReasons = ['refused', 'tls', 'timeout', 'not_http', 'too_large', 'network_error'] as const
export type FailureReason = (typeof failureReasons)[number]

/** What an injected fault can do to a webhook attempt. */
export const webhookFaults = ['duplicate', 'delay', 'reorder', 'drop', 'corrupt_signature', 'stale'] as const
export type WebhookFaultName = (typeof webhookFaults)[number]
