/** People whom a file marks as not to be called: left out of a plan, as an import of the file leaves them out. */
import { stripControls } from '../../output/sanitize.js'
import type { SvcCommand } from '../base/command.js'
import {
  columnsForMarks,
  leaveOutRows,
  markedRows,
  type LeaveOutUi,
  type LeavingOut,
} from '../import/review/leave-out.js'
import { describePerson, leadOf } from '../import/lead-target.js'
import { amount } from '../import/result-sentence.js'
import type { ImportSource } from '../import/source/source.js'

/** Returns the source without marked rows if the flag or the person says so. Its notes become notes of the plan. */
export type LeaveOutMarked = (
  source: ImportSource,
  fields: readonly (string | undefined)[],
  notes: string[],
) => Promise<ImportSource>

const inPlan: LeavingOut = {
  ...markedRows,
  warning: ({ lines, columns, sharing }) => [
    `Warning: ${amount(lines.count, 'rows')} ${lines.count === 1 ? 'is' : 'are'} marked in ${columns}${sharing ? ', or about a person who is' : ''} (${lines.describe()}). The plan counts them, as an import does; --skip-marked leaves them out of both.`,
  ],
}

export function leaveOutMarked(
  command: Pick<SvcCommand, 'note' | 'agree' | 'answers' | 'isInteractive'>,
  isGiven: boolean,
): LeaveOutMarked {
  return async (source, fields, notes) => {
    const ui: LeaveOutUi = {
      leftOut: undefined,
      tell: (text) => command.note(stripControls(`${text}\n`)),
      agree: (question) => command.agree(question),
      addAnswer: (words) => command.answers.add(words),
      say: (text) => notes.push(text),
    }
    const rest = await leaveOutRows(source, ui, {
      kind: inPlan,
      isGiven,
      isAsked: command.isInteractive,
      ...(await columnsForMarks(source, fields)),
      describe: ({ values }) => describePerson(leadOf(values, fields, {})),
    })
    if (ui.leftOut) notes.push(`${amount(ui.leftOut.count, ui.leftOut.what)} left out.`)
    return rest
  }
}
