/** The way to one receiver: at most five tries under way, at most ten begun in any second, first come first served (specification, Limits). */
import { webhookSimultaneous, webhookStartsPerSecond } from '../../../src/contract/limits.js'
import type { SystemClock, Timer } from '../../kernel/system-clock.js'

/**
 * The second in which starts are counted, with some milliseconds more: two tries sent a second apart may well reach the
 * receiver a little less than that apart.
 */
const windowMs = 1_000 + 50

/** Does one try and calls `sent` as its request leaves; null when there was nothing to send. */
export type SendAttempt<T> = (sent: () => void) => Promise<T | null>

/** When a start's request left. It counts from then on, so that slow name servers cannot bunch requests together. */
interface Start {
  sentAt: number
}

type Timekeeper = Pick<SystemClock, 'monotonic' | 'after'>

interface Waiting {
  begin: () => Promise<void>
  giveUp: () => void
}

export class EndpointLimiter {
  readonly #machine: Timekeeper
  readonly #waiting: Waiting[] = []
  #starts: Start[] = []
  #underWay = 0
  #timer: Timer | null = null

  /** @param paced false lifts the limit of starts a second. */
  constructor(
    machine: Timekeeper,
    readonly paced = true,
  ) {
    this.#machine = machine
  }

  /** Runs the try when its turn comes. Null when it had nothing to send, or the lane was closed before its turn. */
  run<T>(attempt: SendAttempt<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        begin: () => this.#run(attempt).then(resolve, reject),
        giveUp: () => resolve(null),
      })
      this.#advance()
    })
  }

  /** True when forgetting the lane would change nothing. */
  get atRest(): boolean {
    this.#forgetOldStarts()
    return this.#underWay === 0 && this.#waiting.length === 0 && this.#starts.length === 0
  }

  /** Drops all that waits; attempts under way go on. */
  close(): void {
    this.#timer?.cancel()
    for (const { giveUp } of this.#waiting.splice(0)) giveUp()
  }

  /** Drops all that waits. The answer: how many more starts the limit of each second had room for. */
  recall(): number {
    this.close()
    this.#forgetOldStarts()
    return this.paced ? webhookStartsPerSecond - this.#starts.length : Infinity
  }

  /** Counts an attempt that is made elsewhere toward those under way. */
  hold(outcome: Promise<unknown>): void {
    this.#underWay += 1
    const over = () => {
      this.#underWay -= 1
      this.#advance()
    }
    outcome.then(over, over)
  }

  /** Begins what may begin now, and comes back when the next may: after a while, or when a try ends. */
  #advance(): void {
    this.#timer?.cancel()
    this.#timer = null
    while (this.#waiting.length > 0 && this.#underWay < webhookSimultaneous) {
      const waitMs = this.#untilNextStartMs()
      if (waitMs > 0) {
        if (waitMs < Infinity) this.#timer = this.#machine.after(waitMs, () => this.#advance())
        return
      }
      void this.#waiting.shift()?.begin()
    }
  }

  async #run<T>(attempt: SendAttempt<T>): Promise<T | null> {
    const start: Start = { sentAt: Infinity }
    const sent = () => {
      start.sentAt = Math.min(start.sentAt, this.#machine.monotonic())
      this.#advance()
    }
    this.#starts.push(start)
    this.#underWay += 1
    try {
      const result = await attempt(sent)
      if (result === null) this.#starts = this.#starts.filter((other) => other !== start)
      return result
    } finally {
      this.#underWay -= 1
      sent()
    }
  }

  #untilNextStartMs(): number {
    this.#forgetOldStarts()
    if (!this.paced || this.#starts.length < webhookStartsPerSecond) return 0
    const oldest = Math.min(...this.#starts.map(({ sentAt }) => sentAt))
    return oldest + windowMs - this.#machine.monotonic()
  }

  #forgetOldStarts(): void {
    const now = this.#machine.monotonic()
    this.#starts = this.#starts.filter(({ sentAt }) => now - sentAt < windowMs)
  }
}
