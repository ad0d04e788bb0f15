import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { endpointChoices } from '../../src/cli/input/choices.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class WebhooksResume extends SvcCommand<typeof WebhooksResume> {
  static override summary = 'Resume a paused webhook endpoint'
  static override description =
    'New events are sent from now on. With --resend-skipped, also sends up to 1,000 skipped events, oldest first.'
  static override examples = [
    '<%= config.bin %> webhooks resume 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33',
    '<%= config.bin %> webhooks resume 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33 --resend-skipped',
  ]
  static override args = { id: Args.string({ description: 'Id of the endpoint (required)', ignoreStdin: true }) }
  static override flags = {
    'resend-skipped': Flags.boolean({ summary: 'Send the events that were skipped during the pause' }),
    ...writeFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof WebhooksResume>): Promise<void> {
    this.expectColumns(resourceColumns.resumedWebhookEndpoint)
    const client = await this.client()
    const choices = () => endpointChoices(client)
    const [id = ''] = await this.promptForMissing({ flag: '<id>', label: 'Endpoint', value: args.id, choices })
    const body = { resend_skipped: flags['resend-skipped'] }
    const reply = await client.call(
      'resumeWebhookEndpoint',
      { params: { id }, body },
      { idempotencyKey: flags['idempotency-key'] },
    )
    await this.printer().record(reply.body, resourceColumns.resumedWebhookEndpoint)
    if (flags['resend-skipped']) this.note(`Sending ${reply.body.data.resent} skipped deliveries.\n`)
  }
}
