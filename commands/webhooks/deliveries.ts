import * as Flags from '@oclif/core/flags'
import { endpointArg, findEndpoint } from '../../src/cli/lookup/endpoint.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { deliveryStatuses } from '../../src/contract/enums.js'
import { listFlags } from '../../src/cli/base/flags.js'
import { listPages } from '../../src/cli/base/pages.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { deliveriesPageSize } from '../../src/contract/limits.js'

export default class WebhooksDeliveries extends SvcCommand<typeof WebhooksDeliveries> {
  static override summary = 'List deliveries to an endpoint, newest first'
  static override description =
    "Includes the number of attempts, your server's answer, and the time of the next attempt."
  static override examples = [
    '<%= config.bin %> webhooks deliveries 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33',
    '<%= config.bin %> webhooks deliveries 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33 --status gave_up --columns id,event_type,response_status,response_body',
  ]
  static override args = {
    endpoint: endpointArg(),
  }
  static override flags = {
    status: Flags.option({ options: deliveryStatuses, summary: 'Filter by status' })(),
    ...listFlags(deliveriesPageSize),
  }

  protected async perform({ args, flags }: Parsed<typeof WebhooksDeliveries>): Promise<void> {
    const client = await this.client()
    const id = await findEndpoint(this, client, args.endpoint)
    const query = { status: flags.status, limit: flags.limit, starting_after: flags['starting-after'] }
    await this.printList(
      listPages(client.pages('listDeliveries', { params: { id }, query }), flags),
      resourceColumns.delivery,
    )
  }
}
