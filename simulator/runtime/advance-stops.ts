/** Stops advances of the clock that are under way or wait for their turn. */

export interface AdvanceStop {
  readonly isStopped: boolean
  /** Resolves when the advance is stopped. */
  readonly stopped: Promise<void>
}

interface Open extends AdvanceStop {
  isStopped: boolean
  stop: () => void
}

export class AdvanceStops {
  readonly #open = new Set<Open>()

  /** Registers an advance. */
  open(): AdvanceStop {
    let resolve: () => void = () => undefined
    const stopped = new Promise<void>((done) => (resolve = done))
    const one: Open = {
      isStopped: false,
      stopped,
      stop: () => {
        one.isStopped = true
        resolve()
      },
    }
    this.#open.add(one)
    return one
  }

  close(one: AdvanceStop): void {
    this.#open.delete(one as Open)
  }

  /** Stops every registered advance and returns how many there were. */
  stopAll(): number {
    const running = [...this.#open].filter(({ isStopped }) => !isStopped)
    for (const one of running) one.stop()
    return running.length
  }
}
