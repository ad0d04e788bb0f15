/** Formats times for people: relative to now if close, else as local date and time. */

const second = 1000
const units: readonly (readonly [name: string, ms: number])[] = [
  ['day', 24 * 3600 * second],
  ['hour', 3600 * second],
  ['minute', 60 * second],
  ['second', second],
]
const relativeMs = 24 * 3600 * second

/** How to show times. */
export interface TimeStyle {
  /** Base of relative times, in milliseconds since the epoch. */
  now: number
  /** True shows ISO times in UTC. */
  utc: boolean
  /** True shows no relative times. */
  isDate?: boolean
}

export interface ShownTime {
  text: string
  /** True if the text is a local time, which means something only with the zone. */
  isLocal: boolean
}

/** "3 minutes ago" within 24 hours, else "2026-10-01 15:00" in the zone of this machine; with `utc`, an ISO time. */
export function shortTime(iso: string, { now, utc, isDate }: TimeStyle): ShownTime {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return { text: iso, isLocal: false }
  if (utc) return { text: new Date(at).toISOString(), isLocal: false }
  if (!isDate && Math.abs(at - now) < relativeMs) return { text: relativeTime(at, now), isLocal: false }
  return { text: localTime(at).slice(0, -3), isLocal: true }
}

/** "2026-10-01 15:00:00" in the zone of this machine; with `utc`, an ISO time. */
export function fullTime(iso: string, { utc }: Pick<TimeStyle, 'utc'>): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return iso
  return utc ? new Date(at).toISOString() : localTime(at)
}

/** "3 minutes ago", "in 2 days", "now". */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(at - now)
  const unit = units.find(([, ms]) => distance >= ms)
  if (!unit) return 'now'
  const [name, ms] = unit
  const count = Math.floor(distance / ms)
  const length = `${count} ${name}${count === 1 ? '' : 's'}`
  return at < now ? `${length} ago` : `in ${length}`
}

/** The zone of local times, such as `America/New_York`. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The note below a table that names the zone of its local times. */
export const zoneNote = (): string => `Times: ${localZone()}`

let formatter: Intl.DateTimeFormat | undefined

/** Swedish dates are `2026-10-01 15:00:00`. */
function localTime(at: number): string {
  formatter ??= new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' })
  return formatter.format(at)
}

const isoForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

export function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && isoForm.test(value)
}
