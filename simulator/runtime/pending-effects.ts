/** What was asked of the outside and has not come back, or came back and is still to be settled, as a step of its own. */
import type { LiveAttempt, Settle } from './sender.js'
import type { Effect } from '../model/effect.js'
import { StoreError } from '../storage/store-error.js'

export interface PendingEffect extends LiveAttempt {
  effect: Effect
  /** False when its world was replaced meanwhile: then it says nothing about this one. */
  isWanted: () => boolean
}

export interface PendingEffectsOptions {
  step: (settle: Settle) => void
  onFailure: (error: unknown) => void
}

export class PendingEffects {
  readonly #step: (settle: Settle) => void
  readonly #onFailure: (error: unknown) => void
  /** In the order they were sent; each is settled when it comes back. */
  readonly #underWay = new Map<PendingEffect, Promise<void>>()
  /** Came back while the disk took nothing. */
  readonly #late: { settle: Settle; isWanted: () => boolean }[] = []

  constructor({ step, onFailure }: PendingEffectsOptions) {
    this.#step = step
    this.#onFailure = onFailure
  }

  /** Settles it when it comes back, unless it is taken before. */
  settleWhenDone(one: PendingEffect): void {
    this.#underWay.set(
      one,
      this.#settle(one).finally(() => this.#underWay.delete(one)),
    )
  }

  /** Gives away everything under way: it is not settled here. */
  take(): PendingEffect[] {
    const all = [...this.#underWay.keys()]
    this.#underWay.clear()
    return all
  }

  /** Everything under way has come back. */
  async waitForAll(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values())
  }

  /** Waits no more for what is under way: it belongs to a world that is gone. */
  clear(): void {
    this.#underWay.clear()
  }

  async #settle(one: PendingEffect): Promise<void> {
    const { outcome, isWanted } = one
    let isReached = false
    try {
      const settle = await outcome
      const run = () => {
        isReached = true
        settle()
      }
      try {
        if (this.#underWay.has(one) && isWanted()) this.#step(run)
      } catch (error) {
        // A task that fails before it takes nothing of it away.
        if (!(error instanceof StoreError) && isReached) throw error
        this.#late.push({ settle, isWanted })
      }
    } catch (error) {
      if (this.#underWay.has(one)) this.#onFailure(error)
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
