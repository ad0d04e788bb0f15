/** A campaign's calling hours as they are written: for each weekday, windows of local time. */
import type { Weekday } from './offset.js'

/**
 * By decision: 24-hour times, `HH:MM`, the end exclusive, `24:00` allowed as an end, any number of windows a day; a day
 * that is missing is closed.
 */
export type CallingHours = Partial<Record<Weekday, readonly (readonly [start: string, end: string])[]>>

const days: readonly string[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] satisfies Weekday[]

const timeOfDay = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/

/** Minutes from midnight, 1440 for `24:00`; null when it is no time of day. */
export function minuteOfDay(time: string): number | null {
  const found = timeOfDay.exec(time)
  if (!found) return null
  return time === '24:00' ? 1440 : Number(found[1]) * 60 + Number(found[2])
}

/** The first thing wrong with the hours, in words that begin with its place, such as `mon[0]`; null when all is well. */
export function checkCallingHours(hours: CallingHours): string | null {
  for (const [day, windows] of Object.entries(hours)) {
    if (!days.includes(day)) return `${day}: not a day of the week; the days are ${days.join(', ')}.`
    const problem = checkDay(day, windows)
    if (problem !== null) return problem
  }
  return null
}

function checkDay(day: string, windows: readonly (readonly [string, string])[]): string | null {
  const seen: { start: number; end: number; place: string }[] = []
  for (const [i, [from, to]] of windows.entries()) {
    const place = `${day}[${i}]`
    const start = minuteOfDay(from)
    const end = minuteOfDay(to)
    if (start === null || end === null)
      return `${place}: "${start === null ? from : to}" is no time of day; write it as HH:MM, from 00:00 to 24:00.`
    if (end <= start) return `${place}: ends at ${to}, which is not after its start at ${from}.`
    const other = seen.find((earlier) => start < earlier.end && end > earlier.start)
    if (other) return `${place}: overlaps ${other.place}; join the two, or let one end where the other starts.`
    seen.push({ start, end, place })
  }
  return null
}
