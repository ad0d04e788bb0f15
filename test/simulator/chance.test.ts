import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Random, type RandomStream } from '../../simulator/kernel/random.js'

const seeds = fc.integer()
const names = fc.string()
const draws = (stream: RandomStream, count = 20) => Array.from({ length: count }, () => stream.bits())
const many = 100_000

/** How often each value came, as a part of all. */
function shares<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1 / values.length)
  return counts
}

describe('chance', () => {
  it('draws the same again from the same seed and name', () => {
    fc.assert(
      fc.property(seeds, names, (seed, name) => {
        expect(draws(new Random(seed).stream(name))).toEqual(draws(new Random(seed).stream(name)))
      }),
    )
  })

  it('draws otherwise from another seed or name', () => {
    fc.assert(
      fc.property(seeds, seeds, names, names, (seed, otherSeed, name, otherName) => {
        const here = draws(new Random(seed).stream(name))
        if (otherSeed !== seed) expect(draws(new Random(otherSeed).stream(name))).not.toEqual(here)
        if (otherName !== name) expect(draws(new Random(seed).stream(otherName))).not.toEqual(here)
      }),
    )
  })

  it('keeps every stream to itself: a draw of one moves no other', () => {
    fc.assert(
      fc.property(seeds, fc.array(fc.boolean(), { maxLength: 40 }), (seed, turns) => {
        const chance = new Random(seed)
        const [one, other] = [chance.stream('call/1'), chance.stream('call/2')]
        const drawn = turns.map((first) => [first, (first ? one : other).bits()] as const)
        const of = (which: boolean) => drawn.filter(([first]) => first === which).map(([, bits]) => bits)
        expect(of(true)).toEqual(draws(chance.stream('call/1'), of(true).length))
        expect(of(false)).toEqual(draws(chance.stream('call/2'), of(false).length))
      }),
    )
  })

  it('draws fractions evenly from 0 up to 1', () => {
    const stream = new Random(1).stream('evenly')
    const fractions = Array.from({ length: many }, () => stream.fraction())
    expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...fractions)).toBeLessThan(1)
    for (const share of shares(fractions.map((x) => Math.floor(x * 20))).values()) expect(share).toBeCloseTo(0.05, 2)
  })

  it('draws evenly across the first draws of neighbouring streams too', () => {
    const chance = new Random(1)
    const firsts = Array.from({ length: many }, (_, n) => chance.stream(`call/2/${n}`).fraction())
    const tenths = shares(firsts.map((x) => Math.floor(x * 10)))
    expect(tenths.size).toBe(10)
    for (const share of tenths.values()) expect(share).toBeCloseTo(0.1, 2)
    const steps = shares(firsts.map((x, i) => x > (firsts[i - 1] ?? 0)))
    expect(steps.get(true)).toBeCloseTo(0.5, 2)
  })

  it('draws whole numbers with both ends included', () => {
    const stream = new Random(1).stream('dice')
    const dice = shares(Array.from({ length: many }, () => stream.whole(1, 6)))
    expect([...dice.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6])
    for (const share of dice.values()) expect(share).toBeCloseTo(1 / 6, 2)
    expect(stream.whole(5, 5)).toBe(5)
  })

  it('gives each name as often as its weight says, and one of no weight never', () => {
    const stream = new Random(1).stream('weights')
    const weights = { none: 0, one: 1, three: 3, six: 6 }
    const drawn = shares(Array.from({ length: many }, () => stream.weighted(weights)))
    expect(drawn.has('none')).toBe(false)
    expect(drawn.get('one')).toBeCloseTo(0.1, 2)
    expect(drawn.get('three')).toBeCloseTo(0.3, 2)
    expect(drawn.get('six')).toBeCloseTo(0.6, 2)
  })

  it('picks from what there is, and says so when there is nothing', () => {
    const stream = new Random(1).stream('pick')
    expect([...shares(Array.from({ length: 1_000 }, () => stream.pick(['a', 'b', 'c']))).keys()].sort()).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(() => stream.pick([])).toThrow('nothing to pick from')
  })

  it('writes texts of the length and letters it is given', () => {
    expect(new Random(1).stream('text').text(64, 'ab')).toMatch(/^(?=.*a)(?=.*b)[ab]{64}$/)
    expect(new Random(1).stream('text').text(0, 'ab')).toBe('')
  })
})
