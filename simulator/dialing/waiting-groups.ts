/** What happens to all the waiting leads of a campaign together: its hours open and close, a hold begins or lifts. */
import { instant } from '../kernel/instant.js'
import type { LeadStatus } from '../../src/contract/leads.js'
import type { Campaign } from '../model/campaign.js'
import { modes } from '../model/api-key.js'
import { tenantOf } from '../model/organization.js'
import type { Organization } from '../model/world.js'
import { WaitingRoom, type Which } from '../model/waiting-leads.js'
import { fillLines, fillLinesAtLast } from './dialer.js'
import { holdOf } from './hold.js'
import { expectLate, expectLateAnew, lateAppointmentOf, move, placeAgain, watchHours } from './lead-transitions.js'
import { hoursOf } from './eligibility.js'

const roomOf = (organization: Organization, campaign: Campaign) => new WaitingRoom(organization.leads, campaign.n)

/** The hours of the leads of some zones open or close at this moment. */
export function turnHours(organization: Organization, campaign: Campaign, zone: string): void {
  const { now } = organization.world
  const windows = hoursOf(campaign, zone)
  if (!windows || windows.isOpen(now)) open(organization, campaign, zone)
  else close(organization, campaign, zone, windows.firstOpen(now))
  const { queued, scheduled } = roomOf(organization, campaign).count(zone)
  if (queued + scheduled > 0) watchHours(organization, campaign, zone)
  fillLinesAtLast(organization, campaign.n)
}

function open(organization: Organization, campaign: Campaign, zone: string): void {
  const { now } = organization.world
  const room = roomOf(organization, campaign)
  const due = room.waitingForHours(zone, now)
  const hold = holdOf(campaign)
  if (hold) {
    noticeEach(organization, room, due, 'scheduled', 'held')
    noticeAll(organization, campaign, 'scheduled', 'held', room.holdDue(due, hold, now))
    return
  }
  noticeEach(organization, room, due, 'scheduled', 'queued')
  for (const n of room.callNow(due)) expectLate(organization, campaign, { n })
  const queued = room.queue(due, now)
  organization.queues.count(campaign.n, { queued })
  noticeAll(organization, campaign, 'scheduled', 'queued', queued)
}

function close(organization: Organization, campaign: Campaign, zone: string, until: number | null): void {
  const { now } = organization.world
  const room = roomOf(organization, campaign)
  const line = room.inLine(zone)
  leaveLine(organization, room, line, 'scheduled')
  const scheduled = room.schedule(line, until === null ? null : instant(until), now)
  organization.queues.count(campaign.n, { queued: -scheduled })
  noticeAll(organization, campaign, 'queued', 'scheduled', scheduled)
}

/** A hold begins: those in line are held; those that are scheduled stay so until they are due (by decision). */
export function beginHold(organization: Organization, campaign: Campaign): void {
  const hold = holdOf(campaign)
  if (!hold) return
  const room = roomOf(organization, campaign)
  leaveLine(organization, room, room.line, 'held')
  const held = room.holdLine(hold, organization.world.now)
  organization.queues.count(campaign.n, { queued: -held })
  noticeAll(organization, campaign, 'queued', 'held', held)
}

/** A line of a campaign is free again; what was just billed may have reached the spend cap, for both modes. */
export function lineFreed(organization: Organization, campaignNumber: number): void {
  const campaign = organization.campaign(campaignNumber)
  if (holdOf(campaign) === null) fillLinesAtLast(organization, campaignNumber)
  else for (const mode of modes) holdLine(organization.world.organization(tenantOf(organization.n, mode)), campaign)
  if (!organization.live) fillOthers(organization, campaignNumber)
}

function holdLine(tenant: Organization, campaign: Campaign): void {
  if (tenant.queues.of(campaign.n).queued > 0) beginHold(tenant, campaign)
}

/** A sample call that ends makes room for its key's leads in every campaign, whatever holds its own (specification, Test mode). */
function fillOthers(organization: Organization, campaignNumber: number): void {
  for (const { n } of organization.world.campaigns.of(organization.n)) {
    if (n !== campaignNumber && organization.queues.of(n).queued > 0) fillLinesAtLast(organization, n)
  }
}

/** The late limit of the campaign has changed; those in line are measured by the new one. */
export function changeLateLimit(organization: Organization, campaign: Campaign, minutesBefore: number): void {
  const room = roomOf(organization, campaign)
  for (const n of room.callNow(room.line)) expectLateAnew(organization, campaign, n, minutesBefore)
}

/** Judges afresh every lead that waits in one of the statuses: a hold lifts, or what they were judged by has changed. */
export function judgeAfresh(organization: Organization, campaign: Campaign, ...statuses: LeadStatus[]): void {
  for (const n of roomOf(organization, campaign).withStatus(...statuses)) {
    placeAgain(organization, campaign, organization.leads.get(n))
  }
  fillLines(organization, campaign.n)
}

/** The campaign is completed: whoever still waits is not called any more. */
export function finishWaiting(organization: Organization, campaign: Campaign): void {
  const waits = roomOf(organization, campaign).withStatus('queued', 'scheduled', 'held', 'callback_scheduled')
  for (const n of waits) move(organization, organization.leads.get(n), 'done', { callback_at: null })
}

function leaveLine(organization: Organization, room: WaitingRoom, line: Which, to: LeadStatus): void {
  noticeEach(organization, room, line, 'queued', to)
  for (const n of room.callNow(line)) organization.world.agenda.cancel(lateAppointmentOf({ n }))
}

/** Streams show each lead that moves. Everybody else is told how many moved: reading their numbers costs as much as moving them. */
function noticeEach(
  { world, tenant }: Organization,
  room: WaitingRoom,
  which: Which,
  from: LeadStatus,
  to: LeadStatus,
): void {
  if (!world.watched) return
  for (const n of room.numbers(which)) world.notice({ kind: 'lead', tenant, n, from, to, at: world.now, counted: true })
}

function noticeAll(
  { world, tenant }: Organization,
  { n: campaign }: Campaign,
  from: LeadStatus,
  to: LeadStatus,
  count: number,
): void {
  if (count > 0) world.notice({ kind: 'leads', tenant, campaign, from, to, count })
}
