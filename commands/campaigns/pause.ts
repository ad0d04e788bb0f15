import * as Args from '@oclif/core/args'
import { campaignChoices } from '../../src/cli/input/questions/choices.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class CampaignsPause extends SvcCommand<typeof CampaignsPause> {
  static override summary = 'Pause a campaign'
  static override description =
    'Holds its leads, test and live, until the campaign is started again. Calls in progress continue.'
  static override examples = [
    '<%= config.bin %> campaigns pause "Web leads"',
    '<%= config.bin %> campaigns pause "Web leads" --columns id,status',
  ]
  static override args = {
    campaign: Args.string({ description: 'Campaign: its name or id (required)', ignoreStdin: true }),
  }
  static override flags = writeFlags

  protected async perform({ args, flags }: Parsed<typeof CampaignsPause>): Promise<void> {
    this.expectColumns(resourceColumns.campaign)
    const client = await this.client({ affectsPeople: true })
    const choices = () => campaignChoices(client, (status) => status === 'running')
    const [campaign = ''] = await this.promptForMissing({
      flag: '<campaign>',
      label: 'Campaign',
      value: args.campaign,
      choices,
      ifNone: 'No campaign is running.',
    })
    const id = await (await this.lookup(client)).campaign(campaign, 'Campaign')
    const { body } = await client.call(
      'pauseCampaign',
      { params: { id } },
      { idempotencyKey: flags['idempotency-key'] },
    )
    await this.printer().record(body, resourceColumns.campaign)
    const calls = this.isLive ? 'no new call begins' : 'no new call begins, to test or live leads,'
    this.say(`The campaign ${body.data.name} is paused: ${calls} until svc campaigns start.`)
  }
}
