/** What happens to a lead after a call with each outcome (rules D13 and S3). Delays are in milliseconds. */
import type { Outcome } from '../contract/base/outcomes.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** What happens to the lead: finished, removed from the queue, called at a booked time, or retried after a delay. */
export type Aftermath<Delay = number> = 'done' | 'out_of_queue' | 'callback_scheduled' | { retryAfter: Delay }

export const aftermath: Readonly<Record<Outcome, Aftermath>> = {
  interested: 'done',
  not_interested: 'done',
  callback: 'callback_scheduled',
  voicemail: { retryAfter: 24 * hourMs },
  no_answer: { retryAfter: 2 * hourMs },
  busy: { retryAfter: 15 * minuteMs },
  failed: { retryAfter: hourMs },
  dnc: 'out_of_queue',
  wrong_number: 'done',
  hung_up: 'done',
  screened: 'done',
  language_barrier: 'done',
  not_qualified: 'done',
  undetermined: 'done',
  other: 'done',
}

/** Whether the outcome means that no person was reached, so that the lead is tried again. */
export const isRetried = (outcome: Outcome): boolean => typeof aftermath[outcome] === 'object'
