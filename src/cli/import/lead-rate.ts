/**
 * Chooses the size of the next batch and the wait before it, from what the service accepted and refused (rule L3).
 *
 * Batches are full until the service refuses one with `lead_rate_limited`. The number of leads accepted before, and
 * the time until the refused batch is accepted (`Retry-After`), give the rate. From then on batches wait for their
 * time. The number of leads that fit into one window of the limit is found by bisection: first a batch that is known
 * to fit, then a smaller one that may fit. If that one is refused it waits for the next window, so the search costs
 * no time.
 */

/** What is known about the limit. Kept between two runs of one import. */
export interface RateMemory {
  /** Largest batch to send. Halved when a batch of this size never fits. */
  largest: number
  /** A batch of this size never fitted; null if unknown. */
  tooLarge: number | null
  /** Batches accepted since `largest` changed, and the number after which it doubles. */
  accepted: number
  doubleAfter: number
  /** Consecutive refusals of the next batch. */
  refusals: number
  /** Earliest time of the next batch. All times are milliseconds since the epoch. */
  notBefore: number
  /** When the first and the last batch of the current window were accepted. */
  windowStart: number
  lastAccepted: number
  /** Leads accepted in the current window. */
  taken: number
  /** Leads known to fit into a window; null before the first refusal. */
  fits: number | null
  /** Smallest number of leads known not to fit into a window; null if unknown. */
  tooMany: number | null
  windowMs: number
  /** True if the limit has no fixed windows. Batches then go at even intervals, `fits` leads per `windowMs`. */
  isEven: boolean
  /** Batches (if even) or windows accepted in a row. */
  clean: number
  /** Short waits inside the current window. */
  slips: number
  /** Consecutive refused searches with a wait shorter than the window. */
  hints: number
}

/** A halved size doubles after this number of accepted batches. Each further halving doubles the number. */
const doubleAfter = 4
/** After this number of accepted batches, even batches come a little earlier, because the limit may allow more. */
const hurryAfter = 8
const hurry = 0.97
/** After this number of windows without a refusal, the search may try more leads again. */
const searchAfter = 30
/** The search ends this close to the limit. */
const searchedShare = 0.04
/** This number of short waits in one window shows that the limit has no windows. */
const slipsInWindow = 6

/** `rate` is new leads per minute, if the user gave one. */
export function initialRate(most: number, rate: number | undefined): RateMemory {
  return {
    largest: Math.min(most, rate ?? most),
    tooLarge: null,
    accepted: 0,
    doubleAfter,
    refusals: 0,
    notBefore: 0,
    windowStart: 0,
    lastAccepted: 0,
    taken: 0,
    fits: rate ?? null,
    tooMany: rate === undefined ? null : rate + 1,
    windowMs: 60_000,
    isEven: false,
    clean: 0,
    slips: 0,
    hints: 0,
  }
}

export class LeadRate {
  readonly #memory: RateMemory
  readonly #most: number
  readonly #isStated: boolean

  /** The memory is updated in place. */
  constructor(memory: RateMemory, most: number, rate: number | undefined) {
    this.#memory = memory
    this.#most = Math.min(most, rate ?? most)
    this.#isStated = rate !== undefined
  }

  /** New leads per minute; null before the first refusal. */
  get perMinute(): number | null {
    const { fits, windowMs } = this.#memory
    return fits === null ? null : Math.max(1, Math.round((fits / windowMs) * 60_000))
  }

  /** Number of leads in the next batch. */
  size(now: number): number {
    const { largest, fits, taken, isEven } = this.#memory
    if (fits === null || isEven) return largest
    if (now >= this.#windowEnd || taken === 0) return Math.min(largest, fits)
    const room = taken < fits ? fits - taken : this.#probe()
    return Math.min(largest, room === 0 ? fits : room)
  }

  /** Milliseconds until a batch of this size may be sent. */
  waitMs(now: number, size: number): number {
    return Math.max(0, this.#memory.notBefore - now, this.#dueAt(now, size) - now)
  }

  accepted(now: number, size: number): void {
    const memory = this.#memory
    const isNewWindow = memory.isEven ? memory.refusals > 0 : now >= this.#windowEnd || memory.taken === 0
    if (isNewWindow) this.#beginWindow(now)
    // With even intervals, the rate is measured from the end of a wait, when nothing was left.
    if (!memory.isEven || !isNewWindow) memory.taken += size
    memory.lastAccepted = now
    memory.refusals = 0
    if (size >= (memory.tooLarge ?? Infinity)) memory.tooLarge = null
    if (memory.isEven) this.#hurry()
    else if (memory.fits !== null) memory.fits = Math.max(memory.fits, memory.taken)
    memory.accepted++
    if (memory.accepted < memory.doubleAfter || memory.largest >= this.#most) return
    memory.largest = Math.min(this.#most, memory.largest * 2)
    memory.accepted = 0
  }

  refused(now: number, size: number, retryAfterMs: number): void {
    const memory = this.#memory
    memory.refusals++
    memory.accepted = 0
    memory.clean = 0
    memory.notBefore = now + retryAfterMs
    // The batch waited as long as the service asked and was refused again, now or the last time it had this size.
    if (memory.refusals > 1 || size >= (memory.tooLarge ?? Infinity)) this.#halve(size)
    else if (memory.taken > 0 || memory.isEven) this.#learn(now, size, retryAfterMs)
  }

  #halve(size: number): void {
    const memory = this.#memory
    const largest = Math.max(1, Math.floor(size / 2))
    if (memory.tooLarge !== null && size >= memory.tooLarge) memory.doubleAfter *= 2
    Object.assign(memory, { largest, tooLarge: size, taken: 0, fits: null, tooMany: null, isEven: false })
  }

  #learn(now: number, size: number, retryAfterMs: number): void {
    const memory = this.#memory
    const { taken, fits, windowMs } = memory
    const length = memory.notBefore - memory.windowStart
    const tooMany = taken + size
    const isFirst = fits === null
    if (memory.isEven) Object.assign(memory, { fits: taken + size, windowMs: length })
    else if (!isFirst && now >= this.#windowEnd) memory.windowMs = length
    else if (!isFirst && taken >= fits) {
      memory.tooMany = tooMany
      memory.windowMs = length
      // Twice, a smaller batch had a shorter wait: the limit refills continuously and has no windows.
      memory.hints = length < 0.75 * windowMs ? memory.hints + 1 : 0
      memory.isEven = memory.hints > 1
    } else if (isFirst || retryAfterMs >= windowMs / 4)
      Object.assign(memory, { fits: taken, tooMany, windowMs: length })
    else this.#slip(retryAfterMs)
  }

  /** The service counts a little later than the client, so its window also ends later. */
  #slip(retryAfterMs: number): void {
    const memory = this.#memory
    memory.windowStart += retryAfterMs
    memory.isEven = ++memory.slips >= slipsInWindow
  }

  #beginWindow(now: number): void {
    const memory = this.#memory
    memory.windowStart = now
    memory.taken = 0
    memory.slips = 0
    if (memory.isEven) return
    memory.clean++
    if (memory.clean < searchAfter || this.#isStated) return
    memory.clean = 0
    memory.tooMany = null
  }

  #hurry(): void {
    const memory = this.#memory
    memory.clean++
    if (memory.clean > hurryAfter && !this.#isStated) memory.windowMs *= hurry
  }

  get #windowEnd(): number {
    return this.#memory.windowStart + this.#memory.windowMs
  }

  #dueAt(now: number, size: number): number {
    const { fits, taken, tooMany, isEven, windowMs, lastAccepted } = this.#memory
    if (fits === null) return now
    if (isEven) return lastAccepted + (size / fits) * windowMs
    if (taken === 0) return now
    return taken + size <= (tooMany ?? Infinity) - 1 ? now : this.#windowEnd
  }

  /** Leads that may still fit into a window that holds `fits` already; 0 if the number is known well enough. */
  #probe(): number {
    const { fits, tooMany } = this.#memory
    if (fits === null) return 0
    if (tooMany === null) return Math.ceil(fits / 8)
    const gap = tooMany - fits
    return gap <= Math.max(1, fits * searchedShare) ? 0 : Math.floor(gap / 2)
  }
}
