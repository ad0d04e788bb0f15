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

  constructor(
    world: World,
    readonly lines: number,
    /** How many leads are not finished. */
    public unfinished: number,
  ) {
    this.finished = world.now
  }

  readonly listen: Listener = (notice) => {
    if (notice.kind === 'call') {
      if (notice.from === null) this.#countBusy(1, notice.at)
      else if (notice.to === 'ended') this.#countBusy(-1, notice.at)
    } else if (notice.kind === 'lead') {
      const change = Number(isFinal(notice.from)) - Number(isFinal(notice.to))
      this.unfinished += change
      if (change < 0) this.finished = notice.at
    }
  }

  #countBusy(by: 1 | -1, at: number): void {
    if (this.#busy === this.lines) this.allBusyMs += at - this.#since
    this.#busy += by
    this.#since = at
  }
}
