/** The guess of a number of lines from one simulation. */
import { describe, expect, it } from 'vitest'
import { LineGuess } from '../../src/cli/plan/line-guess.js'

const hour = 3_600_000
const start = Date.parse('2026-11-23T14:00:00Z')
const office = [['09:00', '19:00']] as const

/** Two days of ten hours in New York. */
const guess = new LineGuess({
  hours: { any_hour: false, calling_hours: { mon: office, tue: office, wed: office } },
  zones: ['America/New_York'],
  start,
  deadline: start + 34 * hour,
})

describe('the guessed number of lines', () => {
  it('is based on the hours in which leads can be called', () => {
    expect(guess.openMs).toBe(20 * hour)
  })

  it('follows the work that was left at the deadline', () => {
    // 10 lines did 200 of 240 hours of calls, so 12 would do all of them.
    expect(guess.from(10, { finished: null, lineMs: 200 * hour }, 240 * hour)).toBe(12)
  })

  it('follows the time that was left, without the time for which no line was needed', () => {
    // 20 lines needed 10 hours for their calls, and waited for 4 hours: 16 hours are left for the calls.
    expect(guess.from(20, { finished: start + 28 * hour, lineMs: 0 }, 200 * hour)).toBe(12.5)
    // A late run that was not given up at the deadline: 22 hours, of which 2 were waiting.
    expect(guess.from(10, { finished: start + 50 * hour, lineMs: 0 }, 200 * hour)).toBeCloseTo(200 / 18)
  })

  it('is on the right side of the number that was simulated, and not far above it', () => {
    expect(guess.from(10, { finished: start + 34 * hour, lineMs: 0 }, 200 * hour)).toBe(9)
    expect(guess.from(10, { finished: null, lineMs: 0 }, 200 * hour)).toBe(20)
    expect(guess.from(10, { finished: start + 58 * hour, lineMs: 0 }, 1)).toBe(20)
  })
})
