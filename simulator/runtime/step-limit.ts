/** A runaway guard: distinguishes many tasks at one instant from a task that never lets time pass. */
import { toIso, type Instant } from '../kernel/instant.js'
import type { Appointment } from '../model/agenda.js'
import type { World } from '../model/world.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

/** A task keeps making appointments for the instant it runs in. */
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
  /** How many tasks were due when this was last checked. */
  due: number
}

const none: Count = { at: null, left: 0, due: Infinity }

export class StepLimit {
  #count = none

  /** `most` is how many tasks may run at one instant before the number of due tasks matters. */
  constructor(readonly most: number) {}

  /**
   * Counts a task that is about to run.
   * @throws {RunawayError} if it exceeds the limit.
   */
  check({ now, store }: World, { task }: Appointment): void {
    const howManyDue = () =>
      store.one<{ n: number }>(sql`SELECT count(*) AS n FROM ${tables.agenda} WHERE at <= ?`, now)?.n ?? 0
    if (!this.#allows(now, howManyDue)) throw new RunawayError(this.most, toIso(now), task.kind)
  }

  /**
   * Whether one more task may run. Up to `most` always may; beyond that, only while the number of due tasks decreases.
   */
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

  /** Saves the count. Returns the function that restores it. */
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
