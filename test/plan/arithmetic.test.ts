/** Open hours, and the estimate that divides calls by lines. */
import { describe, expect, it } from 'vitest'
import { arithmeticEnd, leastLines, lengthOf, openSpans } from '../../src/cli/plan/arithmetic.js'

const hour = 3_600_000
const hours = { any_hour: false, calling_hours: { mon: [['09:00', '18:00']], tue: [['09:00', '18:00']] } } as const
const monday = Date.parse('2026-11-23T05:00:00Z')

describe('open hours of a plan', () => {
  it('are those in which leads of any zone can be called', () => {
    const east = openSpans(hours, ['America/New_York'], monday, monday + 48 * hour)
    expect(lengthOf(east) / hour).toBe(18)
    const both = openSpans(hours, ['America/New_York', 'America/Los_Angeles'], monday, monday + 48 * hour)
    expect(lengthOf(both) / hour).toBe(24)
  })

  it('end with the time that is asked about, and are everything at any hour', () => {
    const east = openSpans(hours, ['America/New_York'], monday + 10 * hour, monday + 12 * hour)
    expect(lengthOf(east) / hour).toBe(2)
    expect(lengthOf(openSpans({ ...hours, any_hour: true }, ['America/New_York'], 0, 5 * hour)) / hour).toBe(5)
    expect(openSpans({ ...hours, calling_hours: {} }, ['America/New_York'], 0, 5 * hour)).toEqual([])
  })
})

describe('the arithmetic of lines', () => {
  it('divides the time of all calls by the open time', () => {
    expect(leastLines(100 * hour, 18 * hour)).toBe(6)
    expect(leastLines(1, 18 * hour)).toBe(1)
    expect(leastLines(1, 0)).toBe(Infinity)
  })

  it('ends in the span in which the calls are over', () => {
    const spans = openSpans(hours, ['America/New_York'], monday, monday + 48 * hour)
    expect(arithmeticEnd(40 * hour, 4, spans)).toBe(monday + 34 * hour)
    expect(arithmeticEnd(400 * hour, 4, spans)).toBeNull()
  })
})
