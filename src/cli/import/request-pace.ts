/** Keeps the requests of a long run within what a key may ask a minute, so that none is refused (specification, Limits). */
import { requestBurst } from '../../contract/limits.js'

type Headers = Readonly<Record<string, string>>

/** Some of the burst is left for what the same key does elsewhere. */
const burst = requestBurst - 2

export class RequestPace {
  #perMinute: number | undefined
  #tokens = burst
  #tokensAt = 0
  /** The service has no request left before this. */
  #notBefore = 0

  /** Milliseconds to wait before the next request; it is counted as made then. */
  take(now: number): number {
    const { perMs } = this
    if (perMs === undefined) return 0
    this.#tokens = Math.min(burst, this.#tokens + (now - this.#tokensAt) * perMs)
    this.#tokensAt = now
    const wait = Math.max(this.#notBefore - now, this.#tokens < 1 ? (1 - this.#tokens) / perMs : 0, 0)
    this.#tokens--
    return Math.ceil(wait)
  }

  /** Learns from the headers of an answer. A service without limits has none of them. */
  heed(headers: Headers, now: number): void {
    const limit = Number(headers['ratelimit-limit'])
    if (!(limit > 0)) return
    if (this.#perMinute === undefined) this.#tokensAt = now
    this.#perMinute = limit
    const remaining = Number(headers['ratelimit-remaining'])
    const resetSeconds = Number(headers['ratelimit-reset'])
    if (remaining === 0 && resetSeconds > 0) this.#notBefore = now + resetSeconds * 1000
  }

  get perMs(): number | undefined {
    return this.#perMinute === undefined ? undefined : this.#perMinute / 60_000
  }
}
