import * as Args from '@oclif/core/args'
import { campaignChoices } from '../../src/cli/input/questions/choices.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class CampaignsGet extends SvcCommand<typeof CampaignsGet> {
  static override summary = 'Show a campaign'
  static override description = 'Includes the calling hours, the number of lines, and the consent setting.'
  static override examples = [
    '<%= config.bin %> campaigns get "Web leads"',
    '<%= config.bin %> campaigns get "Web leads" --json',
  ]
  static override args = {
    campaign: Args.string({ description: 'Campaign: its name or id (required)', ignoreStdin: true }),
  }

  protected async perform({ args }: Parsed<typeof CampaignsGet>): Promise<void> {
    const client = await this.client()
    const choices = () => campaignChoices(client, () => true)
    const [campaign = ''] = await this.promptForMissing({
      flag: '<campaign>',
      label: 'Campaign',
      value: args.campaign,
      choices,
    })
    const id = await (await this.lookup(client)).campaign(campaign, 'Campaign')
    const { body } = await client.call('getCampaign', { params: { id } })
    await this.printer().record(body, resourceColumns.campaign)
  }
}
