import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { limitFlag } from '../../src/cli/base/flags.js'
import { firstOf, onePage } from '../../src/cli/base/pages.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class ExportsList extends SvcCommand<typeof ExportsList> {
  static override summary = 'List exports'
  static override description = 'Includes when each file expires. A test key has no exports.'
  static override examples = [
    '<%= config.bin %> exports list',
    '<%= config.bin %> exports list --columns id,exportType,rowCount,expiresAt',
  ]
  static override flags = limitFlag

  protected async perform({ flags }: Parsed<typeof ExportsList>): Promise<void> {
    const client = await this.client()
    const { body } = await client.call('listExports', {})
    await this.printList(firstOf(onePage(body), flags.limit), resourceColumns.exported)
  }
}
