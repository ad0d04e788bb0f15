/**
 * How fast leads may be sent: as fast as they go until the service refuses for the first time, which tells what it
 * allows a minute, and then so much and no more. A rate that a person said is kept to from the beginning.
 */
import { LeadWindow, type Sent } from './lead-window.js'
import type { Plan, Stretch } from './plan.js'

/** What is remembered of it. */
export interface RateMemory {
  plan: Plan
  window: readonly Sent[]
  /** Leads that batches carried so far: what the plan counts in. */
  sent: number
  /** Leads up to here were sent by an earlier run; as they are only answered again, none of the allowance is needed. */
  repeatedTo: number
  /** Where a batch of an earlier run begins whose answer nobody saw: the service may have counted it a moment ago. */
  unsureAt?: number | undefined
  /** True once the service itself has told the rate. */
  told: boolean
}

/** A batch that is larger than the allowance fits at no time: the service can name no moment before the minute is over. */
const wholeMinuteMs = 59_000

export class LeadRate {
  readonly #memory: RateMemory
  readonly #window: LeadWindow
  #notBefore = 0
  #refusals = 0

  constructor(memory: RateMemory) {
    this.#memory = memory
    this.#window = new LeadWindow(memory.window)
  }

  /** New leads a minute, as was learned last; null while nobody knows. */
  get current(): number | null {
    return this.#memory.plan.at(-1)?.rate ?? null
  }

  /** A batch went and came back; as a replay where the service had answered it before. */
  answered(batch: Sent, isReplay: boolean): void {
    this.#refusals = 0
    const { sent, repeatedTo, unsureAt } = this.#memory
    // Beyond where an earlier run came, what is answered again is the batch itself, whose first answer was lost.
    if (isReplay && sent < repeatedTo && sent !== unsureAt) return
    // The service knows nothing of the earlier run any more, or that came no further.
    if (!isReplay) this.#memory.repeatedTo = Math.min(repeatedTo, sent)
    this.#window.add(batch)
    this.#memory.window = this.#window.sent
  }

  /** Milliseconds until so many may go. */
  waitMs(now: number, count: number): number {
    const { sent, repeatedTo } = this.#memory
    const rate = sent < repeatedTo ? null : this.current
    return Math.max(this.#notBefore - now, rate === null ? 0 : this.#window.waitMs(now, count, rate))
  }

  /** Learns from a refusal of so many leads; gives the rate where it told it. */
  refused({ left, answered, count }: Sent, retryAfterMs: number): number | undefined {
    this.#refusals++
    const isTold = this.#memory.told && this.current !== null
    const isTooLarge = count > 1 && retryAfterMs >= wholeMinuteMs && this.#window.isEmpty(answered)
    // Told once, it stands: later refusals come of others who use the same key. Unless nothing goes at all any more.
    if (isTooLarge && (!isTold || this.#refusals > 1)) {
      this.#goOn({ rate: null }, false)
      return undefined
    }
    this.#notBefore = answered + retryAfterMs
    const told = isTold ? undefined : this.#window.allowanceToldBy({ left, answered }, retryAfterMs)
    if (told !== undefined) this.#goOn({ rate: told }, true)
    return told
  }

  /** From the place reached on, the file is cut by another measure. */
  #goOn({ rate }: Pick<Stretch, 'rate'>, told: boolean): void {
    const { plan, sent } = this.#memory
    this.#memory.plan = [...plan.filter(({ from }) => from < sent), { from: sent, rate }]
    this.#memory.told = told
  }
}
