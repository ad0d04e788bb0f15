/** Values that people read in words instead of the figures of the API. */
import { expect, it } from 'vitest'
import { valueInWords } from '../../../src/output/value-words.js'

it.each([
  [0, '0 s'],
  [59, '59 s'],
  [90, 'about 2 min'],
  [3_599, 'about 1 h'],
  [9_577, 'about 2 h 40 min'],
  [90_000, 'about 25 h'],
])('a wait of %i seconds is %s', (seconds, words) => {
  expect(valueInWords('estimated_wait_seconds', seconds)).toBe(words)
})
