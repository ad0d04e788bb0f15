/** The terminal side of an import: flags, notes, progress bar, result and exit code. */
import { systemClock } from '../../client/system-clock.js'
import type { ResourceColumns } from '../../output/columns/resources.js'
import { Progress as ProgressBar, type Step } from '../../output/progress.js'
import { canRedraw } from '../../output/style.js'
import { stripControls } from '../../output/sanitize.js'
import type { SvcCommand } from '../base/command.js'
import { durationMs } from '../base/flags.js'
import { wantsJson } from '../base/wants-json.js'
import { exitCodes } from '../errors/exit-codes.js'
import { formatFailureJson } from '../errors/report-error.js'
import { accountOf } from './journal.js'
import { describeFailedFile, describeNotAdded, faultless } from './failed/failed-sentence.js'
import { amount, describeRepeated, describeResult } from './result-sentence.js'
import type { ImportTarget } from './target.js'
import { answeredRows, failedFileOf, resultOf, resumeCommand, type Counts, type LeftOut } from './report.js'

interface Flags {
  resume: boolean
  'failed-file'?: string | undefined
}

export class ImportUi {
  /** True if an interrupted run of the same import is continued. */
  resume: boolean
  /** File of the refused rows. */
  readonly failedFile: string
  /** When an earlier run of the same import got its last answer, in milliseconds since the epoch. */
  earlierAt: number | undefined
  /** Rows that are not sent because a person or a flag says so. */
  leftOut: LeftOut | undefined
  readonly #command: SvcCommand
  readonly #file: string
  /** Notes held back in JSON mode. They are printed at the end if the import succeeds. */
  readonly #heldBack: string[] = []

  constructor(command: SvcCommand, file: string, flags: Flags) {
    this.#command = command
    this.#file = file
    this.resume = flags.resume
    this.failedFile = failedFileOf(file, flags['failed-file'])
  }

  /** Identifies the command and the account that an import belongs to. */
  get identity(): readonly unknown[] {
    return [this.#command.typed, accountOf(this.#command.settings)]
  }

  /** Maximum time to wait for rate limits, if the user gave one. */
  get maxWaitMs(): number | undefined {
    const wait = this.#command.flagsGiven['max-wait']
    return wait === undefined ? undefined : durationMs(wait, '--max-wait')
  }

  /** True at a terminal, where a person can be asked. */
  get isInteractive(): boolean {
    return this.#command.isInteractive
  }

  /** Says something to a person at a terminal at once, because a question follows. */
  tell(text: string): void {
    this.#command.note(stripControls(`${text}\n`))
  }

  /** Records an answer as words of a command line, for the command that does the same again. */
  addAnswer(words: readonly string[]): void {
    if (words.length > 0) this.#command.answers.add(words)
  }

  /** Asks a question whose usual answer is yes. Only for a terminal. */
  agree(question: string): Promise<boolean> {
    return this.#command.agree(question)
  }

  /** Rejects unknown `--columns` before anything is sent. */
  checkColumns(columns: ResourceColumns): void {
    this.#command.expectColumns(columns)
  }

  say(text: string): void {
    if (this.#wantsJson) this.#heldBack.push(text)
    else this.#command.note(stripControls(`${text}\n`))
  }

  /** The progress bar. `what` is the unit that is counted. */
  progressBar(what: string): { update: (step: Step) => void; clear: () => void } {
    const { stderr, env } = this.#command.around
    // In JSON mode, stderr holds at most one document.
    const isReadByProgram = this.#wantsJson && !stderr.isTTY
    return new ProgressBar({
      what,
      terminal: canRedraw(stderr, env) ? stderr : undefined,
      write: (text) => (isReadByProgram ? undefined : this.#command.draw(text)),
      now: () => systemClock.now(),
    })
  }

  /** Prints the result of a completed import and sets the exit code. */
  async finish(counts: Counts, target: Described): Promise<void> {
    // The reader of the result may close the pipe, which ends the program.
    if (counts.refused > 0) this.#command.exitWith(exitCodes.partly)
    await this.#print(counts, target)
    if (counts.refused > 0) this.say(this.#describeFailedFile(counts, target.isDryRun))
    for (const line of describeRepeated(counts.refused_before ?? 0, this.earlierAt)) this.say(line)
    for (const remark of target.remarks?.() ?? []) this.say(remark)
    this.#command.note(stripControls(this.#heldBack.map((text) => `${text}\n`).join('')))
  }

  #describeFailedFile({ refused, by_code }: Counts, isDryRun: boolean): string {
    const fine = faultless.reduce((sum, code) => sum + (by_code[code] ?? 0), 0)
    const files = { failedFile: this.failedFile, file: this.#file }
    return isDryRun ? describeNotAdded(refused, fine, files) : describeFailedFile(refused, fine, files)
  }

  /** Prints how far a stopped import came and how to continue it. */
  async stop(stopped: Stopped, target: Described): Promise<void> {
    const { counts, rows, total, isInterrupted } = stopped
    const hasAnswers = answeredRows(counts) > 0
    if (hasAnswers) await this.#print(counts, target)
    const message = `Stopped after ${rows.toLocaleString('en-US')} of ${amount(total, target.unit)}.`
    const hint = target.isDryRun ? 'Nothing was saved.' : `Go on with: ${this.#resumeCommand}`
    if (!this.#wantsJson) {
      if (hasAnswers || isInterrupted) this.#command.note(stripControls(`${message} ${hint}\n`))
    } else if (isInterrupted) {
      const exitCode = exitCodes.interrupted
      const error = { code: 'interrupted', message, hint }
      this.#command.draw(formatFailureJson({ exitCode, error, details: [], facts: [], hint }))
    }
  }

  get #wantsJson(): boolean {
    return wantsJson(this.#command.argv)
  }

  get #resumeCommand(): string {
    const { typed, argv, answers } = this.#command
    return this.#command.masked(resumeCommand(typed, argv, this.#file, answers.words))
  }

  async #print(counts: Counts, { columns: all, what, unit, isDryRun, result: more }: Described): Promise<void> {
    const columns = this.leftOut ? all : withoutColumn(all, 'left_out')
    const fields = { ...more?.(), left_out: this.leftOut?.count ?? 0 }
    const result = resultOf(columns.columns, counts, { failedFile: this.failedFile, isDryRun, more: fields })
    const printer = this.#command.printer()
    if (printer.style.format === 'json') return printer.json(result)
    const { terminal, format, columns: selected } = printer.style
    // The sentence below says what did not happen.
    const isForPerson = terminal && format === 'table' && selected === undefined
    const shown = isForPerson ? Object.fromEntries(Object.entries(result).filter(([, value]) => value !== 0)) : result
    if (Object.values(shown).some((value) => value !== null && !isEmptyObject(value)))
      await printer.record({ data: shown }, columns)
    this.say(describeResult(counts, { what, unit, isDryRun, leftOut: this.leftOut }))
  }
}

/** Results of imports that leave nothing out do not have the field. */
const withoutColumn = (all: ResourceColumns, name: string): ResourceColumns => ({
  ...all,
  columns: all.columns.filter((column) => column !== name),
  table: all.table.filter((column) => column !== name),
})

const isEmptyObject = (value: unknown): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0

/** The parts of a target that its result needs. */
type Described = Pick<ImportTarget<unknown>, 'columns' | 'what' | 'unit' | 'isDryRun' | 'result' | 'remarks'>

export interface Stopped {
  counts: Counts
  /** Rows answered, and all rows of the file. */
  rows: number
  total: number
  /** True after Ctrl-C. */
  isInterrupted: boolean
}
