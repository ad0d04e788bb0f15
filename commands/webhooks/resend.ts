import * as Args from '@oclif/core/args'
import { deliveryChoices, endpointChoices } from '../../src/cli/input/questions/choices.js'
import { findDelivery, wholeDeliveryId } from '../../src/cli/lookup/delivery.js'
import { nameEndpoint, stepsIfPaused } from '../../src/cli/lookup/endpoint.js'
import { describeSending } from '../../src/cli/results/endpoints.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class WebhooksResend extends SvcCommand<typeof WebhooksResend> {
  static override summary = 'Send an event to an endpoint again'
  static override description =
    'Creates a new delivery of the same event, with a fresh signature and its own retries. The endpoint may be left out for ' +
    'a recent delivery. At a terminal, the beginning of its id is enough, as tables show it.'
  static override examples = [
    '<%= config.bin %> webhooks resend 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33 c4d1f7a2-5b60-4e83-9a17-0d8e6b3f2c55',
    '<%= config.bin %> webhooks resend c4d1f7a2-5b60-4e83-9a17-0d8e6b3f2c55',
    '<%= config.bin %> webhooks resend 2f6b8c10-7d3e-4a95-b1c8-5e9f0a7d6c33 c4d1f7a2-5b60-4e83-9a17-0d8e6b3f2c55 --json',
  ]
  static override args = {
    endpoint: Args.string({
      description: 'Endpoint: its id or address (required unless the delivery is a recent one)',
      ignoreStdin: true,
    }),
    delivery: Args.string({ description: 'Id of the delivery (required)', ignoreStdin: true }),
  }
  static override flags = writeFlags
  #endpoint: string | undefined

  protected override get nextSteps(): Readonly<Record<string, string>> {
    return stepsIfPaused(this.#endpoint)
  }

  protected async perform({ args, flags }: Parsed<typeof WebhooksResend>): Promise<void> {
    this.expectColumns(resourceColumns.delivery)
    const client = await this.client()
    const lookup = await this.lookup(client)
    const only = args.delivery === undefined && args.endpoint !== undefined ? args.endpoint : undefined
    const found = only === undefined ? undefined : await findDelivery(client, only, this.isInteractive)
    const deliveries = async ([endpoint = '']: readonly string[]) =>
      deliveryChoices(client, await lookup.endpoint(endpoint))
    const [endpoint = '', delivery = ''] = await this.promptForMissing(
      {
        flag: '<endpoint>',
        label: 'Endpoint',
        value: found?.endpoint_id ?? args.endpoint,
        choices: () => endpointChoices(client),
      },
      { flag: '<delivery>', label: 'Delivery', value: found?.id ?? args.delivery, choices: deliveries },
    )
    const id = (this.#endpoint = await lookup.endpoint(endpoint))
    const delivery_id = this.isInteractive ? await wholeDeliveryId(client, id, delivery) : delivery
    const reply = await client.call(
      'resendDelivery',
      { params: { id, delivery_id } },
      { idempotencyKey: flags['idempotency-key'] },
    )
    await this.printer().record(reply.body, resourceColumns.delivery)
    if (this.isForPerson) this.say(describeSending(reply.body.data.event_type, await nameEndpoint(client, id), id))
  }
}
