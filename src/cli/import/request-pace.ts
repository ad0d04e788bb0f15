/** Keeps the requests of a long run within the key's rate limit, so that none is refused (rule L2). */
import { TokenBucket } from '../../client/token-bucket.js'
import { requestBurst } from '../../contract/limits.js'

type Headers = Readonly<Record<string, string>>

/** Leaves part of the burst for other users of the key. */
const burst = requestBurst - 2

export class RequestPace {
  /** Undefined until an answer names the limit. */
  #limit: { bucket: TokenBucket; perMs: number } | undefined
  /** Time at which the service allows the next request. */
  #notBefore = 0

  /** Returns milliseconds to wait before the next request, and counts that request. */
  take(now: number): number {
    if (this.#limit === undefined) return 0
    const { bucket, perMs } = this.#limit
    return Math.ceil(Math.max(this.#notBefore - now, bucket.take(perMs, now)))
  }

  /** Updates the limits from response headers. A service without limits sends none. */
  heed(headers: Headers, now: number): void {
    const perMinute = Number(headers['ratelimit-limit'])
    if (!(perMinute > 0)) return
    this.#limit = { bucket: this.#limit?.bucket ?? new TokenBucket(burst, now), perMs: perMinute / 60_000 }
    const remaining = Number(headers['ratelimit-remaining'])
    const resetSeconds = Number(headers['ratelimit-reset'])
    if (remaining === 0 && resetSeconds > 0) this.#notBefore = now + resetSeconds * 1000
  }
}
