/** The life cycle of a call: start, status changes, and what each event means for the lead and the line. */
import type { EventType } from '../../src/contract/events.js'
import { toIso } from '../kernel/instant.js'
import type { Call, CallStatus, CallEvent } from '../model/call.js'
import type { Campaign } from '../model/campaign.js'
import type { Lead } from '../model/lead.js'
import type { Member, MemberRole } from '../model/organization.js'
import type { Tenant } from '../model/world.js'
import { finishCall } from './after-call.js'
import { billCall } from '../reporting/billing.js'
import { serializeCall } from '../model/serialize/calls.js'
import { addToDnc } from './dnc.js'
import { isWaiting, moveLead, reenqueueLead } from './lead-transitions.js'
import { outcomeLabel } from '../model/outcome.js'
import { emitEvent, emitCallEvent } from '../webhooks/outbox.js'
import { countCall } from '../reporting/usage.js'
import { serializeLeadInEvent } from '../model/serialize/resources.js'

/** The allowed status changes of a call (rule S2). */
export const callMoves: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  ringing: ['in_progress', 'ended'],
  in_progress: ['ended'],
  ended: [],
}

function moveCall(tenant: Tenant, call: Call, to: CallStatus, changes: Partial<Call>): void {
  const { calls } = tenant
  const from = call.status
  if (!callMoves[from].includes(to)) throw new Error(`call ${calls.id(call.n)} cannot go from ${from} to ${to}`)
  calls.change(call, changes, { status: to, updated: tenant.world.now })
  noticeMove(tenant, call, from)
}

function noticeMove({ world, n: tenant }: Tenant, { n, status: to, outcome }: Call, from: CallStatus | null): void {
  world.publish({ kind: 'call', tenant, n, from, to, outcome, at: world.now })
}

/** Dials a lead: the call takes a line of the campaign and rings. */
export function startOutboundCall(tenant: Tenant, campaign: Campaign, lead: Lead): void {
  const { world, queues } = tenant
  const owner = chooseOwner(tenant, lead)
  const call = ringCall(tenant, {
    campaign: campaign.n,
    lead: lead.n,
    lead_before: null,
    phone: lead.phone,
    direction: 'outbound',
    owner,
    started_by: lead.api_key === null ? 'dialer' : 'api',
    api_key: lead.api_key,
    key: tenant.live ? null : lead.key,
  })
  queues.count(campaign.n, { busy: 1 })
  moveLead(tenant, lead, 'dialing', {
    attempts: lead.attempts + 1,
    owner,
    not_before: null,
    not_before_reason: null,
    api_key: null,
  })
  emitCallEvent(tenant, 'call.started', call)
  if (lead.phone_is_unique === 0) holdOtherLeads(tenant, lead)
  world.carrier.startCall(tenant, call)
}

type Beginning = Pick<
  Call,
  'campaign' | 'lead' | 'lead_before' | 'phone' | 'direction' | 'owner' | 'started_by' | 'api_key' | 'key'
>

/** Creates a ringing call. */
export function ringCall(tenant: Tenant, beginning: Beginning): Call {
  const { world, calls } = tenant
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
  noticeMove(tenant, call, null)
  return call
}

/** Chooses the SDR whom the lead's calls are dialed for. The choice stays the same while the team does not change. */
export function chooseOwner(tenant: Tenant, lead: Lead): number | null {
  const team = tenant.members.filter(({ role }) => role === 'sdr')
  return team[lead.n % team.length]?.n ?? null
}

/** From the first ring, other leads with this number wait for the cooldown (rule D4). */
export function holdOtherLeads(tenant: Tenant, lead: { n: number | null; phone: string; zone: string }): void {
  if (lead.zone === '') return
  for (const other of tenant.leads.listOthersByPhone(lead.phone, lead.n)) {
    if (!isWaiting(other.status) || other.status === 'held') continue
    reenqueueLead(tenant, tenant.campaign(other.campaign), other)
  }
}

/** Applies an event of a simulated call to the call, its lead and the Do Not Call list. */
export function handleCallEvent(tenant: Tenant, call: Call, heard: CallEvent): void {
  const { world, calls } = tenant
  const { now } = world
  const lead = call.lead === null ? null : tenant.leads.get(call.lead)
  const emit = (type: EventType) => emitCallEvent(tenant, type, call)

  switch (heard.what) {
    case 'answered':
      moveCall(tenant, call, 'in_progress', { answered: now, machine: heard.machine ? 1 : 0 })
      if (lead?.status === 'dialing') moveLead(tenant, lead, 'on_call')
      return emit('call.answered')
    case 'interested':
      calls.change(call, { interested_at: now, updated: now })
      return emit('lead.interested')
    case 'handed_over': {
      const handler = chooseHandler(tenant, heard.role, call.owner)
      if (!handler) return
      calls.change(call, { handler: handler.n, handler_role: handler.role, handed_over_at: now, updated: now })
      return emit('handover.accepted')
    }
    case 'voicemail_left':
      return emit('voicemail.left')
    case 'callback_booked': {
      calls.change(call, { callback_at: heard.at, updated: now })
      if (!lead || !world.recordsEvents) return
      const { handled_by } = serializeCall(tenant, call)
      const callback = { callback_at: toIso(heard.at), booked_by: handled_by }
      return emitEvent(tenant, 'callback.booked', lead, serializeLeadInEvent(tenant, lead), { callback })
    }
    case 'opted_out':
      addToDnc(tenant, call.phone, 'ai', { of: lead })
      return
    case 'ended':
      return endCall(tenant, call, lead, heard)
  }
}

/**
 * Chooses who takes over a call: the owner if the role fits, else the first with that role, else the first member. Null
 * if the team is empty.
 */
function chooseHandler({ members }: Tenant, role: MemberRole, owner: number | null): Member | null {
  const team = members.filter((member) => member.role === role)
  return team.find(({ n }) => n === owner) ?? team[0] ?? members[0] ?? null
}

type Ended = Extract<CallEvent, { what: 'ended' }>

/** Ends a call: sets the outcome, frees the line, bills the call and moves the lead. */
function endCall(tenant: Tenant, call: Call, lead: Lead | null, { outcome, note }: Ended): void {
  const { world, queues } = tenant
  const written = { outcome, outcome_label: outcomeLabel(outcome), note, revision: 1 }
  moveCall(tenant, call, 'ended', { ended: world.now, ...written })
  if (call.direction === 'outbound' && call.campaign !== null) {
    queues.count(call.campaign, { busy: -1, calls_ended: 1, line_ms: world.now - call.started })
  }
  billCall(tenant, call)
  countCall(tenant, call, lead)
  if (lead) finishCall(tenant, call, lead, outcome)
  emitCallEvent(tenant, 'call.completed', call)
  if (outcome === 'dnc') addToDnc(tenant, call.phone, 'outcome', { of: lead })
}
