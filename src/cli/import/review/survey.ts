/** What is wrong with the rows of a file, counted before anything is sent, and the warnings about it. */
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { cutTo } from '../../../output/table/width.js'
import { parsePhone, type NumberKind } from '../../../phone/number.js'
import { LineList } from '../line-list.js'
import { refuseConsent } from '../consent-parts.js'
import { ConsentGaps } from './consent-gaps.js'
import { EarlierRows, type Likeness, type Repeat, type RowPerson } from './earlier-rows.js'
import { Likenesses } from './likenesses.js'
import {
  explainInvalidNumber,
  explainNotTaken,
  extensionOf,
  numberFault,
  withReason,
  type NumberFault,
} from './number-faults.js'
import { amount } from '../result-sentence.js'
import { lineToName, type RawRow } from '../rows.js'
import type { ImportTarget, Outcome } from '../target.js'

/** A row as it will be sent. */
export type Row = Readonly<Record<string, unknown>>

export type RowFault = NumberFault | Repeat | 'unreadable' | 'short' | 'without_consent' | 'part_consent'

/** How the rows of an import are judged. */
export interface RowRules {
  make: (row: RawRow) => Row
  /** Why a row cannot be read; undefined if it can. */
  problem: (row: RawRow) => string | undefined
  takes: (kind: NumberKind) => boolean
  /** True if every row needs consent. */
  needsConsent: boolean
  /** False if the campaign has no duplicate window, so that a person of two rows is called again. */
  refusesRepeats: boolean
  /** Every number of a row, also those that are not called. Undefined if nobody is called. */
  numbers?: (row: RawRow) => readonly string[]
  /** Gets every row that will be sent. */
  sendable?: (line: number, person: RowPerson) => void
}

interface Found {
  lines: LineList
  /** The first value: of the external id if that is repeated, else of the phone. */
  sample: string
}

export interface Survey {
  rows: number
  withoutConsent: number
  /** The rows with an incomplete consent or an unclear date. */
  gaps: ConsentGaps
  likenesses: Likenesses
  faults: ReadonlyMap<RowFault, Found>
}

/** Rows that will be refused. */
export const countRefused = ({ faults }: Survey): number =>
  [...faults].reduce((sum, [fault, { lines }]) => sum + (fault === 'requeued' ? 0 : lines.count), 0)

const sampleWidth = 30

/** Counts the rows after the first `done`, which were sent by an earlier run. Each row has one fault at most. */
export async function surveyRows(rows: AsyncIterable<RawRow>, rules: RowRules, done = 0): Promise<Survey> {
  const faults = new Map<RowFault, Found>()
  const gaps = new ConsentGaps()
  const likenesses = new Likenesses()
  const judge = rowJudge(rules)
  let [at, withoutConsent] = [0, 0]
  for await (const row of rows) {
    const item = rules.make(row)
    const { fault, likeness } = judge(row, item)
    at++
    if (at <= done) continue
    if (item['consent'] === undefined) withoutConsent++
    if (likeness !== undefined) likenesses.add(lineToName(row), likeness)
    if (fault === undefined || fault === 'requeued') rules.sendable?.(lineToName(row), personOf(row, item, rules))
    if (fault === undefined) continue
    if (fault === 'part_consent') gaps.add(lineToName(row), item['consent'])
    const sample = fault === 'repeated_id' ? (textOf(item, 'external_id') ?? '') : phoneOf(item)
    const found = faults.get(fault) ?? { lines: new LineList(), sample }
    found.lines.add(lineToName(row))
    faults.set(fault, found)
  }
  return { rows: at - Math.min(at, done), withoutConsent, gaps, likenesses, faults }
}

interface Verdict {
  fault: RowFault | undefined
  /** Set for a row that will be sent and looks like the person of an earlier row. */
  likeness?: Likeness | undefined
}

/** Judges rows in order, because a row may be about the person of an earlier row. */
function rowJudge(rules: RowRules): (row: RawRow, item: Row) => Verdict {
  const earlier = new EarlierRows(rules.refusesRepeats)
  return (row, item) => {
    const unsendable = faultOfRow(row, item, rules)
    if (unsendable !== undefined) return { fault: unsendable }
    const person = personOf(row, item, rules)
    const repeat = earlier.findRepeat(person)
    if (repeat === 'repeated' || repeat === 'repeated_id') return { fault: repeat }
    // The service looks for duplicates first, and a row that it refuses is no duplicate for later rows.
    if (rules.needsConsent && item['consent'] === undefined) return { fault: 'without_consent' }
    const likeness = repeat === undefined && rules.numbers ? earlier.findLikeness(person) : undefined
    earlier.add(lineToName(row), person)
    return { fault: repeat, likeness }
  }
}

/** What is wrong with a row whatever the other rows are. */
function faultOfRow(row: RawRow, item: Row, rules: RowRules): RowFault | undefined {
  if (rules.problem(row) !== undefined) return row.problem === undefined ? 'short' : 'unreadable'
  // Such a row is refused without a request, whatever its number is.
  if (refuseConsent(item['consent']) !== undefined) return 'part_consent'
  return numberFault(phoneOf(item), rules.takes)
}

function personOf(row: RawRow, item: Row, { numbers }: RowRules): RowPerson {
  const externalId = textOf(item, 'external_id')
  return { phone: phoneOf(item), numbers: numbers?.(row) ?? [], externalId, email: textOf(item, 'email') }
}

const textOf = (item: Row, field: string): string | undefined =>
  typeof item[field] === 'string' ? item[field] : undefined

const phoneOf = (item: Row): string => textOf(item, 'phone') ?? ''

/** What the service would say about a row with a fault. Without a judgement of earlier rows. */
export function refuseLocally(item: Row, rules: RowRules): Outcome {
  const phone = phoneOf(item)
  const fault = numberFault(phone, rules.takes)
  const refuse = (code: string, message: string): Outcome => ({ kind: 'refused', code, message })
  const incomplete = refuseConsent(item['consent'])
  if (incomplete !== undefined) return incomplete
  if (fault === undefined) return refuse('consent_required', 'The campaign requires consent.')
  const { kind } = parsePhone(phone)
  if (kind === 'premium' || kind === 'international')
    return refuse(
      'number_not_allowed',
      `The number is ${kind === 'premium' ? 'a premium-rate number' : 'outside the US and Canada'} and is never called.`,
    )
  if (fault === 'missing') return refuse('invalid_phone', 'The row has no phone.')
  return refuse('invalid_phone', withReason('The phone is not a valid phone number.', phone))
}

type Unit = ImportTarget<unknown>['unit']
type Describe = (rows: number, where: string, sample: string, unit: Unit) => readonly string[]

/** The warnings, in the order in which they are shown. Consent has its own line. */
const warnings: readonly (readonly [fault: RowFault, describe: Describe])[] = [
  [
    'shortened',
    (rows, where) => [
      `Warning: a spreadsheet has shortened ${amount(rows, 'numbers')} (${where}), as in 2.12556E+09.`,
      'The lost digits are not in the file. Export it again from your CRM, and do not save it in a spreadsheet before the import.',
    ],
  ],
  [
    'extended',
    (rows, where, sample) => [
      `Warning: ${amount(rows, 'numbers')} ${rows === 1 ? 'has' : 'have'} an extension (${where}), such as ${JSON.stringify(extensionOf(sample))}. Remove it: an extension cannot be dialed.`,
    ],
  ],
  [
    'local',
    (rows, where, sample) => [
      `Warning: ${amount(rows, 'numbers')} without an area code (${where}), such as ${quoted(sample)}.`,
    ],
  ],
  [
    'unassigned',
    (rows, where, sample) => [
      `Warning: ${amount(rows, 'impossible numbers')} (${where}), such as ${quoted(sample)}. ${explainInvalidNumber(sample) ?? ''}`,
    ],
  ],
  [
    'made_up',
    (rows, where, sample) => [
      `Warning: ${amount(rows, 'made-up numbers')} (${where}), such as ${quoted(sample)}. ${explainInvalidNumber(sample) ?? ''}`,
    ],
  ],
  [
    'invalid',
    (rows, where, sample) => [
      `Warning: ${amount(rows, 'values')} ${rows === 1 ? 'is not a valid phone number' : 'are not valid phone numbers'} (${where}), such as ${quoted(sample)}.`,
    ],
  ],
  [
    'not_taken',
    (rows, where, sample) => [
      `Warning: the service does not take ${amount(rows, 'numbers')} (${where}), such as ${quoted(sample)}, ${explainNotTaken(sample) ?? 'an unknown kind of number'}.`,
    ],
  ],
  [
    'repeated',
    (rows, where, _sample, unit) => [
      unit === 'rows'
        ? `Warning: ${amount(rows, 'rows')} with the number of an earlier row (${where}).`
        : `Warning: ${amount(rows, 'numbers')} that an earlier row has (${where}).`,
    ],
  ],
  [
    'repeated_id',
    (rows, where, sample) => [
      `Warning: ${amount(rows, 'rows')} with the external id of an earlier row (${where}), such as ${quoted(sample)}.`,
    ],
  ],
  [
    'requeued',
    (rows, where) => [
      `Warning: ${amount(rows, 'rows')} with the number or the external id of an earlier row (${where}).`,
      `The duplicate window of the campaign is 0 days, so ${rows === 1 ? 'it is' : 'they are'} not refused: the lead of the earlier row takes the new values and goes back to the queue. The person may be called twice.`,
    ],
  ],
  ['missing', (rows) => [`Warning: ${amount(rows, 'rows')} without a number will be refused.`]],
  [
    'short',
    (rows, where) => [
      `Warning: ${amount(rows, 'rows')} ${rows === 1 ? 'ends before its' : 'end before their'} number (${where}).`,
    ],
  ],
  ['unreadable', (rows, where) => [`Warning: ${amount(rows, 'rows')} cannot be read (${where}).`]],
]

/** Every warning about the rows. */
export const describeFaults = (survey: Survey, unit: Unit): string[] => [
  ...describeFound(
    survey,
    warnings.map(([fault]) => fault),
    unit,
  ),
  ...survey.likenesses.describe(),
  ...survey.gaps.describe(),
]

/** The warnings about these faults of rows. */
export const describeOnly = (survey: Survey, ...only: readonly RowFault[]): string[] =>
  describeFound(survey, only, 'rows')

const describeFound = ({ faults }: Survey, only: readonly RowFault[], unit: Unit): string[] =>
  warnings.flatMap(([fault, describe]) => {
    const found = only.includes(fault) ? faults.get(fault) : undefined
    return found ? describe(found.lines.count, found.lines.describe(), found.sample, unit) : []
  })

const quoted = (sample: string): string => JSON.stringify(cutTo(sampleWidth, stripControlsFromLine(sample)))
