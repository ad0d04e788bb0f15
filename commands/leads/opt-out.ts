import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags, yesFlag } from '../../src/cli/base/flags.js'
import { withCampaignName } from '../../src/cli/lookup/campaign-facts.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { leadNeed } from '../../src/cli/input/questions/choices.js'
import { describeLead } from '../../src/cli/lookup/lead-facts.js'
import { dncSentences } from '../../src/cli/results/dnc-sentences.js'

export default class LeadsOptOut extends SvcCommand<typeof LeadsOptOut> {
  static override summary = 'Opt a lead out of all calls'
  static override description =
    "Adds the lead's number to the Do Not Call list of the organization and removes the lead from the queue. A call in progress " +
    'continues.'
  static override examples = [
    '<%= config.bin %> leads opt-out +12125557812 --reason "asked by e-mail"',
    '<%= config.bin %> leads opt-out +12125557812 --yes',
  ]
  static override args = {
    lead: Args.string({ description: 'Lead: its id, phone or external id (required)', ignoreStdin: true }),
  }
  static override flags = {
    reason: Flags.string({ summary: 'Reason for the opt-out, for the records', helpValue: '<text>' }),
    ...yesFlag,
    ...writeFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof LeadsOptOut>): Promise<void> {
    this.expectColumns(resourceColumns.optedOutLead)
    const client = await this.client({ affectsPeople: true })
    const [lead = ''] = await this.promptForMissing(leadNeed(client, args.lead))
    // A script without --yes is refused before any request.
    const isAsked = !flags.yes && this.isInteractive
    if (!isAsked) await this.confirm(flags.yes, `Never call the lead ${lead} again, from any campaign?`)
    const id = await (await this.lookup(client)).lead(lead)
    if (isAsked) {
      const person = await describeLead(client, id)
      await this.confirm(false, `Never call this lead again, from any campaign (${person})?`)
    }
    const reply = await client.call(
      'optOutLead',
      { params: { id }, body: { reason: flags.reason } },
      { idempotencyKey: flags['idempotency-key'] },
    )
    const data = await withCampaignName(this, client, reply.body.data)
    await this.printer().record({ ...reply.body, data }, resourceColumns.optedOutLead)
    const { name, phone } = reply.body.data
    this.say(dncSentences(this.settings.mode).optedOut(name ?? phone, phone))
    if (reply.body.data.call_in_progress) this.note('A call with the lead is going on; it is not cut.\n')
  }
}
