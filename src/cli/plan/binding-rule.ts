/** Which rule holds a plan back: each rule in turn is taken away, and the soonest end decides. */
import type { CallingHours } from '../../phone/windows.js'
import type { PlannedCampaign, WorldResult } from '../../plan/planned-world.js'
import { failuresAllowed, percentile } from './percentile.js'
import type { PlanRuns } from './plan-runs.js'
import type { BindingRule } from './report/plan-result.js'

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

/**
 * The settings without each rule that can hold back this campaign, those with few calls first: a later run is given up
 * when it takes longer. Lines are relaxed by their number.
 */
function relaxations({ campaign, hasRate }: BindingContext): (readonly [Rule, Partial<PlannedCampaign>])[] {
  const isWidest = campaign.any_hour || JSON.stringify(campaign.calling_hours) === JSON.stringify(widestHours)
  return [
    ...(campaign.max_attempts > 1 ? [['retries', { max_attempts: 1 }] as const] : []),
    ...(campaign.spend_cap_usd !== null && hasRate ? [['cap', { spend_cap_usd: null }] as const] : []),
    ...(isWidest ? [] : [['hours', { calling_hours: widestHours }] as const]),
  ]
}

/** The rule without which the leads would be done soonest, in one seed. */
export async function findBindingRule(
  context: BindingContext,
  lines: number,
  { seed, result }: { seed: number; result: WorldResult },
): Promise<BindingRule> {
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

/** For each rule, when the leads would be done without it in 90% of the seeds; null if not before the deadline. */
export async function findRelief(
  context: BindingContext,
  lines: number,
  deadline: number,
): Promise<{ rule: Rule; finished: number | null }[]> {
  const { runs, mostLines } = context
  const all = [
    ...(lines < mostLines ? [{ rule: 'lines' as const, lines: mostLines, changes: {} }] : []),
    ...relaxations(context).map(([rule, changes]) => ({ rule, lines, changes })),
  ]
  return Promise.all(
    all.map(async ({ rule, lines: count, changes }) => {
      const endOf = async (seed: number) => (await runs.relaxed(count, seed, changes, deadline)).finished
      // The seed that is most likely to miss the deadline usually answers for all.
      const first = await endOf(runs.hardestSeed)
      if (first === null && failuresAllowed(runs.seeds.length) === 0) return { rule, finished: null }
      const others = runs.seeds.filter((seed) => seed !== runs.hardestSeed)
      return { rule, finished: percentile([first, ...(await Promise.all(others.map(endOf)))]) }
    }),
  )
}
