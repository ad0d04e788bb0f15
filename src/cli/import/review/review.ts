/** What a person at a terminal sees before an import sends anything, and what the import does if no row can be sent. */
import { wantsColor } from '../../../output/style.js'
import type { SvcCommand } from '../../base/command.js'
import { cancelled, UsageError } from '../../errors/usage-error.js'
import { askYesNoOrOther } from '../../input/questions/prompt-for-missing.js'
import { hasOtherColumns } from './change-columns.js'
import type { EarlierRun } from './earlier-run.js'
import { describeColumns, renderFirstRows } from './preview.js'
import { amount } from '../result-sentence.js'
import { skipRows } from '../rows.js'
import type { ImportSource } from '../source/source.js'
import {
  countRefused,
  describeFaults,
  refuseLocally,
  surveyRows,
  type Row,
  type RowFault,
  type RowRules,
  type Survey,
} from './survey.js'
import type { LeftOut } from '../report.js'
import type { ImportTarget } from '../target.js'

type Unit = ImportTarget<unknown>['unit']

export interface Preview {
  source: ImportSource
  fields: readonly (string | undefined)[]
  /** Says what was read, instead of the columns and their fields. */
  heading?: string | undefined
  unit: Unit
  rules: RowRules
  earlier: EarlierRun
  /** Lines below the first rows, such as the room in the queue. */
  facts: (survey: Survey) => readonly string[] | Promise<readonly string[]>
}

/** Shows the columns, the first rows to send and what is wrong with them. */
export async function showPreview(command: SvcCommand, preview: Preview): Promise<Survey> {
  const { source, fields, heading, unit, rules, earlier, facts } = preview
  const { name, table } = source
  const survey = await surveyRows(table.rows(), rules, earlier.done)
  command.note(`${heading ?? describeColumns(name, table.total, table.columns, fields)}\n`)
  const { stderr, env } = command.around
  const look = {
    width: stderr.columns || 100,
    color: wantsColor(Boolean(stderr.isTTY), env, !command.flagsGiven['no-color']),
  }
  const rows = skipRows(table.rows(), earlier.done)
  command.note(await renderFirstRows(rows, rules.make, look))
  command.note([...describeFaults(survey, unit), ...(await facts(survey))].map((line) => `${line}\n`).join(''))
  if (earlier.finishedAt !== undefined) command.note(`${describeFinished(table.total, unit, earlier)}\n`)
  return survey
}

/** "3 rows, all of them imported before, on 2026-10-01 15:00.", or how many of them were refused then. */
function describeFinished(total: number, unit: Unit, { finishedAt = '', refused }: EarlierRun): string {
  const rows = amount(total, unit)
  if (refused === 0) return `${rows}, all of them imported before, on ${finishedAt}.`
  const were = (count: number) => (count === 1 ? 'was' : 'were')
  const others = Math.max(0, total - refused)
  const added = `${others.toLocaleString('en-US')} ${were(others)} added`
  return `${rows}, imported before, on ${finishedAt}: ${added}, ${refused.toLocaleString('en-US')} ${were(refused)} refused.`
}

/**
 * The rows of the question: "10 leads", "the other 10 leads (1 of 10 rows will be refused)", "the same 10 leads again
 * (2 marked rows left out)". A list of numbers takes each number once, so a repeated one is no refusal that matters.
 */
export function describeAmount(
  survey: Survey,
  earlier: EarlierRun,
  { what, unit }: Pick<ImportTarget<unknown>, 'what' | 'unit'>,
  leftOut?: LeftOut,
  known: readonly string[] = [],
): string {
  const refused = countRefused(survey)
  const count = amount(survey.rows - refused, what)
  const countOf = (fault: RowFault) => survey.faults.get(fault)?.lines.count ?? 0
  const repeated = what === 'numbers' ? countOf('repeated') : 0
  // A row without a number is no number.
  const empty = unit === 'numbers' ? countOf('missing') + countOf('short') : 0
  const lost = refused - repeated - empty
  const rows = amount(survey.rows - repeated - empty, unit)
  const notes = [
    ...known,
    ...(lost > 0 ? [`${lost.toLocaleString('en-US')} of ${rows} will be refused`] : []),
    ...(empty > 0 ? [`${amount(empty, 'rows')} without a number`] : []),
    ...(repeated > 0 ? [`${amount(repeated, `repeated ${unit}`)} counted once`] : []),
    ...(leftOut ? [`${amount(leftOut.count, leftOut.what)} left out`] : []),
  ]
  const note = notes.length > 0 ? ` (${notes.join(', ')})` : ''
  const isOne = survey.rows - refused === 1
  const named = (word: string) => `the ${word} ${isOne ? what.replace(/s$/, '') : count}`
  if (earlier.finishedAt !== undefined) return `${named('same')} again${note}`
  return earlier.done > 0 ? `${named('other')}${note}` : `${count}${note}`
}

/** "None of the 3 rows can be added", "The only row cannot be added". */
export const describeNone = ({ rows }: Survey, unit: ImportTarget<unknown>['unit'], whatCan: string): string =>
  rows === 1
    ? `The only ${unit.replace(/s$/, '')} cannot ${whatCan}`
    : `None of the ${amount(rows, unit)} can ${whatCan}`

/** Asks the last question, and names the answer c above it. True for yes, false if the person wants to correct a column. Throws after a no. */
export async function confirmOrCorrect(
  command: SvcCommand,
  question: string,
  table: ImportSource['table'],
): Promise<boolean> {
  const { around, badge, answers } = command
  if (!hasOtherColumns(table)) {
    await command.confirm(false, question)
    return true
  }
  command.note('To correct a column, answer c.\n')
  const answer = await askYesNoOrOther(around, question, { badge, usual: false, other: 'c' })
  if (answer === 'no') throw new UsageError(cancelled)
  if (answer === 'yes') answers.confirm()
  return answer === 'yes'
}

/** Says that no row can be sent, and asks whether to correct a column if there is another one. False if the person stops. */
export async function offerCorrection(
  command: SvcCommand,
  { problem, table, failedFile }: { problem: string; table: ImportSource['table']; failedFile: string },
): Promise<boolean> {
  const isOffered = hasOtherColumns(table)
  const stops = `nothing is sent${isOffered ? `, and ${failedFile} says why` : ''}.`
  command.note(`${problem}${isOffered ? '. If you answer n, ' : ': '}${stops}\n`)
  return isOffered && command.agree('Correct a column?')
}

/** Refuses every row without a request. Such an import keeps no journal, because nothing was sent. */
export function refuseEveryRow<Item>(
  target: ImportTarget<Item>,
  rowOf: (item: Item) => Row,
  rules: RowRules,
): ImportTarget<Item> {
  return {
    ...target,
    isLocal: true,
    isLimited: false,
    send: (items) =>
      Promise.resolve({
        outcomes: items.map((item) => refuseLocally(rowOf(item), rules)),
        headers: {},
        stopped: undefined,
      }),
  }
}
