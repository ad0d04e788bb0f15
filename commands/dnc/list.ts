import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { listFlags } from '../../src/cli/base/flags.js'
import { listPages } from '../../src/cli/base/pages.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class DncList extends SvcCommand<typeof DncList> {
  static override summary = 'List the Do Not Call list, newest first'
  static override description = 'Includes how each number came onto the list.'
  static override examples = [
    '<%= config.bin %> dnc list',
    '<%= config.bin %> dnc list --search 212555',
    '<%= config.bin %> dnc list --all --output csv > dnc.csv',
  ]
  static override flags = {
    search: Flags.string({ summary: 'Filter by digits in the number', helpValue: '<digits>' }),
    ...listFlags,
  }

  protected async perform({ flags }: Parsed<typeof DncList>): Promise<void> {
    const client = await this.client()
    const query = { search: flags.search, limit: flags.limit, cursor: flags['starting-after'] }
    await this.printList(listPages(client.pages('listDnc', { query }), flags), resourceColumns.dncEntry)
  }
}
