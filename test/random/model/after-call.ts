/** Where a lead must be after a call has ended or was corrected (rules S3, S6 and D13). */
import { minuteMs } from './hours.js'
import { campaignOf, isLive, numberKey, type Mirror, type SeenCall, type SeenLead } from './mirror.js'
import { reserved } from './numbers.js'

const retryMinutes: Readonly<Record<string, number>> = { busy: 15, no_answer: 120, voicemail: 1_440, failed: 60 }
const missed = (outcome: string): boolean => outcome in retryMinutes

export interface Place {
  /** Any of these is allowed. */
  statuses: readonly string[]
  /** The lead's own dial time and its reason. */
  own: number | null
  ownReason: string | null
  lastOutcome: string | null
}

const judgedAfresh = ['queued', 'scheduled', 'held']

/** The status that an outcome gives a lead, independent of its earlier status (rule S3). */
function sentBy(mirror: Mirror, lead: SeenLead, call: SeenCall, outcome: string): Place {
  const campaign = campaignOf(mirror, lead.campaign)
  const at = (...statuses: string[]): Place => ({ statuses, own: null, ownReason: null, lastOutcome: outcome })
  if (outcome === 'dnc') return at('out_of_queue')
  if (campaign.status === 'completed') return at('done')
  if (outcome === 'callback' && call.callbackAt !== null)
    return { ...at('callback_scheduled'), own: call.callbackAt, ownReason: 'next_dial_time' }
  const retry = retryMinutes[outcome]
  if (retry === undefined || reserved.includes(lead.phone) || lead.attempts >= campaign.max_attempts) return at('done')
  const own = (call.ended ?? 0) + retry * minuteMs
  return { ...at(...judgedAfresh), own, ownReason: 'retry_after_outcome' }
}

/** `wasOut` is true if an opt-out or a person took the lead out of the queue during the call. */
export function placeAfter(mirror: Mirror, lead: SeenLead, call: SeenCall, wasOut: boolean): Place {
  const outcome = call.outcome ?? ''
  const unchanged = { own: lead.own, ownReason: lead.ownReason, lastOutcome: lead.lastOutcome }
  if (wasOut) {
    const optedOut = !lead.takenOut || mirror.dnc.get(lead.tenant)?.has(lead.phone) === true
    const tells = !optedOut && !(call.direction === 'inbound' && missed(outcome))
    const place = tells ? { own: null, ownReason: null, lastOutcome: outcome } : unchanged
    return { statuses: ['out_of_queue'], ...place }
  }
  if (call.direction === 'outbound') {
    const gaveUp = outcome === 'failed' && mirror.retired.has(numberKey(lead.tenant, lead.campaign, lead.phone))
    const place = sentBy(mirror, lead, call, outcome)
    return gaveUp ? { ...place, statuses: ['done'], own: null, ownReason: null } : place
  }
  const { leadBefore } = call
  const stays = missed(outcome) ? unchanged : { own: null, ownReason: null, lastOutcome: outcome }
  if (leadBefore === 'out_of_queue') return { statuses: ['out_of_queue'], ...stays }
  if (!missed(outcome)) return sentBy(mirror, lead, call, outcome)
  if (leadBefore === 'done') return { statuses: ['done'], ...unchanged }
  if (leadBefore === 'callback_scheduled' && lead.own !== null)
    return { statuses: ['callback_scheduled'], ...unchanged }
  if (campaignOf(mirror, lead.campaign).status === 'completed') return { statuses: ['done'], ...unchanged }
  return { statuses: judgedAfresh, ...unchanged }
}

/**
 * Where a correction moves the lead; null if it does not move. A lead follows its latest call, unless it is out of
 * the queue, has opted out by itself, or was put back into the queue since.
 */
export function placeCorrected(mirror: Mirror, lead: SeenLead, call: SeenCall, before: string | null): Place | null {
  const outcome = call.outcome ?? ''
  if (lead.calls.at(-1) !== call.id || outcome === before) return null
  if (lead.status === 'out_of_queue' || (lead.lastOutcome === 'dnc' && before !== 'dnc')) return null
  if (lead.arrivalTurn > call.turn) return null
  if (call.direction === 'inbound' && missed(outcome)) return null
  return sentBy(mirror, lead, call, outcome)
}

/** Counts failed calls in a row, which retire a number in its campaign (rule D14). */
export function countFailure(mirror: Mirror, call: SeenCall): void {
  if (call.direction !== 'outbound') return
  const key = numberKey(call.tenant, call.campaign, call.phone)
  const failures = call.outcome === 'failed' ? (mirror.failures.get(key) ?? 0) + 1 : 0
  mirror.failures.set(key, failures)
  const { retire_after_failures } = campaignOf(mirror, call.campaign)
  if (failures > 0 && failures >= retire_after_failures) mirror.retired.add(key)
}

/** The cost that an ended call adds to its campaign (rule X3). */
export function costOf(mirror: Mirror, { tenant, campaign, answered, ended }: SeenCall): number {
  if (!isLive(tenant) || answered === null || ended === null) return 0
  return Math.ceil((ended - answered) / minuteMs) * campaignOf(mirror, campaign).rate
}
