/** The life of a call: how it starts, the moves it can make, and what each means for its lead and its line. */
import type { EventType } from '../../src/contract/events.js'
import { toIso } from '../kernel/instant.js'
import type { Call, CallStatus } from '../model/call.js'
import type { Campaign } from '../model/campaign.js'
import type { Lead } from '../model/lead.js'
import type { Heard } from '../model/call-event.js'
import type { Member, MemberRole } from '../model/member.js'
import type { Organization } from '../model/world.js'
import { leaveCall } from './after-call.js'
import { bill } from '../reporting/billing.js'
import { callOnWire } from '../model/serialize/calls.js'
import { list } from './dnc.js'
import { isWaiting, move, placeAgain } from './lead-transitions.js'
import { outcomeLabel } from '../model/outcome.js'
import { emit, emitOfCall } from '../webhooks/outbox.js'
import { countCall } from '../reporting/usage.js'
import { leadInEvent } from '../model/serialize/resources.js'

/** The moves of a call: from each status, where it can go. */
export const callMoves: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  ringing: ['in_progress', 'ended'],
  in_progress: ['ended'],
  ended: [],
}

function go(organization: Organization, call: Call, to: CallStatus, changes: Partial<Call>): void {
  const { calls } = organization
  const from = call.status
  if (!callMoves[from].includes(to)) throw new Error(`call ${calls.id(call.n)} cannot go from ${from} to ${to}`)
  calls.change(call, changes, { status: to, updated: organization.world.now })
  noticeMove(organization, call, from)
}

function noticeMove({ world, tenant }: Organization, { n, status: to, outcome }: Call, from: CallStatus | null): void {
  world.notice({ kind: 'call', tenant, n, from, to, outcome, at: world.now })
}

/** Dials a lead: it takes a line of its campaign and rings. */
export function start(organization: Organization, campaign: Campaign, lead: Lead): void {
  const { world, queues } = organization
  const owner = ownerFor(organization, lead)
  const call = ring(organization, {
    campaign: campaign.n,
    lead: lead.n,
    lead_before: null,
    phone: lead.phone,
    direction: 'outbound',
    owner,
    started_by: lead.api_key === null ? 'dialer' : 'api',
    api_key: lead.api_key,
    key: organization.live ? null : lead.key,
  })
  queues.count(campaign.n, { busy: 1 })
  move(organization, lead, 'dialing', {
    attempts: lead.attempts + 1,
    owner,
    not_before: null,
    not_before_reason: null,
    api_key: null,
  })
  emitOfCall(organization, 'call.started', call)
  if (lead.alone === 0) holdBackOthers(organization, lead)
  world.carrier.place(organization, call)
}

type Beginning = Pick<
  Call,
  'campaign' | 'lead' | 'lead_before' | 'phone' | 'direction' | 'owner' | 'started_by' | 'api_key' | 'key'
>

/** A call that begins to ring. */
export function ring(organization: Organization, beginning: Beginning): Call {
  const { world, calls } = organization
  const { campaign, lead, lead_before, phone, direction, owner, started_by, api_key, key } = beginning
  const call = calls.add({
    campaign,
    lead,
    lead_before,
    phone,
    direction,
    owner,
    started_by,
    api_key,
    key,
    status: 'ringing',
    outcome: null,
    outcome_label: null,
    note: null,
    started: world.now,
    answered: null,
    ended: null,
    updated: world.now,
    machine: 0,
    handler: null,
    handler_role: 'ai',
    interested_at: null,
    handed_over_at: null,
    callback_at: null,
    revision: 0,
    script: null,
  })
  noticeMove(organization, call, null)
  return call
}

/** The SDR a lead's calls are dialed for: always the same one while the team stays as it is. */
export function ownerFor(organization: Organization, lead: Lead): number | null {
  const team = organization.members.filter(({ role }) => role === 'sdr')
  return team[lead.n % team.length]?.n ?? null
}

/** From the first ring on, the number's other leads wait out the cooldown (specification, Dialing rules, 4). */
export function holdBackOthers(
  organization: Organization,
  lead: { n: number | null; phone: string; zone: string },
): void {
  if (lead.zone === '') return
  for (const other of organization.leads.othersWithPhone(lead.phone, lead.n)) {
    if (!isWaiting(other.status) || other.status === 'held') continue
    placeAgain(organization, organization.campaign(other.campaign), other)
  }
}

/** What happens on the telephone becomes facts here. */
export function hear(organization: Organization, call: Call, heard: Heard): void {
  const { world, calls } = organization
  const { now } = world
  const lead = call.lead === null ? null : organization.leads.get(call.lead)
  const tell = (type: EventType) => emitOfCall(organization, type, call)

  switch (heard.what) {
    case 'answered':
      go(organization, call, 'in_progress', { answered: now, machine: heard.machine ? 1 : 0 })
      if (lead?.status === 'dialing') move(organization, lead, 'on_call')
      return tell('call.answered')
    case 'interested':
      calls.change(call, { interested_at: now, updated: now })
      return tell('lead.interested')
    case 'handed_over': {
      const handler = closest(organization, heard.role, call.owner)
      if (!handler) return
      calls.change(call, { handler: handler.n, handler_role: handler.role, handed_over_at: now, updated: now })
      return tell('handover.accepted')
    }
    case 'voicemail_left':
      return tell('voicemail.left')
    case 'callback_booked': {
      calls.change(call, { callback_at: heard.at, updated: now })
      if (!lead) return
      const { handled_by } = callOnWire(organization, call)
      const callback = { callback_at: toIso(heard.at), booked_by: handled_by }
      return emit(organization, 'callback.booked', lead, leadInEvent(organization, lead), { callback })
    }
    case 'opted_out':
      list(organization, call.phone, 'ai', { of: lead })
      return
    case 'ended':
      return end(organization, call, lead, heard)
  }
}

/** Who takes a call over: its owner where the role fits, else the first of that role, else anybody; null in an empty team. */
function closest({ members }: Organization, role: MemberRole, owner: number | null): Member | null {
  const team = members.filter((member) => member.role === role)
  return team.find(({ n }) => n === owner) ?? team[0] ?? members[0] ?? null
}

type Ended = Extract<Heard, { what: 'ended' }>

/** A call ends: it has its outcome, its line is free, it is billed, and its lead goes where the outcome sends it. */
function end(organization: Organization, call: Call, lead: Lead | null, { outcome, note }: Ended): void {
  const { world, queues } = organization
  const written = { outcome, outcome_label: outcomeLabel(outcome), note, revision: 1 }
  go(organization, call, 'ended', { ended: world.now, ...written })
  if (call.direction === 'outbound' && call.campaign !== null) {
    queues.count(call.campaign, { busy: -1, calls_ended: 1, line_ms: world.now - call.started })
  }
  bill(organization, call)
  countCall(organization, call, lead)
  if (lead) leaveCall(organization, call, lead, outcome)
  emitOfCall(organization, 'call.completed', call)
  if (outcome === 'dnc') list(organization, call.phone, 'outcome', { of: lead })
}
