/** Leaves out the rows of people who must not be called; from a Do Not Call import, those who may be called. */
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { amount, theAmount } from '../result-sentence.js'
import { lineToName, type RawRow } from '../rows.js'
import { columnsOf } from '../source/combined-columns.js'
import { findMarkedRows, type FoundRows, type MarkedRows } from '../source/marked-rows.js'
import { findPhoneColumns } from '../source/phone-column.js'
import type { ImportSource } from '../source/source.js'
import type { ImportUi } from '../ui.js'

/** Words for one kind of import. */
export interface LeavingOut {
  which: 'marked' | 'unmarked'
  /** The flag that leaves them out. */
  flag: string
  /** After the number of rows and the column: what happens to them. */
  warning: (rows: MarkedRows) => readonly string[]
  /** The line above the first rows, at a terminal. */
  introduction: (rows: MarkedRows) => string
  question: (rows: MarkedRows) => string
  /** What is said if the flag was given and there are no such rows. */
  none: string
}

const areRows = ({ lines: { count } }: FoundRows): string => `${amount(count, 'rows')} ${count === 1 ? 'is' : 'are'}`
const theRows = (rows: FoundRows): string => these(rows, 'the row', 'the rows')
const these = ({ lines: { count } }: FoundRows, one: string, many: string): string => (count === 1 ? one : many)
const othersHave = ({ lines: { count } }: FoundRows): string =>
  `${count.toLocaleString('en-US')} other ${count === 1 ? 'row has' : 'rows have'} a number of a marked person`

/** For leads: the service does not know such columns, and calls these people. */
export const markedRows: LeavingOut = {
  which: 'marked',
  flag: '--skip-marked',
  warning: (rows) => [
    `Warning: ${areRows(rows.own)} marked in ${rows.columns} (${rows.own.lines.describe()}), which the service does not know.`,
    ...(rows.sharing ? [`Warning: ${othersHave(rows.sharing)} (${rows.sharing.lines.describe()}).`] : []),
    `It calls ${these(rows, 'this person', 'these people')}. --skip-marked leaves ${theRows(rows)} out; svc dnc add <phone> blocks a number in every campaign.`,
  ],
  introduction: (rows) => `${areRows(rows.own)} marked in ${rows.columns}:`,
  question: ({ lines: { count }, sharing }) =>
    sharing ? `Leave out all ${amount(count, 'rows')}?` : `Leave out ${theAmount(count, 'marked rows')}?`,
  none: 'No rows are marked: no column has a mark such as "Do Not Call", so --skip-marked leaves out none.',
}

/** For the Do Not Call list: the people without a mark may be called. */
export const unmarkedRows: LeavingOut = {
  which: 'unmarked',
  flag: '--skip-unmarked',
  warning: (rows) => [
    `Warning: ${areRows(rows)} not marked in ${rows.columns} (${rows.lines.describe()}).`,
    `${these(rows, 'Its number is', 'Their numbers are')} blocked too. --skip-unmarked leaves ${theRows(rows)} out.`,
  ],
  introduction: (rows) =>
    `${areRows(rows)} not marked in ${rows.columns}, so ${these(rows, 'this person', 'these people')} may be called:`,
  question: ({ lines: { count } }) => `Leave out ${theAmount(count, 'rows')} without a mark?`,
  none: 'No rows are left out: no column such as "Do Not Call" has rows without a mark.',
}

export interface LeaveOutOptions {
  kind: LeavingOut
  /** True if the flag was given, or the person agreed before. */
  isGiven: boolean
  /** True if a person can be asked. */
  isAsked: boolean
  /** Columns that are no marks, such as those of the number and the name. */
  others: readonly number[]
  /** Columns with phone numbers. */
  phones: readonly number[]
  /** The person of a row, in one line. */
  describe: (row: RawRow) => string
  /** Gets the person's answer. */
  answered?: (isYes: boolean) => void
}

/** The columns of a file of leads that the search for marks needs. A number of a marked person may be in a column that nobody calls. */
export async function columnsForMarks(
  { table }: ImportSource,
  fields: readonly (string | undefined)[],
): Promise<Pick<LeaveOutOptions, 'others' | 'phones'>> {
  const called = columnsOf(fields, 'phone')
  const phones = [...new Set([...called, ...(await findPhoneColumns(table.columns, table.rows()))])]
  return { others: [...called, ...columnsOf(fields, 'name')], phones }
}

/** The part of an import's terminal side that is needed here. */
export type LeaveOutUi = Pick<ImportUi, 'tell' | 'agree' | 'addAnswer' | 'say' | 'leftOut'>

/** The source without these rows, if the flag or the person says so. Otherwise warns. */
export async function leaveOutRows(
  source: ImportSource,
  ui: LeaveOutUi,
  options: LeaveOutOptions,
): Promise<ImportSource> {
  const { kind, isGiven, isAsked, others, phones } = options
  const found = await findMarkedRows(source.table, { which: kind.which, others, phones })
  if (found === undefined && isGiven) ui.say(kind.none)
  if (found === undefined) return source
  if (isAsked && !isGiven) {
    ui.tell(listRows(found, options).join('\n'))
    const isYes = await ui.agree(kind.question(found))
    options.answered?.(isYes)
    if (!isYes) return source
    ui.addAnswer([kind.flag])
  } else if (!isGiven) {
    for (const line of kind.warning(found)) ui.say(line)
    return source
  }
  const { count } = found.lines
  ui.leftOut = { count, what: found.sharing ? 'rows of marked people' : `${kind.which} rows` }
  return withoutRows(source, found, found.columns)
}

/** The rows with a mark, and those of the same people. */
function listRows(found: MarkedRows, { kind, describe }: LeaveOutOptions): string[] {
  const { own, sharing, markedLineOf } = found
  const describeSharing = (row: RawRow) => `${describe(row)} (see line ${markedLineOf(row) ?? ''})`
  return [
    kind.introduction(found),
    ...listFirst(own, describe),
    ...(sharing ? [`${othersHave(sharing)}:`, ...listFirst(sharing, describeSharing)] : []),
  ]
}

/** The first rows, one on a line, and how many more there are. */
export function listFirst({ first, lines: { count } }: FoundRows, describe: (row: RawRow) => string): string[] {
  const rest = count - first.length
  return [
    ...first.map((row) => `  line ${lineToName(row)}: ${stripControlsFromLine(describe(row))}`),
    ...(rest > 0 ? [`  and ${rest.toLocaleString('en-US')} more`] : []),
  ]
}

/** The remaining rows are another import than all rows. `what` identifies those that are left out. */
export function withoutRows(
  { table, digest, ...source }: ImportSource,
  { has, lines }: FoundRows,
  what: string,
): ImportSource {
  const rows = async function* () {
    for await (const row of table.rows()) if (!has(row)) yield row
  }
  return {
    ...source,
    digest: `${digest} without ${what}`,
    table: { ...table, total: table.total - lines.count, rows },
  }
}
