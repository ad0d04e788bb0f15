/** Instants and durations of simulated time in whole milliseconds. Branded types keep them apart. */

/** Milliseconds since 1970-01-01T00:00:00Z on the simulated clock. */
export type Instant = number & { readonly __instant: unique symbol }
/** A length of time in milliseconds. */
export type Duration = number & { readonly __duration: unique symbol }

export const milliseconds = (n: number) => Math.round(n) as Duration
export const seconds = (n: number) => Math.round(n * 1000) as Duration
export const minutes = (n: number) => seconds(n * 60)
export const hours = (n: number) => minutes(n * 60)
export const days = (n: number) => hours(n * 24)

export const instant = (ms: number) => ms as Instant
export const after = (at: Instant, by: Duration) => (at + by) as Instant
export const before = (at: Instant, by: Duration) => (at - by) as Instant
export const justBefore = (at: Instant) => (at - 1) as Instant
export const between = (from: Instant, to: Instant) => (to - from) as Duration
/** The last instant of the clock: the last day with a four-digit year. */
export const endOfTime = instant(Date.UTC(9999, 11, 31))

export const later = (a: Instant, b: Instant) => (a > b ? a : b)
export const earlier = (a: Instant, b: Instant) => (a < b ? a : b)

/** Cache of recently formatted instants. An event repeats the same few instants. */
const isoCache: { at: Instant; iso: string }[] = []

/** Formats an instant as ISO 8601 in UTC (rule C4). */
export function toIso(at: Instant): string {
  const place = (at / 1000) & 1023
  const known = isoCache[place]
  if (known?.at === at) return known.iso
  const iso = new Date(at).toISOString()
  isoCache[place] = { at, iso }
  return iso
}
export const toIsoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at as Instant))

/** Parses an ISO 8601 date-time with a zone (rule C4); null if it is not one. */
export function fromIso(text: string): Instant | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i.test(text)) return null
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) return null
  // Date.parse reads a day that does not exist as one of the next month.
  const day = text.slice(0, 10)
  return toIso(instant(Date.parse(day))).startsWith(day) ? instant(ms) : null
}

const units: Readonly<Record<string, (n: number) => Duration>> = {
  ms: milliseconds,
  s: seconds,
  m: minutes,
  h: hours,
  d: days,
  w: (n) => days(7 * n),
}

/** Parses `90s`, `4m`, `24h`, `31d`, `1h30m` or a number of seconds; null if it is not a duration. */
export function parseDuration(text: string): Duration | null {
  if (/^\d+(\.\d+)?$/.test(text)) return seconds(Number(text))
  if (!/^(\d+(\.\d+)?(ms|[smhdw]))+$/.test(text)) return null
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)) total += units[unit!]!(Number(amount))
  return total as Duration
}

/** The largest unit that says a length in a whole number: `5m` for 300 seconds. */
export function writeDuration(length: Duration): string {
  const isWhole = ([, unit]: [string, (n: number) => Duration]) => length >= unit(1) && length % unit(1) === 0
  const [name, unit] = Object.entries(units).findLast(isWhole) ?? ['ms', milliseconds]
  return `${length / unit(1)}${name}`
}
