/**
 * A machine clock that advances by itself, but only while all running work waits for it, so that no test waits for a
 * real timeout.
 */
import type { Timer } from '../../simulator/kernel/system-clock.js'
import { webhookAnswerSeconds } from '../../src/contract/limits.js'
import { ManualMachine } from './manual-machine.js'
import type { Receiver } from './deliveries/receiver.js'

/** Each attempt has one timer of this length, for its answer. */
const answerMs = webhookAnswerSeconds * 1_000

export class PatientMachine extends ManualMachine {
  readonly #receivers = new Set<Receiver>()
  #expired = 0

  /** Advances time while requests of this receiver stay unanswered. */
  watch(receiver: Receiver): Receiver {
    this.#receivers.add(receiver)
    return receiver
  }

  override after(ms: number, callback: () => void): Timer {
    if (ms !== answerMs) return super.after(ms, callback)
    return super.after(ms, () => {
      this.#expired += 1
      callback()
    })
  }

  /** Advances until the work is done. Never cuts off a receiver that is about to answer. */
  async through<T>(work: Promise<T>): Promise<T> {
    let done = false
    const over = () => (done = true)
    work.then(over, over)
    const cutBefore = this.#sum('cutOff') - this.#expired
    while (!done) {
      await this.turn()
      const allHang = this.timersOf(answerMs) === this.#sum('unanswered')
      const allHungUp = this.#sum('cutOff') - cutBefore >= this.#expired
      if (!done && allHang && allHungUp) this.passToNext()
    }
    return work
  }

  #sum(count: 'unanswered' | 'cutOff'): number {
    return [...this.#receivers].reduce((sum, receiver) => sum + receiver[count], 0)
  }
}
