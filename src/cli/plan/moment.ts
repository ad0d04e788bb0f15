/** A moment as a person writes it: `2026-11-27 17:00`, with or without a zone. */
import { startOfDay } from '../../phone/local-day.js'
import { spansOfDay } from '../../phone/local-spans.js'
import { isDateTime } from '../../output/time.js'
import { UsageError } from '../errors/usage-error.js'

const dayMs = 86_400_000
const form = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?(?:\s+(\S+))?$/

/** Zones by the abbreviations that people write. */
const abbreviations: Readonly<Record<string, string>> = {
  UTC: 'UTC',
  GMT: 'UTC',
  ET: 'America/New_York',
  EST: 'America/New_York',
  EDT: 'America/New_York',
  CT: 'America/Chicago',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  MT: 'America/Denver',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  PT: 'America/Los_Angeles',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
}

/** Milliseconds since 1970. A date alone is its end for a deadline, and its beginning for a start. */
export function parseMoment(text: string, flag: '--by' | '--start', zone: string): number {
  const given = text.trim().replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)$/i, '$1T$2$3')
  if (isDateTime(given) && !Number.isNaN(Date.parse(given))) return Date.parse(given)
  const [, day = '', hour, minute, second = '0', named] = form.exec(given) ?? []
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
  if (!isDay || Number(hour ?? 0) > 24 || Number(minute ?? 0) > 59 || Number(second) > 59) throw badMoment(text, flag)
  const clock = named === undefined ? zone : zoneNamed(named, text, flag)
  if (hour === undefined) return startOfDay(clock, flag === '--by' ? dayAfter(midnight) : day)
  return localMoment(clock, midnight, Number(hour) * 60 + Number(minute)) + Number(second) * 1000
}

/** A time that the clocks skip is the moment at which they skip it. One that they show twice is the first. */
function localMoment(zone: string, midnight: number, minute: number): number {
  const later = [minute, minute + 1, minute + 60, minute + 120]
  for (const at of later) {
    const [span] = spansOfDay(zone, midnight, at, at + 1)
    if (span) return span[0]
  }
  return midnight + minute * 60_000
}

const dayAfter = (midnight: number): string => new Date(midnight + dayMs).toISOString().slice(0, 10)

function zoneNamed(name: string, text: string, flag: string): string {
  const known = abbreviations[name.toUpperCase()]
  if (known !== undefined) return known
  if (name.includes('/') && isZone(name)) return name
  throw new UsageError(
    `${flag} ${JSON.stringify(text)}: ${name} is not a time zone.`,
    'Name one like America/Chicago, write CT, or leave it out for the time zone of the organization.',
  )
}

export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const badMoment = (text: string, flag: string): UsageError =>
  new UsageError(
    `${flag} ${JSON.stringify(text)} is not a date with a time.`,
    `It reads like ${flag} "2026-11-27 17:00", in the time zone of the organization, or ${flag} 2026-11-27T17:00:00Z.`,
  )
