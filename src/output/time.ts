/** Formats times relative to now. */

const second = 1000
const units: readonly (readonly [name: string, ms: number])[] = [
  ['year', 365 * 24 * 3600 * second],
  ['month', 30 * 24 * 3600 * second],
  ['day', 24 * 3600 * second],
  ['hour', 3600 * second],
  ['minute', 60 * second],
  ['second', second],
]

/** "3 minutes ago", "in 2 days", "now"; or the unchanged text if it is not a date-time. */
export function relativeTime(iso: string, now: number): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return iso
  const distance = Math.abs(at - now)
  const unit = units.find(([, ms]) => distance >= ms)
  if (!unit) return 'now'
  const [name, ms] = unit
  const count = Math.floor(distance / ms)
  const length = `${count} ${name}${count === 1 ? '' : 's'}`
  return at < now ? `${length} ago` : `in ${length}`
}

const isoForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

export function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && isoForm.test(value)
}
