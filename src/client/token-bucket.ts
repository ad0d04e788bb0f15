/** A token bucket: spaces the requests of a long run, so that they keep within a rate limit. */

export class TokenBucket {
  readonly #burst: number
  #tokens: number
  #at: number

  /** Starts full. `burst` is the number of requests allowed at once after a pause. */
  constructor(burst: number, now: number) {
    this.#burst = burst
    this.#tokens = burst
    this.#at = now
  }

  /** Takes a token. Returns the milliseconds to wait before its request may be sent. `perMs` is the sustained rate. */
  take(perMs: number, now: number): number {
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#at) * perMs) - 1
    this.#at = now
    return Math.max(0, -this.#tokens / perMs)
  }
}
