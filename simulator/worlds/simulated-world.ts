/** Types of worlds and their time in the public API. Only contracts are imported here: what they import is published too. */
import type { CampaignInWorld } from '../../src/contract/control/campaigns.js'
import type { Key } from '../../src/contract/control/keys.js'
import type { WorldFileInput } from '../../src/contract/control/world-file.js'
import type { Event, EventType } from '../../src/contract/events.js'
import type { LeadStatus } from '../../src/contract/leads.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'

/** Reads and moves simulated time. */
export interface TimeControls {
  /** The simulated time as ISO 8601. */
  now(): string
  /**
   * Advances time by a duration such as `4m` or `24h`, by a number of seconds, or to a date-time. Returns the number of
   * events.
   */
  advance(by: string | number): Promise<number>
  /**
   * Advances time until the condition holds: a new event, a lead's status, its last outcome, or all that are given.
   * Time stops after the task that meets the condition, at the latest after `within` (default 31d).
   */
  advanceUntil(until: Until, within?: string | number): Promise<Reached>
}

/** The stop condition of `advanceUntil`. Every given part must hold. */
export interface Until {
  /** An event type or a glob such as `call.*`. Only events after the start of the advance count. */
  event?: EventType | (string & {})
  /** The lead to watch. Default: any lead. */
  lead_id?: string
  status?: LeadStatus
  outcome?: Outcome
}

/** The result of `advanceUntil`. */
export interface Reached {
  /** False if the time was over first. */
  reached: boolean
  /** The simulated time as ISO 8601. */
  now: string
  /** How many events happened during the advance. */
  events: number
  /** The event that met the condition, as the service sends it. */
  event?: Event
}

export interface WorldOptions {
  /** For people. It need not be unique. */
  name?: string
  /** What it begins with: `start` (default), the id of a world to fork, or a snapshot of the main world. */
  from?: 'start' | (string & {}) | { snapshot: string }
  /** In a fork, existing ids stay, and later call outcomes follow from it. */
  seed?: number
  /** Start time as ISO 8601. Not for a fork, which keeps that of its source. */
  now?: string
  /** Content of a world file. */
  world?: WorldFileInput
  /** Default: true. Time then moves only by advances. */
  paused?: boolean
  speed?: number
  /** Whether the webhook endpoints of a fork are paused (default) or stay as they are. */
  endpoints?: 'pause' | 'keep'
  /** Seconds without a request after which the world is deleted; null for never. Default: 600. */
  idleTtlSeconds?: number | null
}

/** An isolated world. `await using` deletes it at the end of its block. */
export interface SimulatedWorld extends TimeControls {
  readonly id: string
  readonly name: string | null
  /** The address without the path of the API. */
  readonly url: string
  /** Base URL of its API. */
  readonly baseUrl: string
  /** Address of its control plane. */
  readonly controlUrl: string
  /** API keys with their secrets, as they were at its beginning. */
  readonly keys: readonly Key[]
  readonly campaigns: readonly CampaignInWorld[]
  /** Creates a copy of the world as it is now. */
  fork(options?: Omit<WorldOptions, 'from' | 'now' | 'world'>): Promise<SimulatedWorld>
  /** Deletes the world. Its requests and streams end. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
