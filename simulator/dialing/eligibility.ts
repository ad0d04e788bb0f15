/**
 * Decides whether a waiting lead may be called now, by hold, calling hours, cooldown and its own waiting time. Changes
 * nothing.
 */
import { cooldownHours } from '../../src/contract/limits.js'
import { callingWindows, type CallingWindows } from '../../src/phone/windows.js'
import { zonesOfKey } from '../../src/phone/zones.js'
import { after, hours, instant, later, type Instant } from '../kernel/instant.js'
import type { Campaign } from '../model/campaign.js'
import type { CallingHours } from '../../src/contract/base/calling-hours.js'
import type { HeldReason, LeadStatus } from '../../src/contract/leads.js'
import type { Lead, OwnReason } from '../model/lead.js'
import type { Tenant } from '../model/world.js'

export type Eligibility =
  | { status: 'held'; held_reason: HeldReason }
  /** `scheduled_for` is null if the hours never open. `scheduled_reason` is null if only the hours forbid a call. */
  | { status: 'scheduled'; scheduled_for: Instant | null; scheduled_reason: OwnReason | null }
  | { status: 'queued' }

/** Holds: why a campaign does not dial, in order of precedence (rule D12). */
const holds: readonly { reason: HeldReason; holds: (campaign: Campaign) => boolean }[] = [
  { reason: 'campaign_not_started', holds: ({ status }) => status === 'not_started' },
  { reason: 'campaign_paused', holds: ({ status }) => status === 'paused' },
  {
    reason: 'spend_cap_reached',
    holds: ({ spend_cap_usd, spent_usd }) => spend_cap_usd !== null && spent_usd >= spend_cap_usd,
  },
]

export function holdReason(campaign: Campaign): HeldReason | null {
  return holds.find((hold) => hold.holds(campaign))?.reason ?? null
}

/** The end of the lead's cooldown, or null. Calls of the lead's own campaign do not count (rule D4). */
export function cooldownEnd(organization: Tenant, lead: Lead): Instant | null {
  // Reserved test numbers have no time zone and no cooldown.
  if (lead.zone === '' || lead.alone === 1) return null
  const reached = organization.calls.lastReached(lead.phone, lead.campaign)
  if (reached === null) return null
  const ends = after(reached, hours(cooldownHours))
  return ends > organization.world.now ? ends : null
}

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
