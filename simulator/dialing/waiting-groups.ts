/** Moves the waiting leads of a campaign together: calling hours open or close, a hold begins or lifts. */
import { instant } from '../kernel/instant.js'
import type { LeadStatus } from '../../src/contract/leads.js'
import { callingWindowsOf, holdReason } from '../../src/dialing/eligibility.js'
import type { Campaign } from '../model/campaign.js'
import { modes } from '../model/api-key.js'
import { tenantNumberOf } from '../model/organization.js'
import type { Tenant } from '../model/world.js'
import { WaitingLeads, type WaitingGroup } from '../model/queue/waiting-leads.js'
import { dialFreeLines, scheduleDialing } from './dialer.js'
import {
  startLateTimer,
  restartLateTimer,
  lateAppointmentOf,
  moveLead,
  reenqueueLead,
  scheduleHoursChange,
} from './lead-transitions.js'

const waitingLeadsOf = (tenant: Tenant, campaign: Campaign) => new WaitingLeads(tenant.leads, campaign.n)

/** Applies the opening or closing of calling hours in a zone. */
export function applyHoursChange(tenant: Tenant, campaign: Campaign, zone: string): void {
  const { now } = tenant.world
  const windows = callingWindowsOf(campaign, zone)
  if (!windows || windows.isOpen(now)) openHours(tenant, campaign, zone)
  else closeHours(tenant, campaign, zone, windows.firstOpen(now))
  const { queued, scheduled } = waitingLeadsOf(tenant, campaign).count(zone)
  if (queued + scheduled > 0) scheduleHoursChange(tenant, campaign, zone)
  scheduleDialing(tenant, campaign.n)
}

function openHours(tenant: Tenant, campaign: Campaign, zone: string): void {
  const { now } = tenant.world
  const waiting = waitingLeadsOf(tenant, campaign)
  const due = waiting.listWaitingForHours(zone, now)
  const hold = holdReason(campaign)
  if (hold) {
    noticeEach(tenant, waiting, due, 'scheduled', 'held')
    noticeAll(tenant, campaign, 'scheduled', 'held', waiting.holdDueLeads(due, hold, now))
    return
  }
  noticeEach(tenant, waiting, due, 'scheduled', 'queued')
  for (const n of waiting.callNow(due)) startLateTimer(tenant, campaign, { n })
  const queued = waiting.queue(due, now)
  tenant.queues.count(campaign.n, { queued })
  noticeAll(tenant, campaign, 'scheduled', 'queued', queued)
}

function closeHours(tenant: Tenant, campaign: Campaign, zone: string, until: number | null): void {
  const { now } = tenant.world
  const waiting = waitingLeadsOf(tenant, campaign)
  const line = waiting.listQueued(zone)
  removeFromQueue(tenant, waiting, line, 'scheduled')
  const scheduled = waiting.schedule(line, until === null ? null : instant(until), now)
  tenant.queues.count(campaign.n, { queued: -scheduled })
  noticeAll(tenant, campaign, 'queued', 'scheduled', scheduled)
}

/** Holds every queued lead when a hold begins. Scheduled leads stay scheduled until they are due (rule D12). */
export function beginHold(tenant: Tenant, campaign: Campaign): void {
  const hold = holdReason(campaign)
  if (!hold) return
  const waiting = waitingLeadsOf(tenant, campaign)
  removeFromQueue(tenant, waiting, waiting.line, 'held')
  const held = waiting.holdQueue(hold, tenant.world.now)
  tenant.queues.count(campaign.n, { queued: -held })
  noticeAll(tenant, campaign, 'queued', 'held', held)
}

/**
 * Handles a line that became free. The call just billed may have reached the spend cap, which holds both modes (rule
 * D12).
 */
export function handleFreeLine(tenant: Tenant, campaignNumber: number): void {
  const campaign = tenant.campaign(campaignNumber)
  if (holdReason(campaign) === null) scheduleDialing(tenant, campaignNumber)
  else
    for (const mode of modes)
      holdQueuedLeads(tenant.world.tenant(tenantNumberOf(tenant.organizationNumber, mode)), campaign)
  if (!tenant.live) dialOtherCampaigns(tenant, campaignNumber)
}

function holdQueuedLeads(tenant: Tenant, campaign: Campaign): void {
  if (tenant.queues.of(campaign.n).queued > 0) beginHold(tenant, campaign)
}

/** The end of a sample call lets the key's leads in every other campaign be dialed (rule T3). */
function dialOtherCampaigns(tenant: Tenant, campaignNumber: number): void {
  for (const { n } of tenant.world.campaigns.listByOrganization(tenant.organizationNumber)) {
    if (n !== campaignNumber && tenant.queues.of(n).queued > 0) scheduleDialing(tenant, n)
  }
}

/** Applies a changed late limit to the queued call_now leads. */
export function changeLateLimit(tenant: Tenant, campaign: Campaign, minutesBefore: number): void {
  const waiting = waitingLeadsOf(tenant, campaign)
  for (const n of waiting.callNow(waiting.line)) restartLateTimer(tenant, campaign, n, minutesBefore)
}

/** Re-evaluates every lead in these statuses, because a hold lifts or the hours changed. Then dials. */
export function reevaluateWaiting(tenant: Tenant, campaign: Campaign, ...statuses: LeadStatus[]): void {
  for (const n of waitingLeadsOf(tenant, campaign).withStatus(...statuses)) {
    reenqueueLead(tenant, campaign, tenant.leads.get(n))
  }
  dialFreeLines(tenant, campaign.n)
}

/** Moves every waiting lead of a completed campaign to done. */
export function finishWaiting(tenant: Tenant, campaign: Campaign): void {
  const waits = waitingLeadsOf(tenant, campaign).withStatus('queued', 'scheduled', 'held', 'callback_scheduled')
  for (const n of waits) moveLead(tenant, tenant.leads.get(n), 'done', { callback_at: null })
}

function removeFromQueue(tenant: Tenant, waiting: WaitingLeads, line: WaitingGroup, to: LeadStatus): void {
  noticeEach(tenant, waiting, line, 'queued', to)
  for (const n of waiting.callNow(line)) tenant.world.agenda.cancel(lateAppointmentOf({ n }))
}

/**
 * Publishes each moved lead, but only while a stream follows them. Reading the row numbers costs as much as moving the
 * leads, so other observers get only the count.
 */
function noticeEach(
  { world, n: tenant }: Tenant,
  waiting: WaitingLeads,
  which: WaitingGroup,
  from: LeadStatus,
  to: LeadStatus,
): void {
  if (!world.watched) return
  for (const n of waiting.numbers(which))
    world.publish({ kind: 'lead', tenant, n, from, to, at: world.now, counted: true })
}

function noticeAll(
  { world, n: tenant }: Tenant,
  { n: campaign }: Campaign,
  from: LeadStatus,
  to: LeadStatus,
  count: number,
): void {
  if (count > 0) world.publish({ kind: 'leads', tenant, campaign, from, to, count })
}
