/** What each dialing rule says about a lead, in words. Times are on the clocks of the lead. */
import type { DialingRule, ExplainedRule } from '../contract/control/explain.js'
import { sampleCallsPerTestKey } from '../contract/limits.js'
import type { HeldReason } from '../contract/leads.js'
import { formatDateTime, formatNear, formatSpan } from '../phone/local-time.js'
import { zonesOfKey } from '../phone/zones.js'
import { isRetried } from './aftermath.js'
import { callingWindowsOf, ceilToMinute, cooldownEnd, holdReason, type HoldFacts } from './eligibility.js'
import type { ExplainedCampaign, ExplainFacts, Judgement } from './explain.js'

type RuleText = Pick<ExplainedRule, 'label' | 'verdict' | 'says'> & { until?: number | null }

const zonesOf = ({ lead }: ExplainFacts): readonly string[] => (lead.zone === '' ? [] : zonesOfKey(lead.zone))
const dateTime = (facts: ExplainFacts, at: number): string => formatDateTime(zonesOf(facts), at)
const near = (facts: ExplainFacts, at: number): string => formatNear(zonesOf(facts), at, facts.now)

const dollars = (amount: number | null): string => `$${(amount ?? 0).toFixed(2)}`

const heldTexts: Readonly<Record<HeldReason, (campaign: HoldFacts) => string>> = {
  campaign_not_started: () => 'no: not started',
  campaign_paused: () => 'no: paused',
  spend_cap_reached: ({ spent_usd, spend_cap_usd }) =>
    `no: it has spent ${dollars(spent_usd)} and may spend ${dollars(spend_cap_usd)}`,
}

const noCampaign = { verdict: 'unknown', says: 'not known: the campaign cannot be read' } as const

/** The texts of the rules, in words that say the same in the simulator and in the command line. */
export const ruleTexts: Readonly<Record<DialingRule, (facts: ExplainFacts, judgement: Judgement) => RuleText>> = {
  campaign: ({ campaign, lead, reported }, { decides }) => {
    const label = 'campaign running'
    if (!campaign) return { label, ...noCampaign }
    if (campaign.status === 'completed') return { label, verdict: 'forbids', says: 'no: completed' }
    const hold = holdReason(campaign)
    if (hold) return { label, verdict: 'waits', says: heldTexts[hold](campaign) }
    if (decides !== 'campaign') return { label, verdict: 'allows', says: 'yes' }
    return lead.status === 'done'
      ? { label, verdict: 'forbids', says: 'yes now; the lead was done when the campaign was completed' }
      : { label, verdict: 'waits', says: reported ? 'no: the service holds the lead' : 'no' }
  },

  calling_hours: (facts, { decides, nextCallAt }) => {
    const { campaign, lead, now } = facts
    const label = 'calling hours'
    if (!campaign) return { label, ...noCampaign }
    const windows = callingWindowsOf(campaign, lead.zone)
    if (!windows) return { label, verdict: 'allows', says: lead.zone === '' ? 'any hour: a test number' : 'any hour' }
    const window = windows.windowFrom(now)
    if (!window) return { label, verdict: 'waits', says: 'never open there' }
    const [opens, closes] = window
    const named = { label: `${label} ${formatSpan(zonesOf(facts), window)}` }
    const isDeciding = decides === 'calling_hours'
    if (isDeciding && nextCallAt !== null && nextCallAt !== opens)
      return {
        ...named,
        verdict: 'waits',
        says: `closed when it is due, open at ${near(facts, nextCallAt)}`,
        until: nextCallAt,
      }
    if (opens <= now) return { ...named, verdict: 'allows', says: `open until ${near(facts, closes)}`, until: closes }
    const since = windows.closedSince(now)
    const closed = since === null ? 'closed there' : `closed there since ${near(facts, since)}`
    return { ...named, verdict: 'waits', says: `${closed}, open at ${near(facts, opens)}`, until: opens }
  },

  cooldown: (facts, { decides, nextCallAt }) => {
    const label = '24-hour cooldown'
    if (facts.lead.zone === '') return { label, verdict: 'allows', says: 'none for a test number' }
    const end = cooldownEnd(facts)
    if (end === null || typeof facts.lastReached !== 'number')
      return decides === 'cooldown'
        ? {
            ...{ label, verdict: 'waits', until: nextCallAt },
            says: `another call reached the number${nextCallAt === null ? '' : `; over ${dateTime(facts, nextCallAt)}`}`,
          }
        : { label, verdict: 'allows', says: 'no other call to this number' }
    const until = ceilToMinute(end)
    const reached = `another call reached the number ${dateTime(facts, facts.lastReached)}`
    return { label, verdict: 'waits', says: `${reached}; over ${dateTime(facts, until)}`, until }
  },

  dnc: ({ isListed }, { decides }) => {
    const label = 'Do Not Call list'
    if (isListed === true) return { label, verdict: 'forbids', says: 'listed: never called' }
    if (decides === 'dnc')
      return { label, verdict: 'forbids', says: 'not listed now; the lead left the queue when it was' }
    return { label, verdict: 'allows', says: 'not listed' }
  },

  attempts: (facts, { decides }) => {
    const { lead, campaign, now } = facts
    const label = 'attempts'
    const count = campaign ? `${lead.attempts} of ${campaign.max_attempts}` : `${lead.attempts}; the limit is not known`
    if (lead.status === 'done')
      return decides === 'attempts'
        ? { label, verdict: 'forbids', says: `${count}; ${describeLastTry(facts, campaign)}` }
        : { label, verdict: 'allows', says: count }
    const { not_before, not_before_reason } = lead
    if (lead.status !== 'scheduled' || not_before === null || not_before_reason !== 'retry_after_outcome')
      return { label, verdict: 'allows', says: count }
    if (not_before <= now)
      return { label, verdict: 'allows', says: `${count}; next try was due ${dateTime(facts, not_before)}` }
    return { label, verdict: 'waits', says: `${count}; next try ${dateTime(facts, not_before)}`, until: not_before }
  },

  retired_number: ({ isRetired, campaign }) => {
    const label = 'retired number'
    if (isRetired !== true) return { label, verdict: 'allows', says: 'no' }
    const after = campaign ? `after ${campaign.retire_after_failures} failed calls in a row` : 'after failed calls'
    return { label, verdict: 'forbids', says: `retired ${after}` }
  },

  callback: (facts) => {
    const label = 'callback'
    const { status, not_before } = facts.lead
    if (status !== 'callback_scheduled' || not_before === null) return { label, verdict: 'allows', says: 'none booked' }
    const says = `booked for ${dateTime(facts, not_before)}`
    return not_before > facts.now
      ? { label, verdict: 'waits', says, until: not_before }
      : { label, verdict: 'allows', says }
  },

  next_dial_time: (facts) => {
    const label = 'next dial time'
    const { status, not_before, not_before_reason } = facts.lead
    if (status !== 'scheduled' || not_before === null || not_before_reason === 'retry_after_outcome')
      return { label, verdict: 'allows', says: 'none set' }
    if (not_before <= facts.now) return { label, verdict: 'allows', says: `was ${dateTime(facts, not_before)}` }
    return { label, verdict: 'waits', says: `set to ${dateTime(facts, not_before)}`, until: not_before }
  },

  taken_out: ({ isTakenOut }) => {
    const label = 'taken out'
    if (isTakenOut !== true) return { label, verdict: 'allows', says: 'no' }
    return { label, verdict: 'forbids', says: 'a person took the lead out of the queue' }
  },

  lines: ({ now, present, lines, campaign, lead }, { decides }) => {
    const label = 'lines'
    if (now !== present) return { label, verdict: 'unknown', says: 'not known at another moment' }
    if (!campaign) return { label, ...noCampaign }
    const verdict =
      decides === 'lines' || (lines.busy !== undefined && lines.busy >= campaign.lines) ? 'waits' : 'allows'
    if (campaign.lines === 0) return { label, verdict: 'waits', says: 'the campaign has no line' }
    const busy =
      lines.busy === undefined
        ? `${campaign.lines}; how many are busy is not known`
        : `${lines.busy} of ${campaign.lines} busy`
    const key = lines.isKeyBusy ? `; its test key has all ${sampleCallsPerTestKey} sample calls` : ''
    const ahead = lines.ahead === undefined ? '' : `; ${countLeads(lines.ahead)} before it`
    const own = lead.status === 'dialing' ? '; one is dialing this lead' : ''
    return {
      label,
      verdict: lines.busy === undefined && decides !== 'lines' ? 'unknown' : lines.isKeyBusy ? 'waits' : verdict,
      says: busy + key + ahead + own,
    }
  },

  late: (facts) => {
    const label = 'late'
    const { lead, campaign, lateAt } = facts
    const limit = campaign ? `the limit is ${campaign.late_after_minutes} min` : 'the limit is not known'
    if (!lead.call_now) return { label, verdict: 'allows', says: 'not a call_now lead' }
    if (lead.late) return { label, verdict: 'allows', says: `late: ${limit}; it is still called` }
    if (lateAt === undefined) return { label, verdict: 'allows', says: `not late; ${limit}` }
    return { label, verdict: 'allows', says: `not late until ${dateTime(facts, lateAt)}`, until: lateAt }
  },
}

const countLeads = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'lead' : 'leads'}`

/** Why no other try follows. */
function describeLastTry({ lead }: ExplainFacts, campaign: ExplainedCampaign | undefined): string {
  const { last_outcome, attempts, zone } = lead
  if (last_outcome === null) return 'no try left'
  if (last_outcome === 'callback') return 'the last call ended with callback, without a time'
  if (!isRetried(last_outcome)) return `the last call ended with ${last_outcome}`
  if (campaign && attempts >= campaign.max_attempts) return 'no try left'
  return zone === '' ? 'a test number is not tried again' : 'no other try is planned'
}
