/** What each dialing rule says about a lead, in words. Times are on the clocks of the lead. */
import type { DialingRule, ExplainedRule } from '../contract/control/explain.js'
import { sampleCallsPerTestKey } from '../contract/limits.js'
import type { HeldReason } from '../contract/leads.js'
import { formatDateTime, formatNear, formatSpan } from '../phone/local-time.js'
import { zonesOfKey } from '../phone/zones.js'
import { isRetried } from './aftermath.js'
import { callingWindowsOf, ceilToMinute, cooldownEnd, holdReason, type HoldFacts } from './eligibility.js'
import type { ExplainedCampaign, ExplainFacts, Judgement, LeadsAhead } from './explain-facts.js'

type RuleText = Pick<ExplainedRule, 'label' | 'verdict' | 'says'> & { until?: number | null; applies?: false }

/** The rule has nothing to say about the lead. */
const nothing = (label: string, says: string): RuleText => ({ label, verdict: 'allows', says, applies: false })

const zonesOf = ({ lead }: ExplainFacts): readonly string[] => (lead.zone === '' ? [] : zonesOfKey(lead.zone))
const dateTime = (facts: ExplainFacts, at: number): string => formatDateTime(zonesOf(facts), at)
const near = (facts: ExplainFacts, at: number): string => formatNear(zonesOf(facts), at, facts.now)

const dollars = (amount: number | null): string => `$${(amount ?? 0).toFixed(2)}`

const heldTexts: Readonly<Record<HeldReason, string>> = {
  campaign_not_started: 'no, not started',
  campaign_paused: 'no, paused',
  spend_cap_reached: 'no, the spend cap is reached',
}

function describeHold(hold: HeldReason, { spent_usd, spend_cap_usd }: HoldFacts): string {
  if (hold !== 'spend_cap_reached') return heldTexts[hold]
  return `no, it has spent ${dollars(spent_usd)} and may spend ${dollars(spend_cap_usd)}`
}

const noCampaign = { verdict: 'unknown', says: 'not known: the campaign cannot be read' } as const

/** The texts of the rules, in words that say the same in the simulator and in the command line. */
export const ruleTexts: Readonly<Record<DialingRule, (facts: ExplainFacts, judgement: Judgement) => RuleText>> = {
  campaign: ({ campaign, lead }, { decides }) => {
    const label = 'campaign running'
    const isDeciding = decides === 'campaign'
    const hold = campaign && holdReason(campaign)
    if (campaign && hold) return { label, verdict: 'waits', says: describeHold(hold, campaign) }
    if (isDeciding && lead.held_reason) return { label, verdict: 'waits', says: heldTexts[lead.held_reason] }
    if (!campaign) return { label, ...noCampaign }
    if (campaign.status === 'completed') return { label, verdict: 'forbids', says: 'no, completed' }
    if (!isDeciding) return { label, verdict: 'allows', says: 'yes' }
    return { label, verdict: 'forbids', says: 'yes now; the lead was done when the campaign was completed' }
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
      return {
        label,
        verdict: 'forbids',
        says: 'not listed now; the lead left the queue when it was, until svc calls start',
      }
    return { label, verdict: 'allows', says: 'not listed' }
  },

  attempts: (facts, { decides }) => {
    const { lead, campaign, now } = facts
    const label = 'attempts'
    const calls = campaign ? `${lead.attempts} of ${campaign.max_attempts}` : `${lead.attempts}; the limit is not known`
    if (lead.status === 'done')
      return decides === 'attempts'
        ? { label, verdict: 'forbids', says: `${calls}; ${describeLastTry(facts, campaign)}` }
        : { label, verdict: 'allows', says: calls }
    const { not_before, not_before_reason } = lead
    if (lead.status !== 'scheduled' || not_before === null || not_before_reason !== 'retry_after_outcome')
      return { label, verdict: 'allows', says: calls }
    if (not_before <= now)
      return { label, verdict: 'allows', says: `${calls}; next try was due ${dateTime(facts, not_before)}` }
    return { label, verdict: 'waits', says: `${calls}; next try ${dateTime(facts, not_before)}`, until: not_before }
  },

  retired_number: ({ isRetired, campaign }) => {
    const label = 'retired number'
    if (isRetired !== true) return nothing(label, 'no')
    const after = campaign
      ? `after ${count(campaign.retire_after_failures, 'failed call')} in a row`
      : 'after failed calls'
    return { label, verdict: 'forbids', says: `retired ${after}` }
  },

  callback: (facts) => {
    const label = 'callback'
    const { status, not_before } = facts.lead
    if (status !== 'callback_scheduled' || not_before === null) return nothing(label, 'none booked')
    const says = `booked for ${dateTime(facts, not_before)}`
    return not_before > facts.now
      ? { label, verdict: 'waits', says, until: not_before }
      : { label, verdict: 'allows', says }
  },

  next_dial_time: (facts) => {
    const label = 'next dial time'
    const { status, not_before, not_before_reason } = facts.lead
    if (status !== 'scheduled' || not_before === null || not_before_reason === 'retry_after_outcome')
      return nothing(label, 'none set')
    if (not_before <= facts.now) return { label, verdict: 'allows', says: `was ${dateTime(facts, not_before)}` }
    return { label, verdict: 'waits', says: `set to ${dateTime(facts, not_before)}`, until: not_before }
  },

  taken_out: ({ isTakenOut }) => {
    const label = 'taken out'
    if (isTakenOut !== true) return nothing(label, 'no')
    return { label, verdict: 'forbids', says: 'a person took the lead out of the queue' }
  },

  lines: ({ now, present, lines, campaign, lead }, { decides, nextCallAt }) => {
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
    const ahead = lines.ahead === undefined ? '' : `; ${count(lines.ahead, 'lead')} before it`
    const waitsForHours = decides === 'calling_hours' && nextCallAt !== null && holdReason(campaign) === null
    const later = waitsForHours && lines.countAheadAt ? `; ${describeAhead(lines.countAheadAt(nextCallAt))}` : ''
    const own = lead.status === 'dialing' ? '; one is dialing this lead' : ''
    return {
      label,
      verdict: lines.busy === undefined && decides !== 'lines' ? 'unknown' : lines.isKeyBusy ? 'waits' : verdict,
      says: busy + key + ahead + later + own,
    }
  },

  late: (facts) => {
    const label = 'late'
    const { lead, campaign, lateAt } = facts
    const limit = campaign ? `the limit is ${campaign.late_after_minutes} min` : 'the limit is not known'
    if (!lead.call_now) return nothing(label, 'not a call_now lead')
    if (lead.late) return { label, verdict: 'allows', says: `yes, ${limit}; it is still called` }
    if (lateAt === undefined) return { label, verdict: 'allows', says: `no, ${limit}` }
    return { label, verdict: 'allows', says: `no, not before ${dateTime(facts, lateAt)}`, until: lateAt }
  },
}

const count = (many: number, what: string): string => `${many.toLocaleString('en-US')} ${what}${many === 1 ? '' : 's'}`

/** Leads that are in line sooner may be called before the hours open. */
function describeAhead({ sure, sooner, isCut }: LeadsAhead): string {
  const when = 'before it when the hours open'
  if (isCut) return sure === 0 ? `many leads may be ${when}` : `at least ${count(sure, 'lead')} ${when}`
  return `${sooner > 0 ? 'up to ' : ''}${count(sure + sooner, 'lead')} ${when}`
}

/** Why no other try follows. */
function describeLastTry({ lead }: ExplainFacts, campaign: ExplainedCampaign | undefined): string {
  const { last_outcome, attempts, zone } = lead
  if (last_outcome === null) return 'no try left'
  if (last_outcome === 'callback') return 'the last call ended with callback, without a time'
  if (!isRetried(last_outcome)) return `the last call ended with ${last_outcome}`
  if (campaign && attempts >= campaign.max_attempts) return 'no try left'
  return zone === '' ? 'a test number is not tried again' : 'no other try is planned'
}
