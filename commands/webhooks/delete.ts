import { endpointArg, findEndpoint, nameEndpoint } from '../../src/cli/lookup/endpoint.js'
import { describeDeleted } from '../../src/cli/results/endpoints.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags, yesFlag } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class WebhooksDelete extends SvcCommand<typeof WebhooksDelete> {
  static override summary = 'Delete a webhook endpoint'
  static override description = 'Deletes its delivery history too. Events stay in svc events list.'
  static override examples = [
    '<%= config.bin %> webhooks delete 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33',
    '<%= config.bin %> webhooks delete 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33 --yes',
  ]
  static override args = { endpoint: endpointArg() }
  static override flags = { ...yesFlag, ...writeFlags }

  protected async perform({ args, flags }: Parsed<typeof WebhooksDelete>): Promise<void> {
    this.expectColumns(resourceColumns.deleted)
    const client = await this.client()
    const id = await findEndpoint(this, client, args.endpoint)
    const url = this.isForPerson || this.isInteractive ? await nameEndpoint(client, id) : id
    await this.confirm(flags.yes, `Delete the endpoint ${url} and the history of its deliveries?`)
    const { body } = await client.call(
      'deleteWebhookEndpoint',
      { params: { id } },
      { idempotencyKey: flags['idempotency-key'] },
    )
    await this.printer().record(body, resourceColumns.deleted)
    this.say(describeDeleted(url))
  }
}
