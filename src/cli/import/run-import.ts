/** Runs an import, from its journal to the result: sends every row of a source that is not answered yet to a target. */
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import * as Flags from '@oclif/core/flags'
import { systemClock } from '../../client/system-clock.js'
import { repeated } from '../base/flags.js'
import { ExitError, exitCodes } from '../errors/exit-codes.js'
import { UsageError } from '../errors/usage-error.js'
import { failedFileColumns } from './source/columns.js'
import type { FailedRows } from './failed/failed-rows.js'
import { Importer } from './importer.js'
import { openJournal } from './review/earlier-run.js'
import { initialProgress, noCuts, type InitialProgress, type Journal, type Progress } from './journal.js'
import { stepOf, type Pace } from './report.js'
import { skipRows } from './rows.js'
import type { ImportSource } from './source/source.js'
import type { ImportTarget } from './target.js'
import type { ImportUi } from './ui.js'

export const importFlags = {
  map: Flags.string({
    summary: 'Column and the field it fills; without a field, ignores the column (repeatable)',
    helpValue: '<column=field>',
    ...repeated,
  }),
  sheet: Flags.string({ summary: 'Sheet of an .xlsx workbook to read; the first one by default', helpValue: '<name>' }),
  resume: Flags.boolean({ summary: 'Continue an interrupted run of the same import' }),
  'failed-file': Flags.string({
    summary: 'File to write refused rows to; people.failed.csv for people.csv by default',
    helpValue: '<file>',
  }),
}

/** Default time to wait for room in a full queue. */
const queueWaitMs = 60_000

/** Sends all unanswered rows and prints the result. A dry run keeps no journal. */
export async function runImport<Item>(source: ImportSource, target: ImportTarget<Item>, ui: ImportUi): Promise<void> {
  ui.checkColumns(target.columns)
  const journal = target.isDryRun || target.isLocal ? undefined : openJournal(source, target, ui)
  const release = journal?.lock()
  try {
    await sendRows({ source, target, ui, journal })
  } finally {
    release?.()
  }
}

interface Run<Item> {
  source: ImportSource
  target: ImportTarget<Item>
  ui: ImportUi
  journal: Journal | undefined
}

async function sendRows<Item>(run: Run<Item>): Promise<void> {
  const { source, target, ui, journal } = run
  const { progress, repeatsCuts } = beginRun(run)
  if (progress.finished) return ui.finish(progress.counts, target)
  const failed = await openFailedRows(run, progress)
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  const bar = ui.progressBar(target.what)
  const cuts = journal?.cuts(repeatsCuts)
  const importer = new Importer({
    target,
    rows: skipRows(source.table.rows(), progress.rows),
    progress,
    keep: (now) => journal?.write(now),
    cuts: cuts ?? noCuts,
    failed,
    machine: systemClock,
    signal: stop.signal,
    rate: target.rate,
    maxWaitMs: ui.maxWaitMs ?? Infinity,
    maxQueueWaitMs: target.isDryRun ? 0 : (ui.maxWaitMs ?? queueWaitMs),
    show: trackPace(source.table.total, progress, bar),
    say: (text) => {
      bar.clear()
      ui.say(text)
    },
  })
  process.once('SIGINT', interrupt)
  try {
    await importer.run()
    // A dry run changes nothing.
    if (isOwnSource(run) && target.isDryRun) failed.discard()
    else if (isOwnSource(run)) failed.replace(resolve(ui.failedFile))
  } catch (error) {
    bar.clear()
    const { counts, rows } = progress
    const isInterrupted = stop.signal.aborted
    await ui.stop({ counts, rows, total: source.table.total, isInterrupted }, target)
    throw isInterrupted ? new ExitError(exitCodes.interrupted) : error
  } finally {
    process.removeListener('SIGINT', interrupt)
    cuts?.close()
    // What follows must not continue the line of the progress.
    bar.clear()
    const backups = failed.close()
    if (backups.length > 0) ui.say(`The refused rows of an earlier run are kept in ${backups.join(' and ')}.`)
  }
  await ui.finish(progress.counts, target)
}

function beginRun<Item>({ target, ui, journal }: Run<Item>): InitialProgress {
  const { rate, isRepeatable, isDryRun, most } = target
  const earlier = journal?.read()
  ui.earlierAt = earlier?.at
  if (ui.resume && !earlier) ui.say('No earlier run of this import is known: it begins at the first row.')
  if (!ui.resume && earlier && !earlier.finished) {
    ui.say(
      `An earlier run stopped after line ${earlier.line}. This one begins at the first row; --resume goes on from there.`,
    )
  }
  // A dry run needs a fresh answer, not the stored answer of another run.
  const salt = isRepeatable && !isDryRun ? (target.salt ?? '') : randomUUID()
  return initialProgress({ earlier, resume: ui.resume, rate, most, salt, now: systemClock.now() })
}

/** Loaded when it is needed: it loads the package that writes CSV. */
async function openFailedRows<Item>({ source, ui }: Run<Item>, { failed: mark }: Progress): Promise<FailedRows> {
  const { FailedRows } = await import('./failed/failed-rows.js')
  const { columns, form } = source.table
  const path = resolve(ui.failedFile)
  const isSource = path === resolve(source.file)
  if (isSource && !isFailedFile(columns))
    throw new UsageError(`${ui.failedFile} is the imported file.`, 'Name another file with --failed-file.')
  // The source is replaced at the end, so that an interrupted import finds it unchanged.
  const failed = new FailedRows(isSource ? `${path}.new` : path, columns, form)
  if (mark) failed.resumeAt(mark)
  return failed
}

/** True if the imported file is a file of refused rows itself, which the refused rows replace. */
const isOwnSource = <Item>({ source, ui }: Run<Item>): boolean => resolve(ui.failedFile) === resolve(source.file)

/** True for a file of refused rows. */
export const isFailedFile = (columns: readonly string[]): boolean =>
  failedFileColumns.every((column) => columns.includes(column))

/** Returns the function that shows the pace of this run in the progress bar. */
function trackPace(total: number, progress: Progress, bar: ReturnType<ImportUi['progressBar']>): (pace: Pace) => void {
  const [startedAt, before] = [systemClock.now(), progress.rows]
  return (pace) => {
    const { rows } = progress
    bar.update(stepOf({ total, rows, rowsOfRun: rows - before, elapsedMs: systemClock.now() - startedAt }, pace))
  }
}
