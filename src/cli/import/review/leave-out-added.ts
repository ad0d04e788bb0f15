/** Leaves out the rows of a leads import whose numbers earlier imports added to the campaign, so that nobody is added twice. */
import { journalName } from '../journal.js'
import type { LeadInput } from '../lead-target.js'
import { amount, theAmount } from '../result-sentence.js'
import type { RawRow } from '../rows.js'
import type { SentPeople } from '../sent-people.js'
import { findRows, type FoundRows } from '../source/marked-rows.js'
import type { ImportSource } from '../source/source.js'
import type { ImportTarget } from '../target.js'
import type { ImportUi } from '../ui.js'
import { identityOf, openJournal } from './earlier-run.js'
import { listFirst, withoutRows } from './leave-out.js'

export interface LeaveOutAdded {
  people: SentPeople
  target: ImportTarget<LeadInput>
  /** True if the flag was given, or the person agreed before. Undefined: ask. */
  isWanted: boolean | undefined
  /** The person of a row, in one line. */
  describe: (row: RawRow) => string
}

export interface Remaining {
  source: ImportSource
  /** Lines that are left out; undefined if the flag and the person leave out none. */
  lines: ReadonlySet<number> | undefined
  /** What the person said; undefined if there was nothing to ask. */
  isWanted: boolean | undefined
}

/** In the identity of the import. */
const added = 'added'

/** The source without these rows, if the flag or the person says so. Does not ask about an import that began before. */
export async function leaveOutAdded(all: ImportSource, ui: ImportUi, options: LeaveOutAdded): Promise<Remaining> {
  const { people, target, isWanted } = options
  const hasBegun = () => openJournal(all, target, ui).read() !== undefined
  if (isWanted === false || (isWanted === undefined && hasBegun())) return { source: all, lines: undefined, isWanted }
  const rest = { ...all, digest: `${all.digest} without ${added}` }
  const lines = await people.linesAdded(all.table.rows(), target, journalName(identityOf(rest, target, ui)))
  const found = await findRows(all.table.rows(), ({ line }) => lines.has(line))
  if (isWanted === undefined) {
    if (!found) return { source: all, lines: undefined, isWanted }
    if (!(await askToLeaveOut(found, ui, options))) return { source: all, lines: undefined, isWanted: false }
  }
  if (found) countLeftOut(found, ui)
  return { source: found ? withoutRows(all, found, added) : rest, lines, isWanted: true }
}

async function askToLeaveOut(found: FoundRows, ui: ImportUi, { describe }: LeaveOutAdded): Promise<boolean> {
  const { count } = found.lines
  const were = `${amount(count, 'rows')} ${count === 1 ? 'was' : 'were'}`
  ui.tell([`${were} already added to the campaign by an earlier import:`, ...listFirst(found, describe)].join('\n'))
  if (!(await ui.agree(`Leave out ${theAmount(count, 'rows')} already added?`))) return false
  ui.addAnswer(['--skip-added'])
  return true
}

/** Adds rows that are in the campaign to those that are left out. */
export function countLeftOut({ lines: { count } }: FoundRows, ui: ImportUi): void {
  const before = ui.leftOut
  ui.leftOut = before ? { count: before.count + count, what: 'rows' } : { count, what: 'already added rows' }
}
