/**
 * Tries the rows again that the finished import of a file refused. The service keeps its answers for a day by
 * Idempotency-Key (rule I2), and the same rows have the same keys, so these rows get new ones. Rows that were added are left
 * out, so that nobody is added twice.
 */
import { UsageError } from '../../errors/usage-error.js'
import { journalName, type Progress } from '../journal.js'
import type { LeadInput } from '../lead-target.js'
import { amount, theAmount, timeOf } from '../result-sentence.js'
import type { SentPeople } from '../sent-people.js'
import { findRows } from '../source/marked-rows.js'
import type { ImportSource } from '../source/source.js'
import type { ImportTarget } from '../target.js'
import type { ImportUi } from '../ui.js'
import { identityOf, openJournal } from './earlier-run.js'
import { withoutRows } from './leave-out.js'
import { countLeftOut } from './leave-out-added.js'

export interface TryAgain {
  people: SentPeople
  target: ImportTarget<LeadInput>
  /** True if the flag was given, or the person agreed before. Undefined: ask. */
  isWanted: boolean | undefined
}

export interface SecondTry {
  source: ImportSource
  /** Lines that are left out. */
  lines: ReadonlySet<number>
  /** Part of the new keys. The same for each run of this try, so that a run that stopped is continued. */
  salt: string
}

/** Undefined if there is no refused row to try again, or nobody wants it. */
export async function tryAgain(all: ImportSource, ui: ImportUi, options: TryAgain): Promise<SecondTry | undefined> {
  const { people, target, isWanted } = options
  if (target.isDryRun || isWanted === false) return undefined
  const { latest, next, isBegun } = findTries(all, target, ui)
  const canTry = latest?.finished === true && (latest.counts.refused > 0 || isBegun)
  if (!canTry) {
    if (isWanted) ui.say(`--again changes nothing: ${describeNothing(all.name, latest)}`)
    return undefined
  }
  if (isWanted === undefined && !(await ask(latest, ui))) return undefined
  if (!people.isExact)
    throw new UsageError(
      'The imports of this machine have too many numbers to know which rows were added.',
      'Import the file of refused rows instead.',
    )
  const salt = `again ${next}`
  const rest = { ...all, digest: `${all.digest} ${salt}` }
  const lines = await people.linesAdded(all.table.rows(), target, journalName(identityOf(rest, target, ui)))
  const found = await findRows(all.table.rows(), ({ line }) => lines.has(line))
  if (found) countLeftOut(found, ui)
  return { source: found ? { ...withoutRows(all, found, ''), digest: rest.digest } : rest, lines, salt }
}

interface Tries {
  /** The latest finished run; an unfinished one if the file itself was not imported to its end. */
  latest: Progress | undefined
  /** Number of the next try, or of one that stopped. */
  next: number
  isBegun: boolean
}

function findTries(all: ImportSource, target: ImportTarget<LeadInput>, ui: ImportUi): Tries {
  let latest = openJournal(all, target, ui).read()
  for (let next = 1; ; next++) {
    const run = openJournal({ ...all, digest: `${all.digest} again ${next}` }, target, ui).read()
    if (run?.finished !== true) return { latest, next, isBegun: run !== undefined }
    latest = run
  }
}

async function ask({ counts, at }: Progress, ui: ImportUi): Promise<boolean> {
  const { refused } = counts
  ui.tell(`The import of this file on ${timeOf(at)} refused ${amount(refused, 'rows')}.`)
  if (!(await ui.agree(`Try only ${theAmount(refused, 'refused rows')} again?`))) return false
  ui.addAnswer(['--again'])
  return true
}

function describeNothing(name: string, latest: Progress | undefined): string {
  if (latest === undefined) return `no earlier import of ${name} to this campaign is known.`
  if (!latest.finished) return `the earlier import of ${name} stopped. --resume continues it.`
  return `the earlier import of ${name} refused no rows.`
}
