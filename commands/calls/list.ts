import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { listFlags, sinceFlag, untilFlag } from '../../src/cli/base/flags.js'
import { listPages } from '../../src/cli/base/pages.js'
import { outcomes } from '../../src/contract/enums.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { callsPageSize } from '../../src/contract/limits.js'

export default class CallsList extends SvcCommand<typeof CallsList> {
  static override summary = 'List calls, newest first'
  static override description = 'Includes only calls that the key can see.'
  static override examples = [
    '<%= config.bin %> calls list --outcome interested',
    '<%= config.bin %> calls list --lead +12125557812',
    '<%= config.bin %> calls list --since 2026-10-01 --all --output ndjson',
  ]
  static override flags = {
    campaign: Flags.string({ summary: 'Filter by campaign', helpValue: '<name or id>' }),
    lead: Flags.string({ summary: 'Filter by lead', helpValue: '<id, phone or external id>' }),
    'external-id': Flags.string({ summary: 'Filter by the external id of the lead', helpValue: '<id>' }),
    outcome: Flags.option({ options: outcomes, summary: 'Filter by outcome' })(),
    ...sinceFlag('Filter by start time: at this time or later, such as 2026-10-01, monday or 7d'),
    ...untilFlag('Filter by start time: at this time or earlier'),
    ...listFlags(callsPageSize),
  }

  protected async perform({ flags }: Parsed<typeof CallsList>): Promise<void> {
    const client = await this.client()
    const campaign_id = await this.campaignId(client, flags.campaign)
    const query = {
      campaign_id,
      lead_id: flags.lead === undefined ? undefined : await (await this.lookup(client)).lead(flags.lead, campaign_id),
      external_id: flags['external-id'],
      outcome: flags.outcome,
      'created[gte]': await this.time(flags.since, '--since'),
      'created[lte]': await this.time(flags.until, '--until'),
      limit: flags.limit,
      starting_after: flags['starting-after'],
    }
    await this.printList(listPages(client.pages('listCalls', { query }), flags), resourceColumns.call)
  }
}
