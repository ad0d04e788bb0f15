import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { eventTypes } from '../../src/contract/enums.js'
import { listFlags, sinceFlag, untilFlag } from '../../src/cli/base/flags.js'
import { listPages } from '../../src/cli/base/pages.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { eventsPageSize } from '../../src/contract/limits.js'

export default class EventsList extends SvcCommand<typeof EventsList> {
  static override summary = 'List events, newest first'
  static override description = 'Covers the last 30 days, including events that were not sent to a webhook endpoint.'
  static override examples = [
    '<%= config.bin %> events list',
    '<%= config.bin %> events list --event call.completed --since 7d',
    '<%= config.bin %> events list --all --output ndjson',
  ]
  static override flags = {
    event: Flags.option({ options: eventTypes, summary: 'Filter by event type', aliases: ['type'] })(),
    ...sinceFlag('Filter by time: at this time or later, such as 2026-10-01, monday or 7d'),
    ...untilFlag('Filter by time: at this time or earlier'),
    ...listFlags(eventsPageSize),
  }

  protected async perform({ flags }: Parsed<typeof EventsList>): Promise<void> {
    const client = await this.client()
    const query = {
      type: flags.event,
      'created[gte]': await this.time(flags.since, '--since'),
      'created[lte]': await this.time(flags.until, '--until'),
      limit: flags.limit,
      starting_after: flags['starting-after'],
    }
    await this.printList(listPages(client.pages('listEvents', { query }), flags), resourceColumns.event)
  }
}
