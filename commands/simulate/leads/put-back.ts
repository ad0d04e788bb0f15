import * as Args from '@oclif/core/args'
import { describeLeadNow } from '../../../src/cli/results/leads.js'
import { controlFlags, SimulatorCommand } from '../../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../../src/cli/base/command.js'
import { resourceColumns } from '../../../src/output/columns/resources.js'

export default class SimulateLeadsPutBack extends SimulatorCommand<typeof SimulateLeadsPutBack> {
  static override summary = 'Return a lead to the dialing queue'
  static override description = 'Evaluates the lead like a new one: it is queued, scheduled or held.'
  static override examples = [
    '<%= config.bin %> simulate leads put-back 3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11',
    '<%= config.bin %> simulate leads put-back 3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11 --columns id,status',
  ]
  static override args = {
    lead: Args.string({ description: 'Lead: its id, phone or external id (required)', ignoreStdin: true }),
  }
  static override flags = controlFlags

  protected async perform({ args, flags }: Parsed<typeof SimulateLeadsPutBack>): Promise<void> {
    this.expectColumns(resourceColumns.lead)
    const [lead = ''] = await this.promptForMissing(this.leadNeed(args.lead))
    const id = await this.leadId(lead)
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('putBackLead', { params: { id } })
    await this.printer().record(body, resourceColumns.lead)
    this.say(describeLeadNow(body.data))
  }
}
