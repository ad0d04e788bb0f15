/** Follows a planned world while it runs: when its leads are finished, and how long every line was busy. */
import type { LeadStatus } from '../../src/contract/leads.js'
import type { Listener } from '../runtime/listeners.js'
import type { World } from '../model/world.js'

const isFinal = (status: LeadStatus): boolean => status === 'done' || status === 'out_of_queue'

export class RunRecorder {
  /** When the last lead was finished so far. */
  finished: number
  allBusyMs = 0
  #busy = 0
  #since = 0
  #late: number | null = null

  constructor(
    world: World,
    readonly lines: number,
    /** How many leads are not finished. */
    public unfinished: number,
    readonly deadline = Infinity,
  ) {
    this.finished = world.now
  }

  readonly listen: Listener = (notice) => {
    if (notice.kind === 'call') {
      if (notice.from === null) this.#countBusy(1, notice.at)
      else if (notice.to === 'ended') this.#countBusy(-1, notice.at)
    } else if (notice.kind === 'lead') {
      if (notice.at > this.deadline) this.#late ??= this.unfinished
      const change = Number(isFinal(notice.from)) - Number(isFinal(notice.to))
      this.unfinished += change
      if (change < 0) this.finished = notice.at
    }
  }

  /** Leads that were not finished at the deadline. */
  get late(): number {
    return this.#late ?? this.unfinished
  }

  #countBusy(by: 1 | -1, at: number): void {
    if (this.#busy === this.lines) this.allBusyMs += at - this.#since
    this.#busy += by
    this.#since = at
  }
}
