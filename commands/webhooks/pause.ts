import { endpointArg, findEndpoint } from '../../src/cli/lookup/endpoint.js'
import { describePaused } from '../../src/cli/results/endpoints.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class WebhooksPause extends SvcCommand<typeof WebhooksPause> {
  static override summary = 'Pause a webhook endpoint'
  static override description =
    'Saves events without sending them. Send them later with svc webhooks resume --resend-skipped.'
  static override examples = [
    '<%= config.bin %> webhooks pause 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33',
    '<%= config.bin %> webhooks pause 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33 --columns id,status',
  ]
  static override args = { endpoint: endpointArg() }
  static override flags = writeFlags

  protected async perform({ args, flags }: Parsed<typeof WebhooksPause>): Promise<void> {
    this.expectColumns(resourceColumns.webhookEndpoint)
    const client = await this.client()
    const id = await findEndpoint(this, client, args.endpoint)
    const body = { status: 'paused' as const }
    const reply = await client.call(
      'updateWebhookEndpoint',
      { params: { id }, body },
      { idempotencyKey: flags['idempotency-key'] },
    )
    await this.printer().record(reply.body, resourceColumns.webhookEndpoint)
    this.say(describePaused(reply.body.data))
  }
}
