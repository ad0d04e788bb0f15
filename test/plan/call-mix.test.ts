/** Call mixes, and mixes fitted to calls that were made. */
import { describe, expect, it } from 'vitest'
import { fitMix, type MadeCall } from '../../src/cli/plan/calibration/fit-mix.js'
import { fitRates } from '../../src/cli/plan/calibration/fit-rates.js'
import {
  answerRate,
  answersAt,
  meanLength,
  meanTalk,
  usualMix,
  withMeanTalk,
  type Answer,
} from '../../src/plan/call-mix.js'
import { RandomStream } from '../../simulator/kernel/random.js'

describe('a call mix', () => {
  it('has the mean of its quantiles', () => {
    expect([meanLength([10, 30]), meanLength([0, 10, 20]), meanLength([5]), meanLength([])]).toEqual([20, 10, 5, 0])
  })

  it('gets another mean of talk with persons, and the same with machines', () => {
    const changed = withMeanTalk(usualMix, 75)
    expect(meanTalk(changed)).toBeCloseTo(75)
    expect(changed.talk.voicemail).toEqual(usualMix.talk.voicemail)
  })

  it('has the weights of an attempt, the last ones for later attempts, and changes the odds by hour', () => {
    const weights = (answered: number) => ({ answered, voicemail: 100 - answered, no_answer: 0, busy: 0, failed: 0 })
    const mix = { ...usualMix, answers: [weights(50), weights(20)], oddsByHour: [] as number[] }
    expect([1, 2, 7].map((attempt) => answersAt(mix, attempt, 9).answered)).toEqual([50, 20, 20])
    mix.oddsByHour = Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 3 : 1))
    expect(answerRate(answersAt(mix, 1, 9))).toBeCloseTo(0.75)
    expect(answerRate(answersAt(mix, 1, 10))).toBeCloseTo(0.5)
  })
})

/** Calls drawn from a hidden mix: each lead is tried again until a person answers. */
function drawCalls(
  seed: number,
  count: number,
  rates: readonly number[],
  oddsAt: (hour: number) => number,
): MadeCall[] {
  const random = new RandomStream(seed, 'hidden')
  const calls: MadeCall[] = []
  while (calls.length < count) {
    for (let attempt = 1; attempt <= rates.length && calls.length < count; attempt++) {
      const hour = random.whole(9, 17)
      const odds = (rates[attempt - 1]! / (1 - rates[attempt - 1]!)) * oddsAt(hour)
      const isAnswered = random.fraction() < odds / (1 + odds)
      const answer: Answer = isAnswered ? 'answered' : random.weighted({ voicemail: 50, no_answer: 45, busy: 5 })
      calls.push({
        attempt,
        hour,
        answer,
        outcome: isAnswered ? random.weighted({ interested: 20, not_interested: 80 }) : (answer as MadeCall['outcome']),
        ringSeconds: random.whole(5, 25),
        talkSeconds: isAnswered ? random.whole(60, 120) : 0,
      })
      if (isAnswered) break
    }
  }
  return calls
}

const same = () => 1

describe('a fitted mix', () => {
  it('has the answer rate of 2,000 calls from a hidden mix within 2.5 points by attempt, as often as so few calls allow', () => {
    // In all histories, the attempts with 200 calls or more.
    let [attempts, within, error, counted] = [0, 0, 0, 0]
    for (let seed = 1; seed <= 100; seed++) {
      const random = new RandomStream(seed, 'mix')
      const level = random.fraction() * 2 - 1.7
      const slope = seed % 2 === 0 ? 0 : -0.35 * random.fraction()
      const rates = Array.from({ length: random.whole(3, 6) }, (_, at) => 1 / (1 + Math.exp(-level - slope * at)))
      const calls = drawCalls(seed, 2_000, rates, same)
      const fitted = fitMix(calls).answers.map(answerRate)
      for (const [at, rate] of rates.entries()) {
        const made = calls.filter(({ attempt }) => attempt === at + 1)
        if (made.length < 200) continue
        const off = Math.abs(fitted[at]! - rate)
        const seen = made.filter(({ answer }) => answer === 'answered').length / made.length
        attempts++
        error += off
        if (off <= 0.025) within++
        if (Math.abs(seen - rate) <= 0.025) counted++
      }
    }
    expect(within / attempts).toBeGreaterThanOrEqual(0.9)
    expect(error / attempts).toBeLessThan(0.0115)
    // Counting alone is within 2.5 points in four of five.
    expect(within).toBeGreaterThan(counted)
  })

  it('pulls attempts with few calls toward the trend of the others', () => {
    const [first, second, third] = fitRates([
      { calls: 1_000, answered: 400 },
      { calls: 500, answered: 150 },
      { calls: 4, answered: 4 },
    ])
    expect(first).toBeCloseTo(0.4, 1)
    expect(second).toBeCloseTo(0.3, 1)
    expect(third).toBeLessThan(0.5)
  })

  it('sees hours that differ, and no hours where only chance differs', () => {
    const flat = fitMix(drawCalls(7, 2_000, [0.4, 0.4, 0.4], same))
    expect(flat.oddsByHour).toEqual([])
    const calls = drawCalls(7, 4_000, [0.4, 0.4, 0.4], (hour) => (hour >= 15 ? 3 : 0.6))
    const { oddsByHour, answers } = fitMix(calls)
    expect(oddsByHour[16]! / oddsByHour[10]!).toBeGreaterThan(2.5)
    const answered = calls.filter(({ answer, attempt }) => answer === 'answered' && attempt === 1).length
    const expected = calls
      .filter(({ attempt }) => attempt === 1)
      .reduce((sum, { hour }) => sum + answerRate(answersAt({ ...usualMix, answers, oddsByHour }, 1, hour)), 0)
    expect(expected / answered).toBeCloseTo(1, 1)
  })

  it('has the outcomes, rings and talks of the calls, and the usual ones where there are too few', () => {
    const mix = fitMix(drawCalls(3, 1_000, [0.4, 0.4], same))
    expect(Object.keys(mix.outcomes).sort()).toEqual(['interested', 'not_interested'])
    expect(meanTalk(mix)).toBeGreaterThan(80)
    expect(meanTalk(mix)).toBeLessThan(100)
    expect(mix.ring.failed).toEqual(usualMix.ring.failed)
    expect(meanLength(mix.ring.answered)).toBeCloseTo(15, 0)
  })

  it('can be fitted to one call, to calls without an answer, and to calls that are all answered', () => {
    const [one] = drawCalls(1, 1, [0.5], same)
    const missed: MadeCall = { ...one!, answer: 'busy', outcome: 'busy' }
    const reached: MadeCall = { ...one!, answer: 'answered', outcome: 'interested' }
    for (const calls of [[missed], Array<MadeCall>(100).fill(missed), Array<MadeCall>(100).fill(reached)]) {
      const rate = answerRate(fitMix(calls).answers[0]!)
      expect(rate).toBeGreaterThan(0)
      expect(rate).toBeLessThan(1)
    }
    expect(() => fitMix([])).toThrow('no calls')
  })
})
