/** Call outcomes: the label of each, and what happens to the lead after such a call (rules D13 and S3). */
import { hours, minutes, type Duration } from '../kernel/instant.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'

/** What happens to the lead: finished, removed from the queue, called at a booked time, or retried after a delay. */
export type Aftermath = 'done' | 'out_of_queue' | 'callback_scheduled' | { retryAfter: Duration }

export const aftermath: Readonly<Record<Outcome, Aftermath>> = {
  interested: 'done',
  not_interested: 'done',
  callback: 'callback_scheduled',
  voicemail: { retryAfter: hours(24) },
  no_answer: { retryAfter: hours(2) },
  busy: { retryAfter: minutes(15) },
  failed: { retryAfter: hours(1) },
  dnc: 'out_of_queue',
  wrong_number: 'done',
  hung_up: 'done',
  screened: 'done',
  language_barrier: 'done',
  not_qualified: 'done',
  undetermined: 'done',
  other: 'done',
}

const humanize = (outcome: string) => outcome.charAt(0).toUpperCase() + outcome.slice(1).replaceAll('_', ' ')

const labels = Object.fromEntries(
  Object.keys(aftermath).map((outcome) => [outcome, outcome === 'dnc' ? 'Do not call' : humanize(outcome)]),
) as Readonly<Record<Outcome, string>>

/** The default name of an outcome. */
export const outcomeLabel = (outcome: Outcome): string => labels[outcome]
