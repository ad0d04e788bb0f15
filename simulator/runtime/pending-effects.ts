/** Effects under way, and results that are not applied yet. Each result is applied as a separate step. */
import type { LiveAttempt, Settle } from './sender.js'
import type { Effect } from '../model/task.js'
import { StoreError } from '../storage/store-error.js'

export interface PendingEffect extends LiveAttempt {
  effect: Effect
  /** False if the world was replaced since. The result then belongs to the old world. */
  isWanted: () => boolean
}

export interface PendingEffectsOptions {
  step: (settle: Settle) => void
  onFailure: (error: unknown) => void
}

export class PendingEffects {
  readonly #step: (settle: Settle) => void
  readonly #onFailure: (error: unknown) => void
  /** Effects in the order they were sent. Each is settled when its result arrives. */
  readonly #underWay = new Map<PendingEffect, Promise<void>>()
  /** Results that arrived while the disk failed. */
  readonly #late: { settle: Settle; isWanted: () => boolean }[] = []

  constructor({ step, onFailure }: PendingEffectsOptions) {
    this.#step = step
    this.#onFailure = onFailure
  }

  /** Settles an effect when its result arrives, unless `take` or `clear` removes it before. */
  settleWhenDone(one: PendingEffect): void {
    this.#underWay.set(
      one,
      this.#settle(one).finally(() => this.#underWay.delete(one)),
    )
  }

  /** Removes and returns every effect under way. This class does not settle them. */
  take(): PendingEffect[] {
    const all = [...this.#underWay.keys()]
    this.#underWay.clear()
    return all
  }

  /** Waits until every effect under way has ended. */
  async waitForAll(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values())
  }

  /** Drops every effect under way, because its world was replaced. */
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
        // If a task fails before the result is applied, the result is kept for later.
        if (!(error instanceof StoreError) && isReached) throw error
        this.#late.push({ settle, isWanted })
      }
    } catch (error) {
      if (this.#underWay.has(one)) this.#onFailure(error)
    }
  }

  /**
   * Applies the results that arrived while the disk failed, in order, before later work.
   * @throws {StoreError} if the disk still fails. The remaining results stay.
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
