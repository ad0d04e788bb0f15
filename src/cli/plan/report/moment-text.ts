/** Moments of a plan as people read them, in the time zone of the organization. */
import { formatDateTime } from '../../../phone/local-time.js'
import { localParts } from '../../../phone/offset.js'

const weekdayOf = (zone: string, at: number): string => {
  const { weekday } = localParts(zone, at)
  return weekday.charAt(0).toUpperCase() + weekday.slice(1)
}

/** `Fri 2026-11-27 17:00 EST`. */
export const longMoment = (zone: string, at: number): string => `${weekdayOf(zone, at)} ${formatDateTime([zone], at)}`

const minuteMs = 60_000

/** The same for a deadline: midnight is `the end of Fri 2026-11-27 EST`, because `00:00` would name the next day. */
export function deadlineMoment(zone: string, at: number): string {
  const text = longMoment(zone, at - minuteMs)
  return localParts(zone, at).minute === 0 && text.includes(' 23:59 ')
    ? `the end of ${text.replace(' 23:59 ', ' ')}`
    : longMoment(zone, at)
}

/** `Fri 11-27 17:00`. */
export const shortMoment = (zone: string, at: number): string =>
  `${weekdayOf(zone, at)} ${formatDateTime([zone], at).slice('2026-'.length, '2026-11-27 17:00'.length)}`
