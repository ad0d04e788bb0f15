/** Calendar days of a time zone: which day an instant falls on, and when a day begins. A day is text, `2026-10-01`. */
import { spansOfDay } from './local-spans.js'
import { localParts } from './offset.js'

const dayMs = 24 * 60 * 60_000
const minutesOfDay = 24 * 60

/** The beginning of the day if the zone were UTC. */
const midnightOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

const padNumber = (n: number, length: number) => String(n).padStart(length, '0')

/** The calendar day in the zone at an instant. */
export function dayOf(zone: string, at: number): string {
  const { year, month, day } = localParts(zone, at)
  return `${padNumber(year, 4)}-${padNumber(month, 2)}-${padNumber(day, 2)}`
}

/** When the day begins in the zone. That is later than midnight if the clocks skip midnight or the whole day. */
export const startOfDay = (zone: string, day: string): number => startOfLocalDay(zone, midnightOf(day))

/** When the day ends in the zone. */
export const endOfDay = (zone: string, day: string): number => startOfLocalDay(zone, midnightOf(day) + dayMs)

/** Calendars skip one day at most. The machine's data has no days before the year 100: UTC is used for them. */
function startOfLocalDay(zone: string, midnight: number): number {
  const spans = [midnight, midnight + dayMs].flatMap((each) => spansOfDay(zone, each, 0, minutesOfDay))
  return spans[0]?.[0] ?? midnight
}

/** When a month, `2026-10`, begins and ends in the zone. */
export function spanOfMonth(zone: string, month: string): readonly [from: number, to: number] {
  const first = midnightOf(`${month}-01`)
  const next = new Date(first)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return [startOfLocalDay(zone, first), startOfLocalDay(zone, next.getTime())]
}
