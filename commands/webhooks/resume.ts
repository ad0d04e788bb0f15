import * as Flags from '@oclif/core/flags'
import { endpointArg, findEndpoint } from '../../src/cli/lookup/endpoint.js'
import { describeResumed } from '../../src/cli/results/endpoints.js'
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
  static override args = { endpoint: endpointArg() }
  static override flags = {
    'resend-skipped': Flags.boolean({ summary: 'Send the events that were skipped during the pause' }),
    ...writeFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof WebhooksResume>): Promise<void> {
    this.expectColumns(resourceColumns.resumedWebhookEndpoint)
    const client = await this.client()
    const id = await findEndpoint(this, client, args.endpoint)
    const body = { resend_skipped: flags['resend-skipped'] }
    const reply = await client.call(
      'resumeWebhookEndpoint',
      { params: { id }, body },
      { idempotencyKey: flags['idempotency-key'] },
    )
    await this.printer().record(reply.body, resourceColumns.resumedWebhookEndpoint)
    if (this.isForPerson) this.say(describeResumed(reply.body.data))
    else if (flags['resend-skipped']) this.note(`Sending ${reply.body.data.resent} skipped deliveries.\n`)
  }
}
