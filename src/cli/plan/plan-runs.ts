/** The simulated worlds of a plan. Each number of lines and seed runs once, and is given up at the deadline where that answers the question. */
import type { PlannedCampaign, WorldResult, WorldRun } from '../../plan/planned-world.js'
import { failuresAllowed } from './percentile.js'

export interface PlanRunsOptions {
  run: (run: WorldRun) => Promise<WorldResult>
  seeds: readonly number[]
  /** The latest end of a world, in milliseconds. */
  limit: number
  deadline: number | null
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
  /** Seeds that missed a deadline come first: they are likely to miss it again. */
  readonly #order: number[]
  #started = 0
  #ended = 0

  constructor(options: PlanRunsOptions) {
    this.#options = options
    this.#order = [...options.seeds]
  }

  /** The seed that is most likely to miss a deadline. */
  get hardestSeed(): number {
    return this.#order[0]!
  }

  get seeds(): readonly number[] {
    return this.#options.seeds
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

  async all(lines: number): Promise<WorldResult[]> {
    return Promise.all(this.seeds.map((seed) => this.full(lines, seed)))
  }

  /** Orders the seeds by the end of their runs with this number: what ends late with one number does with others. */
  async orderSeeds(lines: number): Promise<void> {
    const results = await this.all(lines)
    const ends = new Map(this.seeds.map((seed, at) => [seed, results[at]!.finished ?? Infinity]))
    this.#order.sort((a, b) => (ends.get(b)! === ends.get(a)! ? a - b : ends.get(b)! - ends.get(a)!))
  }

  /** A run with other settings, given up at `until`. */
  relaxed(lines: number, seed: number, changes: Partial<PlannedCampaign>, until: number): Promise<WorldResult> {
    return this.#counted({ lines, seed, changes, until: Math.min(until, this.#options.limit) })
  }

  /** Whether the number makes the deadline in the `count` seeds that are most likely to miss it. */
  async makes(lines: number, count = this.seeds.length): Promise<boolean> {
    const tried = this.#order.slice(0, count)
    const made = await Promise.all(tried.map(async (seed) => ({ seed, isMade: await this.#isMade(lines, seed) })))
    const missed = made.filter(({ isMade }) => !isMade).map(({ seed }) => seed)
    for (const seed of missed) {
      this.#order.splice(this.#order.indexOf(seed), 1)
      this.#order.unshift(seed)
    }
    return missed.length <= failuresAllowed(this.seeds.length)
  }

  async #isMade(lines: number, seed: number): Promise<boolean> {
    const { deadline, limit } = this.#options
    const until = deadline ?? limit
    const known = this.#known.get(`${lines}/${seed}`)
    const { finished } = await (known && known.until >= until ? known.result : this.#start(lines, seed, until))
    return finished !== null && finished <= until
  }

  #start(lines: number, seed: number, until: number): Promise<WorldResult> {
    const result = this.#counted({ lines, seed, until })
    this.#known.set(`${lines}/${seed}`, { until, result })
    return result
  }

  async #counted(run: WorldRun): Promise<WorldResult> {
    const { onChange } = this.#options
    onChange?.({ started: ++this.#started, ended: this.#ended })
    const result = await this.#options.run(run)
    onChange?.({ started: this.#started, ended: ++this.#ended })
    return result
  }
}
