/** Percentiles over seeds, by rank. */
import { describe, expect, it } from 'vitest'
import { failuresAllowed, mean, percentile, rankOf } from '../../src/cli/plan/percentile.js'

describe('the percentile of a plan', () => {
  it('is the value at rank ceil(0.9 x seeds)', () => {
    const ranks = [1, 2, 5, 9, 10, 11, 20, 100].map((seeds) => [seeds, rankOf(seeds) + 1])
    expect(ranks).toEqual([
      [1, 1],
      [2, 2],
      [5, 5],
      [9, 9],
      [10, 9],
      [11, 10],
      [20, 18],
      [100, 90],
    ])
    expect(percentile([50, 10, 30, 20, 40])).toBe(50)
    expect(percentile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])).toBe(9)
  })

  it('counts an end that never came as later than every other', () => {
    expect(percentile([null, 10, 20])).toBeNull()
    expect(percentile([null, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toBe(9)
    expect(percentile([null, null])).toBeNull()
  })

  it('lets one of ten seeds miss a deadline, and none of five', () => {
    expect([1, 5, 9, 10, 20].map((seeds) => failuresAllowed(seeds))).toEqual([0, 0, 0, 1, 2])
  })

  it('has a mean of 0 for no values', () => {
    expect([mean([]), mean([1, 2, 6])]).toEqual([0, 3])
  })
})
