/** What a plan takes for granted. It is printed with every result. */
import type { CallingHours } from '../../../phone/windows.js'
import { answerRate, answers, meanTalk, type CallMix } from '../../../plan/call-mix.js'

export interface Assumptions {
  start: string
  time_zone: string
  /** Null without a campaign: default settings. */
  campaign: { id: string; name: string } | null
  /** Null if it calls at any hour. */
  calling_hours: CallingHours | null
  max_attempts: number
  spend_cap_usd: number | null
  spent_usd: number
  rate_usd_per_minute: number | null
  /** Where the rate comes from; null if it is unknown. */
  rate_from: string | null
  /** Percent of first calls by answer. */
  mix: Record<string, number>
  /** Percent of calls that a person answers, by attempt. One entry if every attempt is the same. */
  answered_by_attempt: number[]
  /** Where the mix comes from. */
  mix_from: 'defaults' | 'flags' | 'calibration'
  /** Mean talk with a person. */
  talk_seconds: number
  seeds: number[]
  /** The simulation ends here. */
  until: string
  notes: string[]
}

const roundTo = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

export function describeMix(mix: CallMix): Pick<Assumptions, 'mix' | 'answered_by_attempt' | 'talk_seconds'> {
  const first = mix.answers[0]!
  const total = answers.reduce((sum, answer) => sum + first[answer], 0)
  return {
    mix: Object.fromEntries(answers.map((answer) => [answer, roundTo((100 * first[answer]) / total, 1)])),
    answered_by_attempt: mix.answers.map((weights) => roundTo(100 * answerRate(weights), 1)),
    talk_seconds: roundTo(meanTalk(mix), 0),
  }
}
