import * as Args from '@oclif/core/args'
import { campaignChoices } from '../../src/cli/input/questions/choices.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { quoteForShell } from '../../src/cli/input/shell-word.js'
import { writeFlags, yesFlag } from '../../src/cli/base/flags.js'
import { nameCampaign } from '../../src/cli/lookup/campaign-facts.js'
import { countPeople, formatPeople } from '../../src/cli/lookup/waiting-people.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class CampaignsStart extends SvcCommand<typeof CampaignsStart> {
  static override summary = 'Start or resume a campaign'
  static override description =
    'Evaluates each held lead again: it is called now, or scheduled for its calling hours. With a live key, asks at a terminal ' +
    'and says how many people can be called. A campaign is the same for test and live leads, so a test key starts both.'
  static override examples = [
    '<%= config.bin %> campaigns start "Web leads"',
    '<%= config.bin %> campaigns start "Web leads" --yes --columns id,status',
  ]
  static override args = {
    campaign: Args.string({ description: 'Campaign: its name or id (required)', ignoreStdin: true }),
  }
  static override flags = { ...yesFlag, ...writeFlags }

  protected async perform({ args, flags }: Parsed<typeof CampaignsStart>): Promise<void> {
    this.expectColumns(resourceColumns.campaign)
    const client = await this.client({ affectsPeople: true })
    const choices = () => campaignChoices(client, (status) => status !== 'running' && status !== 'completed')
    const ifNone = 'There is no campaign to start: each one is running or completed.'
    const need = { flag: '<campaign>', label: 'Campaign', value: args.campaign, choices, ifNone }
    const [campaign = ''] = await this.promptForMissing(need)
    const id = await (await this.lookup(client)).campaign(campaign, 'Campaign')
    await this.confirmLive(flags.yes, async () => {
      const named = await nameCampaign(client, id)
      const people = await countPeople({ client, campaign: id, note: (text) => this.note(text) })
      return `Start the campaign ${named} at ${this.host}, so that it can call ${formatPeople(people)}?`
    })
    const { body } = await client.call(
      'startCampaign',
      { params: { id } },
      { idempotencyKey: flags['idempotency-key'] },
    )
    await this.printer().record(body, resourceColumns.campaign)
    this.say(`The campaign ${body.data.name} is running: its leads are called in their calling hours.`)
    if (!this.isLive) {
      this.say('A campaign is the same for test and live leads: its live leads are called too. To hold all of them:')
      this.say(`  svc campaigns pause ${quoteForShell(body.data.name)}`)
    }
  }
}
