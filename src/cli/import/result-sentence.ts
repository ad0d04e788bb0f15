/** Describes the result of an import in one sentence, such as "3 leads added, 1 row not added: 1 invalid number (line 4)". */
import { fullTime } from '../../output/time.js'
import { refusalInWords } from '../../output/refusal-words.js'
import type { Counts, LeftOut } from './report.js'

export interface Described {
  /** What is added, in the plural, such as `leads`. */
  what: string
  /** What is refused. */
  unit: string
  isDryRun: boolean
  leftOut?: LeftOut | undefined
}

export function describeResult(counts: Counts, { what, unit, isDryRun, leftOut }: Described): string {
  const { added, requeued, already_added, refused } = counts
  const parts = isDryRun
    ? [`${amount(added + requeued, what)} would be added`]
    : [
        ...(added > 0 || requeued + already_added === 0 ? [`${amount(added, what)} added`] : []),
        ...(requeued > 0 ? [`${amount(requeued, what)} put back in the queue`] : []),
        ...(already_added > 0 ? [`${amount(already_added, what)} already added earlier`] : []),
      ]
  const not = isDryRun ? 'would not be added' : 'not added'
  // A row without a number is not one of the numbers.
  const empty = unit === 'numbers' ? (counts.by_code[missing] ?? 0) : 0
  const others = refused - empty
  const failed = [
    ...(others > 0 ? [`${amount(others, unit)} ${not}: ${describeRefusals(counts, empty > 0 ? [missing] : [])}`] : []),
    ...(empty > 0
      ? [`${amount(empty, 'rows')} without a number (${describeLines(counts.lines[missing] ?? [], empty)})`]
      : []),
  ]
  const skipped = leftOut ? [`${amount(leftOut.count, leftOut.what)} left out`] : []
  return `${[...parts, ...failed, ...skipped].join(', ')}${isDryRun ? '; nothing was saved' : ''}.`
}

const missing = 'missing_phone'

function describeRefusals({ by_code, lines }: Counts, without: readonly string[]): string {
  return Object.entries(by_code)
    .filter(([code]) => !without.includes(code))
    .map(
      ([code, count]) =>
        `${count.toLocaleString('en-US')} ${refusalInWords(code, count)} (${describeLines(lines[code] ?? [], count)})`,
    )
    .join(', ')
}

function describeLines(lines: readonly number[], count: number): string {
  const more = count - lines.length
  return `${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en-US')} more` : ''}`
}

/** `the lead` or `the 2 leads`. */
export const theAmount = (count: number, what: string): string =>
  count === 1 ? `the ${what.replace(/s$/, '')}` : `the ${amount(count, what)}`

/** `1 lead` or `2 leads`. */
export const amount = (count: number, what: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? what.replace(/s$/, '') : what}`

/** Says that refusals are those of an earlier run, and how the rows are tried again. `at` is when that run ended. */
export function describeRepeated(refused: number, at: number | undefined): string[] {
  if (refused === 0) return []
  const one = refused === 1
  const when = at === undefined ? '' : ` on ${timeOf(at)}`
  const are = one ? 'refusal is the answer' : 'refusals are the answers'
  const rows = one ? 'the row' : 'the rows'
  return [
    `${refused.toLocaleString('en-US')} ${are} to an earlier import of ${one ? 'this row' : 'these rows'}${when}: ${one ? 'it was' : 'they were'} not judged again. To try ${rows} again, add --again.`,
  ]
}

/** The local time in the words of a sentence. `at` is in milliseconds since the epoch. */
export const timeOf = (at: number): string => fullTime(new Date(at).toISOString(), { utc: false }).slice(0, -3)
