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

const waitingLeadsOf = (organization: Tenant, campaign: Campaign) => new WaitingLeads(organization.leads, campaign.n)

/** Applies the opening or closing of calling hours in a zone. */
export function applyHoursChange(organization: Tenant, campaign: Campaign, zone: string): void {
  const { now } = organization.world
  const windows = callingWindowsOf(campaign, zone)
  if (!windows || windows.isOpen(now)) openHours(organization, campaign, zone)
  else closeHours(organization, campaign, zone, windows.firstOpen(now))
  const { queued, scheduled } = waitingLeadsOf(organization, campaign).count(zone)
  if (queued + scheduled > 0) scheduleHoursChange(organization, campaign, zone)
  scheduleDialing(organization, campaign.n)
}

function openHours(organization: Tenant, campaign: Campaign, zone: string): void {
  const { now } = organization.world
  const waiting = waitingLeadsOf(organization, campaign)
  const due = waiting.listWaitingForHours(zone, now)
  const hold = holdReason(campaign)
  if (hold) {
    noticeEach(organization, waiting, due, 'scheduled', 'held')
    noticeAll(organization, campaign, 'scheduled', 'held', waiting.holdDueLeads(due, hold, now))
    return
  }
  noticeEach(organization, waiting, due, 'scheduled', 'queued')
  for (const n of waiting.callNow(due)) startLateTimer(organization, campaign, { n })
  const queued = waiting.queue(due, now)
  organization.queues.count(campaign.n, { queued })
  noticeAll(organization, campaign, 'scheduled', 'queued', queued)
}

function closeHours(organization: Tenant, campaign: Campaign, zone: string, until: number | null): void {
  const { now } = organization.world
  const waiting = waitingLeadsOf(organization, campaign)
  const line = waiting.listQueued(zone)
  removeFromQueue(organization, waiting, line, 'scheduled')
  const scheduled = waiting.schedule(line, until === null ? null : instant(until), now)
  organization.queues.count(campaign.n, { queued: -scheduled })
  noticeAll(organization, campaign, 'queued', 'scheduled', scheduled)
}

/** Holds every queued lead when a hold begins. Scheduled leads stay scheduled until they are due (rule D12). */
export function beginHold(organization: Tenant, campaign: Campaign): void {
  const hold = holdReason(campaign)
  if (!hold) return
  const waiting = waitingLeadsOf(organization, campaign)
  removeFromQueue(organization, waiting, waiting.line, 'held')
  const held = waiting.holdQueue(hold, organization.world.now)
  organization.queues.count(campaign.n, { queued: -held })
  noticeAll(organization, campaign, 'queued', 'held', held)
}

/**
 * Handles a line that became free. The call just billed may have reached the spend cap, which holds both modes (rule
 * D12).
 */
export function handleFreeLine(organization: Tenant, campaignNumber: number): void {
  const campaign = organization.campaign(campaignNumber)
  if (holdReason(campaign) === null) scheduleDialing(organization, campaignNumber)
  else
    for (const mode of modes) holdQueuedLeads(organization.world.tenant(tenantNumberOf(organization.n, mode)), campaign)
  if (!organization.live) dialOtherCampaigns(organization, campaignNumber)
}

function holdQueuedLeads(tenant: Tenant, campaign: Campaign): void {
  if (tenant.queues.of(campaign.n).queued > 0) beginHold(tenant, campaign)
}

/** The end of a sample call lets the key's leads in every other campaign be dialed (rule T3). */
function dialOtherCampaigns(organization: Tenant, campaignNumber: number): void {
  for (const { n } of organization.world.campaigns.listByOrganization(organization.n)) {
    if (n !== campaignNumber && organization.queues.of(n).queued > 0) scheduleDialing(organization, n)
  }
}

/** Applies a changed late limit to the queued call_now leads. */
export function changeLateLimit(organization: Tenant, campaign: Campaign, minutesBefore: number): void {
  const waiting = waitingLeadsOf(organization, campaign)
  for (const n of waiting.callNow(waiting.line)) restartLateTimer(organization, campaign, n, minutesBefore)
}

/** Re-evaluates every lead in these statuses, because a hold lifts or the hours changed. Then dials. */
export function reevaluateWaiting(organization: Tenant, campaign: Campaign, ...statuses: LeadStatus[]): void {
  for (const n of waitingLeadsOf(organization, campaign).withStatus(...statuses)) {
    reenqueueLead(organization, campaign, organization.leads.get(n))
  }
  dialFreeLines(organization, campaign.n)
}

/** Moves every waiting lead of a completed campaign to done. */
export function finishWaiting(organization: Tenant, campaign: Campaign): void {
  const waits = waitingLeadsOf(organization, campaign).withStatus('queued', 'scheduled', 'held', 'callback_scheduled')
  for (const n of waits) moveLead(organization, organization.leads.get(n), 'done', { callback_at: null })
}

function removeFromQueue(organization: Tenant, waiting: WaitingLeads, line: WaitingGroup, to: LeadStatus): void {
  noticeEach(organization, waiting, line, 'queued', to)
  for (const n of waiting.callNow(line)) organization.world.agenda.cancel(lateAppointmentOf({ n }))
}

/**
 * Publishes each moved lead, but only while a stream follows them. Reading the row numbers costs as much as moving the
 * leads, so other observers get only the count.
 */
function noticeEach(
  { world, tenant }: Tenant,
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
  { world, tenant }: Tenant,
  { n: campaign }: Campaign,
  from: LeadStatus,
  to: LeadStatus,
  count: number,
): void {
  if (count > 0) world.publish({ kind: 'leads', tenant, campaign, from, to, count })
}
