/** What happens to all the waiting leads of a campaign together: its hours open and close, a hold begins or lifts. */
import { instant } from '../kernel/instant.js'
import type { LeadStatus } from '../../src/contract/leads.js'
import type { Campaign } from '../model/campaign.js'
import { modes } from '../model/api-key.js'
import { tenantNumberOf } from '../model/organization.js'
import type { Tenant } from '../model/world.js'
import { WaitingLeads, type WaitingGroup } from '../model/waiting-leads.js'
import { dialFreeLines, scheduleDialing } from './dialer.js'
import { holdReason } from './hold.js'
import {
  startLateTimer,
  restartLateTimer,
  lateAppointmentOf,
  moveLead,
  reenqueueLead,
  scheduleHoursChange,
} from './lead-transitions.js'
import { callingWindowsOf } from './eligibility.js'

const waitingLeadsOf = (organization: Tenant, campaign: Campaign) => new WaitingLeads(organization.leads, campaign.n)

/** The hours of the leads of some zones open or close at this moment. */
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
  const room = waitingLeadsOf(organization, campaign)
  const due = room.listWaitingForHours(zone, now)
  const hold = holdReason(campaign)
  if (hold) {
    noticeEach(organization, room, due, 'scheduled', 'held')
    noticeAll(organization, campaign, 'scheduled', 'held', room.holdDueLeads(due, hold, now))
    return
  }
  noticeEach(organization, room, due, 'scheduled', 'queued')
  for (const n of room.callNow(due)) startLateTimer(organization, campaign, { n })
  const queued = room.queue(due, now)
  organization.queues.count(campaign.n, { queued })
  noticeAll(organization, campaign, 'scheduled', 'queued', queued)
}

function closeHours(organization: Tenant, campaign: Campaign, zone: string, until: number | null): void {
  const { now } = organization.world
  const room = waitingLeadsOf(organization, campaign)
  const line = room.listQueued(zone)
  removeFromQueue(organization, room, line, 'scheduled')
  const scheduled = room.schedule(line, until === null ? null : instant(until), now)
  organization.queues.count(campaign.n, { queued: -scheduled })
  noticeAll(organization, campaign, 'queued', 'scheduled', scheduled)
}

/** A hold begins: those in line are held; those that are scheduled stay so until they are due (by decision). */
export function beginHold(organization: Tenant, campaign: Campaign): void {
  const hold = holdReason(campaign)
  if (!hold) return
  const room = waitingLeadsOf(organization, campaign)
  removeFromQueue(organization, room, room.line, 'held')
  const held = room.holdQueue(hold, organization.world.now)
  organization.queues.count(campaign.n, { queued: -held })
  noticeAll(organization, campaign, 'queued', 'held', held)
}

/** A line of a campaign is free again; what was just billed may have reached the spend cap, for both modes. */
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

/** A sample call that ends makes room for its key's leads in every campaign, whatever holds its own (specification, Test mode). */
function dialOtherCampaigns(organization: Tenant, campaignNumber: number): void {
  for (const { n } of organization.world.campaigns.listByOrganization(organization.n)) {
    if (n !== campaignNumber && organization.queues.of(n).queued > 0) scheduleDialing(organization, n)
  }
}

/** The late limit of the campaign has changed; those in line are measured by the new one. */
export function changeLateLimit(organization: Tenant, campaign: Campaign, minutesBefore: number): void {
  const room = waitingLeadsOf(organization, campaign)
  for (const n of room.callNow(room.line)) restartLateTimer(organization, campaign, n, minutesBefore)
}

/** Judges afresh every lead that waits in one of the statuses: a hold lifts, or what they were judged by has changed. */
export function reevaluateWaiting(organization: Tenant, campaign: Campaign, ...statuses: LeadStatus[]): void {
  for (const n of waitingLeadsOf(organization, campaign).withStatus(...statuses)) {
    reenqueueLead(organization, campaign, organization.leads.get(n))
  }
  dialFreeLines(organization, campaign.n)
}

/** The campaign is completed: whoever still waits is not called any more. */
export function finishWaiting(organization: Tenant, campaign: Campaign): void {
  const waits = waitingLeadsOf(organization, campaign).withStatus('queued', 'scheduled', 'held', 'callback_scheduled')
  for (const n of waits) moveLead(organization, organization.leads.get(n), 'done', { callback_at: null })
}

function removeFromQueue(organization: Tenant, room: WaitingLeads, line: WaitingGroup, to: LeadStatus): void {
  noticeEach(organization, room, line, 'queued', to)
  for (const n of room.callNow(line)) organization.world.agenda.cancel(lateAppointmentOf({ n }))
}

/** Streams show each lead that moves. Everybody else is told how many moved: reading their numbers costs as much as moving them. */
function noticeEach(
  { world, tenant }: Tenant,
  room: WaitingLeads,
  which: WaitingGroup,
  from: LeadStatus,
  to: LeadStatus,
): void {
  if (!world.watched) return
  for (const n of room.numbers(which))
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
