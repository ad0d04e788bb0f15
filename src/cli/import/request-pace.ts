/** Keeps the requests of a long run within the key's rate limit, so that none is refused (rule L2). */
import { requestBurst } from '../../contract/limits.js'

type Headers = Readonly<Record<string, string>>

/** Leaves part of the burst for other users of the key. */
const burst = requestBurst - 2

export class RequestPace {
  #perMinute: number | undefined
  #tokens = burst
  #tokensAt = 0
  /** Time at which the service allows the next request. */
  #notBefore = 0

  /** Returns milliseconds to wait before the next request, and counts that request. */
  take(now: number): number {
    const { perMs } = this
    if (perMs === undefined) return 0
    this.#tokens = Math.min(burst, this.#tokens + (now - this.#tokensAt) * perMs)
    this.#tokensAt = now
    const wait = Math.max(this.#notBefore - now, this.#tokens < 1 ? (1 - this.#tokens) / perMs : 0, 0)
    this.#tokens--
    return Math.ceil(wait)
  }

  /** Updates the limits from response headers. A service without limits sends none. */
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
