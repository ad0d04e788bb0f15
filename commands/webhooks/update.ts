import * as Flags from '@oclif/core/flags'
import { endpointArg, findEndpoint } from '../../src/cli/lookup/endpoint.js'
import { describeChanged } from '../../src/cli/results/endpoints.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { parseEventTypes } from '../../src/cli/input/event-types.js'
import { repeated, writeFlags } from '../../src/cli/base/flags.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class WebhooksUpdate extends SvcCommand<typeof WebhooksUpdate> {
  static override summary = 'Change a webhook endpoint'
  static override description = 'Keeps settings that are not given. --event and --campaign replace the previous lists.'
  static override examples = [
    '<%= config.bin %> webhooks update 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33 --url https://example.com/new-hooks',
    '<%= config.bin %> webhooks update 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33 --event call.completed,lead.opted_out',
    '<%= config.bin %> webhooks update 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33 --every-campaign',
  ]
  static override args = { endpoint: endpointArg() }
  static override flags = {
    url: Flags.string({ summary: 'Public https: address of your server', helpValue: '<url>' }),
    event: Flags.string({
      summary: 'Event type to send; repeatable, or a comma-separated list',
      helpValue: '<type>',
      ...repeated,
    }),
    campaign: Flags.string({
      summary: 'Campaign to limit the endpoint to (repeatable)',
      helpValue: '<name or id>',
      ...repeated,
    }),
    'every-campaign': Flags.boolean({ summary: 'Send events of every campaign', exclusive: ['campaign'] }),
    ...writeFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof WebhooksUpdate>): Promise<void> {
    this.expectColumns(resourceColumns.webhookEndpoint)
    const isSomethingNamed = [flags.url, flags.event, flags.campaign].some((value) => value !== undefined)
    if (!isSomethingNamed && !flags['every-campaign'])
      throw new UsageError('Nothing to change was named.', 'svc webhooks update --help shows what can change.')
    const client = await this.client()
    const body = {
      url: flags.url,
      events: flags.event && parseEventTypes(flags.event.join(',')),
      campaign_ids: flags['every-campaign'] ? null : await (await this.lookup(client)).campaigns(flags.campaign),
    }
    const id = await findEndpoint(this, client, args.endpoint)
    const reply = await client.call(
      'updateWebhookEndpoint',
      { params: { id }, body },
      { idempotencyKey: flags['idempotency-key'] },
    )
    await this.printer().record(reply.body, resourceColumns.webhookEndpoint)
    this.say(describeChanged(reply.body.data))
  }
}
