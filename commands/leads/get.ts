import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { leadNeed } from '../../src/cli/input/questions/choices.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { withCampaignName } from '../../src/cli/lookup/campaign-facts.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class LeadsGet extends SvcCommand<typeof LeadsGet> {
  static override summary = 'Show a lead'
  static override description = 'Includes the status, why the lead waits, and its last ten calls.'
  static override examples = [
    '<%= config.bin %> leads get +12125557812',
    '<%= config.bin %> leads get --external-id crm-42 --campaign "Web leads"',
    '<%= config.bin %> leads get +12125557812 --json',
  ]
  static override args = {
    lead: Args.string({
      description: 'Lead: its id, phone or external id (required unless --external-id is given)',
      ignoreStdin: true,
    }),
  }
  static override flags = {
    'external-id': Flags.string({ summary: 'External id of the lead, instead of its id', helpValue: '<id>' }),
    campaign: Flags.string({
      summary: 'Campaign of the lead, if several campaigns use the external id',
      helpValue: '<name or id>',
    }),
  }

  protected async perform({ args, flags }: Parsed<typeof LeadsGet>): Promise<void> {
    const external = flags['external-id']
    if (args.lead !== undefined && external !== undefined)
      throw new UsageError('Name the lead by its id or by --external-id, not by both.')
    const client = await this.client()
    const campaign_id = await this.campaignId(client, flags.campaign)
    const printer = this.printer()
    if (external !== undefined) {
      const { body } = await client.call('listLeads', { query: { external_id: external, campaign_id } })
      const data = Array.isArray(body.data) ? body.data : await withCampaignName(this, client, body.data)
      return printer.record({ ...body, data }, resourceColumns.lead)
    }
    const hint = 'Name the lead by its id or phone, or by your own id with --external-id.'
    const [lead = ''] = await this.promptForMissing(leadNeed(client, args.lead, '<lead>', hint))
    const id = await (await this.lookup(client)).lead(lead, campaign_id)
    const { body } = await client.call('getLead', { params: { id } })
    await printer.record({ ...body, data: await withCampaignName(this, client, body.data) }, resourceColumns.lead)
  }
}
