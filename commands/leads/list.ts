import * as Flags from '@oclif/core/flags'
import type { Client, Contract } from '../../src/client/client.js'
import type { LeadSearch } from '../../src/cli/lookup/search-leads.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { listFlags, sinceFlag } from '../../src/cli/base/flags.js'
import { listPages } from '../../src/cli/base/pages.js'
import { leadStatuses, outcomes } from '../../src/contract/enums.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { leadsPageSize } from '../../src/contract/limits.js'

export default class LeadsList extends SvcCommand<typeof LeadsList> {
  static override summary = 'List leads, newest first'
  static override description = 'Includes only leads that the key can see.'
  static override examples = [
    '<%= config.bin %> leads list',
    '<%= config.bin %> leads list --status scheduled --columns id,phone,scheduled_for,scheduled_reason',
    '<%= config.bin %> leads list --outcome interested --all',
    '<%= config.bin %> leads list --search "ann lee"',
    '<%= config.bin %> leads list --all --output csv > leads.csv',
  ]
  static override flags = {
    campaign: Flags.string({ summary: 'Filter by campaign', helpValue: '<name or id>' }),
    search: Flags.string({
      summary:
        'Filter by a part of the name, phone, external id or e-mail; reads every lead that the other filters leave',
      helpValue: '<text>',
    }),
    status: Flags.option({ options: leadStatuses, summary: 'Filter by status' })(),
    outcome: Flags.option({
      options: outcomes,
      summary: 'Filter by the last outcome; reads every lead that the other filters leave',
    })(),
    ...sinceFlag('Filter by creation time: at this time or later, such as 2026-10-01, monday or 7d'),
    ...listFlags(leadsPageSize),
  }

  protected async perform({ flags }: Parsed<typeof LeadsList>): Promise<void> {
    const client = await this.client()
    const query = {
      campaign_id: await this.campaignId(client, flags.campaign),
      status: flags.status,
      'created[gte]': await this.time(flags.since, '--since'),
      limit: flags.limit,
      starting_after: flags['starting-after'],
    }
    if (flags.search !== undefined || flags.outcome !== undefined) return this.#search(client, query, flags)
    await this.printList(listPages(client.pages('listLeads', { query }), flags), resourceColumns.lead)
  }

  async #search(
    client: Client<Contract>,
    query: LeadSearch['query'],
    { search: text, ...flags }: Pick<LeadSearch, 'all' | 'limit' | 'outcome'> & { search?: string | undefined },
  ): Promise<void> {
    if (text?.trim() === '')
      throw new UsageError('--search is empty.', 'Give a part of a name, phone, external id or e-mail.')
    const { searchLeads } = await import('../../src/cli/lookup/search-leads.js')
    const note = (line: string) => this.note(line)
    await this.printList(searchLeads(client, { ...flags, text, query, note }), resourceColumns.lead)
  }
}
