import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags, yesFlag } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns-of-resources.js'

export default class LeadsOptOut extends SvcCommand<typeof LeadsOptOut> {
  static override summary = 'never call a lead again'
  static override description =
    "Puts the lead's number on the Do Not Call list of the organization and takes the lead out of the queue. A call that is going on is not cut."
  static override examples = [
    '<%= config.bin %> leads opt-out 3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11 --reason "asked by e-mail"',
    '<%= config.bin %> leads opt-out 3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11 --yes',
  ]
  static override args = { id: Args.string({ description: 'id of the lead', ignoreStdin: true }) }
  static override flags = {
    reason: Flags.string({ summary: 'why, for the records', helpValue: '<text>' }),
    ...yesFlag,
    ...writeFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof LeadsOptOut>): Promise<void> {
    this.expectColumns(resourceColumns.optedOutLead)
    const client = await this.client()
    const [id = ''] = await this.promptForMissing({ flag: '<id>', label: 'Lead', value: args.id })
    await this.confirm(flags.yes, `Never call the lead ${id} again, from any campaign?`)
    const reply = await client.call(
      'optOutLead',
      { params: { id }, body: { reason: flags.reason } },
      { idempotencyKey: flags['idempotency-key'] },
    )
    await this.printer().record(reply.body, resourceColumns.optedOutLead)
    if (reply.body.data.call_in_progress) this.note('A call with the lead is going on; it is not cut.\n')
  }
}
