import * as Args from '@oclif/core/args'
import { parsePhone } from '../../src/phone/number.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { ImportCommand, importFlags } from '../../src/cli/import/import-command.js'
import { listIgnored, matchColumns } from '../../src/cli/import/columns.js'
import { dncCargo, dncFields, withoutNames } from '../../src/cli/import/dnc-cargo.js'
import { resourceColumns } from '../../src/output/columns-of-resources.js'

export default class DncImport extends ImportCommand<typeof DncImport> {
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
    const client = await this.client()
    const [file = ''] = await this.promptForMissing({ flag: '<file>', label: 'File', value: args.file })
    const maps = flags.map ?? []
    await this.withTable(file, maps.length > 0 ? undefined : withoutNames, async (table, digest) => {
      const matching = matchColumns(table.columns, {
        file: this.nameOf(file),
        known: dncFields,
        required: 'phone',
        maps,
        fieldsFromRest: false,
      })
      if (matching.ignored.length > 0) this.say(listIgnored(matching))
      const column = matching.fields.indexOf('phone')
      const cargo = dncCargo({
        client,
        column,
        columns: table.columns.length,
        isNumber: (text) => this.#isNumber(text),
      })
      await this.carry({ file, flags, table, cargo, identity: [digest, column], kind: resourceColumns.dncImport })
    })
  }

  /** Whether the number can be listed. Reserved test numbers can be listed by a test key only. */
  #isNumber(text: string): boolean {
    const { kind } = parsePhone(text)
    if (kind === 'reserved') return this.settings.mode !== 'live'
    return kind !== 'invalid' && kind !== 'made_up'
  }
}
