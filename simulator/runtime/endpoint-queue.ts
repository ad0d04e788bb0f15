/** Attempts to one endpoint while time is advanced: their order, and the simulated time of each start (rule W7). */
import { pauseAfterFailuresHours, webhookSimultaneous, webhookStartsPerSecond } from '../../src/contract/limits.js'
import { after, hours, later, seconds, type Instant } from '../kernel/instant.js'
import type { EndpointState, Settle } from './sender.js'
import type { Effect } from '../model/task.js'

export interface WaitingAttempt {
  effect: Effect
  due: Instant
  /** True if the attempt already waited for this simulated second, and its start is counted. */
  reserved: boolean
}

export interface RunningAttempt {
  effect: Effect
  /** Simulated time of its start. */
  at: Instant
  /** When it was sent, by the system clock. */
  since: number
  /** The first time at which its outcome can make another attempt due, by its own retry or by releasing another one. */
  retryAt: Instant | null
  /** Reordered deliveries that become due with its outcome. */
  behind: readonly number[]
  /** Resolves when the answer is there. */
  outcome: Promise<Settle>
  /** Records the answer, once it is there. */
  settle: Settle | null
}

export interface NextStart {
  attempt: WaitingAttempt
  at: Instant
  /** False if the world has not reached that time. The start is then reserved. */
  isReached: boolean
}

/** Answers that arrived before earlier ones are kept in memory, at most this number. */
const answersMost = 1_000

/** Orders by due time; for equal times reserved attempts first, in their order, then by delivery. */
function goesBefore(a: WaitingAttempt, b: WaitingAttempt): boolean {
  if (a.due !== b.due) return a.due < b.due
  if (a.reserved !== b.reserved) return a.reserved
  return !a.reserved && a.effect.delivery < b.effect.delivery
}

/**
 * The queue of one endpoint. The result is the same as if each attempt started only after the previous one was
 * settled. An attempt starts earlier only if no missing answer can change its order, its time or whether it is made.
 */
export class EndpointQueue {
  readonly #waiting: WaitingAttempt[] = []
  /** In the order of their starts, which is also the order in which they are settled. */
  readonly running: RunningAttempt[] = []

  /**
   * @param from no attempt starts before this time.
   * @param paced false removes the limit on starts per second.
   */
  constructor(
    readonly from: Instant,
    readonly paced: boolean,
  ) {}

  add(attempt: WaitingAttempt): void {
    let place = this.#waiting.length
    for (let last = this.#waiting[place - 1]; last && goesBefore(attempt, last); last = this.#waiting[place - 1])
      place--
    this.#waiting.splice(place, 0, attempt)
  }

  /** Removes the next attempt. */
  take(): void {
    this.#waiting.shift()
  }

  remove(attempt: WaitingAttempt): void {
    this.#waiting.splice(this.#waiting.indexOf(attempt), 1)
  }

  /** Moves waiting attempts of these deliveries to where they belong by their new due times. Returns what undoes it. */
  reorder(deliveries: readonly number[], dueOf: (effect: Effect) => Instant): () => void {
    const before = [...this.#waiting]
    for (const attempt of before.filter(({ effect }) => deliveries.includes(effect.delivery))) {
      this.remove(attempt)
      this.add({ ...attempt, due: dueOf(attempt.effect) })
    }
    return () => this.#waiting.splice(0, this.#waiting.length, ...before)
  }

  /** Puts back an attempt that was taken. */
  putBack(attempt: WaitingAttempt): void {
    this.#waiting.unshift(attempt)
  }

  get waiting(): readonly WaitingAttempt[] {
    return this.#waiting
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.running.length === 0
  }

  /**
   * The next start, or null if something unknown can come before it. `isReached` says whether all tasks up to a time
   * have run.
   */
  next({ failingSince, starts }: EndpointState, isReached: (at: Instant) => boolean): NextStart | null {
    const [attempt] = this.#waiting
    if (!attempt || this.#isFull) return null
    const due = later(attempt.due, this.from)
    if (!isReached(due)) return null
    const pausesFrom = this.pausesFrom(failingSince)
    for (const { at, retryAt } of this.running) {
      if (at >= pausesFrom || (retryAt !== null && retryAt <= due)) return null
    }
    const at = attempt.reserved || !this.paced ? due : earliestStart(due, starts)
    return { attempt, at, isReached: at === due || isReached(at) }
  }

  get #isFull(): boolean {
    const open = this.running.reduce((count, { settle }) => count + (settle ? 0 : 1), 0)
    return open >= webhookSimultaneous || this.running.length >= answersMost
  }

  /** The first time at which a missing answer could pause the endpoint (rule W8). */
  pausesFrom(failingSince: Instant | null): Instant {
    const first = this.running[0]?.at ?? later(this.#waiting[0]?.due ?? this.from, this.from)
    return after(failingSince ?? first, hours(pauseAfterFailuresHours))
  }
}

/** The first time at or after `due` when another start keeps within the limit per second. */
function earliestStart(due: Instant, starts: readonly Instant[]): Instant {
  const inOrder = later(due, starts.at(-1) ?? due)
  const tenthLast = starts.at(-webhookStartsPerSecond)
  return tenthLast === undefined ? inOrder : later(inOrder, after(tenthLast, seconds(1)))
}

/** Adds a start and drops those that no longer count. */
export const withStart = (starts: readonly Instant[], at: Instant): Instant[] =>
  [...starts, at].slice(-webhookStartsPerSecond)
