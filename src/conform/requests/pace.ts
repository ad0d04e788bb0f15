/** Keeps the requests of a run within a number per minute, and within what the deployment says is left. */
import type { SystemClock } from '../../client/system-clock.js'
import { TokenBucket } from '../../client/token-bucket.js'
import type { Stop } from '../stop.js'

const minuteMs = 60_000
/** Between counting a request and sending it. */
const marginMs = 100
const burstOf = (perMinute: number): number => Math.min(burstMax, Math.ceil(perMinute / 8))
/** Fewer than the 20 that a key may send at once (rule L2). */
const burstMax = 15

export interface PaceOptions {
  /** Null for no limit. */
  perMinute: number | null
  clock: SystemClock
  stop: Stop
  /** Called when a wait begins. */
  onWait: (ms: number, why: string) => void
}

export class Pace {
  readonly #options: PaceOptions
  #bucket: TokenBucket | null
  /** When each request of the last minute was sent. */
  #sent: number[] = []
  /** No request is sent before this time. */
  #notBefore = 0

  constructor(options: PaceOptions) {
    this.#options = options
    const { perMinute, clock } = options
    this.#bucket = perMinute === null ? null : new TokenBucket(burstOf(perMinute), clock.now())
  }

  /** Waits until the next request may be sent, and counts it. */
  async next(): Promise<void> {
    const { clock, perMinute } = this.#options
    const now = clock.now()
    let wait = Math.max(0, this.#notBefore - now)
    if (this.#bucket && perMinute !== null) {
      this.#sent = this.#sent.filter((at) => at > now - minuteMs)
      const oldest = this.#sent[this.#sent.length - perMinute]
      wait = Math.max(
        wait,
        this.#bucket.take(perMinute / minuteMs, now),
        oldest === undefined ? 0 : oldest + minuteMs + marginMs - now,
      )
    }
    if (wait > 0) await this.sleep(wait, 'the rate limit')
    this.#sent.push(clock.now())
  }

  /** Null for no limit. */
  get perMinute(): number | null {
    return this.#options.perMinute
  }

  /** Waits until the deployment allows a burst again, as far as this run's requests are the cause. */
  async rest(): Promise<void> {
    const { clock, perMinute } = this.#options
    const last = this.#sent.at(-1)
    if (perMinute === null || last === undefined) return
    const recent = this.#sent.filter((at) => at > clock.now() - minuteMs).length
    const refillMs = (Math.min(recent, 20) * minuteMs) / perMinute
    const wait = last + refillMs - clock.now()
    if (wait > 0) await this.sleep(wait, 'a full burst')
  }

  /** Counts requests that are sent outside the pace. They use up the burst. */
  drain(requests: number): void {
    const { clock, perMinute } = this.#options
    const now = clock.now()
    for (let i = 0; i < requests; i++) {
      this.#sent.push(now)
      if (this.#bucket && perMinute !== null) this.#bucket.take(perMinute / minuteMs, now)
    }
  }

  /** Waits, with the reason in the progress bar. */
  async sleep(ms: number, why: string): Promise<void> {
    const { clock, stop, onWait } = this.#options
    onWait(ms, why)
    await clock.sleep(ms, stop.signal)
  }

  /** Follows what a reply says about the limit: waits for the next minute when nothing is left. */
  follow(headers: Readonly<Record<string, string>>): void {
    const remaining = Number(headers['ratelimit-remaining'] ?? NaN)
    const resetSeconds = Number(headers['ratelimit-reset'] ?? NaN)
    if (remaining > 0 || Number.isNaN(remaining) || Number.isNaN(resetSeconds)) return
    this.#notBefore = this.#options.clock.now() + Math.min(resetSeconds * 1000, minuteMs)
  }
}
