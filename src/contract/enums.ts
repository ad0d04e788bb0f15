/** Lists of words on the wire, apart from their schemas: a command names them at every start and need not wait for zod. */

/** The types of event, in the order of the specification (Events, Event types). */
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

/** How a call can end (specification, Outcome words). */
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

/** Where a lead can stand (specification, States). */
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

/** How a campaign stands. */
export const campaignStatuses = ['not_started', 'running', 'paused', 'completed'] as const

/** How far a delivery has come (specification, Webhook delivery). */
export const deliveryStatuses = ['pending', 'sent', 'failed', 'gave_up', 'skipped_paused'] as const

/** What is in an export (specification, Export). */
export const exportTypes = ['leads', 'call_history', 'analytics'] as const

/** The parts a month's usage can be told in (specification, Usage). */
export const usageGroupings = ['key', 'campaign', 'day'] as const

/** How a key stands by what people did with it in the app; that it has expired, its time tells. */
export const keyStatuses = ['active', 'revoked', 'disabled'] as const

/** What picks up a scripted call, or why nothing does. */
export const answers = ['person', 'voicemail', 'no_answer', 'busy', 'failed'] as const

/** Why a webhook attempt had no answer. */
export const failureReasons = ['refused', 'tls', 'timeout', 'not_http', 'too_large', 'network_error'] as const
export type FailureReason = (typeof failureReasons)[number]

/** What the simulated network can do to a webhook attempt. */
export const webhookFaults = ['duplicate', 'delay', 'reorder', 'drop', 'corrupt_signature', 'stale'] as const
export type WebhookFaultName = (typeof webhookFaults)[number]
