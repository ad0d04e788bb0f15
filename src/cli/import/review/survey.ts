/** What is wrong with the rows of a file, counted before anything is sent, and the warnings about it. */
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { cutTo } from '../../../output/table/width.js'
import { parsePhone, type NumberKind } from '../../../phone/number.js'
import { LineList } from '../line-list.js'
import { missingParts, refuseIncompleteConsent } from '../consent-parts.js'
import { ConsentGaps } from './consent-gaps.js'
import { extensionOf, numberFault, type NumberFault } from './number-faults.js'
import { amount } from '../result-sentence.js'
import type { RawRow } from '../rows.js'
import type { Outcome } from '../target.js'

/** A row as it will be sent. */
export type Row = Readonly<Record<string, unknown>>

export type RowFault = NumberFault | 'unreadable' | 'repeated' | 'without_consent' | 'part_consent'

/** How the rows of an import are judged. */
export interface RowRules {
  make: (row: RawRow) => Row
  /** Why a row cannot be read; undefined if it can. */
  problem: (row: RawRow) => string | undefined
  takes: (kind: NumberKind) => boolean
  /** True if every row needs consent. */
  needsConsent: boolean
}

interface Found {
  lines: LineList
  /** The first value. */
  sample: string
}

export interface Survey {
  rows: number
  withoutConsent: number
  /** The rows with an incomplete consent. */
  gaps: ConsentGaps
  faults: ReadonlyMap<RowFault, Found>
}

/** Rows that will be refused. */
export const countRefused = ({ faults }: Survey): number =>
  [...faults.values()].reduce((sum, { lines }) => sum + lines.count, 0)

/** Repeated numbers are found among this many, so that memory does not grow with the file. */
const knownNumbersMax = 200_000
const sampleWidth = 30

/** Counts the rows after the first `done`, which were sent by an earlier run. Each row has one fault at most. */
export async function surveyRows(rows: AsyncIterable<RawRow>, rules: RowRules, done = 0): Promise<Survey> {
  const faults = new Map<RowFault, Found>()
  const gaps = new ConsentGaps()
  const judge = rowJudge(rules)
  let [at, withoutConsent] = [0, 0]
  for await (const row of rows) {
    const item = rules.make(row)
    const fault = judge(row, item)
    at++
    if (at <= done) continue
    if (item['consent'] === undefined) withoutConsent++
    if (fault === undefined) continue
    if (fault === 'part_consent') gaps.add(row.line, missingParts(item['consent']))
    const found = faults.get(fault) ?? { lines: new LineList(), sample: phoneOf(item) }
    found.lines.add(row.line)
    faults.set(fault, found)
  }
  return { rows: at - Math.min(at, done), withoutConsent, gaps, faults }
}

/** Judges rows in order, because a number may be that of an earlier row. */
function rowJudge(rules: RowRules): (row: RawRow, item: Row) => RowFault | undefined {
  const seen = new Set<string>()
  return (row, item) => {
    if (rules.problem(row) !== undefined) return 'unreadable'
    // Such a row is refused without a request, whatever its number is.
    if (missingParts(item['consent']).length > 0) return 'part_consent'
    const phone = phoneOf(item)
    const fault = numberFault(phone, rules.takes)
    if (fault !== undefined) return fault
    const number = parsePhone(phone)
    const e164 = number.kind === 'invalid' ? phone : number.e164
    if (seen.has(e164)) return 'repeated'
    if (seen.size < knownNumbersMax) seen.add(e164)
    return rules.needsConsent && item['consent'] === undefined ? 'without_consent' : undefined
  }
}

const phoneOf = (item: Row): string => (typeof item['phone'] === 'string' ? item['phone'] : '')

/** What the service would say about a row with a fault. Without a judgement of earlier rows. */
export function refuseLocally(item: Row, rules: RowRules, explain: (phone: string) => string | undefined): Outcome {
  const phone = phoneOf(item)
  const fault = numberFault(phone, rules.takes)
  const refuse = (code: string, message: string): Outcome => ({ kind: 'refused', code, message })
  const incomplete = refuseIncompleteConsent(item['consent'])
  if (incomplete !== undefined) return incomplete
  if (fault === undefined) return refuse('consent_required', 'The campaign requires consent.')
  const { kind } = parsePhone(phone)
  if (kind === 'premium' || kind === 'international')
    return refuse(
      'number_not_allowed',
      `The number is ${kind === 'premium' ? 'a premium-rate number' : 'outside the US and Canada'} and is never called.`,
    )
  if (fault === 'missing') return refuse('invalid_phone', 'The row has no phone.')
  return refuse('invalid_phone', explain(phone) ?? 'The phone is not a telephone number.')
}

type Describe = (rows: number, where: string, sample: string) => readonly string[]

/** The warnings, in the order in which they are shown. Consent has its own line. */
const warnings: readonly (readonly [fault: RowFault, describe: Describe])[] = [
  [
    'shortened',
    (rows, where) => [
      `Warning: a spreadsheet has shortened ${amount(rows, 'numbers')} (${where}), as in 2.12556E+09.`,
      'Format the column as text in the spreadsheet and save the file again.',
    ],
  ],
  [
    'extended',
    (rows, where, sample) => [
      `Warning: ${amount(rows, 'numbers')} ${rows === 1 ? 'has' : 'have'} an extension (${where}), such as ${JSON.stringify(extensionOf(sample))}. Remove it: an extension cannot be dialed.`,
    ],
  ],
  [
    'invalid',
    (rows, where, sample) => [
      `Warning: ${amount(rows, 'values')} ${rows === 1 ? 'is' : 'are'} no phone number (${where}), such as ${quoted(sample)}.`,
    ],
  ],
  [
    'not_taken',
    (rows, where, sample) => [
      `Warning: the service does not take ${amount(rows, 'numbers')} (${where}), such as ${quoted(sample)}.`,
    ],
  ],
  ['repeated', (rows, where) => [`Warning: ${amount(rows, 'rows')} with the number of an earlier row (${where}).`]],
  ['missing', (rows) => [`Warning: ${amount(rows, 'rows')} without a number will be refused.`]],
  ['unreadable', (rows, where) => [`Warning: ${amount(rows, 'rows')} cannot be read (${where}).`]],
]

/** Warnings about rows that will be refused. `only` selects one kind. */
export function describeFaults({ faults, gaps }: Survey, only?: RowFault): string[] {
  const incomplete = only === undefined ? gaps.describe() : []
  const others = warnings.flatMap(([fault, describe]) => {
    const found = only === undefined || only === fault ? faults.get(fault) : undefined
    return found ? describe(found.lines.count, found.lines.describe(), found.sample) : []
  })
  return [...others, ...incomplete]
}

const quoted = (sample: string): string => JSON.stringify(cutTo(sampleWidth, stripControlsFromLine(sample)))
