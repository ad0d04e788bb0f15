/** Corrections of a call by a person: outcome, outcome label or note (rule S6). */
import type { Outcome } from '../../src/contract/base/outcomes.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { after, later, milliseconds } from '../kernel/instant.js'
import type { Call } from '../model/call.js'
import type { Tenant } from '../model/world.js'
import { isMissed, applyOutcome } from './after-call.js'
import { emitCallEvent } from '../webhooks/outbox.js'
import { dialFreeLines } from './dialer.js'
import { addToDnc } from './dnc.js'
import { latestCall } from './leads.js'
import { outcomeLabel } from '../model/outcome.js'

export interface Correction {
  outcome?: Outcome | undefined
  /** If only the outcome is given, the label becomes the usual one. */
  outcome_label?: string | null | undefined
  note?: string | null | undefined
}

/**
 * Corrects a call that has ended. `call.completed` is sent again with a higher revision (rule S6). `updated` increases
 * even when the clock is paused. A correction that changes nothing does nothing.
 */
export function correctCall(tenant: Tenant, call: Call, sent: Correction): Call {
  const { world, calls, leads } = tenant
  if (call.status !== 'ended')
    throw new ApiError('invalid_request', 'The call is still going on; correct it when it has ended.')
  const before = call.outcome
  const outcome = sent.outcome ?? before
  const usualLabel = outcome !== null && outcome !== before ? outcomeLabel(outcome) : call.outcome_label
  const outcome_label = sent.outcome_label === undefined ? usualLabel : sent.outcome_label
  const note = sent.note === undefined ? call.note : sent.note
  if (outcome === before && outcome_label === call.outcome_label && note === call.note) return call

  const updated = later(world.now, after(call.updated, milliseconds(1)))
  calls.change(call, { outcome, outcome_label, note, updated, revision: call.revision + 1 })
  followCorrection(tenant, call, before)
  emitCallEvent(tenant, 'call.completed', call)
  const lead = call.lead === null ? null : leads.get(call.lead)
  if (outcome === 'dnc' && before !== 'dnc') addToDnc(tenant, call.phone, 'outcome', { of: lead })
  if (lead) dialFreeLines(tenant, lead.campaign)
  return call
}

/**
 * Applies the corrected outcome to the lead if this is its latest call. The lead moves as that outcome would have moved
 * it, unless it is out of the queue or was put back since.
 */
function followCorrection(tenant: Tenant, call: Call, before: Outcome | null): void {
  const { leads, world } = tenant
  const { outcome, outcome_label } = call
  if (call.lead === null || outcome === null) return
  const lead = leads.get(call.lead)
  if (latestCall(tenant, lead) !== call.n) return
  // The lead opted out by other means, so the correction does not change its outcome.
  if (lead.last_outcome === 'dnc' && before !== 'dnc') return
  leads.change(lead, { last_outcome: outcome, last_outcome_label: outcome_label, updated: world.now })
  // `call_before` is the latest call at the time when the lead last returned to the queue.
  const putBackSince = lead.call_before === call.n
  const missedInbound = call.direction === 'inbound' && isMissed(outcome)
  if (outcome === before || lead.status === 'out_of_queue' || putBackSince || missedInbound) return
  applyOutcome(tenant, call, lead, outcome)
}
