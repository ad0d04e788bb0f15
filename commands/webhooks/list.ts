import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { limitFlag } from '../../src/cli/base/flags.js'
import { firstOf, listPages } from '../../src/cli/base/pages.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class WebhooksList extends SvcCommand<typeof WebhooksList> {
  static override summary = 'List webhook endpoints'
  static override description = 'Includes the endpoints of the mode of the key, with their status.'
  static override examples = [
    '<%= config.bin %> webhooks list',
    '<%= config.bin %> webhooks list --columns id,url,status,failing_since',
  ]
  static override flags = limitFlag

  protected async perform({ flags }: Parsed<typeof WebhooksList>): Promise<void> {
    const client = await this.client()
    const pages = listPages(client.pages('listWebhookEndpoints', {}), { all: true })
    await this.printList(firstOf(pages, flags.limit), resourceColumns.webhookEndpoint)
  }
}
