import * as Args from '@oclif/core/args'
import { controlFlags, SimulatorCommand } from '../../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../../src/cli/base/command.js'
import { resourceColumns } from '../../../src/output/columns/resources.js'

export default class SimulateLeadsTakeOut extends SimulatorCommand<typeof SimulateLeadsTakeOut> {
  static override summary = 'Take a lead out of the dialing queue'
  static override description =
    'The lead is not called, and the API cannot return it to the queue. Use svc simulate leads put-back to return it.'
  static override examples = [
    '<%= config.bin %> simulate leads take-out 3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11',
    '<%= config.bin %> simulate leads take-out 3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11 --columns id,status',
  ]
  static override args = {
    lead: Args.string({ description: 'Lead: its id, phone or external id (required)', ignoreStdin: true }),
  }
  static override flags = controlFlags

  protected async perform({ args, flags }: Parsed<typeof SimulateLeadsTakeOut>): Promise<void> {
    this.expectColumns(resourceColumns.lead)
    const [lead = ''] = await this.promptForMissing(this.leadNeed(args.lead))
    const id = await this.leadId(lead)
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('takeOutLead', { params: { id } })
    await this.printer().record(body, resourceColumns.lead)
    this.say(
      `${body.data.name ?? body.data.phone} is out of the queue and is not called.\nReturn the lead: svc simulate leads put-back ${id}`,
    )
  }
}
