/** Explains why a lead is not called now: every dialing rule with its verdict, and the rule that decides. Pure. */
import { dialingRules, type DialingRule, type ExplainedRule, type Explanation } from '../contract/control/explain.js'
import type { LeadStatus } from '../contract/leads.js'
import { zonesOfKey } from '../phone/zones.js'
import { isRetried } from './aftermath.js'
import { decideWaiting, decidingRule } from './eligibility.js'
import type { ExplainedCampaign, ExplainFacts, Judgement } from './explain-facts.js'
import { ruleTexts } from './rule-texts.js'

const nothing: Judgement = { decides: null, nextCallAt: null }

export const isOver = (status: LeadStatus): boolean => status === 'done' || status === 'out_of_queue'
export const isBusy = (status: LeadStatus): boolean => status === 'dialing' || status === 'on_call'

/** The rule that decides about the lead, and the time of its next call. */
export function judge(facts: ExplainFacts): Judgement {
  const { lead, campaign, now, reported } = facts
  if (isOver(lead.status)) return { decides: ruleThatEnded(facts), nextCallAt: null }
  if (isBusy(lead.status)) return nothing
  if (reported) return reported
  if (!campaign) return nothing
  const decision = decideWaiting({ ...factsOf(facts), campaign }, lead.status)
  if (decision.status === 'queued')
    return waitsForLine(facts, campaign) ? { decides: 'lines', nextCallAt: null } : { decides: null, nextCallAt: now }
  return {
    decides: decidingRule(decision, lead.status),
    nextCallAt: decision.status === 'scheduled' ? decision.scheduled_for : null,
  }
}

const factsOf = ({ now, lead, lastReached, isListed, isRetired }: ExplainFacts) => ({
  ...{ now, lead, lastReached, isListed, isRetired },
})

/** Lines are known for the present only. */
function waitsForLine({ now, present, lines, lead }: ExplainFacts, campaign: ExplainedCampaign): boolean {
  if (now !== present) return false
  if (lines.busy === undefined) return lead.status === 'queued'
  return lines.busy >= campaign.lines || lines.isKeyBusy || (lines.ahead ?? 0) > 0
}

/** The rule by which a lead is done or out of the queue; null if it is unknown. */
function ruleThatEnded(facts: ExplainFacts): DialingRule | null {
  const { lead, isListed, isTakenOut } = facts
  if (lead.status === 'done') return ruleThatFinished(facts)
  if (isListed === true || (isTakenOut !== true && lead.last_outcome === 'dnc')) return 'dnc'
  if (isTakenOut === true) return 'taken_out'
  // The number was listed and removed since (rule N3).
  return isTakenOut === false ? 'dnc' : null
}

function ruleThatFinished({ lead, campaign, isRetired }: ExplainFacts): DialingRule | null {
  const { last_outcome, attempts, zone } = lead
  if (last_outcome !== null && !isRetried(last_outcome)) return 'attempts'
  if (isRetired === true) return 'retired_number'
  if (!campaign) return null
  if (last_outcome === null || campaign.status === 'completed')
    return attempts >= campaign.max_attempts ? 'attempts' : 'campaign'
  return attempts >= campaign.max_attempts || zone === '' || isRetired === false ? 'attempts' : null
}

/** What one rule says about the lead. */
export function explainRule(rule: DialingRule, facts: ExplainFacts, judgement = judge(facts)): ExplainedRule {
  const { until = null, applies = true, ...text } = ruleTexts[rule](facts, judgement)
  const reason = facts.unknown?.[rule]
  const isUnknown = reason !== undefined && judgement.decides !== rule
  return {
    rule,
    ...text,
    ...(isUnknown && { verdict: 'unknown', says: `not known: ${reason}` }),
    applies: applies || isUnknown,
    until: until === null || isUnknown ? null : new Date(until).toISOString(),
  }
}

export function explain(facts: ExplainFacts): Explanation {
  const { lead, campaign_id, now } = facts
  const judgement = judge(facts)
  const { decides, nextCallAt } = judgement
  return {
    lead_id: lead.id,
    campaign_id,
    name: lead.name,
    phone: lead.phone,
    time_zones: [...zonesOfKey(lead.zone)].filter((zone) => zone !== ''),
    status: lead.status,
    at: new Date(now).toISOString(),
    decides,
    next_call_at: nextCallAt === null ? null : new Date(nextCallAt).toISOString(),
    rules: dialingRules.map((rule) => explainRule(rule, facts, judgement)),
  }
}
