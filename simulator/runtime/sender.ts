/**
 * The interface between the engine and the part that sends webhooks. An attempt is either live (simulated time passes
 * by itself) or pushed (time is being advanced).
 */
import type { Instant } from '../kernel/instant.js'
import type { Effect } from '../model/task.js'
import type { TakenFault, WebhookFault } from '../webhooks/webhook-faults.js'

/** Records an outcome as part of a step. */
export type Settle = () => void

/** What a waiting attempt checks before it starts. */
export interface Turn {
  /** False if its world was replaced or the engine stopped. */
  isWanted: () => boolean
  /** Simulated time. */
  now: () => Instant
}

export interface LiveAttempt {
  outcome: Promise<Settle>
  /** When it started; null while it waits for its turn. */
  began: () => Instant | null
}

export interface EndpointState {
  failingSince: Instant | null
  /** Recent starts in pushed time, including reserved ones, oldest first. */
  starts: readonly Instant[]
}

export interface Sender {
  /** Makes an attempt as soon as its endpoint's limits allow it, in system time. */
  live(effect: Effect, turn: Turn): LiveAttempt
  /** Drops all waiting attempts. Returns for each endpoint how many more it could have started at once. */
  recall(): ReadonlyMap<number, number>
  /** Counts a running attempt toward the limit of simultaneous attempts in `live`. */
  hold(effect: Effect, outcome: Promise<unknown>): void
  /** Puts attempts that wait in the store back on the agenda. Only inside a step. */
  releaseStored(): void
  /** Whether `releaseStored` would do anything. */
  hasStored(): boolean

  /** When an attempt became due, and whether a start was reserved for it at that time. */
  dueOf(effect: Effect): { due: Instant; reserved: boolean }
  /** Null if the endpoint was deleted. */
  endpoint(effect: Effect): EndpointState | null
  /** Stores the recent starts. Only inside a step. */
  keepStarts(effect: Effect, starts: readonly Instant[]): void
  /** Reserves a later start. Only inside a step. */
  reserve(effect: Effect, at: Instant): void
  /**
   * If the attempt starts at `at`: the first time at which its outcome can make an attempt of its endpoint due; null
   * if it cannot.
   */
  retryAt(effect: Effect, at: Instant): Instant | null
  /** Reordered deliveries that become due with the outcome of an attempt that starts now. */
  reorderedBehind(effect: Effect): readonly number[]
  /** Whether there is nothing left to send at that time. */
  isOff(effect: Effect, at: Instant): boolean
  /** Takes the injected fault that matches an attempt about to start, if there is one. */
  takeFault(effect: Effect): TakenFault | null
  /** Postpones an attempt that would start at that time. Only inside a step. */
  postpone(effect: Effect, fault: WebhookFault, at: Instant): void
  /** Prepares an attempt that starts at that time. Call the result to send it. */
  prepare(effect: Effect, at: Instant, fault: WebhookFault | null): () => Promise<Settle>
  /** Records that there was nothing to send. Only inside a step. */
  skip(effect: Effect): void
}
