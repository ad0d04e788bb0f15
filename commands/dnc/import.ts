import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { parsePhone } from '../../src/phone/number.js'
import { systemClock } from '../../src/client/system-clock.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { yesFlag } from '../../src/cli/base/flags.js'
import { listIgnored, matchColumns } from '../../src/cli/import/source/columns.js'
import { dncFields, dncTarget, withoutNames } from '../../src/cli/import/dnc-target.js'
import { accountOf, journalName } from '../../src/cli/import/journal.js'
import { describeColumns, describeDamage, renderFirstRows, surveyRows } from '../../src/cli/import/preview.js'
import { amount } from '../../src/cli/import/result-sentence.js'
import type { RawRow } from '../../src/cli/import/rows.js'
import { identityOf, importFlags, offerResume, runImport } from '../../src/cli/import/run-import.js'
import { withSource, type ImportSource } from '../../src/cli/import/source/source.js'
import type { ImportTarget } from '../../src/cli/import/target.js'
import { UndoRecord } from '../../src/cli/import/undo-record.js'
import { ImportUi } from '../../src/cli/import/ui.js'
import { fileNeed } from '../../src/cli/input/choices.js'
import { wantsColor } from '../../src/output/style.js'

export default class DncImport extends SvcCommand<typeof DncImport> {
  static override summary = 'Add the numbers of a file to the Do Not Call list'
  static override description =
    'Reads CSV, an Excel workbook (.xlsx) or JSON lines with a phone column, or one number on each line. Writes invalid and already listed numbers to a file ' +
    'of refused rows and exits 6. At a terminal, shows the first numbers and asks. Prints the command that removes the numbers again.'
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
    await withSource(file, this.around, { nameColumns, sheet: flags.sheet, now: systemClock.now() }, async (source) => {
      const { table } = source
      for (const notice of table.notices) ui.say(notice)
      const matching = matchColumns(table.columns, {
        file: source.name,
        known: dncFields,
        required: 'phone',
        maps,
        fieldsFromRest: false,
      })
      if (matching.ignored.length > 0) ui.say(listIgnored(matching))
      const column = matching.fields.indexOf('phone')
      const isNumber = (text: string) => this.#isNumber(text)
      const columns = table.columns.length
      let added = 0
      const onAdded = (phones: readonly string[]) => {
        added += phones.length
        undo.append(phones.flatMap(normalized))
      }
      const undoCommand = () =>
        added > 0 || (!dryRun && undo.exists()) ? `svc dnc remove --from-import ${name}` : null
      const target = dncTarget({ client, column, columns, isNumber, dryRun, onAdded, undoCommand })
      const name = journalName(identityOf(source, target, ui))
      const undo = new UndoRecord(source.folder, name, accountOf(this.settings))
      if (!flags.yes) await offerResume(source, target, ui)
      if (!flags.yes && !flags.resume && !dryRun && table.total > 0 && this.isInteractive)
        await this.#confirmPreview(source, matching.fields, target)
      await runImport(source, target, ui)
    })
  }

  async #confirmPreview(
    { name, table }: ImportSource,
    fields: readonly (string | undefined)[],
    target: ImportTarget<string>,
  ): Promise<void> {
    const { stderr, env } = this.around
    const make = (row: RawRow) => ({ phone: target.make(row) })
    const look = {
      width: stderr.columns || 100,
      color: wantsColor(Boolean(stderr.isTTY), env, !this.flagsGiven['no-color']),
    }
    const damage = describeDamage(await surveyRows(table.rows(), make))
    this.note(`${describeColumns(name, table.total, table.columns, fields)}\n`)
    this.note(await renderFirstRows(table.rows(), make, look))
    this.note(damage.map((line) => `${line}\n`).join(''))
    const numbers = amount(table.total, 'numbers')
    await this.confirm(false, `Put ${numbers} on the Do Not Call list at ${this.host}, so that no campaign calls them?`)
  }

  /** Whether the number can be listed. Reserved test numbers can be listed by a test key only. */
  #isNumber(text: string): boolean {
    const { kind } = parsePhone(text)
    if (kind === 'reserved') return this.settings.mode !== 'live'
    return kind !== 'invalid' && kind !== 'made_up'
  }
}

/** The number in the form of the list; none if it cannot be read. */
function normalized(text: string): string[] {
  const number = parsePhone(text)
  return number.kind === 'invalid' ? [] : [number.e164]
}
