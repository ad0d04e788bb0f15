import * as Flags from '@oclif/core/flags'
import { endpointArg, findEndpoint } from '../../src/cli/lookup/endpoint.js'
import { describeRolled } from '../../src/cli/results/endpoints.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class WebhooksRollSecret extends SvcCommand<typeof WebhooksRollSecret> {
  static override summary = 'Create a new secret for an endpoint'
  static override description =
    'Shows the new secret only once. The old secret keeps signing for --grace-hours, so that you have time to update your server.'
  static override examples = [
    '<%= config.bin %> webhooks roll-secret 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33',
    '<%= config.bin %> webhooks roll-secret 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33 --grace-hours 0',
  ]
  static override args = { endpoint: endpointArg() }
  static override flags = {
    'grace-hours': Flags.integer({
      summary: 'Hours that the old secret keeps signing, 0 to 168; 24 by default',
      helpValue: '<24>',
    }),
    ...writeFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof WebhooksRollSecret>): Promise<void> {
    this.expectColumns(resourceColumns.newWebhookEndpoint)
    const client = await this.client()
    const id = await findEndpoint(this, client, args.endpoint)
    const body = { grace_hours: flags['grace-hours'] }
    const reply = await client.call(
      'rollSecret',
      { params: { id }, body },
      { idempotencyKey: flags['idempotency-key'] },
    )
    await this.printer().record(reply.body, resourceColumns.newWebhookEndpoint)
    if (this.isForPerson) this.say(describeRolled(reply.body.data))
    else this.note('The secret is not shown again.\n')
  }
}
