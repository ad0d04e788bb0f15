/** Moves a lead after its call: to done, out of the queue, to a callback or to a retry (rules D13 and S3). */
import type { Outcome } from '../../src/contract/base/outcomes.js'
import { after, type Instant } from '../kernel/instant.js'
import type { Call } from '../model/call.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { appointmentOf, isBusy, moveLead, enqueueLead, reenqueueLead } from './lead-transitions.js'
import { aftermath } from '../model/outcome.js'

/** Handles the end of a call. A lead that opted out during the call stays out with outcome `dnc` (rule S5). */
export function finishCall(tenant: Tenant, call: Call, lead: Lead, outcome: Outcome): void {
  const retired = call.direction === 'outbound' && isRetiredBy(tenant, call, lead, outcome)
  if (!isBusy(lead.status)) return takeOutAfterCall(tenant, call, lead, outcome)
  if (call.direction === 'inbound') return finishInboundCall(tenant, call, lead, outcome)
  if (retired) return moveLead(tenant, lead, 'done', resultOf(call, outcome))
  applyOutcome(tenant, call, lead, outcome)
}

/** Counts failed calls in a row. Returns whether the campaign retires the number now (rule D14). */
function isRetiredBy(tenant: Tenant, call: Call, lead: Lead, outcome: Outcome): boolean {
  const { numbers } = tenant
  const { n, retire_after_failures } = tenant.campaign(lead.campaign)
  if (outcome === 'failed') return numbers.recordFailure(n, call.phone, retire_after_failures)
  numbers.recordAnswer(n, call.phone)
  return false
}

/** Records the result for a lead that a person took out during the call. An opted-out lead keeps outcome `dnc`. */
function takeOutAfterCall(tenant: Tenant, call: Call, lead: Lead, outcome: Outcome): void {
  if (lead.taken_out === 0 || tenant.dnc.has(lead.phone)) return
  if (call.direction === 'inbound' && isMissed(outcome)) return
  moveLead(tenant, lead, 'out_of_queue', resultOf(call, outcome))
}

/** Whether the outcome means that no person was reached. */
export const isMissed = (outcome: Outcome): boolean => typeof aftermath[outcome] === 'object'

/**
 * Handles the end of an inbound call. If a person was reached, the outcome moves the lead as usual. If not, the lead
 * returns to its earlier status. A lead that was out of the queue stays out: a call does not undo an opt-out or a
 * person's decision.
 */
function finishInboundCall(tenant: Tenant, call: Call, lead: Lead, outcome: Outcome): void {
  const missed = isMissed(outcome)
  const result = missed ? {} : resultOf(call, outcome)
  if (call.lead_before === 'out_of_queue') return moveLead(tenant, lead, 'out_of_queue', result)
  if (!missed) return applyOutcome(tenant, call, lead, outcome)
  if (call.lead_before === 'done') return moveLead(tenant, lead, 'done')
  if (call.lead_before === 'callback_scheduled' && lead.not_before !== null)
    return scheduleCallback(tenant, lead, lead.not_before)
  if (isClosed(tenant, lead)) return moveLead(tenant, lead, 'done')
  reenqueueLead(tenant, tenant.campaign(lead.campaign), lead, call.lead_before ?? undefined)
}

/** Moves a lead to the status that the outcome leads to (rule S3). Does not dial. */
export function applyOutcome(tenant: Tenant, call: Call, lead: Lead, outcome: Outcome): void {
  const campaign = tenant.campaign(lead.campaign)
  const next = aftermath[outcome]
  const result = resultOf(call, outcome)
  if (next === 'out_of_queue') return moveLead(tenant, lead, next, result)
  if (isClosed(tenant, lead)) return moveLead(tenant, lead, 'done', result)
  if (next === 'callback_scheduled' && call.callback_at !== null)
    return scheduleCallback(tenant, lead, call.callback_at, result)
  if (typeof next === 'object' && lead.zone !== '' && lead.attempts < campaign.max_attempts) {
    const not_before = after(call.ended ?? tenant.world.now, next.retryAfter)
    return enqueueLead(tenant, campaign, lead, {
      ...result,
      not_before,
      not_before_reason: 'retry_after_outcome',
    })
  }
  moveLead(tenant, lead, 'done', result)
}

const isClosed = (tenant: Tenant, { campaign }: Lead): boolean => tenant.campaign(campaign).status === 'completed'

const resultOf = ({ outcome_label }: Call, outcome: Outcome): Partial<Lead> => ({
  last_outcome: outcome,
  last_outcome_label: outcome_label,
  callback_at: null,
  not_before: null,
  not_before_reason: null,
})

function scheduleCallback(tenant: Tenant, lead: Lead, at: Instant, result: Partial<Lead> = {}): void {
  const { world } = tenant
  moveLead(tenant, lead, 'callback_scheduled', {
    ...result,
    callback_at: at,
    not_before: at,
    not_before_reason: 'next_dial_time',
  })
  world.agenda.put(appointmentOf(lead), at, { kind: 'lead.due', lead: lead.n, tenant: tenant.n })
}
