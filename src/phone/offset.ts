/** The UTC offset of a time zone at an instant, and the local date and time. */
import { zoneRules, type Era } from './zone-rules.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export type Weekday = (typeof weekdays)[number]

/** Local date and time. Months count from 1; `minute` counts from midnight, 0 to 1439. */
export interface LocalParts {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly weekday: Weekday
  readonly minute: number
}

const erasByZone = new Map<string, readonly Era[]>()
for (const [zones, eras] of zoneRules) for (const zone of zones.split(/\s+/)) erasByZone.set(zone, eras)

/** True for zones whose rules are in zone-rules.ts. Other zones use the machine's data. */
export const knowsZone = (zone: string): boolean => erasByZone.has(zone)

/** Minutes east of UTC. Throws a RangeError for an unknown zone. */
export function offsetMinutes(zone: string, at: number): number {
  const eras = erasByZone.get(zone)
  if (!eras) return machineOffsetMinutes(zone, at)
  const era = eras.find(([until]) => at < until)
  if (!era) throw new RangeError(`The last era of ${zone} has an end.`)
  const [, standard, savesDaylight] = era
  return savesDaylight && inDaylightTime(standard, at) ? standard + 60 : standard
}

export function localParts(zone: string, at: number): LocalParts {
  const local = new Date(at + offsetMinutes(zone, at) * minuteMs)
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    weekday: weekdays[local.getUTCDay()] ?? 'sun',
    minute: local.getUTCHours() * 60 + local.getUTCMinutes(),
  }
}

/**
 * The US rule since 2007, also in Canadian zones that still change: from the second Sunday of March to the first
 * Sunday of November, both at 02:00 local time.
 */
function inDaylightTime(standard: number, at: number): boolean {
  const [start, end] = daylightOf(new Date(at + standard * minuteMs).getUTCFullYear())
  const standardClock = at + standard * minuteMs
  return standardClock >= start && standardClock < end
}

const daylightByYear = new Map<number, readonly [start: number, end: number]>()

/** Both ends in standard time, read as if it were UTC. */
function daylightOf(year: number): readonly [start: number, end: number] {
  const known = daylightByYear.get(year)
  if (known) return known
  const made = [
    firstSundayFrom(Date.UTC(year, 2, 8)) + 2 * hourMs,
    firstSundayFrom(Date.UTC(year, 10, 1)) + 1 * hourMs,
  ] as const
  daylightByYear.set(year, made)
  return made
}

const firstSundayFrom = (midnight: number) => midnight + ((7 - new Date(midnight).getUTCDay()) % 7) * dayMs

const formats = new Map<string, Intl.DateTimeFormat>()

function machineOffsetMinutes(zone: string, at: number): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const shown = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second)
  return Math.round((shown - Math.floor(at / 1000) * 1000) / minuteMs)
}
