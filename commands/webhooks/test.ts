import * as Flags from '@oclif/core/flags'
import { endpointChoices, eventTypeChoices } from '../../src/cli/input/questions/choices.js'
import { endpointArg, nameEndpoint, stepsIfPaused } from '../../src/cli/lookup/endpoint.js'
import { describeSending } from '../../src/cli/results/endpoints.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { parseEventType } from '../../src/cli/input/event-types.js'
import { eventTypes } from '../../src/contract/enums.js'
import { writeFlags } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class WebhooksTest extends SvcCommand<typeof WebhooksTest> {
  static override summary = 'Send a sample event to an endpoint'
  static override description =
    'The service signs and sends the sample like a real event, with sample: true, and lists it among the deliveries of the ' +
    'endpoint.'
  static override examples = [
    '<%= config.bin %> webhooks test 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33 --event call.completed',
    '<%= config.bin %> webhooks test 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33 --event lead.interested --json',
  ]
  static override args = { endpoint: endpointArg() }
  static override flags = {
    event: Flags.option({ options: eventTypes, summary: 'Event type of the sample (required)', aliases: ['type'] })(),
    ...writeFlags,
  }
  #endpoint: string | undefined

  protected override get nextSteps(): Readonly<Record<string, string>> {
    return stepsIfPaused(this.#endpoint)
  }

  protected async perform({ args, flags }: Parsed<typeof WebhooksTest>): Promise<void> {
    this.expectColumns(resourceColumns.sampleDelivery)
    const client = await this.client()
    const [endpoint = '', type = ''] = await this.promptForMissing(
      { flag: '<endpoint>', label: 'Endpoint', value: args.endpoint, choices: () => endpointChoices(client) },
      { flag: '--event', label: 'Event', value: flags.event, choices: eventTypeChoices },
    )
    const id = (this.#endpoint = await (await this.lookup(client)).endpoint(endpoint))
    const body = { type: parseEventType(type) }
    const reply = await client.call(
      'testWebhookEndpoint',
      { params: { id }, body },
      { idempotencyKey: flags['idempotency-key'] },
    )
    await this.printer().record(reply.body, resourceColumns.sampleDelivery)
    if (this.isForPerson) this.say(describeSending(`A sample of ${type}`, await nameEndpoint(client, id), id))
  }
}
