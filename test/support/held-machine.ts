/** The system clock, but timers of chosen lengths fire only when a test releases them. */
import { systemClock, type SystemClock, type Timer } from '../../simulator/kernel/system-clock.js'

export class HeldMachine implements SystemClock {
  readonly #lengths: readonly number[]
  readonly #held = new Set<{ ms: number; callback: () => void }>()
  #wake = () => {}

  /** Holds timers of these lengths in milliseconds. */
  constructor(...lengths: number[]) {
    this.#lengths = lengths
  }

  now = () => systemClock.now()
  monotonic = () => systemClock.monotonic()
  turn = () => systemClock.turn()

  after(ms: number, callback: () => void): Timer {
    if (!this.#lengths.includes(ms)) return systemClock.after(ms, callback)
    const held = { ms, callback }
    this.#held.add(held)
    this.#wake()
    return { cancel: () => void this.#held.delete(held) }
  }

  /** Waits until a timer of that length has begun. */
  async timer(ms: number): Promise<void> {
    while (![...this.#held].some((held) => held.ms === ms)) await new Promise<void>((resolve) => (this.#wake = resolve))
  }

  /** Fires every held timer. */
  release(): void {
    const fired = [...this.#held]
    this.#held.clear()
    for (const { callback } of fired) callback()
  }
}
