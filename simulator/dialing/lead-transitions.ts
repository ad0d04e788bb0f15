/**
 * Changes the status of leads. Every status change goes through `moveLead`, which updates counts, appointments and
 * notices.
 */
import { after, before, between, minutes, type Instant } from '../kernel/instant.js'
import type { Campaign } from '../model/campaign.js'
import type { LeadStatus } from '../../src/contract/leads.js'
import { callingWindowsOf, evaluate, reevaluate, type Eligibility } from '../../src/dialing/eligibility.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { emitEvent } from '../webhooks/outbox.js'
import { LeadFacts } from './facts.js'
import { serializeLeadInEvent } from '../model/serialize/resources.js'

const waiting: readonly LeadStatus[] = ['queued', 'scheduled', 'held']
export const isWaiting = (status: LeadStatus): boolean => waiting.includes(status)
export const isBusy = (status: LeadStatus): boolean => status === 'dialing' || status === 'on_call'
/**
 * Whether a call with the lead is ongoing. The lead is busy, or left the queue during the call, which continues (rule
 * S5).
 */
export const isOnCall = ({ calls }: Tenant, { n, status }: Lead): boolean =>
  isBusy(status) || (status === 'out_of_queue' && calls.listOngoing(n) !== null)

/** Fields that are set only while a lead waits. */
const notWaiting = { scheduled_for: null, scheduled_reason: null, held_reason: null } as const

const notAskedFor = { api_key: null } as const
const nothing = {} as const

/** Whether no call will follow. Then a call requested through the API is forgotten too. */
const isOver = (status: LeadStatus): boolean => status === 'out_of_queue' || status === 'done'

export const appointmentOf = (lead: Lead): string => `lead:${lead.n}`
export const lateAppointmentOf = (lead: { n: number }): string => `late:${lead.n}`
const hoursAppointmentOf = (tenant: number, campaign: number, zone: string): string =>
  `hours:${tenant}:${campaign}:${zone}`

/** Whether the lead waits for an appointment instead of the calling hours of its zone. */
const hasAppointment = ({ status, scheduled_reason, scheduled_for }: Lead): boolean =>
  status === 'callback_scheduled' || (status === 'scheduled' && scheduled_reason !== null && scheduled_for !== null)

/** Moves a lead to a status (rule S1) and cancels the appointments of its previous status. */
export function moveLead(tenant: Tenant, lead: Lead, to: LeadStatus, ...changes: Partial<Lead>[]): void {
  const { world, leads, queues } = tenant
  const from = lead.status
  if (hasAppointment(lead)) world.agenda.cancel(appointmentOf(lead))
  if (from === 'queued' && to !== 'queued' && lead.call_now) world.agenda.cancel(lateAppointmentOf(lead))
  leads.change(lead, notWaiting, isOver(to) ? notAskedFor : nothing, ...changes, { status: to, updated: world.now })
  if (from === to) return
  const queued = Number(to === 'queued') - Number(from === 'queued')
  const waiting_from_api = lead.source === 'api' ? Number(isWaiting(to)) - Number(isWaiting(from)) : 0
  if (queued !== 0 || waiting_from_api !== 0) queues.count(lead.campaign, { queued, waiting_from_api })
  noticeMove(tenant, lead, from)
}

function noticeMove({ world, n: tenant }: Tenant, { n, status: to }: Lead, from: LeadStatus): void {
  world.publish({ kind: 'lead', tenant, n, from, to, at: world.now })
}

/** Applies changes, re-evaluates eligibility, and moves the lead to queued, scheduled or held. Does not dial. */
export function enqueueLead(tenant: Tenant, campaign: Campaign, lead: Lead, changes: Partial<Lead> = {}): void {
  tenant.leads.change(lead, changes)
  applyEligibility(tenant, campaign, lead, evaluate(new LeadFacts(tenant, campaign, lead)))
}

/**
 * Re-evaluates a lead that waits, or `was` waiting before an inbound call. A scheduled lead is not held before it is
 * due.
 */
export function reenqueueLead(tenant: Tenant, campaign: Campaign, lead: Lead, was = lead.status): void {
  applyEligibility(tenant, campaign, lead, reevaluate(new LeadFacts(tenant, campaign, lead), was))
}

/** Moves the lead to queued, scheduled or held, with the appointment it needs. */
export function applyEligibility(tenant: Tenant, campaign: Campaign, lead: Lead, found: Eligibility): void {
  const { world } = tenant
  const { status } = found
  const stayedInLine = status === 'queued' && lead.status === 'queued'
  const due = stayedInLine ? lead.due : world.now
  const line_at = lead.call_now ? lead.arrived : due
  moveLead(tenant, lead, status, found as Partial<Lead>, { callback_at: null, due, line_at })

  if (hasAppointment(lead)) {
    world.agenda.put(appointmentOf(lead), lead.scheduled_for as Instant, {
      kind: 'lead.due',
      lead: lead.n,
      tenant: tenant.n,
    })
  } else if (status !== 'held') {
    scheduleHoursChange(tenant, campaign, lead.zone)
  }
  if (status === 'queued' && lead.call_now && !lead.late) startLateTimer(tenant, campaign, lead)
}

/** Starts the late timer of a call_now lead. If it already runs, it keeps its time (rule D10). */
export function startLateTimer(tenant: Tenant, campaign: Campaign, lead: { n: number }): void {
  const { world } = tenant
  const at = after(world.now, minutes(campaign.late_after_minutes))
  world.agenda.ensure(lateAppointmentOf(lead), at, { kind: 'lead.late', lead: lead.n, tenant: tenant.n })
}

/** Applies a changed late limit to a waiting lead, counted from the time it entered the queue. */
export function restartLateTimer(tenant: Tenant, campaign: Campaign, n: number, minutesBefore: number): void {
  const { world, leads } = tenant
  const key = lateAppointmentOf({ n })
  const expected = world.agenda.at(key)
  if (expected === null) return
  const since = before(expected, minutes(minutesBefore))
  const at = after(since, minutes(campaign.late_after_minutes))
  if (at > world.now) return world.agenda.put(key, at, { kind: 'lead.late', lead: n, tenant: tenant.n })
  world.agenda.cancel(key)
  markLate(tenant, leads.get(n), Math.floor(between(since, world.now) / 1000))
}

/** Marks a call_now lead as late, once per arrival. It is still called (rule D10). */
export function markLate(tenant: Tenant, lead: Lead, waitedSeconds?: number): void {
  if (lead.status !== 'queued' || !lead.call_now || lead.late) return
  const { leads, world } = tenant
  const limit_minutes = tenant.campaign(lead.campaign).late_after_minutes
  leads.change(lead, { late: 1, updated: world.now })
  emitEvent(tenant, 'lead.late', lead, serializeLeadInEvent(tenant, lead), {
    late: { waited_seconds: waitedSeconds ?? limit_minutes * 60, limit_minutes },
  })
}

/** Puts the next opening or closing of these leads' hours on the agenda. */
export function scheduleHoursChange(tenant: Tenant, campaign: Campaign, zone: string): void {
  const { world } = tenant
  const at = callingWindowsOf(campaign, zone)?.nextChange(world.now) ?? null
  if (at === null) return
  world.agenda.ensure(hoursAppointmentOf(tenant.n, campaign.n, zone), at as Instant, {
    kind: 'hours',
    campaign: campaign.n,
    tenant: tenant.n,
    zone,
  })
}
