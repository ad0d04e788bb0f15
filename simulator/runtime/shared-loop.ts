/**
 * What the engines of one process share: the event loop. Each engine runs its tasks in slices; here they take turns, so
 * that time pushed in one world does not hold up requests to another.
 */
import type { SystemClock } from '../kernel/system-clock.js'

/** Tasks run this long before waiting requests get a turn. The slices of a push grow while no request comes. */
export const sliceMs = 8
const longestSliceMs = 512
/** Length of a slice while other worlds have requests, which wait for two or three slices. */
const sharedSliceMs = 4

/** How long after a request to another world slices stay short. */
const shortSlicesMs = 1_000

export class SharedLoop {
  readonly #machine: SystemClock
  /** Engines that wait for their next slice, in order. */
  readonly #waiting: { engine: object; resolve: () => void }[] = []
  /** The engine that served the last request, when, and when the last one to any other engine came. */
  #last: object | null = null
  #lastAt = -Infinity
  #othersAt = -Infinity

  constructor(machine: SystemClock) {
    this.#machine = machine
  }

  /**
   * Resolves after pending input was read, so that work that comes together is done together. Resolves at once if
   * another engine waits for its next slice, which would come first, and if waiting saves little: with a store in
   * memory a commit costs nothing that requests could share.
   */
  pendingInput(engine: object, sharesCommits: boolean): Promise<void> {
    const isPushedElsewhere = this.#waiting.some((one) => one.engine !== engine)
    return isPushedElsewhere && !sharesCommits ? Promise.resolve() : this.#machine.turn()
  }

  /** Resolves after pending input was read. Between two slices, of any engine, input is read. */
  nextSlice(engine: object): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ engine, resolve })
      if (this.#waiting.length === 1) this.#passOn()
    })
  }

  #passOn(): void {
    void this.#machine.turn().then(() => {
      this.#waiting.shift()?.resolve()
      if (this.#waiting.length > 0) this.#passOn()
    })
  }

  /** Records that an engine served a request. */
  noteRequest(engine: object): void {
    if (engine !== this.#last) {
      this.#othersAt = this.#lastAt
      this.#last = engine
    }
    this.#lastAt = this.#machine.monotonic()
  }

  /** Length of the slice after one of `lastMs`. `isAsked` says whether the engine itself has requests or attempts. */
  nextSliceMs(engine: object, lastMs: number, isAsked: boolean): number {
    if (this.#isWantedByOthers(engine)) return sharedSliceMs
    return isAsked ? sliceMs : Math.min(2 * lastMs, longestSliceMs)
  }

  /** Whether another engine has served a request within the last second, or wants to run a slice. */
  #isWantedByOthers(engine: object): boolean {
    const others = engine === this.#last ? this.#othersAt : this.#lastAt
    return this.#waiting.length > 0 || this.#machine.monotonic() - others < shortSlicesMs
  }
}
