import { SvcCommand } from '../../src/cli/base/command.js'
import { listPages } from '../../src/cli/base/pages.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class WebhooksList extends SvcCommand<typeof WebhooksList> {
  static override summary = 'List webhook endpoints'
  static override description = 'Includes the endpoints of the mode of the key, with their status.'
  static override examples = [
    '<%= config.bin %> webhooks list',
    '<%= config.bin %> webhooks list --columns id,url,status,failing_since',
  ]

  protected async perform(): Promise<void> {
    const client = await this.client()
    await this.printList(
      listPages(client.pages('listWebhookEndpoints', {}), { all: true }),
      resourceColumns.webhookEndpoint,
    )
  }
}
