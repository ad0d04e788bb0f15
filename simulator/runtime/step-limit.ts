/** Tells many tasks of one moment from a task that never lets time pass. */
import { toIso, type Instant } from '../kernel/instant.js'
import type { Appointment } from '../model/agenda.js'
import type { World } from '../model/world.js'

/** A task keeps making appointments for the very moment it runs in. */
export class RunawayError extends Error {
  override name = 'RunawayError'

  constructor(most: number, at: string, kind: string) {
    super(
      `More than ${most} tasks ran at ${at} and time did not pass: ` +
        `a task of kind ${kind} keeps making appointments for the same moment.`,
    )
  }
}

interface Count {
  at: Instant | null
  left: number
  /** How many were due when this was last asked. */
  due: number
}

const none: Count = { at: null, left: 0, due: Infinity }

export class StepLimit {
  #count = none

  /** @param most how many tasks may run at one moment before it matters how many are still due. */
  constructor(readonly most: number) {}

  /** @throws {RunawayError} the task that is about to run is one too many. */
  check({ now, store }: World, { task }: Appointment): void {
    const howManyDue = () => store.one<{ n: number }>('SELECT count(*) AS n FROM agenda WHERE at <= ?', now)?.n ?? 0
    if (!this.#allows(now, howManyDue)) throw new RunawayError(this.most, toIso(now), task.kind)
  }

  /** Whether one more task may run: a generous number of them, and beyond it only while fewer and fewer are due. */
  #allows(at: Instant, howManyDue: () => number): boolean {
    const { left, due } = this.#count.at === at ? this.#count : { left: this.most, due: Infinity }
    if (left > 0) {
      this.#count = { at, left: left - 1, due }
      return true
    }
    const now = howManyDue()
    if (now >= due) return false
    this.#count = { at, left: now - 1, due: now }
    return true
  }

  /** What was counted so far, for taking back what is counted from now on. */
  savepoint(): () => void {
    const count = this.#count
    return () => {
      this.#count = count
    }
  }

  reset(): void {
    this.#count = none
  }
}
