import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
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
import { identityOf, reviewEarlierRun } from '../../src/cli/import/review/earlier-run.js'
import { isListable } from '../../src/cli/import/review/number-faults.js'
import { leaveOutRows, unmarkedRows } from '../../src/cli/import/review/leave-out.js'
import { describeAmount, refuseEveryRow, showPreview, type Preview } from '../../src/cli/import/review/review.js'
import { amount } from '../../src/cli/import/result-sentence.js'
import { importFlags, runImport } from '../../src/cli/import/run-import.js'
import { sheetPicker } from '../../src/cli/import/source/pick-sheet.js'
import { withSource, type ImportSource } from '../../src/cli/import/source/source.js'
import type { ImportTarget } from '../../src/cli/import/target.js'
import { countRefused, type RowRules } from '../../src/cli/import/review/survey.js'
import { UndoRecord } from '../../src/cli/import/undo-record.js'
import { ImportUi } from '../../src/cli/import/ui.js'
import { fileNeed } from '../../src/cli/input/choices.js'

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
    const { 'dry-run': dryRun } = flags
    const reading = { nameColumns, sheet: flags.sheet, pickSheet: sheetPicker(this, maps), now: systemClock.now() }
    await withSource(file, this.around, reading, async (all) => {
      for (const notice of all.table.notices) ui.say(notice)
      const matching = await matchPhones(all, maps)
      if (matching.ignored.length > 0) ui.say(listIgnored(matching))
      const { phones, names } = matching
      const isAsked = !flags.yes && !dryRun && this.isInteractive
      const rows = await leaveOutRows(all, ui, {
        kind: unmarkedRows,
        isGiven: flags['skip-unmarked'],
        isAsked,
        phone: phones,
        describe: ({ values }) => phones.flatMap((at) => values[at]?.trim() || []).join(', '),
      })
      const source = { ...rows, table: await splitByNumber(rows.table, phones) }
      const isSplit = phones.length > 1 || source.table.total > rows.table.total
      if (isSplit && !isAsked) ui.say(names)
      const isNumber = (text: string) => this.#isNumber(text)
      let added = 0
      const onAdded = (phones: readonly string[]) => {
        added += phones.length
        undo.append(phones.flatMap(normalized))
      }
      const undoCommand = () =>
        added > 0 || (!dryRun && undo.exists()) ? `svc dnc remove --from-import ${name}` : null
      const target = dncTarget({
        ...{ client, phones, isNumber, dryRun, onAdded, undoCommand },
        columns: source.table.columns.length,
        unit: isSplit ? 'numbers' : 'rows',
      })
      const name = journalName(identityOf(source, target, ui))
      const undo = new UndoRecord(source.folder, name, accountOf(this.settings))
      const counted = `${amount(rows.table.total, 'rows')}, ${amount(source.table.total, 'numbers')}`
      const heading = isSplit ? `${all.name}: ${counted}. ${names}` : undefined
      const shown = { source, fields: matching.fields, heading }
      const sent = isAsked && source.table.total > 0 ? await this.#review(shown, target, ui) : target
      await runImport(source, sent, ui)
    })
  }

  /** Shows what will be sent and asks. Returns the target of the rows, which refuses all of them if none can be sent. */
  async #review(
    { source, fields, heading }: Pick<Preview, 'source' | 'fields' | 'heading'>,
    target: ImportTarget<string>,
    ui: ImportUi,
  ): Promise<ImportTarget<string>> {
    const earlier = await reviewEarlierRun(source, target, ui)
    // The result of the earlier run is shown again, and nothing is sent.
    if (ui.resume && earlier.isFinished) return target
    const rules: RowRules = {
      make: (row) => ({ phone: target.make(row) }),
      problem: (row) => target.problem(row),
      takes: isListable(this.isLive),
      needsConsent: false,
    }
    const { unit } = target
    const shown = { source, fields, heading, unit, rules, earlier, facts: () => [] }
    const survey = await showPreview(this, shown)
    if (survey.rows > 0 && countRefused(survey) === survey.rows) {
      this.note(`None of the ${amount(survey.rows, unit)} can be put on the list: nothing is sent.\n`)
      return refuseEveryRow(target, (phone) => ({ phone }), rules)
    }
    const numbers = describeAmount(survey, earlier, target, ui.leftOut)
    await this.confirm(false, `Put ${numbers} on the Do Not Call list at ${this.host}, so that no campaign calls them?`)
    return target
  }

  /** Whether the number can be listed. Reserved test numbers can be listed by a test key only. */
  #isNumber(text: string): boolean {
    return isListable(this.isLive)(parsePhone(text).kind)
  }
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
