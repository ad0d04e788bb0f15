/** How long is waited before a next time: after a call, and after an attempt of a webhook delivery. */
import { describe, expect, it } from 'vitest'
import { after, hours, minutes } from '../../simulator/kernel/instant.js'
import { aftermath } from '../../simulator/model/outcome.js'
import { nextAttemptAt } from '../../simulator/webhooks/attempts.js'
import { noonish as first } from '../support/rule-records.js'

// rule W6
describe('retry delay of a webhook delivery', () => {
  const nextAfter = (done: number, now = first) => {
    const next = nextAttemptAt(first, done, now)
    return next === null ? null : (next - first) / 60_000
  }

  it.each([
    [2, 1],
    [3, 5],
    [4, 30],
    [5, 120],
    [6, 360],
    [7, 720],
  ])('retry delay: attempt %i is due %i minutes after the first', (attempt, due) => {
    expect(nextAfter(attempt - 1)).toBe(due)
  })

  it('retry delay: the seventh attempt is the last', () => {
    expect(nextAfter(7)).toBeNull()
  })

  it('retry delay: an attempt that was missed is made after its usual gap, counted from now', () => {
    expect(nextAfter(2, after(first, hours(3)))).toBe(180 + 4)
  })

  it('retry delay: no attempt is due 24 hours after the first or later', () => {
    expect(nextAfter(2, after(first, hours(24)))).toBeNull()
  })
})

// rule D13
describe('retry delay of a call', () => {
  it.each([
    ['busy', minutes(15)],
    ['failed', hours(1)],
    ['no_answer', hours(2)],
    ['voicemail', hours(24)],
  ] as const)('retry delay: a call that ended %s is repeated after %i ms', (outcome, retryAfter) => {
    expect(aftermath[outcome]).toEqual({ retryAfter })
  })

  it('retry delay: no other outcome is repeated', () => {
    const repeated = Object.keys(aftermath).filter((outcome) => typeof aftermath[outcome as 'busy'] === 'object')
    expect(repeated.sort()).toEqual(['busy', 'failed', 'no_answer', 'voicemail'])
  })
})
