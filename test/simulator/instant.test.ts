import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  after,
  before,
  between,
  days,
  earlier,
  fromIso,
  hours,
  instant,
  later,
  milliseconds,
  minutes,
  parseDuration,
  seconds,
  toIso,
  toIsoOrNull,
} from '../../simulator/kernel/instant.js'

describe('lengths of time', () => {
  it('are whole milliseconds, whatever unit they are made from', () => {
    expect([milliseconds(1.4), seconds(1.5), minutes(2), hours(1), days(0.5)]).toEqual([
      1, 1_500, 120_000, 3_600_000, 43_200_000,
    ])
  })

  it.each([
    ['90s', 90_000],
    ['4m', 240_000],
    ['24h', 86_400_000],
    ['31d', 31 * 86_400_000],
    ['2w', 14 * 86_400_000],
    ['250ms', 250],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['1h30m15s250ms', 5_415_250],
    ['90', 90_000],
    ['0.25', 250],
    ['0', 0],
  ])('are read from %s', (text, ms) => expect(parseDuration(text)).toBe(ms))

  it.each(['', ' ', '-5', '-5s', '5 s', 's', '5x', '5S', '1h-30m', '1e3', '.5', '5.', '1h30', 'Infinity', 'NaN', '٣s'])(
    'are not read from "%s"',
    (text) => expect(parseDuration(text)).toBeNull(),
  )

  it('lie between two moments', () => {
    const [a, b] = [instant(1_000), instant(4_500)]
    expect([between(a, b), after(a, seconds(3.5)), before(b, seconds(3.5))]).toEqual([3_500, b, a])
    expect([later(a, b), later(b, a), earlier(a, b), earlier(b, a)]).toEqual([b, b, a, a])
  })
})

describe('moments on the wire', () => {
  it('are written in UTC with milliseconds, and nothing stays nothing', () => {
    expect(toIso(instant(Date.UTC(2026, 9, 1, 9, 30)))).toBe('2026-10-01T09:30:00.000Z')
    expect([toIsoOrNull(null), toIsoOrNull(0)]).toEqual([null, '1970-01-01T00:00:00.000Z'])
  })

  it('come back as they went', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }), (ms) => {
        expect(fromIso(toIso(instant(ms)))).toBe(ms)
      }),
    )
  })

  it.each([
    ['2026-10-01T09:30:00Z', Date.UTC(2026, 9, 1, 9, 30)],
    ['2026-10-01T09:30Z', Date.UTC(2026, 9, 1, 9, 30)],
    ['2026-10-01t09:30:00z', Date.UTC(2026, 9, 1, 9, 30)],
    ['2026-10-01T09:30:00.25Z', Date.UTC(2026, 9, 1, 9, 30, 0, 250)],
    ['2026-10-01T09:30:00-04:00', Date.UTC(2026, 9, 1, 13, 30)],
    ['2026-10-01T09:30:00+0530', Date.UTC(2026, 9, 1, 4)],
  ])('are read from %s', (text, ms) => expect(fromIso(text)).toBe(ms))

  it.each([
    '2026-10-01',
    '2026-10-01T09:30:00',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-10-01T24:30:00Z',
    '2026-10-01T09:60:00Z',
    '2026-10-01T09:30:00+25:00',
    'yesterday',
    '1790847000',
    '',
  ])('are not read from "%s"', (text) => expect(fromIso(text)).toBeNull())
})
