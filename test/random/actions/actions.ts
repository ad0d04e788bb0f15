/**
 * The actions of a random run as plain data. A lead, key or number is chosen by a number that is resolved when the
 * action is done.
 */
import fc from 'fast-check'
import type { CampaignSettings } from '../../../src/contract/control/campaigns.js'
import { outcomes } from '../../../src/contract/enums.js'
import { callable, refused, reserved } from '../model/numbers.js'
import { campaignChanges } from './setting.js'

/** Chooses an object by index, modulo the number of objects. */
type Which = number

export interface ScriptedCall {
  answer: 'person' | 'voicemail' | 'no_answer' | 'busy' | 'failed'
  ring_seconds?: number
  talk_seconds?: number
  outcome?: (typeof outcomes)[number]
  interested_after_seconds?: number
  handover?: { role: 'sdr' | 'closer'; accept_after_seconds?: number } | null
  dnc_by?: 'ai' | 'outcome'
  /** Counted from when the script is set. */
  callback_in_minutes?: number
}

/** A lead to send. `external_id` has few values, so that leads collide. */
export interface LeadWords {
  phone: string
  call_now?: boolean
  external?: number
  consent: boolean
}

export type FaultWords = { latency_ms?: number; status?: number; drop?: boolean; after_commit?: boolean }

export type Action =
  | { do: 'add'; key: Which; campaign: Which; lead: LeadWords; rehearsed: boolean; byPath: boolean }
  /** Sends an existing lead again: by its external id or its number, perhaps with another number. */
  | { do: 'addAgain'; key: Which; lead: Which; phone?: string; call_now?: boolean }
  | { do: 'addMany'; key: Which; campaign: Which; leads: LeadWords[] }
  /** Adds more leads than a test key can have sample calls, to a campaign with enough lines for all. */
  | { do: 'addCrowd'; key: Which; campaign: Which }
  | { do: 'addThroughFault'; key: Which; campaign: Which; lead: LeadWords; fault: FaultWords }
  | { do: 'load'; campaign: Which; live: boolean; leads: LeadWords[] }
  | { do: 'call'; key: Which; lead: Which }
  | { do: 'optOut'; key: Which; lead: Which }
  | { do: 'list'; key: Which; phone: string }
  | { do: 'listMany'; organization: Which; live: boolean; phones: string[]; source: 'api' | 'manual' | 'bulk' }
  | { do: 'unlist'; key: Which; entry: Which }
  | { do: 'text'; organization: Which; live: boolean; phone: string; body: string }
  | { do: 'ring'; campaign: Which; live: boolean; phone: string; outcome?: (typeof outcomes)[number] }
  | { do: 'change'; campaign: Which; changes: CampaignSettings }
  | { do: 'startOrPause'; key: Which; campaign: Which; to: 'start' | 'pause' }
  | { do: 'takeOut'; lead: Which }
  | { do: 'putBack'; lead: Which }
  | { do: 'dialAt'; lead: Which; inMinutes: number }
  | { do: 'patch'; key: Which; lead: Which; patch: { name?: string; call_now?: false } }
  | { do: 'correct'; call: Which; outcome?: (typeof outcomes)[number]; note?: string }
  | { do: 'script'; organization: Which; live: boolean; phone: string; calls: ScriptedCall[] }
  | { do: 'pass'; seconds: number }
  /** Advances to the next appointment, or to a millisecond before or after it. */
  | { do: 'passToNext'; ms: -1 | 0 | 1 }
  | { do: 'restart' }
  | { do: 'crash' }
  | { do: 'save' }
  | { do: 'restore' }

export type Deed = Action['do']
export type Doing<D extends Deed> = Extract<Action, { do: D }>

const which: fc.Arbitrary<number> = fc.nat({ max: 999 })
const live = fc.constantFrom(true, true, true, false)
const outcome = fc.constantFrom(...outcomes)
/** The first few numbers are used by every campaign. Some cannot be called at all. */
const phone = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...callable.slice(0, 11)) },
  { weight: 60, arbitrary: fc.constantFrom(...callable) },
  { weight: 5, arbitrary: fc.constantFrom(...reserved) },
  { weight: 2, arbitrary: fc.constantFrom(...Object.keys(refused)) },
)
const optional = { requiredKeys: [] as never[] }

const lead: fc.Arbitrary<LeadWords> = fc
  .record({
    phone,
    consent: fc.constantFrom(true, true, true, false),
    rest: fc.record({ call_now: fc.boolean(), external: fc.nat({ max: 60 }) }, optional),
  })
  .map(({ rest, ...words }) => ({ ...words, ...rest }))

const seconds = fc.constantFrom(0, 0, 1, 5, 30, 60, 61, 600, 600, 0.25)
const scriptedCall: fc.Arbitrary<ScriptedCall> = fc
  .record({
    answer: fc.constantFrom('person', 'person', 'person', 'voicemail', 'no_answer', 'busy', 'failed', 'failed'),
    rest: fc.record(
      {
        ring_seconds: seconds,
        talk_seconds: fc.oneof(seconds, fc.constantFrom(1_800, 7_200, 7_200)),
        outcome,
        interested_after_seconds: seconds,
        handover: fc.constantFrom(null, { role: 'sdr' as const }, { role: 'closer' as const, accept_after_seconds: 1 }),
        dnc_by: fc.constantFrom('ai', 'outcome'),
        callback_in_minutes: fc.constantFrom(-5, 1, 30, 600, 1_500, 4_000),
      },
      optional,
    ),
  })
  .map(({ answer, rest }) => ({ answer, ...rest }))

const doing = <D extends Deed>(
  deed: D,
  weight: number,
  words: { [K in Exclude<keyof Doing<D>, 'do'>]: fc.Arbitrary<Doing<D>[K]> },
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(deed), ...words }) as unknown as fc.Arbitrary<Action>,
})

const fault: fc.Arbitrary<FaultWords> = fc.oneof(
  fc.record({ latency_ms: fc.constantFrom(1, 5) }),
  fc.record({ status: fc.constantFrom(500, 503, 429, 409), after_commit: fc.boolean() }),
  fc.record({ drop: fc.constant(true), after_commit: fc.boolean() }),
)
const leads = fc.array(lead, { minLength: 0, maxLength: 30, size: 'max' })
/** One refused lead refuses the whole load. */
const loaded = fc.uniqueArray(
  fc.record({ phone: fc.constantFrom(...callable), consent: fc.boolean(), call_now: fc.boolean() }),
  { maxLength: 30, size: 'max', selector: (one) => one.phone },
)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined }) as fc.Arbitrary<T>

/** Actions inside the simulated world. Actions on the simulator itself are in `upheavals`. */
const deeds = [
  doing('add', 16, { key: which, campaign: which, lead, rehearsed: fc.boolean(), byPath: fc.boolean() }),
  doing('addAgain', 8, { key: which, lead: which, phone: maybe(phone), call_now: maybe(fc.boolean()) }),
  doing('addMany', 6, { key: which, campaign: which, leads }),
  doing('addCrowd', 1, { key: which, campaign: which }),
  doing('addThroughFault', 2, { key: which, campaign: which, lead, fault }),
  doing('load', 6, { campaign: which, live, leads: loaded }),
  doing('call', 8, { key: which, lead: which }),
  doing('optOut', 5, { key: which, lead: which }),
  doing('list', 2, { key: which, phone }),
  doing('listMany', 1, {
    organization: which,
    live,
    phones: fc.array(phone, { maxLength: 3 }),
    source: fc.constantFrom('api', 'manual', 'bulk'),
  }),
  doing('unlist', 8, { key: which, entry: which }),
  doing('text', 1, { organization: which, live, phone, body: fc.constantFrom('STOP', 'stop!', 'hello') }),
  doing('ring', 5, { campaign: which, live, phone, outcome: maybe(outcome) }),
  doing('change', 7, { campaign: which, changes: campaignChanges }),
  doing('startOrPause', 5, { key: which, campaign: which, to: fc.constantFrom('start', 'start', 'pause') }),
  doing('takeOut', 3, { lead: which }),
  doing('putBack', 7, { lead: which }),
  doing('dialAt', 4, { lead: which, inMinutes: fc.constantFrom(-10, 0, 1, 45, 700, 3_000) }),
  doing('patch', 2, { key: which, lead: which, patch: fc.constantFrom({ call_now: false }, { name: 'Ann' }) }),
  doing('correct', 6, { call: which, outcome: maybe(outcome), note: maybe(fc.constantFrom('a', 'b')) }),
  doing('script', 10, {
    organization: which,
    live,
    phone,
    calls: fc.array(scriptedCall, { minLength: 1, maxLength: 3 }),
  }),
  doing('pass', 20, { seconds: fc.constantFrom(1, 5, 7, 30, 59, 60, 61, 120, 300, 900) }),
  doing('pass', 7, { seconds: fc.constantFrom(3_600, 7_200, 21_600, 50_000, 86_400, 200_000) }),
  doing('passToNext', 14, { ms: fc.constantFrom(-1, 0, 0, 1) }),
]

const upheavals = [doing('restart', 1, {}), doing('crash', 1, {}), doing('save', 1, {}), doing('restore', 1, {})]

export const action: fc.Arbitrary<Action> = fc.oneof(...deeds, ...upheavals)
/** Without actions on the simulator itself. */
export const worldlyAction: fc.Arbitrary<Action> = fc.oneof(...deeds)
