/** Limits the attempts to one endpoint: at most 5 at a time and 10 starts per second, first in, first out (rule W7). */
import { webhookSimultaneous, webhookStartsPerSecond } from '../../../src/contract/limits.js'
import type { SystemClock, Timer } from '../../kernel/system-clock.js'

/**
 * The window in which starts are counted: one second and a margin, because two requests sent a second apart may arrive
 * slightly closer together.
 */
const windowMs = 1_000 + 50

/** Makes one attempt and calls `sent` when the request leaves. Resolves to null if there was nothing to send. */
export type SendAttempt<T> = (sent: () => void) => Promise<T | null>

/** When the request left. The limit counts from then, so that slow name servers cannot bunch requests together. */
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

  /** With `paced` false, starts per second are not limited. */
  constructor(
    machine: Timekeeper,
    readonly paced = true,
  ) {
    this.#machine = machine
  }

  /**
   * Runs an attempt in its turn. Resolves to null if there was nothing to send, or if the limiter was closed before.
   */
  run<T>(attempt: SendAttempt<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        begin: () => this.#run(attempt).then(resolve, reject),
        giveUp: () => resolve(null),
      })
      this.#advance()
    })
  }

  /** Whether the limiter can be dropped without effect. */
  get atRest(): boolean {
    this.#forgetOldStarts()
    return this.#underWay === 0 && this.#waiting.length === 0 && this.#starts.length === 0
  }

  /** Drops waiting attempts. Attempts under way continue. */
  close(): void {
    this.#timer?.cancel()
    for (const { giveUp } of this.#waiting.splice(0)) giveUp()
  }

  /** Drops waiting attempts. Returns how many more could have started within this second. */
  recall(): number {
    this.close()
    this.#forgetOldStarts()
    return this.paced ? webhookStartsPerSecond - this.#starts.length : Infinity
  }

  /** Counts an attempt made elsewhere toward the attempts under way. */
  hold(outcome: Promise<unknown>): void {
    this.#underWay += 1
    const over = () => {
      this.#underWay -= 1
      this.#advance()
    }
    outcome.then(over, over)
  }

  /** Starts the attempts that may start now. Runs again after a delay or when an attempt ends. */
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
