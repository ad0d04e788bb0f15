/**
 * Consent dates that leave open which moment they mean. The service takes a date-time with its time zone (rule D7's proof), and a
 * guess would be no proof.
 */
import { LineList } from './line-list.js'
import { amount } from './result-sentence.js'

export type DateFault = 'no_zone' | 'two_days' | 'no_date'

/** A date-time with its zone. Whether the day exists is left to the service. */
const withZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)? ?(Z|[+-]\d\d(:?\d\d)?)$/i
/** A day in the order of the year, or with the year at the end. */
const yearFirst = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)/
const yearLast = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?!\d)/
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** Undefined for a time that the service can read. */
export function findDateFault(text: string): DateFault | undefined {
  if (withZone.test(text)) return undefined
  if (yearFirst.test(text)) return 'no_zone'
  const [, first = 0, second = 0] = (yearLast.exec(text) ?? []).map(Number)
  const [low, high] = [Math.min(first, second), Math.max(first, second)]
  if (low < 1 || low > 12 || high > 31) return 'no_date'
  return high <= 12 && low !== high ? 'two_days' : 'no_zone'
}

/** "September 1 or January 9", for a date such as 9/1/2026. */
function describeDays(text: string): string {
  const [, first = 0, second = 0] = (yearLast.exec(text) ?? []).map(Number)
  return `${months[first - 1]} ${second} or ${months[second - 1]} ${first}`
}

/** How to write a time that can be read in one way only. */
export const writeDatesLike = 'with its time zone, such as 2026-10-01T09:30:00Z or 2026-10-01T09:30:00-05:00'

/** Why the service cannot read a date. `subject` names the date. */
export function explainDateFault(subject: string, text: string, fault: DateFault): string {
  if (fault === 'two_days') return `${subject} may be ${describeDays(text)}, and has no time zone.`
  return fault === 'no_zone' ? `${subject} has no time zone.` : `${subject} cannot be read as a date and time.`
}

type Describe = (where: string, sample: string) => string

const descriptions: readonly (readonly [fault: DateFault, describe: Describe])[] = [
  [
    'no_zone',
    (where, sample) => `without a time zone (${where}), such as ${JSON.stringify(sample)}, and will be refused.`,
  ],
  [
    'two_days',
    (where, sample) =>
      `that may mean two days (${where}), and will be refused: ${JSON.stringify(sample)} is ${describeDays(sample)}.`,
  ],
  [
    'no_date',
    (where, sample) => `that cannot be read (${where}), such as ${JSON.stringify(sample)}, and will be refused.`,
  ],
]

/** The rows of a file with such dates, by fault. */
export class UnclearDates {
  readonly #found = new Map<DateFault, { lines: LineList; sample: string }>()

  add(line: number, text: string, fault: DateFault): void {
    const found = this.#found.get(fault) ?? { lines: new LineList(), sample: text }
    found.lines.add(line)
    this.#found.set(fault, found)
  }

  /** The warnings, with the form that can be read. `quote` shortens a value. */
  describe(quote: (text: string) => string): string[] {
    const warnings = descriptions.flatMap(([fault, describe]) => {
      const found = this.#found.get(fault)
      if (found === undefined) return []
      const { lines, sample } = found
      const have = `${amount(lines.count, 'rows')} ${lines.count === 1 ? 'has' : 'have'}`
      return [`Warning: ${have} a consent date ${describe(lines.describe(), quote(sample))}`]
    })
    return warnings.length > 0 ? [...warnings, `Write each consent date ${writeDatesLike}.`] : []
  }
}
