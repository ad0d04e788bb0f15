/**
 * Decides whether a waiting lead may be called now, by hold, calling hours, cooldown and its own waiting time. Changes
 * nothing.
 */
import { callingWindows, type CallingWindows } from '../../src/phone/windows.js'
import { zonesOfKey } from '../../src/phone/zones.js'
import { instant, later, type Instant } from '../kernel/instant.js'
import type { Campaign } from '../model/campaign.js'
import type { CallingHours } from '../../src/contract/base/calling-hours.js'
import type { HeldReason, LeadStatus } from '../../src/contract/leads.js'
import type { Lead, OwnReason } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { cooldownEnd } from './cooldown.js'
import { holdReason } from './hold.js'

export type Eligibility =
  | { status: 'held'; held_reason: HeldReason }
  /** `scheduled_for` is null if the hours never open. `scheduled_reason` is null if only the hours forbid a call. */
  | { status: 'scheduled'; scheduled_for: Instant | null; scheduled_reason: OwnReason | null }
  | { status: 'queued' }

/** Calling windows by campaign hours and zone. Every call reads them. */
const windowsOf = new WeakMap<CallingHours, Map<string, CallingWindows>>()

/** Calling windows of a campaign for leads of a zone (rule D1); null if any hour is allowed (rule D3). */
export function callingWindowsOf({ any_hour, calling_hours }: Campaign, zone: string): CallingWindows | null {
  if (any_hour || zone === '') return null
  const byZone = windowsOf.get(calling_hours) ?? new Map<string, CallingWindows>()
  windowsOf.set(calling_hours, byZone)
  const windows = byZone.get(zone) ?? callingWindows(zonesOfKey(zone), calling_hours)
  byZone.set(zone, windows)
  return windows
}

const minuteMs = 60_000
const ceilToMinute = (at: Instant): Instant => instant(Math.ceil(at / minuteMs) * minuteMs)

const ownDueTime = ({ world }: Tenant, { not_before }: Lead): Instant | null =>
  not_before !== null && not_before > world.now ? not_before : null

/**
 * Evaluates a lead. A hold comes first (rule D12), except for a lead with a future waiting time: it keeps that time and
 * is held when it is due.
 */
export function evaluate(organization: Tenant, campaign: Campaign, lead: Lead): Eligibility {
  const held_reason = holdReason(campaign)
  if (held_reason && ownDueTime(organization, lead) === null) return { status: 'held', held_reason }
  return whenDue(organization, campaign, lead)
}

/**
 * Evaluates a lead that already waits. A scheduled lead stays scheduled until it is due, even if a hold began since.
 */
export function reevaluate(
  organization: Tenant,
  campaign: Campaign,
  lead: Lead,
  was: LeadStatus = lead.status,
): Eligibility {
  const found = evaluate(organization, campaign, lead)
  if (found.status !== 'held' || was !== 'scheduled') return found
  const due = whenDue(organization, campaign, lead)
  return due.status === 'queued' ? found : due
}

/**
 * Evaluates a lead without holds. `scheduled_for` is the first minute that hours, cooldown and the lead's own time all
 * allow (rule D2). The reason is the rule that forbids the minute before it. If several do, it is the cooldown.
 */
function whenDue(organization: Tenant, campaign: Campaign, lead: Lead): Eligibility {
  const { now } = organization.world
  const own = ownDueTime(organization, lead)
  const cooldown = cooldownEnd(organization, lead)
  const earliest = later(own ?? now, cooldown === null ? now : ceilToMinute(cooldown))
  const windows = callingWindowsOf(campaign, lead.zone)
  const open = windows ? windows.firstOpen(earliest) : earliest
  if (open === null) return { status: 'scheduled', scheduled_for: null, scheduled_reason: null }
  if (open <= now) return { status: 'queued' }

  const justBefore = open - minuteMs
  const scheduled_reason =
    cooldown !== null && cooldown > justBefore
      ? 'recent_contact_cooldown'
      : own !== null && own > justBefore
        ? (lead.not_before_reason ?? 'next_dial_time')
        : null
  return { status: 'scheduled', scheduled_for: instant(open), scheduled_reason }
}
