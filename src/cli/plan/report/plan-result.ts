/** The result of a plan, as JSON prints it. Times are ISO 8601 in UTC. */
import type { UnreachableReason } from '../../../plan/planned-world.js'
import type { CalibrationReport } from '../calibration/calibration.js'
import type { Assumptions } from './assumptions.js'

/** Rules that can keep leads from being finished sooner. */
export const bindingRules = ['lines', 'hours', 'retries', 'cap', 'nothing'] as const
export type BindingRule = (typeof bindingRules)[number]

/** One number of lines. Counts are means over the seeds. */
export interface PlanRow {
  lines: number
  /** When all leads are done in 90% of the simulations; null if later than the end of the simulation, or never. */
  done_by: string | null
  /** Null without a deadline. */
  makes_deadline: boolean | null
  /** Leads that are done at the deadline. Null without a deadline. */
  done_by_deadline: number | null
  reached: number
  interested: number
  calls: number
  minutes: number
  /** Null if the rate is unknown. */
  cost_usd: number | null
  /** Hours during which every line was busy. */
  busy_hours: number
  /** The rule without which the leads would be done soonest. Null if the plan was stopped before it was known. */
  binds: BindingRule | null
  /** False if simulations name different rules; then `binds` is what most of them name. */
  binds_certain: boolean
  /** Whether the spend cap ended the calling. */
  cap_reached: boolean
}

export interface UnreachableLead {
  /** Line of the file, or the position among leads without a file. */
  line: number
  phone: string
  reason: UnreachableReason | 'unreadable_row'
}

/** A rule that would have to give, so that the deadline is made. */
export interface Relief {
  rule: Exclude<BindingRule, 'nothing'>
  /** When all leads would be done without it; null if not before the deadline either. */
  done_by: string | null
  /** For retries: the most attempts that make the deadline. */
  max_attempts?: number
}

export interface ChartDay {
  day: string
  /** Ended calls by hour of the day in the organization's time zone. */
  hours: number[]
}

export interface PlanResult {
  /** The smallest number of lines that makes the deadline. Null if there is none, or no deadline. */
  lines: number | null
  deadline: string | null
  table: PlanRow[]
  leads: { total: number; callable: number }
  unreachable: UnreachableLead[]
  /** Lines of the campaign as it is; null without a campaign. */
  current_lines: number | null
  /** If no number of lines makes the deadline: what would. */
  relief: Relief[]
  /** Lines by arithmetic: calls x minutes / open hours. Null without a deadline. */
  arithmetic_lines: number | null
  assumptions: Assumptions
  calibration: CalibrationReport | null
  chart?: { lines: number; days: ChartDay[] }
  /** False if the plan was stopped: then only finished rows are in the table. */
  complete: boolean
}
