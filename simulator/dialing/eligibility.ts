/** Where a waiting lead stands at this moment: a pure judgement by hold, hours, cooldown and its own waiting time. */
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
  /** `scheduled_for` is null where the hours never open, the reason where they alone are in the way. */
  | { status: 'scheduled'; scheduled_for: Instant | null; scheduled_reason: OwnReason | null }
  | { status: 'queued' }

/** The windows of each campaign's hours, by zones: they are asked for with every call. */
const windowsOf = new WeakMap<CallingHours, Map<string, CallingWindows>>()

/** The hours of a campaign for leads of some zones; null where any hour will do. */
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

/** Holds come first, whatever the hour; but a lead with a time of its own to come keeps it, and is held when that is due. */
export function evaluate(organization: Tenant, campaign: Campaign, lead: Lead): Eligibility {
  const held_reason = holdReason(campaign)
  if (held_reason && ownDueTime(organization, lead) === null) return { status: 'held', held_reason }
  return whenDue(organization, campaign, lead)
}

/**
 * The same for a lead that waits already and `was` in that status: one that is scheduled stays so until it is due,
 * though a hold has begun meanwhile (by decision: Held).
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
 * Without regard to holds. `scheduled_for` is the first minute that hours, cooldown and the lead's own
 * time all allow; the reason is the rule that still forbids the minute just before it, the cooldown where several do.
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
