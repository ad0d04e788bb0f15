/** Formats a week of calling hours: "Mon-Fri 08:00-12:00, 13:00-17:00; Sat 09:00-12:00". */
import type { CallingHours } from '../contract/base/calling-hours.js'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const timeForm = /^\d\d:\d\d$/

/** True for an object of weekdays with windows of two times. */
export function isCallingHours(value: unknown): value is CallingHours {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const entries = Object.entries(value)
  return entries.length > 0 && entries.every(([day, windows]) => isDay(day) && isWindows(windows))
}

const isDay = (name: string): boolean => days.some((day) => day === name)

function isWindows(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((window) => Array.isArray(window) && window.length === 2 && window.every(isTimeOfDay))
  )
}

const isTimeOfDay = (value: unknown): boolean => typeof value === 'string' && timeForm.test(value)

/** Days in a row with the same hours are one range. Closed days are left out. */
export function formatHours(week: CallingHours): string {
  const ranges: { from: string; to: string; hours: string }[] = []
  let before = ''
  for (const day of days) {
    const hours = (week[day] ?? []).map(([from, until]) => `${from}-${until}`).join(', ')
    const name = day.charAt(0).toUpperCase() + day.slice(1)
    const last = ranges.at(-1)
    if (hours !== '' && hours === before && last) last.to = name
    else if (hours !== '') ranges.push({ from: name, to: name, hours })
    before = hours
  }
  if (ranges.length === 0) return 'Closed'
  return ranges.map(({ from, to, hours }) => `${from === to ? from : `${from}-${to}`} ${hours}`).join('; ')
}
