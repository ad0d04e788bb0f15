/** Writes moments and spans on the clocks of a lead: `2026-10-01 23:40 HST`. */
import { dayOf } from './local-day.js'
import { localParts, offsetMinutes } from './offset.js'

const dayMs = 24 * 60 * 60_000

/** Abbreviations by standard offset in minutes: standard time, daylight time. */
const abbreviations: Readonly<Record<number, readonly [standard: string, daylight: string]>> = {
  [-660]: ['SST', 'SDT'],
  [-600]: ['HST', 'HDT'],
  [-540]: ['AKST', 'AKDT'],
  [-480]: ['PST', 'PDT'],
  [-420]: ['MST', 'MDT'],
  [-360]: ['CST', 'CDT'],
  [-300]: ['EST', 'EDT'],
  [-240]: ['AST', 'ADT'],
  [-210]: ['NST', 'NDT'],
  600: ['ChST', 'ChDT'],
}

/** The abbreviation of the zone's time at a moment: `EST` or `EDT`. */
export function zoneAbbreviation(zone: string, at: number): string {
  const year = new Date(at).getUTCFullYear()
  const offset = offsetMinutes(zone, at)
  const standard = Math.min(offsetMinutes(zone, Date.UTC(year, 0, 2)), offsetMinutes(zone, Date.UTC(year, 6, 2)))
  if (zone === 'UTC') return 'UTC'
  const known = abbreviations[standard]
  if (known) return offset === standard ? known[0] : known[1]
  const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')
  return `UTC${offset < 0 ? '-' : '+'}${hours}:${String(Math.abs(offset) % 60).padStart(2, '0')}`
}

/** The clocks to write on: one for each abbreviation. No zone, or more than two clocks, are written in UTC. */
function clocksOf(zones: readonly string[], at: number): readonly string[] {
  const byAbbreviation = new Map(zones.map((zone) => [zoneAbbreviation(zone, at), zone]))
  return byAbbreviation.size === 0 || byAbbreviation.size > 2 ? ['UTC'] : [...byAbbreviation.values()]
}

function timeOf(zone: string, at: number): string {
  const { minute } = localParts(zone, at)
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** `2026-10-01 23:40 HST`, on each clock of the zones. */
export const formatDateTime = (zones: readonly string[], at: number): string =>
  clocksOf(zones, at)
    .map((zone) => `${dayOf(zone, at)} ${timeOf(zone, at)} ${zoneAbbreviation(zone, at)}`)
    .join(' / ')

/**
 * `21:00` if it is less than a day from `now`, `Mon 09:00` within six days, else with the date. One zone needs no
 * abbreviation: the text is about that zone.
 */
export function formatNear(zones: readonly string[], at: number, now: number): string {
  const clocks = clocksOf(zones, at)
  const isPlain = clocks.length === 1 && clocks[0] !== 'UTC'
  return clocks
    .map((zone) => nearOnClock(zone, at, now) + (isPlain ? '' : ` ${zoneAbbreviation(zone, at)}`))
    .join(' / ')
}

function nearOnClock(zone: string, at: number, now: number): string {
  const time = timeOf(zone, at)
  const distance = Math.abs(at - now)
  if (distance < dayMs) return time
  const { weekday } = localParts(zone, at)
  if (distance < 6 * dayMs) return `${weekday.charAt(0).toUpperCase()}${weekday.slice(1)} ${time}`
  return `${dayOf(zone, at)} ${time}`
}

/** `08:00-21:00`, on each clock of the zones. */
export function formatSpan(zones: readonly string[], [from, to]: readonly [number, number]): string {
  const clocks = clocksOf(zones, from)
  const isPlain = clocks.length === 1 && clocks[0] !== 'UTC'
  return clocks
    .map((zone) => `${timeOf(zone, from)}-${timeOf(zone, to)}${isPlain ? '' : ` ${zoneAbbreviation(zone, from)}`}`)
    .join(' / ')
}
