/** The leads sent in the last minute, which the service counts too: how many more fit, and when (specification, Limits). */

export interface Sent {
  /** When the request left: the service cannot have counted it sooner. */
  left: number
  /** When the answer came: the service cannot have counted it later. Both in milliseconds since the epoch. */
  answered: number
  count: number
}

const minuteMs = 60_000
/** Clocks count whole milliseconds, and a timer may ring a little early. */
const marginMs = 20
/** Batches closer to each other than this are remembered as one. */
const grainMs = 100

export class LeadWindow {
  #sent: Sent[]

  constructor(sent: readonly Sent[] = []) {
    this.#sent = [...sent]
  }

  get sent(): readonly Sent[] {
    return this.#sent
  }

  isEmpty(now: number): boolean {
    return this.#sent.every(({ answered }) => answered + minuteMs + marginMs <= now)
  }

  add(entry: Sent): void {
    this.#sent = this.#sent.filter(({ answered }) => answered + minuteMs + marginMs > entry.left)
    const last = this.#sent.at(-1)
    if (last === undefined || entry.answered - last.left > grainMs) this.#sent.push(entry)
    else this.#sent.splice(-1, 1, { left: last.left, answered: entry.answered, count: last.count + entry.count })
  }

  /** Milliseconds from `now` until so many more fit a minute's allowance; more than fit at all wait until nothing is left. */
  waitMs(now: number, count: number, rate: number): number {
    let excess = this.#count(({ answered }) => answered + minuteMs + marginMs > now) + count - rate
    for (const { answered, count: freed } of this.#sent) {
      if (answered + minuteMs + marginMs <= now) continue
      if (excess <= 0) return 0
      excess -= freed
      if (excess <= 0) return answered + minuteMs + marginMs - now
    }
    const last = this.#sent.at(-1)
    return excess <= 0 || last === undefined ? 0 : Math.max(0, last.answered + minuteMs + marginMs - now)
  }

  /**
   * The allowance that a refusal tells which says to wait so long: what was taken in the minute before it. `left` and
   * `answered` are when its request went and came back. Undefined where what was sent from here does not explain it:
   * others use the key too, or the batch alone is too large.
   */
  allowanceToldBy({ left, answered }: Omit<Sent, 'count'>, retryAfterMs: number): number | undefined {
    const oldest = this.#sent.find((one) => one.answered > left - minuteMs)
    // Nothing older than our own oldest has to be waited for.
    if (oldest === undefined || retryAfterMs < oldest.left + minuteMs - answered) return undefined
    return this.#count((one) => one.left > answered - minuteMs) || undefined
  }

  #count(of: (sent: Sent) => boolean): number {
    return this.#sent.reduce((sum, one) => sum + (of(one) ? one.count : 0), 0)
  }
}
