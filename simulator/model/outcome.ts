/** What an outcome word means for a lead: its label, and what becomes of the lead after such a call (by decision). */
import { hours, minutes, type Duration } from '../kernel/instant.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'

/** What follows for the lead: it is finished, taken out, called again at a booked time, or tried again after a while. */
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

/** The organization's name for an outcome, where nobody gave it another. */
export const outcomeLabel = (outcome: Outcome): string => labels[outcome]
