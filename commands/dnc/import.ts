import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { Client, Contract } from '../../src/client/client.js'
import { ApiError } from '../../src/client/errors.js'
import { parsePhone } from '../../src/phone/number.js'
import { systemClock } from '../../src/client/system-clock.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { yesFlag } from '../../src/cli/base/flags.js'
import { listIgnored, matchColumns, type Matching } from '../../src/cli/import/source/columns.js'
import { columnsOf } from '../../src/cli/import/source/combined-columns.js'
import { splitByNumber } from '../../src/cli/import/source/number-rows.js'
import { findPhoneColumns } from '../../src/cli/import/source/phone-column.js'
import { dncFields, dncTarget, withoutNames } from '../../src/cli/import/dnc-target.js'
import { accountOf, journalName } from '../../src/cli/import/journal.js'
import { identityOf, openJournal, reviewEarlierRun } from '../../src/cli/import/review/earlier-run.js'
import { isListable } from '../../src/cli/import/review/number-faults.js'
import { leaveOutRows, unmarkedRows } from '../../src/cli/import/review/leave-out.js'
import {
  confirmOrCorrect,
  describeAmount,
  describeNone,
  offerCorrection,
  refuseEveryRow,
  showPreview,
  type Preview,
} from '../../src/cli/import/review/review.js'
import { amount } from '../../src/cli/import/result-sentence.js'
import { BlockedLeads } from '../../src/cli/import/review/blocked-leads.js'
import { skipRows, type RawRow } from '../../src/cli/import/rows.js'
import { importFlags, runImport } from '../../src/cli/import/run-import.js'
import { sheetPicker } from '../../src/cli/import/source/pick-sheet.js'
import { withSource, type ImportSource } from '../../src/cli/import/source/source.js'
import type { ImportTarget } from '../../src/cli/import/target.js'
import { countRefused, type RowRules } from '../../src/cli/import/review/survey.js'
import { UndoRecord } from '../../src/cli/import/undo-record.js'
import { ImportUi } from '../../src/cli/import/ui.js'
import { askForPhones, correctionsOf } from '../../src/cli/import/review/change-columns.js'
import { fileNeed } from '../../src/cli/input/questions/choices.js'
import { quoteForShell } from '../../src/cli/input/shell-word.js'
import { dncSentences } from '../../src/cli/results/dnc-sentences.js'

export default class DncImport extends SvcCommand<typeof DncImport> {
  static override summary = 'Add the numbers of a file to the Do Not Call list'
  static override description =
    'Reads CSV, an Excel workbook (.xlsx) or JSON lines with phone columns, or one number on each line. Adds the numbers of every ' +
    'phone column, unless --map names the columns. Writes invalid and already listed numbers to a file of refused rows and exits 6. At a terminal, shows the first numbers and asks. Prints the command that removes the numbers again.'
  static override examples = [
    '<%= config.bin %> dnc import never-call.csv',
    '<%= config.bin %> dnc import list.csv --map "Mobile=phone" --failed-file refused.csv',
    '<%= config.bin %> dnc import never-call.csv --dry-run',
    'cat numbers.txt | <%= config.bin %> dnc import - --json',
  ]
  static override args = {
    file: Args.string({
      description: 'CSV, .xlsx, JSON lines, or one number on each line; - for standard input (required)',
      ignoreStdin: true,
    }),
  }
  static override flags = {
    ...importFlags,
    'skip-unmarked': Flags.boolean({ summary: 'Leave out rows without a mark in a column such as "Do Not Call"' }),
    'dry-run': Flags.boolean({ summary: 'Compare the numbers with the list and save nothing', exclusive: ['resume'] }),
    ...yesFlag,
  }

  protected async perform({ args, flags }: Parsed<typeof DncImport>): Promise<void> {
    const client = await this.client({ affectsPeople: true })
    const [file = ''] = await this.promptForMissing(fileNeed(args.file))
    const maps = flags.map ?? []
    // A plain list of numbers lacks a header row to map.
    const nameColumns = maps.length > 0 ? undefined : withoutNames
    const ui = new ImportUi(this, file, flags)
    const reading = { nameColumns, sheet: flags.sheet, pickSheet: sheetPicker(this, maps), now: systemClock.now() }
    await withSource(file, this.around, reading, async (source) => {
      for (const notice of source.table.notices) ui.say(notice)
      await this.#import({ client, source, ui, flags })
    })
  }

  /** Reviews the import until the person corrects no more columns, and runs it. */
  async #import({ source: all, ...started }: Omit<Given, 'blocked'>): Promise<void> {
    const { ui, flags, client } = started
    const given = { ...started, blocked: new BlockedLeads(this, client, this.#isAsked(flags)) }
    let maps: readonly string[] = flags.map ?? []
    let rows: ImportSource | undefined
    for (;;) {
      const matching = await matchPhones(all, maps)
      if (matching.ignored.length > 0) ui.say(listIgnored(matching))
      rows ??= await this.#leaveOut(all, given, matching)
      const source = { ...rows, table: await splitByNumber(rows.table, matching.phones) }
      const isSplit = matching.phones.length > 1 || source.table.total > rows.table.total
      const target = this.#target(given, source, matching, isSplit ? 'numbers' : 'rows')
      ui.checkColumns(target.columns)
      const counted = `${amount(rows.table.total, 'rows')}, ${amount(source.table.numbers, 'numbers')}`
      const heading = isSplit ? `${all.name}: ${counted}. ${matching.names}` : undefined
      const isReviewed = this.#isAsked(flags) && source.table.total > 0
      if (isSplit && !this.#isAsked(flags)) ui.say(matching.names)
      const shown = { source, fields: matching.fields, heading }
      // A script gets no further requests: it could not act on the names before the numbers are sent.
      const isRead = flags['dry-run'] || this.isInteractive
      if (!isReviewed && isRead) await this.#sayBlocked(source, target, given)
      const sent = isReviewed ? await this.#review(shown, target, given) : target
      if (sent !== undefined) {
        ui.addAnswer(correctionsOf(flags.map ?? [], maps).flatMap((map) => ['--map', quoteForShell(map)]))
        return runImport(source, sent, ui)
      }
      maps = await askForPhones((...needs) => this.promptForMissing(...needs), rows.table, matching.phones)
    }
  }

  #isAsked(flags: Given['flags']): boolean {
    return !flags.yes && !flags['dry-run'] && this.isInteractive
  }

  #leaveOut(all: ImportSource, { ui, flags }: Omit<Given, 'source'>, { phones }: PhoneMatching): Promise<ImportSource> {
    return leaveOutRows(all, ui, {
      kind: unmarkedRows,
      isGiven: flags['skip-unmarked'],
      isAsked: this.#isAsked(flags),
      others: phones,
      phones,
      describe: ({ values }) => phones.flatMap((at) => values[at]?.trim() || []).join(', '),
    })
  }

  #target(
    { client, ui, blocked, flags: { 'dry-run': dryRun } }: Omit<Given, 'source'>,
    source: ImportSource,
    { phones }: PhoneMatching,
    unit: 'rows' | 'numbers',
  ): ImportTarget<string> {
    let added = 0
    const target = dncTarget({
      ...{ client, phones, dryRun, unit },
      columns: source.table.columns.length,
      isNumber: (text) => this.#isNumber(text),
      onAdded: (numbers) => {
        added += numbers.length
        const listed = numbers.flatMap(normalized)
        undo.append(listed, source.file)
        blocked.noteAdded(listed)
      },
      remarks: () => blocked.describeResult(),
      undoCommand: () => (added > 0 || (!dryRun && undo.exists()) ? `svc dnc remove --from-import ${name}` : null),
    })
    const name = journalName(identityOf(source, target, ui))
    const undo = new UndoRecord(source.folder, name, accountOf(this.settings))
    return target
  }

  /** Shows what will be sent and asks. The target refuses all rows if none can be sent; undefined to correct the columns. */
  async #review(
    { source, fields, heading }: Pick<Preview, 'source' | 'fields' | 'heading'>,
    target: ImportTarget<string>,
    { blocked, ui }: Pick<Given, 'blocked' | 'ui'>,
  ): Promise<ImportTarget<string> | undefined> {
    const earlier = await reviewEarlierRun(source, target, ui)
    // The result of the earlier run is shown again, and nothing is sent.
    if (ui.resume && earlier.isFinished) return target
    const rules: RowRules = {
      make: (row) => ({ phone: target.make(row) }),
      problem: (row) => target.problem(row),
      takes: isListable(this.isLive),
      needsConsent: false,
      refusesRepeats: true,
    }
    const { unit } = target
    const shown = { source, fields, heading, unit, rules, earlier, facts: () => [] }
    const survey = await showPreview(this, shown)
    if (survey.rows > 0 && countRefused(survey) === survey.rows) {
      const problem = describeNone(survey, unit, 'be put on the list')
      const refused = { problem, table: source.table, failedFile: ui.failedFile }
      return (await offerCorrection(this, refused)) ? undefined : refuseEveryRow(target, (phone) => ({ phone }), rules)
    }
    const toSend = skipRows(source.table.rows(), earlier.done)
    for (const line of await blocked.describe(this.#numbersOf(toSend, target))) ui.tell(line)
    const numbers = describeAmount(survey, earlier, target, ui.leftOut)
    const isOne = survey.rows - countRefused(survey) === 1
    const question = dncSentences(this.settings.mode).askToImport(numbers, this.host, isOne)
    return (await confirmOrCorrect(this, question, source.table)) ? target : undefined
  }

  /** Says which leads the numbers block if no question does. Never stops the import. */
  async #sayBlocked(source: ImportSource, target: ImportTarget<string>, { blocked, ui }: Omit<Given, 'source'>) {
    const done = ui.resume ? (openJournal(source, target, ui).read()?.rows ?? 0) : 0
    try {
      const toSend = skipRows(source.table.rows(), done)
      for (const line of await blocked.describe(this.#numbersOf(toSend, target))) ui.say(line)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }

  /** The numbers of the rows that can be listed, in the form of the list. */
  async *#numbersOf(rows: AsyncIterable<RawRow>, target: ImportTarget<string>): AsyncGenerator<string> {
    for await (const row of rows)
      if (target.problem(row) === undefined && this.#isNumber(target.make(row))) yield* normalized(target.make(row))
  }

  /** Whether the number can be listed. Reserved test numbers can be listed by a test key only. */
  #isNumber(text: string): boolean {
    return isListable(this.isLive)(parsePhone(text).kind)
  }
}

interface Given {
  client: Client<Contract>
  source: ImportSource
  ui: ImportUi
  /** The leads that the numbers block. */
  blocked: BlockedLeads
  flags: Parsed<typeof DncImport>['flags']
}

interface PhoneMatching extends Matching {
  /** Indexes of the phone columns, and a sentence that names them. */
  phones: readonly number[]
  names: string
}

async function matchPhones({ table, name }: ImportSource, maps: readonly string[]): Promise<PhoneMatching> {
  const matching = matchColumns(table.columns, {
    file: name,
    known: dncFields,
    required: 'phone',
    maps,
    fieldsFromRest: false,
    everyPhone: await findPhoneColumns(table.columns, table.rows()),
  })
  const phones = columnsOf(matching.fields, 'phone')
  const columns = `${amount(phones.length, 'phone columns')}: ${phones.map((at) => table.columns[at]).join(', ')}.`
  return { ...matching, phones, names: `${columns} Every number of a row goes on the list.` }
}

/** The number in the form of the list; none if it cannot be read. */
function normalized(text: string): string[] {
  const number = parsePhone(text)
  return number.kind === 'invalid' ? [] : [number.e164]
}
