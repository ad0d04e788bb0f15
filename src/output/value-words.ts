/** Says values of the API in words, for people: `outside_calling_hours` is "outside calling hours". */
import { plainText } from './flatten.js'

/** Columns whose values are words of the API, not of a person or an organization. */
const wordColumns = /(^|\.)(status|outcome|last_outcome|scheduled_reason|held_reason|decides|object)$/

const known: Readonly<Record<string, string>> = {
  dnc: 'do not call',
  skipped_paused: 'skipped (paused)',
}

/** `not_interested` is "not interested". Text that is not a word of the API stays. */
export const statusInWords = (value: string): string =>
  known[value] ?? (/^[a-z]+(_[a-z]+)*$/.test(value) ? value.replaceAll('_', ' ') : value)

/** A wait is an estimate, so that seconds say too much of one that is long: "about 2 h 40 min". */
function waitInWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const parts = [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : '']
  return `about ${parts.filter(Boolean).join(' ')}`
}

/** Amounts of money have cents, and sizes and waits their unit. */
export function valueInWords(column: string, value: unknown): string {
  if (typeof value === 'number' && /(^|[._])usd$/.test(column)) return value.toFixed(2)
  if (typeof value === 'number' && /(^|[._])wait_seconds$/.test(column)) return waitInWords(value)
  if (typeof value === 'number' && /(^|[._])bytes$/.test(column)) return `${(value / 1e6).toFixed(1)} MB`
  return typeof value === 'string' && wordColumns.test(column) ? statusInWords(value) : plainText(value)
}
