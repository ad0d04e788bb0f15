import { SvcCommand } from '../../src/cli/base/command.js'
import { onePage } from '../../src/cli/base/pages.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class ExportsList extends SvcCommand<typeof ExportsList> {
  static override summary = 'List exports'
  static override description = 'Includes when each file expires. A test key has no exports.'
  static override examples = [
    '<%= config.bin %> exports list',
    '<%= config.bin %> exports list --columns id,exportType,rowCount,expiresAt',
  ]

  protected async perform(): Promise<void> {
    const client = await this.client()
    const { body } = await client.call('listExports', {})
    await this.printList(onePage(body), resourceColumns.exported)
  }
}
