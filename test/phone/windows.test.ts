/** Calling windows, against a slow reading of the rule minute by minute. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spansOfDay } from '../../src/phone/local-spans.js'
import { weekdays } from '../../src/phone/offset.js'
import { callingWindows, type CallingHours } from '../../src/phone/windows.js'

const utc = (text: string) => Date.parse(text)
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const everyDay = (...windows: [string, string][]): CallingHours =>
  Object.fromEntries(weekdays.map((day) => [day, windows]))
const allDay = everyDay(['00:00', '24:00'])
const office = everyDay(['09:00', '17:00'])

const newYork = ['America/New_York']
const phoenix = ['America/Phoenix']
const coastToCoast = ['America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/New_York', 'America/Phoenix']

describe('calling windows: the first open minute', () => {
  it.each<[string, readonly string[], CallingHours, string, string | null]>([
    ['at once inside the window', newYork, office, '2026-06-10T15:00:30.500Z', '2026-06-10T15:00:30.500Z'],
    ['at the opening itself', newYork, office, '2026-06-10T13:00:00Z', '2026-06-10T13:00:00.000Z'],
    ['the same morning', newYork, office, '2026-06-10T12:59:59.999Z', '2026-06-10T13:00:00.000Z'],
    ['the next day from the end on', newYork, office, '2026-06-10T21:00:00Z', '2026-06-11T13:00:00.000Z'],
    ['never before eight, whatever the hours', newYork, allDay, '2026-06-10T05:00:00Z', '2026-06-10T12:00:00.000Z'],
    ['never after nine, whatever the hours', newYork, allDay, '2026-06-11T01:00:00Z', '2026-06-11T12:00:00.000Z'],
    [
      'over a closed weekend',
      newYork,
      { mon: [['09:00', '17:00']] },
      '2026-06-09T00:00:00Z',
      '2026-06-15T13:00:00.000Z',
    ],
    [
      'after the lunch break',
      newYork,
      everyDay(['09:00', '12:00'], ['13:00', '17:00']),
      '2026-06-10T16:30:00Z',
      '2026-06-10T17:00:00.000Z',
    ],
    ['in winter time on the first morning of it', newYork, office, '2026-11-01T04:00:00Z', '2026-11-01T14:00:00.000Z'],
    ['in summer time on the first morning of it', newYork, office, '2026-03-08T05:00:00Z', '2026-03-08T13:00:00.000Z'],
    ['where clocks never change', phoenix, office, '2026-07-01T00:00:00Z', '2026-07-01T16:00:00.000Z'],
    ['half an hour off', ['America/St_Johns'], office, '2026-07-01T00:00:00Z', '2026-07-01T11:30:00.000Z'],
    ['on the far islands', ['Pacific/Honolulu'], office, '2026-07-01T12:00:00Z', '2026-07-01T19:00:00.000Z'],
    [
      'in Vancouver’s first winter without a change',
      ['America/Vancouver'],
      office,
      '2026-12-01T08:00:00Z',
      '2026-12-01T16:00:00.000Z',
    ],
    [
      'in Winnipeg’s first winter without a change',
      ['America/Winnipeg'],
      office,
      '2026-12-01T08:00:00Z',
      '2026-12-01T14:00:00.000Z',
    ],
    ['when the last zone of several opens', coastToCoast, allDay, '2026-06-10T10:00:00Z', '2026-06-10T15:00:00.000Z'],
    [
      'when two zones share a day',
      ['America/Chicago', 'America/New_York'],
      office,
      '2026-06-10T10:00:00Z',
      '2026-06-10T14:00:00.000Z',
    ],
    ['never, without hours', newYork, {}, '2026-06-10T10:00:00Z', null],
    [
      'never, with hours at night alone',
      newYork,
      everyDay(['21:00', '24:00'], ['00:00', '08:00']),
      '2026-06-10T10:00:00Z',
      null,
    ],
    [
      'never, where the zones share no minute',
      ['America/New_York', 'Pacific/Honolulu'],
      everyDay(['09:00', '12:00']),
      '2026-06-10T10:00:00Z',
      null,
    ],
    [
      'once a year, where only winter brings the zones together',
      ['America/New_York', 'America/Panama'],
      everyDay(['08:00', '09:00']),
      '2026-06-10T10:00:00Z',
      '2026-11-01T13:00:00.000Z',
    ],
    ['at once without zones', [], {}, '2026-06-10T03:00:00Z', '2026-06-10T03:00:00.000Z'],
  ])('is %s', (_when, zones, hours, at, expected) => {
    expect(iso(callingWindows(zones, hours).firstOpen(utc(at)))).toBe(expected)
  })
})

describe('calling windows: closing and changing', () => {
  it.each<[string, readonly string[], CallingHours, string, string | null, string | null]>([
    ['open', newYork, office, '2026-06-10T15:00:00Z', '2026-06-10T21:00:00.000Z', '2026-06-10T21:00:00.000Z'],
    ['closed', newYork, office, '2026-06-10T21:00:00Z', null, '2026-06-11T13:00:00.000Z'],
    [
      'windows that touch',
      newYork,
      everyDay(['09:00', '12:00'], ['12:00', '17:00']),
      '2026-06-10T15:00:00Z',
      '2026-06-10T21:00:00.000Z',
      '2026-06-10T21:00:00.000Z',
    ],
    [
      'windows cut at nine',
      newYork,
      everyDay(['20:00', '24:00']),
      '2026-06-11T00:30:00Z',
      '2026-06-11T01:00:00.000Z',
      '2026-06-11T01:00:00.000Z',
    ],
    [
      'several zones',
      coastToCoast,
      allDay,
      '2026-06-10T20:00:00Z',
      '2026-06-11T01:00:00.000Z',
      '2026-06-11T01:00:00.000Z',
    ],
    [
      'a window over the turn of the week in UTC',
      newYork,
      allDay,
      '2026-06-10T23:59:00Z',
      '2026-06-11T01:00:00.000Z',
      '2026-06-11T01:00:00.000Z',
    ],
    ['no hours', newYork, {}, '2026-06-10T15:00:00Z', null, null],
    ['no zones', [], office, '2026-06-10T03:00:00Z', null, null],
  ])('the end of the window and the next change are right: %s', (_what, zones, hours, at, closes, changes) => {
    const windows = callingWindows(zones, hours)
    expect(iso(windows.closesAt(utc(at)))).toBe(closes)
    expect(iso(windows.nextChange(utc(at)))).toBe(changes)
  })
})

const unitedStates = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
]

const clocks = new Map(
  unitedStates.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' }),
  ]),
)

/** The rule as it is written, with the machine's own clocks. */
function slowlyOpen(zones: readonly string[], hours: CallingHours, at: number): boolean {
  return zones.every((zone) => {
    const part = Object.fromEntries(
      clocks
        .get(zone)
        ?.formatToParts(at)
        .map(({ type, value }) => [type, value]) ?? [],
    )
    const day = part.weekday?.toLowerCase() as keyof CallingHours
    const time = `${part.hour}:${part.minute}`
    return time >= '08:00' && time < '21:00' && (hours[day] ?? []).some(([start, end]) => time >= start && time < end)
  })
}

const clockText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** Up to three windows a day that do not overlap, and may touch. */
const dayWindows = fc
  .uniqueArray(
    fc.integer({ min: 0, max: 96 }).map((quarter) => quarter * 15),
    { minLength: 0, maxLength: 6 },
  )
  .map((cuts) => {
    const sorted = [...cuts].sort((a, b) => a - b)
    const windows: [string, string][] = []
    for (let i = 0; i + 1 < sorted.length; i += sorted.length % 2 ? 1 : 2)
      windows.push([clockText(sorted[i] ?? 0), clockText(sorted[i + 1] ?? 0)])
    return windows
  })

const someHours: fc.Arbitrary<CallingHours> = fc.record(
  Object.fromEntries(weekdays.map((day) => [day, dayWindows])) as Record<keyof CallingHours, typeof dayWindows>,
  { requiredKeys: [] },
)
const someZones = fc.uniqueArray(fc.constantFrom(...unitedStates), { minLength: 1, maxLength: 3 })
/** Any time of three years, with the days on which clocks change visited often. */
const someInstant = fc.oneof(
  fc.integer({ min: utc('2025-01-01T00:00Z'), max: utc('2028-01-01T00:00Z') }),
  fc
    .tuple(fc.constantFrom('2026-03-07', '2026-10-31', '2027-03-13', '2027-11-06'), fc.nat(3 * dayMs))
    .map(([day, ms]) => utc(day) + ms),
)

describe('calling windows: against the slow reading', () => {
  it('is open exactly when every zone’s own clock is in the hours', () => {
    fc.assert(
      fc.property(
        someZones,
        someHours,
        fc.array(someInstant, { minLength: 5, maxLength: 20 }),
        (zones, hours, instants) => {
          const windows = callingWindows(zones, hours)
          for (const at of instants)
            expect([iso(at), windows.isOpen(at)]).toEqual([iso(at), slowlyOpen(zones, hours, at)])
        },
      ),
      { numRuns: 200 },
    )
  })

  it('opens, closes and changes at the minutes found by trying one after another', () => {
    fc.assert(
      fc.property(someZones, someHours, someInstant, (zones, hours, at) => {
        const windows = callingWindows(zones, hours)
        const open = slowlyOpen(zones, hours, at)
        let next = (Math.floor(at / minuteMs) + 1) * minuteMs
        const end = next + dayMs
        while (next < end && slowlyOpen(zones, hours, next) === open) next += minuteMs
        if (next < end) {
          expect(iso(windows.nextChange(at))).toBe(iso(next))
          expect(iso(windows.firstOpen(at))).toBe(iso(open ? at : next))
          expect(iso(windows.closesAt(at))).toBe(open ? iso(next) : null)
        } else {
          expect(open).toBe(false)
          expect(windows.firstOpen(at) ?? Infinity).toBeGreaterThanOrEqual(end)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('hangs together: it is open at the first open minute, closed a moment before, and closed at the close', () => {
    fc.assert(
      fc.property(someZones, someHours, someInstant, (zones, hours, at) => {
        const windows = callingWindows(zones, hours)
        const first = windows.firstOpen(at)
        if (first === null) return
        expect(windows.isOpen(first)).toBe(true)
        if (first > at)
          expect([first % minuteMs, windows.isOpen(first - 1), windows.isOpen(at)]).toEqual([0, false, false])
        const close = windows.closesAt(first) ?? NaN
        expect(close - first).toBeLessThanOrEqual(13 * 60 * minuteMs)
        expect([windows.isOpen(close - 1), windows.isOpen(close), windows.nextChange(first)]).toEqual([
          true,
          false,
          close,
        ])
      }),
    )
  })
})

describe('calling windows: days on which the clocks change', () => {
  const day = (text: string) => utc(`${text}T00:00Z`)
  const hoursOf = (spans: readonly (readonly [number, number])[]) =>
    spans.reduce((sum, [start, end]) => sum + end - start, 0) / (60 * minuteMs)
  const newYorkDay = (date: string, start: number, end: number) =>
    spansOfDay('America/New_York', day(date), start * 60, end * 60)

  it('has 23 hours in spring, 25 in autumn, and 24 in between', () => {
    expect(hoursOf(newYorkDay('2026-03-08', 0, 24))).toBe(23)
    expect(hoursOf(newYorkDay('2026-11-01', 0, 24))).toBe(25)
    expect(hoursOf(newYorkDay('2026-06-10', 0, 24))).toBe(24)
  })

  it('skips the hour that is skipped', () => {
    expect(newYorkDay('2026-03-08', 2, 3)).toEqual([])
    expect(hoursOf(newYorkDay('2026-03-08', 1, 2.5))).toBe(1)
    expect(hoursOf(newYorkDay('2026-03-08', 2.5, 4))).toBe(1)
  })

  it('counts the hour that comes twice, twice', () => {
    expect(newYorkDay('2026-11-01', 1, 1.5).map(([start, end]) => [iso(start), iso(end)])).toEqual([
      ['2026-11-01T05:00:00.000Z', '2026-11-01T05:30:00.000Z'],
      ['2026-11-01T06:00:00.000Z', '2026-11-01T06:30:00.000Z'],
    ])
  })
})

describe('calling windows: hours', () => {
  it.each([
    ['9:00', '17:00'],
    ['09:00', '24:01'],
    ['09:60', '10:00'],
  ])('from %s to %s are malformed', (from, to) => {
    expect(() => callingWindows(newYork, { mon: [[from, to]] })).toThrow(
      `"${from}" to "${to}" is not a window of a day.`,
    )
  })

  it('gives the same windows for the same zones and hours', () => {
    expect(callingWindows(newYork, everyDay(['09:00', '17:00']))).toBe(callingWindows(newYork, office))
  })
})
