import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { listFlags } from '../../src/cli/base/flags.js'
import { listPages } from '../../src/cli/base/pages.js'
import { campaignStatuses } from '../../src/contract/enums.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { campaignsPageSize } from '../../src/contract/limits.js'

export default class CampaignsList extends SvcCommand<typeof CampaignsList> {
  static override summary = 'List campaigns, newest first'
  static override description = 'Includes only campaigns that the key can see.'
  static override examples = [
    '<%= config.bin %> campaigns list',
    '<%= config.bin %> campaigns list --status running --columns id,name,lines',
  ]
  static override flags = {
    status: Flags.option({ options: campaignStatuses, summary: 'Filter by status' })(),
    ...listFlags(campaignsPageSize),
  }

  protected async perform({ flags }: Parsed<typeof CampaignsList>): Promise<void> {
    const client = await this.client()
    const query = { status: flags.status, limit: flags.limit, starting_after: flags['starting-after'] }
    await this.printList(listPages(client.pages('listCampaigns', { query }), flags), resourceColumns.campaign)
  }
}
