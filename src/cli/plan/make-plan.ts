/** Answers the question of a plan: runs worlds for several numbers of lines and seeds, and builds the table. */
import type { LoadedLeads, PlanSettings, WorldResult } from '../../plan/planned-world.js'
import { leastLines } from './arithmetic.js'
import { findBindingRule, findRelief, type BindingContext } from './binding-rule.js'
import { chartDays } from './report/chart.js'
import { LineGuess } from './line-guess.js'
import { findLines, linesAround, recommendLines, usualLines, type Probe } from './line-search.js'
import { mean, rankOf, percentile } from './percentile.js'
import type { PlanResult, PlanRow } from './report/plan-result.js'
import { PlanRuns, type PlanRunsOptions } from './plan-runs.js'

export interface PlanQuestion {
  settings: PlanSettings
  loaded: LoadedLeads
  /** Time zones of the leads, as `zoneKey` writes them. */
  zones: readonly string[]
  /** Numbers to show. Undefined: the plan chooses them. */
  lines: readonly number[] | undefined
  /** Lines of the campaign as it is. */
  currentLines: number | undefined
  deadline: number | null
  limit: number
  seeds: readonly number[]
  /** How many worlds run at the same time. */
  atOnce: number
}

/** The part of the result that simulations give. */
export type PlanOutcome = Pick<PlanResult, 'lines' | 'table' | 'relief' | 'arithmetic_lines' | 'chart'>

const hourMs = 3_600_000

export class PlanMaker {
  readonly #question: PlanQuestion
  readonly #runs: PlanRuns
  readonly #rows = new Map<number, { row: PlanRow; deciding: WorldResult }>()
  #relief: PlanResult['relief'] = []
  #arithmetic: number | null = null

  constructor(question: PlanQuestion, options: Pick<PlanRunsOptions, 'run' | 'onChange'>) {
    this.#question = question
    this.#runs = new PlanRuns({ ...options, ...question })
  }

  /** Fills the table. If it fails or is stopped, `outcome` has what is known so far. */
  async make(): Promise<void> {
    const { deadline, lines: asked } = this.#question
    const found = asked ?? (deadline === null ? this.#usualLines() : await this.#search(deadline))
    await Promise.all(found.map((lines) => this.#addRowWithRule(lines)))
    if (asked === undefined && deadline !== null) await this.#addLarger()
    if (deadline !== null && recommendLines(this.#table) === null) await this.#addRelief(deadline)
  }

  get outcome(): PlanOutcome {
    const table = this.#table
    const lines = recommendLines(table)
    const shown = this.#rows.get(lines ?? table.at(-1)?.lines ?? 0)
    const zone = this.#question.settings.time_zone
    return {
      lines,
      table,
      relief: this.#relief,
      arithmetic_lines: this.#arithmetic,
      ...(shown && { chart: { lines: shown.row.lines, days: chartDays(shown.deciding.hours, zone) } }),
    }
  }

  get #table(): PlanRow[] {
    return [...this.#rows.values()].map(({ row }) => row).sort((a, b) => a.lines - b.lines)
  }

  get #most(): number {
    return Math.max(1, this.#question.loaded.callable)
  }

  /** Without a deadline: the campaign's lines, fewer and more. */
  #usualLines(): number[] {
    const { currentLines } = this.#question
    return linesAround(
      currentLines !== undefined && currentLines > 0 ? currentLines : usualLines,
      this.#most,
      currentLines,
    )
  }

  async #search(deadline: number): Promise<number[]> {
    const { settings, zones, atOnce, currentLines } = this.#question
    const runs = this.#runs
    const most = this.#most
    // The rows of the table are compared with runs of the most lines. Threads that would wait make these runs early.
    const idleThreads = (count: number) => Math.ceil(count / atOnce) * atOnce - count
    const early = runs.deciding.length + idleThreads(runs.deciding.length)
    const [top] = await Promise.all(runs.seeds.slice(0, early).map((seed) => runs.full(most, seed)))
    const guess = new LineGuess({ hours: settings.campaign, zones, start: settings.start, deadline })
    const workMs = top!.lineMs
    const least = leastLines(workMs, guess.openMs)
    this.#arithmetic = Number.isFinite(least) ? least : null
    const guessFrom = (lines: number, result: WorldResult) => guess.from(lines, result, workMs)
    const probe = async (lines: number, count = 1): Promise<Probe> => {
      const results = await runs.hardestUntilDeadline(lines, count)
      const guesses = results.map((result) => guessFrom(lines, result)).sort((a, b) => b - a)
      return { isMade: runs.areMade(results), guess: guesses[runs.deciding.length - 1]! }
    }
    if (!(await probe(most)).isMade)
      return linesAround(Math.min(this.#arithmetic ?? usualLines, most), most, currentLines)
    // All seeds at the first guess: it becomes a row of the table, and shows which seeds need the most lines.
    const first = Math.min(Math.max(Math.round(guessFrom(most, top!)), least), most)
    const others = runs.seeds.slice(early, early + idleThreads(runs.seeds.length))
    const [results] = await Promise.all([runs.all(first), ...others.map((seed) => runs.full(most, seed))])
    runs.orderSeeds(new Map(runs.seeds.map((seed, at) => [seed, guessFrom(first, results[at]!)])))
    const { guess: firstGuess } = await probe(first)
    const found = await findLines({
      ...((await runs.makes(first)) ? { least, confirmed: first } : { least: first + 1 }),
      ...{ most, firstGuess, atOnce, probe },
      confirm: (lines) => runs.makes(lines),
    })
    // If no number makes it, the table shows that more lines do not help.
    return linesAround(found ?? first, most, currentLines, first)
  }

  /** A larger number can miss the deadline all the same. Then the recommendation needs a still larger one. */
  async #addLarger(): Promise<void> {
    for (let lines = this.#table.at(-1)?.lines ?? this.#most; this.#endsWithMiss && lines < this.#most;) {
      lines = Math.min(lines * 2, this.#most)
      await this.#addRowWithRule(lines)
    }
  }

  get #endsWithMiss(): boolean {
    const table = this.#table
    return table.some((row) => row.makes_deadline) && table.at(-1)?.makes_deadline === false
  }

  async #addRowWithRule(lines: number): Promise<void> {
    await this.#addRow(lines)
    await this.#addBinding(lines)
  }

  async #addRow(lines: number): Promise<void> {
    const results = await this.#runs.all(lines)
    const ends = results.map(({ finished }) => finished)
    const end = percentile(ends)
    const order = [...results.keys()].sort((a, b) => (ends[a] ?? Infinity) - (ends[b] ?? Infinity) || 0)
    const at = order[rankOf(results.length)]!
    const deciding = results[at]!
    const row = rowOf(lines, results, end, this.#question)
    this.#rows.set(lines, { row: { ...row, cap_reached: deciding.held === 'spend_cap_reached' }, deciding })
    if (deciding.held === 'spend_cap_reached') this.#rows.get(lines)!.row.binds = 'cap'
  }

  /** Each seed is compared with itself under relaxed rules. */
  async #addBinding(lines: number): Promise<void> {
    const { row } = this.#rows.get(lines)!
    if (row.binds !== null) return
    const { rule, isCertain } = await findBindingRule(this.#context, lines)
    Object.assign(row, { binds: rule, binds_certain: isCertain })
  }

  get #context(): BindingContext {
    const { settings, limit, zones } = this.#question
    return {
      runs: this.#runs,
      campaign: settings.campaign,
      hasRate: settings.rate_usd_per_minute !== null,
      mostLines: this.#most,
      ...{ zones, start: settings.start, limit },
    }
  }

  /** What would make the deadline, from the largest number of lines on. */
  async #addRelief(deadline: number): Promise<void> {
    const lines = this.#question.lines === undefined ? this.#most : Math.max(...this.#question.lines)
    const found = await findRelief(this.#context, lines, deadline)
    this.#relief = found.map(({ rule, finished, attempts }) => ({
      rule,
      done_by: isoOf(finished),
      ...(attempts !== undefined && { max_attempts: attempts }),
    }))
  }
}

const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

function rowOf(
  lines: number,
  results: readonly WorldResult[],
  end: number | null,
  { deadline, settings, loaded }: PlanQuestion,
): PlanRow {
  const meanOf = (pick: (result: WorldResult) => number) => mean(results.map(pick))
  const minutes = meanOf((result) => result.minutes)
  const rate = settings.rate_usd_per_minute
  return {
    lines,
    done_by: isoOf(end),
    makes_deadline: deadline === null ? null : end !== null && end <= deadline,
    done_by_deadline: deadline === null ? null : loaded.callable - Math.ceil(meanOf((result) => result.late)),
    reached: Math.round(meanOf((result) => result.reached)),
    interested: Math.round(meanOf((result) => result.interested)),
    calls: Math.round(meanOf((result) => result.calls)),
    minutes: Math.round(minutes),
    cost_usd: rate === null ? null : Math.round(minutes * rate * 100) / 100,
    busy_hours: Math.round((meanOf((result) => result.allBusyMs) / hourMs) * 10) / 10,
    binds: null,
    binds_certain: true,
    cap_reached: false,
  }
}
