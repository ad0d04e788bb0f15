import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayOf, endOfDay, spanOfMonth, startOfDay } from '../../src/phone/local-day.js'

const iso = (at: number) => new Date(at).toISOString()
const hours = (zone: string, day: string) => (endOfDay(zone, day) - startOfDay(zone, day)) / 3_600_000

const zone = fc.constantFrom(
  'America/New_York',
  'America/St_Johns',
  'America/Phoenix',
  'UTC',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'Pacific/Auckland',
)
const moment = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) })

describe('a day of a time zone', () => {
  it('begins at or before each of its moments and ends after it', () => {
    fc.assert(
      fc.property(zone, moment, (name, at) => {
        const day = dayOf(name, at)
        expect(startOfDay(name, day)).toBeLessThanOrEqual(at)
        expect(endOfDay(name, day)).toBeGreaterThan(at)
        expect([dayOf(name, startOfDay(name, day)), dayOf(name, endOfDay(name, day) - 1)]).toEqual([day, day])
      }),
    )
  })

  it('begins with a whole five minutes', () => {
    fc.assert(
      fc.property(zone, moment, (name, at) => {
        expect(startOfDay(name, dayOf(name, at)) % 300_000).toBe(0)
      }),
    )
  })

  it('is an hour longer or shorter when clocks change', () => {
    expect(hours('America/New_York', '2026-03-08')).toBe(23)
    expect(hours('America/New_York', '2026-11-01')).toBe(25)
    expect(hours('America/Phoenix', '2026-11-01')).toBe(24)
  })

  it('begins with the first minute there is where clocks skip midnight, and is none where they skip the day', () => {
    expect(iso(startOfDay('America/Santiago', '2026-09-06'))).toBe('2026-09-06T04:00:00.000Z')
    expect(dayOf('America/Santiago', startOfDay('America/Santiago', '2026-09-06'))).toBe('2026-09-06')
    expect(hours('Pacific/Apia', '2011-12-30')).toBe(0)
  })

  it('can be of any year that four digits name', () => {
    for (const day of ['0000-01-01', '0001-01-01', '9999-12-31'])
      for (const name of ['America/New_York', 'Asia/Tokyo'])
        expect(endOfDay(name, day)).toBeGreaterThan(startOfDay(name, day))
  })
})

describe('a month of a time zone', () => {
  it('is over when the next begins', () => {
    expect(spanOfMonth('America/New_York', '2026-11').map(iso)).toEqual([
      '2026-11-01T04:00:00.000Z',
      '2026-12-01T05:00:00.000Z',
    ])
    expect(spanOfMonth('America/New_York', '2026-12').map(iso)).toEqual([
      '2026-12-01T05:00:00.000Z',
      '2027-01-01T05:00:00.000Z',
    ])
  })
})
