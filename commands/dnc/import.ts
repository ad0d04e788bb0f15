import * as Args from '@oclif/core/args'
import { parsePhone } from '../../src/phone/number.js'
import { systemClock } from '../../src/client/system-clock.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { listIgnored, matchColumns } from '../../src/cli/import/columns.js'
import { dncFields, dncTarget, withoutNames } from '../../src/cli/import/dnc-target.js'
import { importFlags, runImport } from '../../src/cli/import/run-import.js'
import { withSource } from '../../src/cli/import/source.js'
import { ImportUi } from '../../src/cli/import/ui.js'
import { fileNeed } from '../../src/cli/input/choices.js'

export default class DncImport extends SvcCommand<typeof DncImport> {
  static override summary = 'Add the numbers of a file to the Do Not Call list'
  static override description =
    'Reads CSV or JSON lines with a phone column, or one number on each line. Writes invalid and already listed numbers to a file ' +
    'of refused rows and exits 6.'
  static override examples = [
    '<%= config.bin %> dnc import never-call.csv',
    '<%= config.bin %> dnc import list.csv --map "Mobile=phone" --failed-file refused.csv',
    'cat numbers.txt | <%= config.bin %> dnc import - --json',
  ]
  static override args = {
    file: Args.string({
      description: 'CSV, JSON lines, or one number on each line; - for standard input (required)',
      ignoreStdin: true,
    }),
  }
  static override flags = importFlags

  protected async perform({ args, flags }: Parsed<typeof DncImport>): Promise<void> {
    const client = await this.client({ affectsPeople: true })
    const [file = ''] = await this.promptForMissing(fileNeed(args.file))
    const maps = flags.map ?? []
    // A plain list of numbers has no header row to map.
    const unnamed = maps.length > 0 ? undefined : withoutNames
    const ui = new ImportUi(this, file, flags)
    await withSource(file, this.around, { unnamed, now: systemClock.now() }, async (source) => {
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
      await runImport(source, dncTarget({ client, column, columns: table.columns.length, isNumber }), ui)
    })
  }

  /** Whether the number can be listed. Reserved test numbers can be listed by a test key only. */
  #isNumber(text: string): boolean {
    const { kind } = parsePhone(text)
    if (kind === 'reserved') return this.settings.mode !== 'live'
    return kind !== 'invalid' && kind !== 'made_up'
  }
}
