/**
 * A second implementation of the dialing rules: whether a lead may be called, and if not, when and why (rules D1 to
 * D4 and D12).
 */
import { firstOpen, minuteMs } from './hours.js'
import { campaignOf, type Mirror, type SeenCampaign, type SeenLead } from './mirror.js'
import { reserved, zonesOf } from './numbers.js'

const dayMs = 24 * 60 * minuteMs

/** The hold of a campaign (rule D12). */
export function holdOf({ status, spend_cap_usd, spent_usd }: SeenCampaign): string | null {
  if (status === 'not_started') return 'campaign_not_started'
  if (status === 'paused') return 'campaign_paused'
  return spend_cap_usd !== null && spent_usd >= spend_cap_usd - 1e-9 ? 'spend_cap_reached' : null
}

/** 24 hours after another campaign or an inbound call last reached the number (rule D4). */
export function cooldownEnd({ calls }: Mirror, tenant: string, campaign: string, phone: string): number | null {
  if (reserved.includes(phone)) return null
  let end: number | null = null
  for (const call of calls.values()) {
    if (call.tenant !== tenant || call.phone !== phone) continue
    if (call.direction === 'outbound' && call.campaign === campaign) continue
    end = Math.max(end ?? 0, call.started + dayMs)
  }
  return end
}

export interface Judgement {
  hold: string | null
  /** The first moment at which hours, cooldown and the lead's own time allow a call; null if never. */
  first: number | null
  /** The rule that forbids the minute before. */
  reason: string
}

/**
 * For a waiting lead. The minute in which a cooldown ends still belongs to it, because scheduled times are whole
 * minutes.
 */
export function judgeWaiting(mirror: Mirror, lead: SeenLead, now: number): Judgement {
  const judgement = judge(mirror, lead, now)
  return judgement.first === now ? judge(mirror, lead, now, wholeMinuteFrom) : judgement
}

const wholeMinuteFrom = (at: number): number => Math.ceil(at / minuteMs) * minuteMs

export function judge(mirror: Mirror, lead: SeenLead, now: number, over = (end: number) => end): Judgement {
  const campaign = campaignOf(mirror, lead.campaign)
  const end = cooldownEnd(mirror, lead.tenant, lead.campaign, lead.phone)
  const cooldown = end !== null && over(end) > now ? end : null
  const own = lead.own !== null && lead.own > now ? lead.own : null
  const from = Math.max(own ?? now, cooldown === null ? now : wholeMinuteFrom(cooldown))
  const zones = zonesOf(lead.phone)
  const first = zones.length === 0 ? from : firstOpen(zones, campaign, from)
  const before = (first ?? Infinity) - minuteMs
  const reason =
    first === null
      ? 'outside_calling_hours'
      : cooldown !== null && cooldown > before
        ? 'recent_contact_cooldown'
        : own !== null && own > before
          ? (lead.ownReason ?? 'next_dial_time')
          : 'outside_calling_hours'
  return { hold: holdOf(campaign), first, reason }
}
