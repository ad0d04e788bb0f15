import * as Args from '@oclif/core/args'
import { describeLeadNow } from '../../../src/cli/results/leads.js'
import { controlFlags, SimulatorCommand } from '../../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../../src/cli/base/command.js'
import { resourceColumns } from '../../../src/output/columns/resources.js'

export default class SimulateLeadsDialAt extends SimulatorCommand<typeof SimulateLeadsDialAt> {
  static override summary = 'Set the next dial time of a lead'
  static override description =
    'The lead is dialed then, or as soon after that as the dialing rules allow. A past time means now. A lead that was taken out ' +
    'of the queue returns.'
  static override examples = [
    '<%= config.bin %> simulate leads dial-at 3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11 2026-10-02T15:00:00Z',
    '<%= config.bin %> simulate leads dial-at 3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11 2026-10-02T11:00:00-04:00 --json',
  ]
  static override args = {
    lead: Args.string({ description: 'Lead: its id, phone or external id (required)', ignoreStdin: true }),
    at: Args.string({ description: 'Date-time of the call (required)', ignoreStdin: true }),
  }
  static override flags = controlFlags

  protected async perform({ args, flags }: Parsed<typeof SimulateLeadsDialAt>): Promise<void> {
    this.expectColumns(resourceColumns.lead)
    const [lead = '', next_dial_at = ''] = await this.promptForMissing(this.leadNeed(args.lead), {
      flag: '<at>',
      label: 'When',
      value: args.at,
    })
    const id = await this.leadId(lead)
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('updateLeadInApp', { params: { id }, body: { next_dial_at } })
    await this.printer().record(body, resourceColumns.lead)
    this.say(describeLeadNow(body.data))
  }
}
