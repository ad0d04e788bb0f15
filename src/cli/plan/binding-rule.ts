/** Which rule holds a plan back: each rule in turn is taken away, and the soonest end decides. */
import type { CallingHours } from '../../phone/windows.js'
import type { PlannedCampaign, WorldResult } from '../../plan/planned-world.js'
import type { PlanRuns } from './plan-runs.js'
import type { BindingRule } from './plan-result.js'

type Rule = Exclude<BindingRule, 'nothing'>

/** What the calling hours are without a campaign's own: the legal hours, every day (rule D1). */
const allDay = [['08:00', '21:00']] as const
const widestHours: CallingHours = {
  mon: allDay,
  tue: allDay,
  wed: allDay,
  thu: allDay,
  fri: allDay,
  sat: allDay,
  sun: allDay,
}

/** An end that is sooner by less than this is the same end. */
const noticeableMs = 60_000

export interface BindingContext {
  runs: PlanRuns
  campaign: PlannedCampaign
  /** Whether calls cost anything, so that the cap can be reached. */
  hasRate: boolean
  /** As many lines as leads. */
  mostLines: number
  limit: number
}

/** The settings without each rule that can hold back this campaign. Lines are relaxed by their number. */
function relaxations({ campaign, hasRate }: BindingContext): (readonly [Rule, Partial<PlannedCampaign>])[] {
  const isWidest = campaign.any_hour || JSON.stringify(campaign.calling_hours) === JSON.stringify(widestHours)
  return [
    ...(isWidest ? [] : [['hours', { calling_hours: widestHours }] as const]),
    ...(campaign.max_attempts > 1 ? [['retries', { max_attempts: 1 }] as const] : []),
    ...(campaign.spend_cap_usd !== null && hasRate ? [['cap', { spend_cap_usd: null }] as const] : []),
  ]
}

/** The rule without which the seed that decides the row would end soonest. */
export async function findBindingRule(
  context: BindingContext,
  lines: number,
  { seed, result }: { seed: number; result: WorldResult },
): Promise<BindingRule> {
  if (result.held === 'spend_cap_reached') return 'cap'
  const { runs, mostLines, limit } = context
  let best = (result.finished ?? limit + 2 * noticeableMs) - noticeableMs
  let rule: BindingRule = 'nothing'
  const note = (name: Rule, finished: number | null) => {
    if (finished !== null && finished < best) [rule, best] = [name, finished]
  }
  if (lines < mostLines) note('lines', (await runs.full(mostLines, seed)).finished)
  for (const [name, changes] of relaxations(context))
    note(name, (await runs.relaxed(lines, seed, changes, best)).finished)
  return rule
}

/** For each rule, when the leads would be done without it; null if not before the deadline. */
export async function findRelief(
  context: BindingContext,
  lines: number,
  seed: number,
  deadline: number,
): Promise<{ rule: Rule; finished: number | null }[]> {
  const { runs, mostLines } = context
  const within = (finished: number | null) => (finished !== null && finished <= deadline ? finished : null)
  const byLines = async () =>
    lines < mostLines ? [{ rule: 'lines' as const, finished: within((await runs.full(mostLines, seed)).finished) }] : []
  const others = relaxations(context).map(async ([rule, changes]) => ({
    rule,
    finished: within((await runs.relaxed(lines, seed, changes, deadline)).finished),
  }))
  return [...(await byLines()), ...(await Promise.all(others))]
}
