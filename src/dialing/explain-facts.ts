/** Facts from which an explanation is made, and the judgement about them. */
import type { Outcome } from '../contract/base/outcomes.js'
import type { DialingRule } from '../contract/control/explain.js'
import type { HeldReason, LeadStatus } from '../contract/leads.js'
import type { DialingFacts, HoldFacts, HoursFacts, WaitFacts } from './eligibility.js'

export interface ExplainedLead extends WaitFacts {
  readonly id: string
  readonly name: string | null
  readonly phone: string
  readonly status: LeadStatus
  readonly held_reason: HeldReason | null
  readonly call_now: boolean
  readonly late: boolean
  readonly attempts: number
  readonly last_outcome: Outcome | null
}

export interface ExplainedCampaign extends HoldFacts, HoursFacts {
  readonly lines: number
  readonly max_attempts: number
  readonly retire_after_failures: number
  readonly late_after_minutes: number
}

/** How many leads are dialed before a lead once its calling hours open. */
export interface LeadsAhead {
  /** Leads that start to wait for a line at the same moment. */
  readonly sure: number
  /** Leads that are in line sooner, so they may be called before. */
  readonly sooner: number
  /** Whether there may be more than were counted. */
  readonly isCut: boolean
}

export interface LineFacts {
  /** Lines with a call. */
  readonly busy: number | undefined
  /** Queued leads that are dialed first; undefined if the lead is not queued or the number is unknown. */
  readonly ahead: number | undefined
  /** Counts the leads before one that waits for its calling hours. Left out if the number is unknown. */
  readonly countAheadAt?: (opens: number) => LeadsAhead
  /** Whether the test key of the lead has all the sample calls that it may have at once (rule T3). */
  readonly isKeyBusy: boolean
}

/** What the explanation is about. Undefined is unknown. Times are milliseconds UTC. */
export interface ExplainFacts extends Omit<DialingFacts, 'campaign'> {
  readonly lead: ExplainedLead
  readonly campaign_id: string
  readonly campaign: ExplainedCampaign | undefined
  /** What the clock shows. `now` is the moment that is asked about. */
  readonly present: number
  readonly isTakenOut: boolean | undefined
  readonly lines: LineFacts
  /** When a queued call_now lead becomes late; undefined if it does not or that is unknown. */
  readonly lateAt: number | undefined
  /** Rules that cannot be judged, with the reason. */
  readonly unknown?: Readonly<Partial<Record<DialingRule, string>>>
  /** What the service itself says about this moment. It wins over the judgement. */
  readonly reported?: Judgement
}

export interface Judgement {
  readonly decides: DialingRule | null
  /** The first moment at which the rules with times allow a call. */
  readonly nextCallAt: number | null
}
