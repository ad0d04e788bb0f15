/** What a planned world is made of and what it tells: the messages between a plan and its worker threads. */
import type { HeldReason } from '../contract/leads.js'
import type { CallingHours } from '../phone/windows.js'
import type { CallMix } from './call-mix.js'

/** The settings that every world of a plan begins with. */
export interface PlanSettings {
  /** When time begins, in milliseconds. */
  start: number
  /** The organization's time zone. */
  time_zone: string
  /** Null if the rate is unknown: then nothing costs anything, and no spend cap is reached. */
  rate_usd_per_minute: number | null
  campaign: PlannedCampaign
  /** Numbers on the Do Not Call list. */
  listed: readonly string[]
  mix: CallMix
}

export interface PlannedCampaign {
  calling_hours: CallingHours
  any_hour: boolean
  max_attempts: number
  retire_after_failures: number
  spend_cap_usd: number | null
  spent_usd: number
}

export interface PlannedLead {
  phone: string
  external_id?: string | undefined
  /** When it arrives, in milliseconds. Default: at the start. */
  at?: number | undefined
}

/** Why a lead is never called: its number cannot be used, or its time zones and the campaign share no hour. */
export const unreachableReasons = [
  'invalid_phone',
  'premium',
  'international',
  'on_dnc_list',
  'duplicate_lead',
  'no_common_hour',
] as const
export type UnreachableReason = (typeof unreachableReasons)[number]

export interface LoadedLeads {
  /** Leads that can be called. */
  callable: number
  /** By position in the list of leads. */
  unreachable: readonly { at: number; reason: UnreachableReason }[]
}

/** One run of a planned world. */
export interface WorldRun {
  lines: number
  seed: number
  /** Settings of the campaign that differ in this run. */
  changes?: Partial<PlannedCampaign> | undefined
  /** The latest end, in milliseconds. */
  until: number
  /** The moment at which unfinished leads are counted. */
  deadline?: number | null
}

export interface WorldResult {
  /** When the last lead was finished; null if that did not happen before `until`. */
  finished: number | null
  /** Leads that were not finished, and why if their campaign was held at the end. */
  unfinished: number
  held: HeldReason | null
  /** Leads that were not finished at the deadline, or at the end of a run that ended before it. */
  late: number
  /** Leads that a person answered for, and leads whose last outcome is `interested`. */
  reached: number
  interested: number
  calls: number
  /** Calls that a person answered. */
  connected: number
  minutes: number
  /** Time during which every line was busy, and the time of all calls added up, in milliseconds. */
  allBusyMs: number
  lineMs: number
  /** Ended calls, those that a person answered, and minutes, by hour since 1970. */
  hours: readonly (readonly [hour: number, calls: number, connected: number, minutes: number])[]
}

/** Asks a worker thread. A thread answers in the order of its questions. */
export type WorkerQuestion =
  | { kind: 'load'; settings: PlanSettings; leads: readonly PlannedLead[] }
  | { kind: 'open'; settings: PlanSettings; image: Uint8Array; leads: readonly PlannedLead[] }
  | { kind: 'run'; run: WorldRun }

export type WorkerAnswer =
  | { kind: 'loaded'; image: Uint8Array; loaded: LoadedLeads }
  | { kind: 'opened' }
  | { kind: 'ran'; result: WorldResult }
  | { kind: 'failed'; message: string }

/** What answers the questions of a plan: the simulator, loaded by the name of its file. */
export interface WorldAnswerer {
  /** Never rejects: a failure is an answer. */
  answer(question: WorkerQuestion): Promise<WorkerAnswer>
}
