/**
 * Explains a lead of a service without a control plane, from what its API shows, with the rules of the simulator. What the
 * API does not show is unknown, never assumed.
 */
import { ApiError } from '../../client/errors.js'
import type { Client, Contract } from '../../client/client.js'
import type { Call } from '../../contract/calls.js'
import type { Campaign } from '../../contract/campaigns.js'
import type { DialingRule, Explanation } from '../../contract/control/explain.js'
import type { Lead } from '../../contract/leads.js'
import { explain, isOver } from '../../dialing/explain.js'
import type { ExplainFacts, Judgement } from '../../dialing/explain-facts.js'
import { aftermath } from '../../dialing/aftermath.js'
import { ruleOfReason, type WaitFacts } from '../../dialing/eligibility.js'
import { parseHoursText } from '../../phone/hours-text.js'
import { zoneKey } from '../../phone/zones.js'
import { findLastReached, type LastReached } from './last-reached.js'
import { pastMoment, type WhatIf } from './what-if.js'

export interface Question extends WhatIf {
  client: Client<Contract>
  lead: Lead
  /** The current time in milliseconds. */
  now: number
}

export async function explainFromApi({ client, lead, now, at, campaignHours }: Question): Promise<Explanation> {
  const asked = at === undefined ? now : Date.parse(at)
  if (at !== undefined && asked < now) throw pastMoment(at)
  const [campaign, isListed, calls, reached] = await Promise.all([
    unlessForbidden(async () => (await client.call('getCampaign', { params: { id: lead.campaign_id } })).body.data),
    unlessForbidden(async () => (await client.call('checkDnc', { query: { phone: lead.phone } })).body.data.onDncList),
    unlessForbidden(() => callsOf(client, lead)),
    reachedSince(client, lead, now),
  ])
  const hours = campaignHours === undefined ? undefined : (parseHoursText(campaignHours) ?? undefined)
  const isRetired = whetherRetired(lead, campaign, calls)
  const isPlain = asked === now && hours === undefined
  return explain({
    now: asked,
    present: now,
    lead: { ...lead, ...waitOf(lead, calls) },
    campaign_id: lead.campaign_id,
    campaign: campaign && hours ? { ...campaign, calling_hours: hours, any_hour: false } : campaign,
    lastReached: reached.at,
    isListed,
    isRetired,
    isTakenOut: isTakenOut(lead),
    lines: { busy: undefined, ahead: lead.place_in_line ? lead.place_in_line - 1 : undefined, isKeyBusy: false },
    lateAt: undefined,
    unknown: reasonsOf({ isListed, isRetired, isTakenOut: isTakenOut(lead), reached }),
    ...(isPlain && reportOf(lead)),
  })
}

/** Undefined if the key does not have the permission, or the service does not have the object. */
async function unlessForbidden<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined
    throw error
  }
}

/** The lead's own calls, newest first. */
async function callsOf(client: Client<Contract>, { id }: Lead): Promise<Call[]> {
  const { body } = await client.call('listCalls', { query: { lead_id: id, limit: 100 } })
  return body.data.flatMap((call) => ('object' in call ? [call] : []))
}

/** The service queues no lead during its cooldown (rule D4), so a queued lead has none. */
async function reachedSince(client: Client<Contract>, lead: Lead, now: number): Promise<LastReached> {
  if (lead.status === 'queued' || zoneKey(lead.phone) === '') return { at: null }
  return (
    (await unlessForbidden(() => findLastReached(client, lead, now))) ?? {
      at: undefined,
      reason: 'the key may not read calls',
    }
  )
}

/** The lead's own waiting time. The API shows it as `next_dial_at`, and its reason only while it decides. */
function waitOf(lead: Lead, calls: readonly Call[] | undefined): WaitFacts {
  const zone = zoneKey(lead.phone)
  const { status, scheduled_reason, scheduled_for, callback_at, next_dial_at } = lead
  if (status === 'callback_scheduled' && callback_at !== null)
    return { zone, not_before: Date.parse(callback_at), not_before_reason: 'next_dial_time' }
  const isOwn = scheduled_reason === 'retry_after_outcome' || scheduled_reason === 'next_dial_time'
  if (status !== 'scheduled' || next_dial_at === null || (!isOwn && next_dial_at === scheduled_for))
    return { zone, not_before: null, not_before_reason: null }
  const not_before = Date.parse(next_dial_at)
  const not_before_reason = isOwn
    ? scheduled_reason
    : isRetryOf(calls?.[0], not_before)
      ? 'retry_after_outcome'
      : 'next_dial_time'
  return { zone, not_before, not_before_reason }
}

function isRetryOf(call: Call | undefined, at: number): boolean {
  if (!call?.outcome || call.ended === null) return false
  const next = aftermath[call.outcome]
  return typeof next === 'object' && Date.parse(call.ended) + next.retryAfter === at
}

/** A number is retired with the call that fails once too often, which also ends the waiting (rule D14). */
function whetherRetired(
  lead: Lead,
  campaign: Campaign | undefined,
  calls: readonly Call[] | undefined,
): boolean | undefined {
  if (!isOver(lead.status)) return false
  if (lead.last_outcome !== 'failed') return lead.status === 'done' ? false : undefined
  if (!campaign || !calls) return undefined
  const outbound = calls.filter(({ direction }) => direction === 'outbound')
  const answered = outbound.findIndex(({ outcome }) => outcome !== 'failed')
  return (answered < 0 ? outbound.length : answered) >= campaign.retire_after_failures
}

/** A lead that a person takes out is out of the queue. Other leads can be, too: the API does not show which. */
const isTakenOut = ({ status }: Lead): boolean | undefined =>
  status === 'out_of_queue' || status === 'on_call' || status === 'dialing' ? undefined : false

function reasonsOf(facts: Pick<ExplainFacts, 'isListed' | 'isRetired' | 'isTakenOut'> & { reached: LastReached }) {
  const reasons: Partial<Record<DialingRule, string>> = {}
  if (facts.isListed === undefined) reasons.dnc = 'the key may not read the list'
  if (facts.isRetired === undefined) reasons.retired_number = 'the API does not show retired numbers'
  if (facts.isTakenOut === undefined) reasons.taken_out = 'the API does not show who took a lead out'
  if (facts.reached.reason !== undefined) reasons.cooldown = facts.reached.reason
  return reasons
}

/** What the service says itself about a lead that waits. */
function reportOf({ status, scheduled_reason, scheduled_for }: Lead): { reported?: Judgement } {
  if (status === 'held') return { reported: { decides: 'campaign', nextCallAt: null } }
  if (status === 'queued') return { reported: { decides: 'lines', nextCallAt: null } }
  if (status !== 'scheduled' || scheduled_reason === null) return {}
  const nextCallAt = scheduled_for === null ? null : Date.parse(scheduled_for)
  return { reported: { decides: ruleOfReason[scheduled_reason], nextCallAt } }
}
