import { endpointArg, findEndpoint } from '../../src/cli/lookup/endpoint.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class WebhooksGet extends SvcCommand<typeof WebhooksGet> {
  static override summary = 'Show a webhook endpoint'
  static override description = 'Includes its address, event types and status. Does not show the secret.'
  static override examples = [
    '<%= config.bin %> webhooks get 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33',
    '<%= config.bin %> webhooks get 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33 --json',
  ]
  static override args = { endpoint: endpointArg() }

  protected async perform({ args }: Parsed<typeof WebhooksGet>): Promise<void> {
    const client = await this.client()
    const id = await findEndpoint(this, client, args.endpoint)
    const { body } = await client.call('getWebhookEndpoint', { params: { id } })
    await this.printer().record(body, resourceColumns.webhookEndpoint)
  }
}
