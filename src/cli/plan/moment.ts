/** A moment as a person writes it: `2026-11-27 17:00` or `friday 5pm`, with or without a zone. */
import { dayOf, endOfDay, startOfDay } from '../../phone/local-day.js'
import { spansOfDay } from '../../phone/local-spans.js'
import { isDateTime } from '../../output/time.js'
import { UsageError } from '../errors/usage-error.js'
import { addDays, dayOfWord, isDayWord, isWeekday } from '../input/day-words.js'

const form =
  /^(?<day>\d{4}-\d\d-\d\d|[a-z]+)(?:[ T](?:(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d))?|(?<twelve>\d\d?)(?::(?<past>\d\d))? ?(?<half>[ap])m))?(?:\s+(?<named>[a-z]\S*))?$/i

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

interface Clock {
  /** The time zone of the organization. */
  zone: string
  /** What the clock of the service shows. */
  now: number
  /** A weekday of a deadline comes after this moment; after `now` by default. */
  after?: number
}

/**
 * Milliseconds since 1970. A day without a time is its end for a deadline, and its beginning for a start. A weekday is the
 * first one at which the moment is still to come.
 */
export function parseMoment(text: string, flag: '--by' | '--start', { zone, now, after = now }: Clock): number {
  const given = text.trim().replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)$/i, '$1T$2$3')
  if (isDateTime(given) && !Number.isNaN(Date.parse(given))) return Date.parse(given)
  const groups = form.exec(given)?.groups ?? {}
  const { day: word = '', named } = groups
  const second = Number(groups['second'] ?? 0)
  const minute = minuteOfDay(groups)
  if ((!isDayWord(word) && !isDay(word)) || Number.isNaN(minute) || second > 59) throw badMoment(text, flag)
  const clock = named === undefined ? zone : zoneNamed(named, text, flag)
  const day = dayOfWord(word, dayOf(clock, isWeekday(word) ? after : now), 'coming') ?? word
  const momentOn = (on: string): number => {
    if (minute === undefined) return flag === '--by' ? endOfDay(clock, on) : startOfDay(clock, on)
    return localMoment(clock, Date.parse(`${on}T00:00:00Z`), minute) + second * 1000
  }
  const at = momentOn(day)
  return isWeekday(word) && at <= after ? momentOn(addDays(day, 7)) : at
}

/** Whether the moment depends on when the text is read. */
export const isRelativeMoment = (text: string): boolean => isDayWord(/^[a-z]*/i.exec(text.trim())?.[0] ?? '')

function isDay(day: string): boolean {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
}

/** Minutes after midnight; undefined without a time, not a number for a time that does not exist. */
function minuteOfDay({ hour, minute, twelve, past = '0', half = '' }: Record<string, string | undefined>) {
  if (twelve !== undefined) {
    const isTime = Number(twelve) >= 1 && Number(twelve) <= 12 && Number(past) <= 59
    return isTime ? ((Number(twelve) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + Number(past) : NaN
  }
  if (hour === undefined) return undefined
  return Number(hour) <= 24 && Number(minute) <= 59 ? Number(hour) * 60 + Number(minute) : NaN
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
    `It reads like ${flag} "2026-11-27 17:00" or ${flag} friday, in the time zone of the organization, or ${flag} 2026-11-27T17:00:00Z.`,
  )
