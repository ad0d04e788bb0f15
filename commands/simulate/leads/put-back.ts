import * as Args from '@oclif/core/args'
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
  static override args = { id: Args.string({ description: 'Id of the lead (required)', ignoreStdin: true }) }
  static override flags = controlFlags

  protected async perform({ args, flags }: Parsed<typeof SimulateLeadsPutBack>): Promise<void> {
    this.expectColumns(resourceColumns.lead)
    const [id = ''] = await this.promptForMissing({ flag: '<id>', label: 'Lead', value: args.id })
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('putBackLead', { params: { id } })
    await this.printer().record(body, resourceColumns.lead)
  }
}
