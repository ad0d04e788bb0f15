/** What the engine asks of the part that sends webhooks: attempts of time that passes by itself, and attempts of pushed time. */
import type { Instant } from '../kernel/instant.js'
import type { Effect } from '../model/effect.js'
import type { TakenFault, WebhookFault } from '../webhooks/webhook-faults.js'

/** Writes down an outcome, as a part of a step. */
export type Settle = () => void

/** What an attempt that waits for its turn asks before it starts. */
export interface Turn {
  /** False when its world was replaced or the engine stopped. */
  isWanted: () => boolean
  now: () => Instant
}

export interface LiveAttempt {
  outcome: Promise<Settle>
  /** When it started; null while it waits for its turn. */
  began: () => Instant | null
}

export interface EndpointState {
  failingSince: Instant | null
  /** The last starts of pushed time, reserved ones included, oldest first. */
  starts: readonly Instant[]
}

export interface Sender {
  /** Makes an attempt when its endpoint's limits allow it, measured by the system clock. */
  live(effect: Effect, turn: Turn): LiveAttempt
  /** Drops all attempts that wait for their turn. The answer: how many more each endpoint might have started at once. */
  recall(): ReadonlyMap<number, number>
  /** Counts an attempt that is under way toward what `live` allows at one time. */
  hold(effect: Effect, outcome: Promise<unknown>): void
  /** Puts attempts that wait in the store back on the agenda; only inside a step. */
  releaseStored(): void
  /** Whether `releaseStored` would do anything. */
  hasStored(): boolean

  /** When an attempt fell due, and whether that is a start that was reserved for it. */
  dueOf(effect: Effect): { due: Instant; reserved: boolean }
  /** Null when the endpoint is gone. */
  endpoint(effect: Effect): EndpointState | null
  /** Keeps the last starts; only inside a step. */
  keepStarts(effect: Effect, starts: readonly Instant[]): void
  /** Reserves a later start; only inside a step. */
  reserve(effect: Effect, at: Instant): void
  /** The first time at which its outcome can make an attempt of its endpoint due, if it starts at `at`; null when it cannot. */
  retryAt(effect: Effect, at: Instant): Instant | null
  /** Whether there is nothing to send any more, at that time. */
  isOff(effect: Effect, at: Instant): boolean
  /** Takes the injected fault that meets an attempt about to start, if any. */
  takeFault(effect: Effect): TakenFault | null
  /** Puts off an attempt that would start at that time; only inside a step. */
  postpone(effect: Effect, fault: WebhookFault, at: Instant): void
  /** Prepares an attempt that starts at that time; the answer sends it. */
  prepare(effect: Effect, at: Instant, fault: WebhookFault | null): () => Promise<Settle>
  /** Writes down that there was nothing to send; only inside a step. */
  skip(effect: Effect): void
}
