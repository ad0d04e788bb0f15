/** Which rule holds a plan back: each rule in turn is taken away, and the soonest end decides. */
import { legalHours } from '../../phone/windows.js'
import type { PlannedCampaign, WorldResult } from '../../plan/planned-world.js'
import { arithmeticEnd, openSpans } from './arithmetic.js'
import { failuresAllowed, percentile } from './percentile.js'
import type { PlanRuns } from './plan-runs.js'
import type { BindingRule } from './report/plan-result.js'

type Rule = Exclude<BindingRule, 'nothing'>

/** An end that is sooner by less than this is the same end. */
const noticeableMs = 60_000
/** One seed is enough if its best rule wins by this, and by half of what the seeds differ. */
const clearMs = 3_600_000
/** Seeds that are asked at most if the first one is not clear. */
const seedsAsked = 3

export interface BindingContext {
  runs: PlanRuns
  campaign: PlannedCampaign
  /** Whether calls cost anything, so that the cap can be reached. */
  hasRate: boolean
  /** As many lines as leads. */
  mostLines: number
  /** Time zones of the leads. */
  zones: readonly string[]
  start: number
  limit: number
}

/**
 * The settings without each rule that can hold back this campaign, those with few calls first: a later run is given up
 * when it takes longer. Lines are relaxed by their number.
 */
function relaxations({ campaign, hasRate }: BindingContext): (readonly [Rule, Partial<PlannedCampaign>])[] {
  const isWidest = campaign.any_hour || JSON.stringify(campaign.calling_hours) === JSON.stringify(legalHours)
  return [
    ...(campaign.max_attempts > 1 ? [['retries', { max_attempts: 1 }] as const] : []),
    ...(campaign.spend_cap_usd !== null && hasRate ? [['cap', { spend_cap_usd: null }] as const] : []),
    ...(isWidest ? [] : [['hours', { calling_hours: legalHours }] as const]),
  ]
}

export interface Binding {
  rule: BindingRule
  /** False if simulations name different rules. */
  isCertain: boolean
}

/** The rule without which the leads would be done soonest. It asks further seeds if the first one is not clear. */
export async function findBindingRule(context: BindingContext, lines: number): Promise<Binding> {
  const { runs, limit } = context
  const ends = (await runs.all(lines)).map(({ finished }) => finished ?? limit)
  const clear = Math.max(clearMs, (Math.max(...ends) - Math.min(...ends)) / 2)
  const named: BindingRule[] = []
  for (const seed of runs.hardest.slice(0, seedsAsked)) {
    const result = await runs.full(lines, seed)
    const { rule, leadMs } = await judgeSeed(context, lines, { seed, result }, clear)
    named.push(rule)
    if (named.length === 1 && leadMs >= clear) return { rule, isCertain: true }
    if (named.length === 2 && named[0] === rule) break
  }
  const [first] = named
  // Where one of three differs, the other two decide.
  const rule = named.find((one, at) => named.indexOf(one) !== at) ?? first!
  return { rule, isCertain: named.every((one) => one === first) }
}

/** The best rule of one seed, and by how much it is better than the next one, as far as `clear`. */
async function judgeSeed(
  context: BindingContext,
  lines: number,
  { seed, result }: { seed: number; result: WorldResult },
  clear: number,
): Promise<{ rule: BindingRule; leadMs: number }> {
  const { runs, mostLines, limit } = context
  let best = (result.finished ?? limit + 2 * noticeableMs) - noticeableMs
  let second = Infinity
  let rule: BindingRule = 'nothing'
  const note = (name: Rule, finished: number | null) => {
    if (finished !== null && finished < best) [rule, best, second] = [name, finished, best]
    else if (finished !== null) second = Math.min(second, finished)
  }
  if (lines < mostLines) note('lines', (await runs.full(mostLines, seed)).finished)
  for (const [name, changes] of relaxations(context)) {
    const until = best + clear
    // Longer hours change no call, so their calls must at least fit into them.
    if (name === 'hours' && !fitsWidestHours(context, lines, result, until)) continue
    note(name, (await runs.relaxed(lines, seed, changes, until)).finished)
  }
  return { rule, leadMs: second - best }
}

function fitsWidestHours({ zones, start }: BindingContext, lines: number, result: WorldResult, until: number): boolean {
  const spans = openSpans({ calling_hours: legalHours, any_hour: false }, zones, start, until)
  return result.finished === null || arithmeticEnd(result.lineMs, lines, spans) !== null
}

export interface FoundRelief {
  rule: Rule
  /** When the leads would be done in 90% of the seeds; null if not before the deadline. */
  finished: number | null
  /** For retries: the most attempts with which they are. */
  attempts?: number
}

/** For each rule, whether the deadline would be made without it. */
export async function findRelief(context: BindingContext, lines: number, deadline: number): Promise<FoundRelief[]> {
  const { runs, mostLines } = context
  const all = [
    ...(lines < mostLines ? [{ rule: 'lines' as const, lines: mostLines, changes: {} }] : []),
    ...relaxations(context).map(([rule, changes]) => ({ rule, lines, changes })),
  ]
  return Promise.all(
    all.map(async ({ rule, lines: count, changes }) => {
      const finished = await endWith(runs, count, changes, deadline)
      if (rule !== 'retries' || finished === null) return { rule, finished }
      return { rule, ...(await findMostAttempts(context, count, deadline, finished)) }
    }),
  )
}

async function endWith(
  runs: PlanRuns,
  lines: number,
  changes: Partial<PlannedCampaign>,
  deadline: number,
): Promise<number | null> {
  const endOf = async (seed: number) => (await runs.relaxed(lines, seed, changes, deadline)).finished
  // The seed that is most likely to miss the deadline usually answers for all.
  const [hardest] = runs.hardest
  const first = await endOf(hardest!)
  if (first === null && failuresAllowed(runs.seeds.length) === 0) return null
  const others = runs.seeds.filter((seed) => seed !== hardest)
  return percentile([first, ...(await Promise.all(others.map(endOf)))])
}

/** The most attempts that make the deadline, of which one attempt is known to. */
async function findMostAttempts(
  { runs, campaign }: BindingContext,
  lines: number,
  deadline: number,
  withOne: number,
): Promise<{ attempts: number; finished: number }> {
  let found = { attempts: 1, finished: withOne }
  for (let tooMany = campaign.max_attempts; tooMany - found.attempts > 1;) {
    const attempts = Math.ceil((found.attempts + tooMany) / 2)
    const finished = await endWith(runs, lines, { max_attempts: attempts }, deadline)
    if (finished === null) tooMany = attempts
    else found = { attempts, finished }
  }
  return found
}
