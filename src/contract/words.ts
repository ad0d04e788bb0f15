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
