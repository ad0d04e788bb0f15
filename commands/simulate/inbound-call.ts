import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { controlFlags, SimulatorCommand, tenantFlags } from '../../src/cli/simulator/simulator-command.js'
import { controlCampaignChoices } from '../../src/cli/simulator/choices.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { outcomes } from '../../src/contract/enums.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class SimulateInboundCall extends SimulatorCommand<typeof SimulateInboundCall> {
  static override summary = 'Simulate a call from a person to a campaign'
  static override description =
    "The call belongs to the campaign's lead with that number, if there is one, and rings at once. Use svc simulate advance to " +
    'continue it. The outcome comes from --outcome, else from the script of the number, else it is random.'
  static override examples = [
    '<%= config.bin %> simulate inbound-call +12125557812 --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11',
    '<%= config.bin %> simulate inbound-call +12125557812 --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --outcome interested --mode live',
  ]
  static override args = {
    from: Args.string({ description: 'Phone number of the caller, in any common form (required)', ignoreStdin: true }),
  }
  static override flags = {
    campaign: Flags.string({ summary: 'Campaign that gets the call (required)', helpValue: '<name or id>' }),
    outcome: Flags.option({ options: outcomes, summary: 'Outcome of the call' })(),
    mode: tenantFlags.mode,
    ...controlFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof SimulateInboundCall>): Promise<void> {
    this.expectColumns(resourceColumns.call)
    const control = await this.control(flags['control-token'])
    const [from = '', campaign = ''] = await this.promptForMissing(
      { flag: '<from>', label: 'From', value: args.from },
      {
        ...{ flag: '--campaign', label: 'Campaign', value: flags.campaign },
        choices: () => controlCampaignChoices(control),
        verifyGiven: (text) => this.campaignIn(control, text),
      },
    )
    const campaign_id = await this.campaignIn(control, campaign)
    const { mode } = this.tenantScope(flags)
    const { body } = await control.call('receiveCall', { body: { from, campaign_id, mode, outcome: flags.outcome } })
    await this.printer().record(body, resourceColumns.call)
    this.say(`A call from ${from} is ringing.\nLet it go on: svc simulate advance 4m`)
  }
}
