import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { controlFlags, SimulatorCommand, tenantFlags } from '../../src/cli/simulator/simulator-command.js'
import { controlCampaignChoices } from '../../src/cli/input/choices.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { outcomes } from '../../src/contract/enums.js'
import { resourceColumns } from '../../src/output/columns-of-resources.js'

export default class SimulateInboundCall extends SimulatorCommand<typeof SimulateInboundCall> {
  static override summary = 'let somebody call a campaign'
  static override description =
    "The call belongs to the campaign's lead with that number, if it has one, and begins to ring at once; svc simulate advance lets it go on. " +
    'It ends as --outcome says, else as the script of the number does, else as chance has it.'
  static override examples = [
    '<%= config.bin %> simulate inbound-call +12125557812 --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11',
    '<%= config.bin %> simulate inbound-call +12125557812 --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --outcome interested --mode live',
  ]
  static override args = {
    from: Args.string({ description: 'number of the caller, in any common form', ignoreStdin: true }),
  }
  static override flags = {
    campaign: Flags.string({ summary: 'the campaign that is called', helpValue: '<id>' }),
    outcome: Flags.option({ options: outcomes, summary: 'how it ends' })(),
    mode: tenantFlags.mode,
    ...controlFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof SimulateInboundCall>): Promise<void> {
    this.expectColumns(resourceColumns.call)
    const control = await this.control(flags['control-token'])
    const [from = '', campaign_id = ''] = await this.promptForMissing(
      { flag: '<from>', label: 'From', value: args.from },
      { flag: '--campaign', label: 'Campaign', value: flags.campaign, choices: () => controlCampaignChoices(control) },
    )
    const { mode } = this.tenantScope(flags)
    const { body } = await control.call('receiveCall', { body: { from, campaign_id, mode, outcome: flags.outcome } })
    await this.printer().record(body, resourceColumns.call)
  }
}
