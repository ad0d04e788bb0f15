import * as Args from '@oclif/core/args'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { withCampaignName } from '../../src/cli/lookup/campaign-facts.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { findCall, lastCallFlag } from '../../src/cli/lookup/call.js'

export default class CallsGet extends SvcCommand<typeof CallsGet> {
  static override summary = 'Show a call'
  static override description =
    'Includes the lead, the outcome, the handover to a person, and whether there is a recording.'
  static override examples = [
    '<%= config.bin %> calls get 5d2c7e19-04b6-4f9a-8c31-6b7a9e0d1f22',
    '<%= config.bin %> calls get 5d2c7e19-04b6-4f9a-8c31-6b7a9e0d1f22 --json',
  ]
  static override args = {
    call: Args.string({ description: 'Id of the call (required unless --lead is given)', ignoreStdin: true }),
  }

  static override flags = lastCallFlag

  protected async perform({ args, flags }: Parsed<typeof CallsGet>): Promise<void> {
    const client = await this.client()
    const id = await findCall(this, client, args.call, flags.lead)
    const { body } = await client.call('getCall', { params: { id } })
    await this.printer().record(
      { ...body, data: await withCampaignName(this, client, body.data) },
      resourceColumns.call,
    )
  }
}
