import * as Flags from '@oclif/core/flags'
import { systemClock } from '../../src/client/system-clock.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { listFlags } from '../../src/cli/base/flags.js'
import { firstOf, listPages, onePage } from '../../src/cli/base/pages.js'
import { resultColumns } from '../../src/output/columns/results.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { dncPageSize } from '../../src/contract/limits.js'

export default class DncList extends SvcCommand<typeof DncList> {
  static override summary = 'List the Do Not Call list, newest first'
  static override description =
    'Includes how each number came onto the list. With --imports, shows the imports of the last 30 days that svc dnc remove --from-import can undo.'
  static override examples = [
    '<%= config.bin %> dnc list',
    '<%= config.bin %> dnc list --search 212555',
    '<%= config.bin %> dnc list --imports',
    '<%= config.bin %> dnc list --all --output csv > dnc.csv',
  ]
  static override flags = {
    search: Flags.string({ summary: 'Filter by digits in the number', helpValue: '<digits>' }),
    imports: Flags.boolean({
      summary: 'List the imports that can be undone, made on this machine with this key',
      exclusive: ['search', 'starting-after', 'all'],
    }),
    ...listFlags(dncPageSize),
  }

  protected async perform({ flags }: Parsed<typeof DncList>): Promise<void> {
    const client = await this.client()
    if (flags.imports) return this.#listImports(flags.limit)
    const query = { search: flags.search, limit: flags.limit, cursor: flags['starting-after'] }
    await this.printList(listPages(client.pages('listDnc', { query }), flags), resourceColumns.dncEntry)
  }

  async #listImports(limit: number | undefined): Promise<void> {
    const { accountOf, importFolder } = await import('../../src/cli/import/journal.js')
    const { listRecordedImports } = await import('../../src/cli/import/undo-record.js')
    const folder = importFolder(this.around.dataFolder, systemClock.now())
    const data = listRecordedImports(folder, accountOf(this.settings)).map(({ name, file = null, numbers, at }) => ({
      ...{ file, numbers, imported: new Date(at).toISOString(), import: name },
    }))
    await this.printList(
      firstOf(onePage({ data, meta: { next_cursor: null, has_more: false } }), limit),
      resultColumns.dncImports,
    )
  }
}
