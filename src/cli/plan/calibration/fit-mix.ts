/** Fits a call mix to calls that were made. Few calls are pulled toward what many calls say. */
import type { Outcome } from '../../../contract/base/outcomes.js'
import {
  answers,
  usualMix,
  type Answer,
  type AnswerWeights,
  type CallMix,
  type Lengths,
} from '../../../plan/call-mix.js'
import { fitRates, type Group } from './fit-rates.js'

/** An ended call, with what a fit needs of it. */
export interface MadeCall {
  /** Counted from 1. */
  attempt: number
  /** Hour of the day in the time zone of the lead. */
  hour: number
  answer: Answer
  outcome: Outcome
  ringSeconds: number
  talkSeconds: number
}

/** Later attempts are counted as this one. */
const attemptsMax = 8
/** Fewer calls than this are joined with others, or the usual lengths are used. */
const enoughForLengths = 20
const quantiles = 10
/** The calls of an hour weigh against this many average calls. */
const hourPrior = 100
const oddsLimits = [0.25, 4] as const
const hoursOfDay = 24

/** Throws a RangeError if there are no calls. */
export function fitMix(calls: readonly MadeCall[]): CallMix {
  if (calls.length === 0) throw new RangeError('there are no calls to fit')
  const rates = fitRates(groupsOf(calls))
  const oddsByHour = fitHours(calls, rates)
  const level = oddsByHour.length === 0 ? rates : levelRates(calls, rates, oddsByHour)
  const missed = shareOf(calls.filter(({ answer }) => answer !== 'answered').map(({ answer }) => answer))
  return {
    answers: level.map((rate) => weightsOf(rate, missed)),
    oddsByHour,
    outcomes: outcomesOf(calls),
    ring: ringOf(calls),
    ...talkOf(calls),
  }
}

/** Answered calls by attempt. */
export function groupsOf(calls: readonly Pick<MadeCall, 'attempt' | 'answer'>[]): Group[] {
  const groups: Group[] = []
  for (const { attempt, answer } of calls) {
    const at = Math.min(attempt, attemptsMax) - 1
    while (groups.length <= at) groups.push({ calls: 0, answered: 0 })
    const group = groups[at]!
    group.calls++
    if (answer === 'answered') group.answered++
  }
  return groups
}

/** A factor on the odds for each hour; empty if the hours differ no more than chance explains. */
function fitHours(calls: readonly MadeCall[], rates: readonly number[]): number[] {
  const hours = Array.from({ length: hoursOfDay }, () => ({ calls: 0, answered: 0, expected: 0 }))
  for (const call of calls) {
    const hour = hours[call.hour]
    if (!hour) continue
    hour.calls++
    hour.expected += rateOf(rates, call)
    if (call.answer === 'answered') hour.answered++
  }
  const used = hours.filter((hour) => hour.calls > 0)
  const deviation = used.reduce((sum, { calls: n, answered, expected }) => {
    const rate = expected / n
    return sum + (answered - expected) ** 2 / Math.max(n * rate * (1 - rate), 1e-9)
  }, 0)
  const freedom = used.length - 1
  // Two standard deviations above the mean of chance.
  if (freedom < 1 || deviation <= freedom + 2 * Math.sqrt(2 * freedom)) return []
  return hours.map(({ calls: n, answered, expected }) => {
    if (n === 0) return 1
    const rate = expected / n
    const shrunk = (answered + hourPrior * rate) / (n + hourPrior)
    return clamp(odds(shrunk) / odds(rate))
  })
}

const rateOf = (rates: readonly number[], { attempt }: MadeCall): number => rates[Math.min(attempt, rates.length) - 1]!
const odds = (rate: number): number => rate / (1 - rate)
const clamp = (factor: number): number => Math.min(Math.max(factor, oddsLimits[0]), oddsLimits[1])

/** Changes the rates so that, with the hours of the calls, each attempt is answered as often as before. */
function levelRates(calls: readonly MadeCall[], rates: readonly number[], oddsByHour: readonly number[]): number[] {
  const level = [...rates]
  for (let round = 0; round < 5; round++) {
    const sums = rates.map(() => ({ calls: 0, expected: 0 }))
    for (const call of calls) {
      const at = Math.min(call.attempt, rates.length) - 1
      const hourly = odds(level[at]!) * (oddsByHour[call.hour] ?? 1)
      const sum = sums[at]!
      sum.calls++
      sum.expected += hourly / (1 + hourly)
    }
    for (const [at, { calls: n, expected }] of sums.entries()) {
      if (n === 0) continue
      const next = odds(level[at]!) * (odds(rates[at]!) / odds(expected / n))
      level[at] = next / (1 + next)
    }
  }
  return level
}

function shareOf(names: readonly Answer[]): ReadonlyMap<Answer, number> {
  const counts = new Map<Answer, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1 / names.length)
  return counts
}

/** Percent by answer. Without any call that was missed, the usual shares are used. */
function weightsOf(rate: number, missed: ReadonlyMap<Answer, number>): AnswerWeights {
  const usual: AnswerWeights = usualMix.answers[0]
  const usualMissed = 100 - usual.answered
  const weights = answers.map((answer) => {
    if (answer === 'answered') return [answer, 100 * rate]
    const share = missed.size === 0 ? usual[answer] / usualMissed : (missed.get(answer) ?? 0)
    return [answer, 100 * (1 - rate) * share]
  })
  return Object.fromEntries(weights) as Record<Answer, number>
}

function outcomesOf(calls: readonly MadeCall[]): CallMix['outcomes'] {
  const counts: Partial<Record<Outcome, number>> = {}
  for (const { answer, outcome } of calls) if (answer === 'answered') counts[outcome] = (counts[outcome] ?? 0) + 1
  return Object.keys(counts).length === 0 ? usualMix.outcomes : counts
}

function ringOf(calls: readonly MadeCall[]): CallMix['ring'] {
  const found = answers.map((answer) => {
    const rings = calls.filter((call) => call.answer === answer).map(({ ringSeconds }) => ringSeconds)
    return [answer, rings.length < enoughForLengths ? usualMix.ring[answer] : lengthsOf(rings)]
  })
  return Object.fromEntries(found) as Record<Answer, Lengths>
}

/** Outcomes with few calls share one distribution. */
function talkOf(calls: readonly MadeCall[]): Pick<CallMix, 'talk' | 'usualTalk'> {
  const byOutcome = new Map<Outcome, number[]>()
  for (const { answer, outcome, talkSeconds } of calls) {
    if (answer !== 'answered' && answer !== 'voicemail') continue
    const talks = byOutcome.get(outcome) ?? []
    talks.push(talkSeconds)
    byOutcome.set(outcome, talks)
  }
  const talk: Partial<Record<Outcome, Lengths>> = { voicemail: usualMix.talk.voicemail }
  const rest: number[] = []
  for (const [outcome, talks] of byOutcome) {
    if (talks.length >= enoughForLengths) talk[outcome] = lengthsOf(talks)
    else if (outcome !== 'voicemail') rest.push(...talks)
  }
  const persons = [...byOutcome].filter(([outcome]) => outcome !== 'voicemail').flatMap(([, talks]) => talks)
  const joined = rest.length >= enoughForLengths ? rest : persons
  return { talk, usualTalk: joined.length === 0 ? usualMix.usualTalk : lengthsOf(joined) }
}

/** Values at evenly spaced quantiles. */
function lengthsOf(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b)
  return Array.from({ length: quantiles + 1 }, (_, at) => {
    const place = (at / quantiles) * (sorted.length - 1)
    const low = sorted[Math.floor(place)]!
    return Math.round((low + ((sorted[Math.floor(place) + 1] ?? low) - low) * (place % 1)) * 10) / 10
  })
}
