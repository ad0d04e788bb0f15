/** Base class of the import commands, from opening the file to the exit code. */
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Interfaces } from '@oclif/core'
import * as Flags from '@oclif/core/flags'
import { systemClock } from '../../client/system-clock.js'
import type { ResourceColumns } from '../../output/columns-of-resources.js'
import { Progress as ProgressBar } from '../../output/progress.js'
import { stripControls } from '../../output/sanitize.js'
import { SvcCommand } from '../base/command.js'
import { ExitError, exitCodes } from '../errors/exit-codes.js'
import { formatFailureJson } from '../errors/report-error.js'
import { durationMs, repeated } from '../base/flags.js'
import { wantsJson } from '../base/wants-json.js'
import { UsageError } from '../errors/usage-error.js'
import { beginning, type Beginning } from './beginning.js'
import type { Cargo } from './cargo.js'
import { noCuts } from './cuts.js'
import { FailedRows } from './failed-rows.js'
import { Importer } from './importer.js'
import { importFolder, Journal, type Progress } from './journal.js'
import type { RawRow } from './raw-row.js'
import { failedFileOf, resultOf, resumeCommand, stepOf, type Pace } from './report.js'
import { Spool } from './spool.js'
import { openTable, type Reading, type Table } from './table.js'
import { done } from './tally.js'

export const importFlags = {
  map: Flags.string({
    summary: 'Column and the field it fills (repeatable)',
    helpValue: '<column=field>',
    ...repeated,
  }),
  resume: Flags.boolean({ summary: 'Continue an interrupted run of the same import' }),
  'failed-file': Flags.string({
    summary: 'File to write refused rows to; <file>.failed.csv by default',
    helpValue: '<file>',
  }),
}

/** One import, after the columns of the file are matched. */
export interface Import<Item> {
  file: string
  flags: { resume: boolean; 'failed-file'?: string | undefined }
  table: Table
  cargo: Cargo<Item>
  /** Values that identify the import: file, target and mapping. */
  identity: readonly unknown[]
  /** Dry run: saves nothing and keeps no journal. */
  isRehearsal?: boolean
  /** True if a repeated run sends the same idempotent requests. */
  isRepeatable?: boolean
  /** New leads per minute, if the user gave a rate. */
  rate?: number | undefined
  kind: ResourceColumns
}

/** Default time to wait for room in a full queue. */
const usualWaitMs = 60_000

type Words = { flags: Interfaces.FlagInput; args: Interfaces.ArgInput }

export abstract class ImportCommand<C extends Words = Words> extends SvcCommand<C> {
  /** Notes held back in JSON mode. They are printed at the end if the import succeeds. */
  readonly #heldBack: string[] = []

  /** Opens a file as a table, runs the work, and deletes the temporary copy. */
  protected async withTable(
    file: string,
    unnamed: Reading['unnamed'],
    work: (table: Table, digest: string) => Promise<void>,
  ): Promise<void> {
    const spool = await Spool.of(file, this.around.stdin, this.#folder())
    try {
      const table = await openTable(spool, { name: this.nameOf(file), unnamed })
      for (const notice of table.notices) this.say(notice)
      await work(table, spool.digest)
    } finally {
      await spool.close()
    }
  }

  #folder(): string {
    return importFolder(this.around.dataFolder, systemClock.now())
  }

  /** In JSON mode, stderr holds at most one document. */
  get #isReadByProgram(): boolean {
    return wantsJson(this.argv) && !this.around.stderr.isTTY
  }

  protected say(text: string): void {
    if (wantsJson(this.argv)) this.#heldBack.push(text)
    else this.note(stripControls(`${text}\n`))
  }

  /** Name of the file in messages. */
  protected nameOf(file: string): string {
    return file === '-' ? 'standard input' : file
  }

  /** Sends all unanswered rows and prints the result. */
  protected async carry<Item>(job: Import<Item>): Promise<void> {
    this.expectColumns(job.kind)
    const journal = job.isRehearsal ? undefined : this.#journal(job)
    const release = journal?.lock()
    try {
      await this.#carry(job, journal)
    } finally {
      release?.()
    }
  }

  async #carry<Item>(job: Import<Item>, journal: Journal | undefined): Promise<void> {
    const { table, cargo } = job
    const { progress, repeatsCuts } = this.#begin(job, journal?.read())
    if (progress.finished) return this.#finish(job, progress)
    const failed = this.#failedRows(job, progress)
    const stop = new AbortController()
    const interrupted = () => stop.abort()
    const { bar, show } = this.#bar(job, progress)
    const cuts = journal?.cuts(repeatsCuts)
    const importer = new Importer({
      cargo,
      rows: skipped(table.rows(), progress.rows),
      progress,
      keep: (now) => journal?.write(now),
      cuts: cuts ?? noCuts,
      failed,
      machine: systemClock,
      signal: stop.signal,
      rate: job.rate,
      maxWaitMs: this.#maxWaitMs() ?? Infinity,
      maxQueueWaitMs: job.isRehearsal ? 0 : (this.#maxWaitMs() ?? usualWaitMs),
      show,
      say: (text) => {
        bar.clear()
        this.say(text)
      },
    })
    process.once('SIGINT', interrupted)
    try {
      await importer.run()
    } catch (error) {
      bar.clear()
      throw await this.#stopped(job, progress, stop.signal.aborted ? undefined : error)
    } finally {
      process.removeListener('SIGINT', interrupted)
      cuts?.close()
      const asides = failed.close()
      if (asides.length > 0) this.say(`The refused rows of an earlier run are kept in ${asides.join(' and ')}.`)
    }
    bar.clear()
    await this.#finish(job, progress)
  }

  #journal<Item>({ identity }: Import<Item>): Journal {
    const { baseUrl, keyId, secret } = this.settings
    const whose = [baseUrl.value, keyId?.value ?? secret?.value]
    return new Journal(this.#folder(), [this.typed, whose, identity])
  }

  #begin<Item>(job: Import<Item>, earlier: Progress | undefined): Beginning {
    const { rate, cargo, isRepeatable, isRehearsal } = job
    const { resume } = job.flags
    if (resume && !earlier) this.say('No earlier run of this import is known: it begins at the first row.')
    if (!resume && earlier && !earlier.finished) {
      this.say(
        `An earlier run stopped after line ${earlier.line}. This one begins at the first row; --resume goes on from there.`,
      )
    }
    // A dry run needs a fresh answer, not the stored answer of another run.
    const salt = isRepeatable && !isRehearsal ? '' : randomUUID()
    return beginning({ earlier, resume, rate, most: cargo.most, salt, now: systemClock.now() })
  }

  #failedRows<Item>({ file, flags, table }: Import<Item>, { failed: mark }: Progress): FailedRows {
    const path = resolve(failedFileOf(file, flags['failed-file']))
    if (path === resolve(file)) throw new UsageError('--failed-file is the imported file.', 'Name another file.')
    const failed = new FailedRows(path, table.columns)
    if (mark) failed.goOn(mark)
    return failed
  }

  #maxWaitMs(): number | undefined {
    const wait = this.flagsGiven['max-wait']
    return wait === undefined ? undefined : durationMs(wait, '--max-wait')
  }

  #bar<Item>({ cargo, table: { total } }: Import<Item>, progress: Progress) {
    const { stderr } = this.around
    const bar = new ProgressBar({
      what: cargo.what,
      atTerminal: Boolean(stderr.isTTY),
      width: stderr.columns || 100,
      write: (text) => (this.#isReadByProgram ? undefined : this.draw(text)),
      now: () => systemClock.now(),
    })
    const [beganAt, before] = [systemClock.now(), progress.rows]
    const show = (pace: Pace) => {
      const { rows } = progress
      bar.update(stepOf({ total, rows, rowsOfRun: rows - before, elapsedMs: systemClock.now() - beganAt }, pace))
    }
    return { bar, show }
  }

  async #finish<Item>(job: Import<Item>, { counts }: Progress): Promise<void> {
    await this.#print(job, counts)
    if (counts.replayed > 0) this.say(`${counts.replayed} were sent before; the service gave its first answers again.`)
    if (counts.refused > 0) {
      const failedFile = failedFileOf(job.file, job.flags['failed-file'])
      this.say(`The refused rows are in ${failedFile}: mend them there and import that file.`)
      this.exitWith(exitCodes.partly)
    }
    this.note(stripControls(this.#heldBack.map((text) => `${text}\n`).join('')))
  }

  async #print<Item>({ file, flags, kind }: Import<Item>, counts: Progress['counts']): Promise<void> {
    const result = resultOf(kind.columns, counts, failedFileOf(file, flags['failed-file']))
    const printer = this.printer()
    if (printer.style.format === 'json') await printer.json(result)
    else await printer.record({ data: result }, kind)
  }

  /** Prints the progress and how to continue. Returns the error that ends the command. `error` is undefined for Ctrl-C. */
  async #stopped<Item>(job: Import<Item>, progress: Progress, error: unknown): Promise<unknown> {
    const isBegun = done(progress.counts) > 0
    if (isBegun) await this.#print(job, progress.counts)
    const message = `Stopped after ${progress.rows} of ${job.table.total} rows.`
    const command = this.masked(resumeCommand(this.typed, this.argv, job.file))
    const hint = job.isRehearsal ? 'Nothing was saved.' : `Go on with: ${command}`
    const isInterrupted = error === undefined
    if (!wantsJson(this.argv)) {
      if (isBegun || isInterrupted) this.note(stripControls(`${message} ${hint}\n`))
    } else if (isInterrupted) {
      const exitCode = exitCodes.interrupted
      this.note(formatFailureJson({ exitCode, error: { code: 'interrupted', message, hint }, facts: [], hint }))
    }
    return error ?? new ExitError(exitCodes.interrupted)
  }
}

async function* skipped(rows: AsyncIterable<RawRow>, count: number): AsyncGenerator<RawRow> {
  let at = 0
  for await (const row of rows) if (at++ >= count) yield row
}
