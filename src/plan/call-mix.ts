/** A call mix: how likely each answer and outcome is, and how long calls ring and last. */
import type { Outcome } from '../contract/base/outcomes.js'

/** What picks up: a person (`answered`), a machine, or nothing. */
export const answers = ['answered', 'voicemail', 'no_answer', 'busy', 'failed'] as const
export type Answer = (typeof answers)[number]

/** Weights of the answers. They need not add up to 100. */
export type AnswerWeights = Readonly<Record<Answer, number>>

/**
 * Seconds at evenly spaced quantiles, from the shortest to the longest. Two numbers are a uniform distribution between
 * them.
 */
export type Lengths = readonly number[]

export interface CallMix {
  /** By attempt, the first one first. Later attempts use the last entry. */
  answers: readonly AnswerWeights[]
  /**
   * By hour of the day in the time zone of the lead: a factor on the odds that a person answers. Empty: every hour is
   * the same.
   */
  oddsByHour: readonly number[]
  /** Weights of the outcomes when a person answers. */
  outcomes: Readonly<Partial<Record<Outcome, number>>>
  ring: Readonly<Record<Answer, Lengths>>
  /** Seconds from the answer to the end, by outcome. */
  talk: Readonly<Partial<Record<Outcome, Lengths>>>
  /** For outcomes without an entry in `talk`. */
  usualTalk: Lengths
}

/** The mix of the simulator for calls without a script. A plan uses it until a flag or a calibration changes it. */
export const usualMix = {
  answers: [{ answered: 42, voicemail: 26, no_answer: 24, busy: 5, failed: 3 }],
  oddsByHour: [],
  outcomes: {
    not_interested: 34,
    hung_up: 18,
    interested: 16,
    callback: 12,
    not_qualified: 6,
    wrong_number: 5,
    screened: 4,
    language_barrier: 2,
    dnc: 2,
    undetermined: 1,
  },
  ring: { answered: [4, 22], voicemail: [18, 26], no_answer: [28, 40], busy: [2, 4], failed: [1, 3] },
  talk: {
    interested: [150, 420],
    callback: [45, 150],
    hung_up: [3, 25],
    wrong_number: [8, 30],
    language_barrier: [10, 40],
    screened: [8, 25],
    voicemail: [20, 40],
  },
  usualTalk: [20, 90],
} as const satisfies CallMix

/** Mean seconds of a distribution. */
export function meanLength(lengths: Lengths): number {
  if (lengths.length < 2) return lengths[0] ?? 0
  const ends = (lengths[0]! + lengths.at(-1)!) / 2
  return (ends + lengths.slice(1, -1).reduce((sum, one) => sum + one, 0)) / (lengths.length - 1)
}

/** Mean seconds of talk when a person answers. */
export function meanTalk({ outcomes, talk, usualTalk }: CallMix): number {
  let [sum, total] = [0, 0]
  for (const [outcome, weight] of Object.entries(outcomes) as [Outcome, number][]) {
    sum += weight * meanLength(talk[outcome] ?? usualTalk)
    total += weight
  }
  return total === 0 ? 0 : sum / total
}

/** The same mix with another mean of talk with persons. Machines are talked to as long as before. */
export function withMeanTalk(mix: CallMix, seconds: number): CallMix {
  const factor = seconds / Math.max(meanTalk(mix), 1e-9)
  const scaled = (lengths: Lengths) => lengths.map((one) => one * factor)
  const talk = Object.fromEntries(
    Object.entries(mix.talk).map(([outcome, lengths]) => [
      outcome,
      outcome === 'voicemail' ? lengths : scaled(lengths),
    ]),
  )
  return { ...mix, talk, usualTalk: scaled(mix.usualTalk) }
}

/** The weights of an attempt, counted from 1, at a local hour. */
export function answersAt({ answers: byAttempt, oddsByHour }: CallMix, attempt: number, hour: number): AnswerWeights {
  const weights = byAttempt[Math.min(attempt, byAttempt.length) - 1]!
  const odds = oddsByHour[hour] ?? 1
  // The weight of one answer times a factor changes its odds by that factor.
  return odds === 1 ? weights : { ...weights, answered: weights.answered * odds }
}

/** Share of calls that a person answers, 0 to 1. */
export function answerRate(weights: AnswerWeights): number {
  const total = answers.reduce((sum, answer) => sum + weights[answer], 0)
  return total === 0 ? 0 : weights.answered / total
}
