/** Times in UTC and in the zone of the organization, and times relative to the simulated clock. */
import { now } from '../api/pulse.js'
import { zone } from '../api/world.js'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions, locale = 'en-GB'): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`
  let format = formats.get(key)
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat(locale, { timeZone, ...options })))
  return format
}

const clockTime = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
const shortTime = { hour: '2-digit', minute: '2-digit' } as const
const day = { day: 'numeric', month: 'short' } as const

export const timeIn = (at: number, timeZone: string): string => formatIn(timeZone, clockTime).format(at)
export const shortTimeIn = (at: number, timeZone: string): string => formatIn(timeZone, shortTime).format(at)
export const dayIn = (at: number, timeZone: string): string => formatIn(timeZone, day).format(at)
export const longDayIn = (at: number, timeZone: string): string =>
  formatIn(timeZone, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }).format(at)

/** The city of a zone: `America/New_York` is New York. */
export const cityOf = (timeZone: string): string => (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')

const steps = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
  [1, 's'],
] as const

/** A duration in its two largest units. */
export function duration(ms: number): string {
  let seconds = Math.round(Math.abs(ms) / 1_000)
  const parts: string[] = []
  for (const [length, unit] of steps) {
    const many = Math.floor(seconds / length)
    seconds -= many * length
    if (many > 0) parts.push(`${many} ${unit}`)
    else if (parts.length > 0) break
    if (parts.length === 2) break
  }
  return parts.join(' ') || '0 s'
}

/** The short name of a zone at a moment: `EDT`. */
const zoneName = (at: number, timeZone: string): string =>
  formatIn(timeZone, { timeZoneName: 'short' }, 'en-US')
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** A time: the day and the time in UTC, then the time in the zone of the organization. */
export function Time({ at }: { at: string }) {
  const ms = Date.parse(at)
  const local = zone.value
  return (
    <time dateTime={at} class="time" title={`${longDayIn(ms, local)} ${timeIn(ms, local)} in ${cityOf(local)}`}>
      {dayIn(ms, 'UTC')} {timeIn(ms, 'UTC')} UTC
      {local !== 'UTC' && (
        <span class="quiet">
          {' '}
          · {shortTimeIn(ms, local)} {zoneName(ms, local)}
        </span>
      )}
    </time>
  )
}

/** How far a time is from the simulated time. */
export function Relative({ at }: { at: string }) {
  const ms = Date.parse(at) - now.value
  const text = Math.abs(ms) < 1_000 ? 'now' : ms > 0 ? `in ${duration(ms)}` : `${duration(ms)} ago`
  return (
    <time dateTime={at} class="relative">
      {text}
    </time>
  )
}
