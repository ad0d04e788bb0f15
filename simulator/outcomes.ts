/** What was asked of the outside and has not come back, or came back and is still to be settled, as a step of its own. */
import { StoreError } from './world/store-error.js'

/** What is to be done with an outcome, as a step of its own. */
export type Settle = () => void

export interface UnderWay {
  outcome: Promise<Settle>
  /** Its world may have been replaced meanwhile: then it says nothing about this one. */
  isWanted: () => boolean
}

export interface OutcomesOptions {
  step: (settle: Settle) => void
  onFailure: (error: unknown) => void
}

export class Outcomes {
  readonly #step: (settle: Settle) => void
  readonly #onFailure: (error: unknown) => void
  /** Each is settled when it comes back. */
  readonly #underWay = new Set<Promise<void>>()
  /** Settled in the order they were sent, before time that is pushed passes on. */
  readonly #awaited: UnderWay[] = []
  /** Came back while the disk took nothing. */
  readonly #late: { settle: Settle; isWanted: () => boolean }[] = []

  constructor({ step, onFailure }: OutcomesOptions) {
    this.#step = step
    this.#onFailure = onFailure
  }

  /** Settles it by itself when it comes back. */
  follow(one: UnderWay): void {
    const settled = this.#settle(one).finally(() => this.#underWay.delete(settled))
    this.#underWay.add(settled)
  }

  /** Keeps it until `settleAwaited`. */
  keep(one: UnderWay): void {
    // A failure is told of when its turn has come, and is no unhandled one until then.
    one.outcome.catch(() => undefined)
    this.#awaited.push(one)
  }

  get awaited(): number {
    return this.#awaited.length
  }

  async settleAwaited(): Promise<void> {
    for (const one of this.#awaited.splice(0)) await this.#settle(one)
  }

  /** Nobody awaits them any more: they are settled by themselves. */
  letGo(): void {
    for (const one of this.#awaited.splice(0)) this.follow(one)
  }

  /** Everything under way has come back. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  /** Waits no more for what is under way: it belongs to a world that is gone. */
  forget(): void {
    this.#underWay.clear()
  }

  async #settle({ outcome, isWanted }: UnderWay): Promise<void> {
    try {
      const settle = await outcome
      try {
        if (isWanted()) this.#step(settle)
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        this.#late.push({ settle, isWanted })
      }
    } catch (error) {
      this.#onFailure(error)
    }
  }

  /**
   * Settles what came back while the disk took nothing, in order, before anything later is done.
   * @throws {StoreError} the disk takes nothing yet: that one and those after it wait on.
   */
  settleLate(commit: (settle: Settle) => void): void {
    for (let late = this.#late.shift(); late; late = this.#late.shift()) {
      try {
        if (late.isWanted()) commit(late.settle)
      } catch (error) {
        if (error instanceof StoreError) {
          this.#late.unshift(late)
          throw error
        }
        this.#onFailure(error)
      }
    }
  }
}
