import * as Flags from '@oclif/core/flags'
import { eventTypeChoices } from '../../src/cli/input/questions/choices.js'
import { describeCreated } from '../../src/cli/results/endpoints.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { parseEventTypes } from '../../src/cli/input/event-types.js'
import { webhookAddressNeed } from '../../src/cli/input/webhook-address.js'
import { repeated, writeFlags } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class WebhooksCreate extends SvcCommand<typeof WebhooksCreate> {
  static override summary = 'Create a webhook endpoint'
  static override description =
    'Shows the secret only once; your server needs it to check signatures. An endpoint made with a test key gets test events, one ' +
    'made with a live key gets live events.'
  static override examples = [
    '<%= config.bin %> webhooks create --url https://example.com/hooks --event call.completed --event lead.interested',
    '<%= config.bin %> webhooks create --url https://example.com/hooks --event call.completed,lead.opted_out --campaign "Web leads"',
  ]
  static override flags = {
    url: Flags.string({ summary: 'Public https: address of your server (required)', helpValue: '<url>' }),
    event: Flags.string({
      summary: 'Event type to send; repeatable, or a comma-separated list (required)',
      helpValue: '<type>',
      ...repeated,
    }),
    campaign: Flags.string({
      summary: 'Campaign to limit the endpoint to (repeatable)',
      helpValue: '<name or id>',
      ...repeated,
    }),
    ...writeFlags,
  }

  protected async perform({ flags }: Parsed<typeof WebhooksCreate>): Promise<void> {
    this.expectColumns(resourceColumns.newWebhookEndpoint)
    const client = await this.client()
    const [url = '', events = ''] = await this.promptForMissing(
      webhookAddressNeed(flags.url, this.settings.baseUrl.value),
      {
        ...{ flag: '--event', label: 'Events', value: flags.event?.join(','), choices: eventTypeChoices, many: true },
        verifyGiven: parseEventTypes,
      },
    )
    const campaign_ids = await (await this.lookup(client)).campaigns(flags.campaign)
    const body = { url, events: parseEventTypes(events), campaign_ids }
    const reply = await client.call('createWebhookEndpoint', { body }, { idempotencyKey: flags['idempotency-key'] })
    await this.printer().record(reply.body, resourceColumns.newWebhookEndpoint)
    if (this.isForPerson) this.say(describeCreated(reply.body.data))
    else this.note('The secret is not shown again.\n')
  }
}
