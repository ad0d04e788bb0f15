/** The clocks of time zones, against the machine's own data and against moment-timezone's. */
import fc from 'fast-check'
import moment from 'moment-timezone'
import { describe, expect, it } from 'vitest'
import { localParts, offsetMinutes } from '../../src/phone/offset.js'
import { zoneRules } from '../../src/phone/zone-rules.js'

const utc = (text: string) => Date.parse(text)

const unitedStates = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Boise',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Adak',
  'Pacific/Honolulu',
  'America/North_Dakota/Center',
]

const formats = new Map(
  unitedStates.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    }),
  ]),
)

function machineParts(zone: string, at: number) {
  const part = Object.fromEntries(
    formats
      .get(zone)
      ?.formatToParts(at)
      .map(({ type, value }) => [type, value]) ?? [],
  )
  return {
    year: Number(part.year),
    month: Number(part.month),
    day: Number(part.day),
    weekday: part.weekday?.toLowerCase(),
    minute: Number(part.hour) * 60 + Number(part.minute),
  }
}

describe('clocks', () => {
  it('shows what the machine shows in the United States, at any instant', () => {
    const instants = fc.integer({ min: utc('2024-01-01T00:00Z'), max: utc('2031-01-01T00:00Z') })
    fc.assert(
      fc.property(fc.constantFrom(...unitedStates), instants, (zone, at) => {
        expect(localParts(zone, at)).toEqual(machineParts(zone, at))
      }),
      { numRuns: 3000 },
    )
  })

  it('agrees with the tz database in every zone it has, at any instant of 2020 to 2060', () => {
    const zones = zoneRules.flatMap(([names]) => names.split(/\s+/))
    const instants = fc.integer({ min: utc('2020-01-01T00:00Z'), max: utc('2060-01-01T00:00Z') })
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (zone, at) => {
        expect(offsetMinutes(zone, at)).toBe(-(moment.tz.zone(zone)?.utcOffset(at) ?? NaN))
      }),
      { numRuns: 5000 },
    )
  })

  it('agrees with the tz database just before and at every change', () => {
    for (const zone of zoneRules.flatMap(([names]) => names.split(/\s+/))) {
      const rules = moment.tz.zone(zone)
      const changes = rules?.untils.filter((at) => at > utc('2020-01-01T00:00Z') && at < utc('2060-01-01T00:00Z')) ?? []
      for (const at of changes.flatMap((change) => [change - 1, change]))
        expect([zone, at, offsetMinutes(zone, at)]).toEqual([zone, at, -(rules?.utcOffset(at) ?? NaN)])
    }
  })

  it.each([
    ['New York, before spring', 'America/New_York', '2026-03-08T06:59:59.999Z', -300],
    ['New York, in spring', 'America/New_York', '2026-03-08T07:00Z', -240],
    ['New York, before autumn', 'America/New_York', '2026-11-01T05:59:59.999Z', -240],
    ['New York, in autumn', 'America/New_York', '2026-11-01T06:00Z', -300],
    ['St. John’s, half an hour off', 'America/St_Johns', '2026-07-01T12:00Z', -150],
    ['St. John’s in winter', 'America/St_Johns', '2026-12-01T12:00Z', -210],
    ['Phoenix never changes', 'America/Phoenix', '2026-07-01T12:00Z', -420],
    ['Honolulu never changes', 'Pacific/Honolulu', '2026-07-01T12:00Z', -600],
    ['Regina never changes', 'America/Regina', '2026-07-01T12:00Z', -360],
    ['Whitehorse stopped in 2020', 'America/Whitehorse', '2026-12-15T12:00Z', -420],
    ['Vancouver in the last winter it changed', 'America/Vancouver', '2026-01-15T12:00Z', -480],
    ['Vancouver after the change that did not come', 'America/Vancouver', '2026-11-01T09:00Z', -420],
    ['Vancouver in the winter of 2026', 'America/Vancouver', '2026-12-15T12:00Z', -420],
    ['Edmonton in the last winter it changed', 'America/Edmonton', '2026-01-15T12:00Z', -420],
    ['Edmonton in the winter of 2026', 'America/Edmonton', '2026-12-15T12:00Z', -360],
    ['Yellowknife in the winter of 2026', 'America/Yellowknife', '2026-12-15T12:00Z', -360],
    ['Winnipeg in the last winter it changed', 'America/Winnipeg', '2026-01-15T12:00Z', -360],
    ['Winnipeg in the winter of 2026', 'America/Winnipeg', '2026-12-15T12:00Z', -300],
    ['Rainy River in the winter of 2026', 'America/Rainy_River', '2026-12-15T12:00Z', -300],
    ['Toronto still changes', 'America/Toronto', '2026-12-15T12:00Z', -300],
    ['Rankin Inlet still changes', 'America/Rankin_Inlet', '2026-12-15T12:00Z', -360],
    ['New York in a far summer', 'America/New_York', '2099-07-01T12:00Z', -240],
    ['a zone of the machine', 'Asia/Kathmandu', '2026-07-01T12:00Z', 345],
    ['a zone of the machine that changes', 'Europe/London', '2026-07-01T12:00Z', 60],
    ['no zone but UTC', 'UTC', '2026-07-01T12:00Z', 0],
  ])('%s', (_what, zone, at, minutes) => {
    expect(offsetMinutes(zone, utc(at))).toBe(minutes)
  })

  it('refuses a name that is no time zone', () => {
    expect(() => offsetMinutes('America/Nowhere', 0)).toThrow(/America\/Nowhere/)
  })
})
