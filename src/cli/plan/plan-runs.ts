/** The simulated worlds of a plan. Each number of lines and seed runs once, and is given up at the deadline where that answers the question. */
import type { PlannedCampaign, WorldResult, WorldRun } from '../../plan/planned-world.js'
import { failuresAllowed } from './percentile.js'

export interface PlanRunsOptions {
  run: (run: WorldRun) => Promise<WorldResult>
  seeds: readonly number[]
  /** The latest end of a world, in milliseconds. */
  limit: number
  deadline: number | null
  /** How many worlds run at the same time. */
  atOnce: number
  /** Called before a world starts and after it ended. */
  onChange?: (count: { started: number; ended: number }) => void
}

interface Known {
  until: number
  result: Promise<WorldResult>
}

export class PlanRuns {
  readonly #options: PlanRunsOptions
  readonly #known = new Map<string, Known>()
  /** Seeds that are most likely to miss the deadline come first. */
  readonly #order: number[]
  #started = 0
  #ended = 0

  constructor(options: PlanRunsOptions) {
    this.#options = options
    this.#order = [...options.seeds]
  }

  get seeds(): readonly number[] {
    return this.#options.seeds
  }

  /** The seeds, those that are most likely to miss the deadline first. */
  get hardest(): readonly number[] {
    return this.#order
  }

  /** The seeds that decide whether a number makes the deadline: one more than may miss it. */
  get deciding(): readonly number[] {
    return this.#order.slice(0, failuresAllowed(this.seeds.length) + 1)
  }

  /** The whole run, to its end. */
  async full(lines: number, seed: number): Promise<WorldResult> {
    const { limit } = this.#options
    const key = `${lines}/${seed}`
    for (;;) {
      const known = this.#known.get(key)
      if (!known) return this.#start(lines, seed, limit)
      const result = await known.result
      if (known.until >= limit || result.finished !== null) return result
      // Another row may have started the whole run meanwhile.
      if (this.#known.get(key) === known) return this.#start(lines, seed, limit)
    }
  }

  /** The whole run of every seed. */
  async all(lines: number): Promise<WorldResult[]> {
    return Promise.all(this.seeds.map((seed) => this.full(lines, seed)))
  }

  /** A run that may have been given up at the deadline. */
  async untilDeadline(lines: number, seed: number): Promise<WorldResult> {
    const { deadline, limit } = this.#options
    const known = this.#known.get(`${lines}/${seed}`)
    return known ? known.result : this.#start(lines, seed, deadline ?? limit)
  }

  isMade({ finished }: WorldResult): boolean {
    const { deadline, limit } = this.#options
    return finished !== null && finished <= (deadline ?? limit)
  }

  /** A run with other settings, given up at `until`. */
  relaxed(lines: number, seed: number, changes: Partial<PlannedCampaign>, until: number): Promise<WorldResult> {
    return this.#counted({ lines, seed, changes, until: Math.min(until, this.#options.limit) })
  }

  /** Orders the seeds by how many lines they need, the most first. */
  orderSeeds(need: ReadonlyMap<number, number>): void {
    const needOf = (seed: number) => need.get(seed) ?? 0
    this.#order.sort((a, b) => (needOf(a) === needOf(b) ? a - b : needOf(b) - needOf(a)))
  }

  /** Runs of the seeds that are most likely to miss the deadline: `count` of them, or more if more decide. */
  async hardestUntilDeadline(lines: number, count: number): Promise<WorldResult[]> {
    const asked = this.#order.slice(0, Math.max(count, this.deciding.length))
    return Promise.all(asked.map((seed) => this.untilDeadline(lines, seed)))
  }

  /** Whether no more of these runs missed the deadline than may. */
  areMade(results: readonly WorldResult[]): boolean {
    return results.filter((result) => !this.isMade(result)).length <= failuresAllowed(this.seeds.length)
  }

  /** Whether the number makes the deadline in enough seeds. It asks until that is decided. */
  async makes(lines: number): Promise<boolean> {
    const isKnown = (seed: number) => this.#known.has(`${lines}/${seed}`)
    const missed: number[] = []
    const allowed = failuresAllowed(this.seeds.length)
    const unknown = this.#order.filter((seed) => !isKnown(seed))
    for (let asked = this.#order.filter(isKnown); ; asked = unknown.splice(0, this.#options.atOnce)) {
      const results = await Promise.all(asked.map((seed) => this.untilDeadline(lines, seed)))
      missed.push(...asked.filter((_, at) => !this.isMade(results[at]!)))
      if (missed.length > allowed || unknown.length === 0) break
    }
    // They are likely to miss it with other numbers, too.
    this.#order.sort((a, b) => Number(missed.includes(b)) - Number(missed.includes(a)))
    return missed.length <= allowed
  }

  #start(lines: number, seed: number, until: number): Promise<WorldResult> {
    const result = this.#counted({ lines, seed, until })
    this.#known.set(`${lines}/${seed}`, { until, result })
    return result
  }

  async #counted(run: WorldRun): Promise<WorldResult> {
    const { onChange, deadline } = this.#options
    onChange?.({ started: ++this.#started, ended: this.#ended })
    const result = await this.#options.run({ ...run, deadline })
    onChange?.({ started: this.#started, ended: ++this.#ended })
    return result
  }
}
