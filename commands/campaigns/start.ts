import * as Args from '@oclif/core/args'
import type { Client, Contract } from '../../src/client/client.js'
import { campaignChoices } from '../../src/cli/input/questions/choices.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { quoteForShell } from '../../src/cli/input/shell-word.js'
import { writeFlags, yesFlag } from '../../src/cli/base/flags.js'
import { nameCampaign, readCampaign } from '../../src/cli/lookup/campaign-facts.js'
import { countPeople, formatPeople } from '../../src/cli/lookup/waiting-people.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

const sharedCampaign = 'A campaign is the same for test and live leads: its live leads are called too.'

export default class CampaignsStart extends SvcCommand<typeof CampaignsStart> {
  static override summary = 'Start or resume a campaign'
  static override description =
    'Evaluates each held lead again: it is called now, or scheduled for its calling hours. Asks at a terminal; with a live ' +
    'key, says how many people can be called. A campaign is the same for test and live leads, so a test key starts both.'
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
    if (!flags.yes && this.isInteractive) await this.#confirmStart(client, id)
    const { body } = await client.call(
      'startCampaign',
      { params: { id } },
      { idempotencyKey: flags['idempotency-key'] },
    )
    await this.printer().record(body, resourceColumns.campaign)
    this.say(`The campaign ${body.data.name} is running: its leads are called in their calling hours.`)
    if (!this.isLive) {
      this.say(`${sharedCampaign} To hold all of them:`)
      this.say(`  svc campaigns pause ${quoteForShell(body.data.name)}`)
    }
  }

  /** Asks with each key, because a test key starts the calls to live leads too. One that runs changes nothing for them. */
  async #confirmStart(client: Client<Contract>, id: string): Promise<void> {
    if (!this.isLive && (await readCampaign(client, id))?.status === 'running') return
    const campaign = `the campaign ${await nameCampaign(client, id)} at ${this.host}`
    if (!this.isLive) return this.confirm(false, `${sharedCampaign} Start ${campaign}?`)
    const people = await countPeople({ client, campaign: id, note: (text) => this.note(text) })
    await this.confirm(false, `Start ${campaign}, so that it can call ${formatPeople(people)}?`)
  }
}
