/**
 * Judges whether a lead may be called: Do Not Call list, retired number, hold, calling hours, cooldown and the lead's own
 * time. Pure: every fact is an argument, and every caller (dialer, agenda, explanation, command line) judges with it.
 */
import type { CampaignStatus } from '../contract/campaigns.js'
import type { DialingRule } from '../contract/control/explain.js'
import type { HeldReason, LeadStatus, ScheduledReason } from '../contract/leads.js'
import { cooldownHours } from '../contract/limits.js'
import { callingWindows, type CallingHours, type CallingWindows } from '../phone/windows.js'
import { zonesOfKey } from '../phone/zones.js'

export interface HoldFacts {
  readonly status: CampaignStatus
  readonly spend_cap_usd: number | null
  readonly spent_usd: number
}

export interface HoursFacts {
  readonly any_hour: boolean
  readonly calling_hours: CallingHours
}

export interface WaitFacts {
  /** Time zones of the phone number, as `zoneKey` writes them; empty for a reserved test number. */
  readonly zone: string
  /** A waiting time apart from hours and cooldown, with its reason. */
  readonly not_before: number | null
  readonly not_before_reason: OwnReason | null
}

/** A reason to wait that is not the calling hours. */
export type OwnReason = Exclude<ScheduledReason, 'outside_calling_hours'>

/** What the judgement is about. Undefined is unknown; an unknown fact forbids nothing. Times are milliseconds UTC. */
export interface DialingFacts {
  readonly now: number
  readonly lead: WaitFacts
  readonly campaign: HoldFacts & HoursFacts
  /** When another campaign or an inbound call last reached the number. */
  readonly lastReached: number | null | undefined
  readonly isListed: boolean | undefined
  readonly isRetired: boolean | undefined
}

export type Eligibility =
  /** `scheduled_for` is null if the hours never open. `scheduled_reason` is null if only the hours forbid a call. */
  | { status: 'scheduled'; scheduled_for: number | null; scheduled_reason: OwnReason | null }
  | { status: 'held'; held_reason: HeldReason }
  | { status: 'queued' }

/** Whether the lead may be called now. The last two never are. */
export type Decision = Eligibility | { status: 'out_of_queue' } | { status: 'done' }

/** Holds: why a campaign does not dial, in order of precedence (rule D12). */
const holds: readonly { reason: HeldReason; holds: (campaign: HoldFacts) => boolean }[] = [
  { reason: 'campaign_not_started', holds: ({ status }) => status === 'not_started' },
  { reason: 'campaign_paused', holds: ({ status }) => status === 'paused' },
  {
    reason: 'spend_cap_reached',
    holds: ({ spend_cap_usd, spent_usd }) => spend_cap_usd !== null && spent_usd >= spend_cap_usd,
  },
]

export function holdReason(campaign: HoldFacts): HeldReason | null {
  return holds.find((hold) => hold.holds(campaign))?.reason ?? null
}

const cooldownMs = cooldownHours * 3_600_000

/** The end of the lead's cooldown, or null (rule D4). Reserved test numbers have no zone and no cooldown. */
export function cooldownEnd({
  lead,
  now,
  lastReached,
}: Pick<DialingFacts, 'lead' | 'now' | 'lastReached'>): number | null {
  if (lead.zone === '' || lastReached === null || lastReached === undefined) return null
  const ends = lastReached + cooldownMs
  return ends > now ? ends : null
}

/** Calling windows by campaign hours and zone. Every call reads them. */
const windowsOf = new WeakMap<CallingHours, Map<string, CallingWindows>>()

/** Calling windows of a campaign for leads of a zone (rule D1); null if any hour is allowed (rule D3). */
export function callingWindowsOf({ any_hour, calling_hours }: HoursFacts, zone: string): CallingWindows | null {
  if (any_hour || zone === '') return null
  const byZone = windowsOf.get(calling_hours) ?? new Map<string, CallingWindows>()
  windowsOf.set(calling_hours, byZone)
  const windows = byZone.get(zone) ?? callingWindows(zonesOfKey(zone), calling_hours)
  byZone.set(zone, windows)
  return windows
}

const minuteMs = 60_000
export const ceilToMinute = (at: number): number => Math.ceil(at / minuteMs) * minuteMs

/** The lead's own waiting time if it is in the future. */
export const ownDueTime = ({ now, lead: { not_before } }: Pick<DialingFacts, 'lead' | 'now'>): number | null =>
  not_before !== null && not_before > now ? not_before : null

/** Judges a lead that is next in line, just before its call. Repeats the checks on arrival (rules D5, D14 and D1). */
export function decide(facts: DialingFacts): Decision {
  return endOfWaiting(facts) ?? evaluate(facts)
}

/** Like `decide`, for a lead that waits with this status. */
export function decideWaiting(facts: DialingFacts, was: LeadStatus): Decision {
  return endOfWaiting(facts) ?? reevaluate(facts, was)
}

const outOfQueue = { status: 'out_of_queue' } as const
const done = { status: 'done' } as const

/** A listed number (rule D5) or a retired one (rule D14) is never called. */
function endOfWaiting(facts: DialingFacts): Decision | null {
  if (facts.isListed === true) return outOfQueue
  return facts.isRetired === true ? done : null
}

/**
 * Evaluates a lead. A hold comes first (rule D12), except for a lead with a future waiting time: it keeps that time and
 * is held when it is due.
 */
export function evaluate(facts: DialingFacts): Eligibility {
  const held_reason = holdReason(facts.campaign)
  if (held_reason && ownDueTime(facts) === null) return { status: 'held', held_reason }
  return whenDue(facts)
}

/** Evaluates a lead that already waits. A scheduled lead stays scheduled until it is due, even if a hold began since. */
export function reevaluate(facts: DialingFacts, was: LeadStatus): Eligibility {
  const found = evaluate(facts)
  if (found.status !== 'held' || was !== 'scheduled') return found
  const due = whenDue(facts)
  return due.status === 'queued' ? found : due
}

/**
 * Evaluates a lead without holds. `scheduled_for` is the first minute that hours, cooldown and the lead's own time all
 * allow (rule D2). The reason is the rule that forbids the minute before it. If several do, it is the cooldown.
 */
function whenDue(facts: DialingFacts): Eligibility {
  const { now, lead, campaign } = facts
  const own = ownDueTime(facts)
  const cooldown = cooldownEnd(facts)
  const earliest = Math.max(own ?? now, cooldown === null ? now : ceilToMinute(cooldown))
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
  return { status: 'scheduled', scheduled_for: open, scheduled_reason }
}

/** The rule behind each reason of the API. */
export const ruleOfReason: Readonly<Record<ScheduledReason, DialingRule>> = {
  outside_calling_hours: 'calling_hours',
  recent_contact_cooldown: 'cooldown',
  retry_after_outcome: 'attempts',
  next_dial_time: 'next_dial_time',
}

/** The rule behind a decision; null if every rule allows the call. A booked callback is its own rule. */
export function decidingRule(decision: Decision, status: LeadStatus): DialingRule | null {
  switch (decision.status) {
    case 'held':
      return 'campaign'
    case 'scheduled': {
      const rule = ruleOfReason[decision.scheduled_reason ?? 'outside_calling_hours']
      return rule === 'next_dial_time' && status === 'callback_scheduled' ? 'callback' : rule
    }
    case 'out_of_queue':
      return 'dnc'
    case 'done':
      return 'retired_number'
    case 'queued':
      return null
  }
}
