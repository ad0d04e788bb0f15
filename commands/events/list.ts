import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { eventTypes } from '../../src/contract/enums.js'
import { listFlags } from '../../src/cli/base/flags.js'
import { listPages } from '../../src/cli/base/pages.js'
import { resourceColumns } from '../../src/output/columns-of-resources.js'

export default class EventsList extends SvcCommand<typeof EventsList> {
  static override summary = 'List events, newest first'
  static override description = 'Covers the last 30 days, including events that were not sent to a webhook endpoint.'
  static override examples = [
    '<%= config.bin %> events list',
    '<%= config.bin %> events list --type call.completed --created-after 2026-10-01T00:00:00Z',
    '<%= config.bin %> events list --all --output ndjson',
  ]
  static override flags = {
    type: Flags.option({ options: eventTypes, summary: 'Filter by event type' })(),
    'created-after': Flags.string({ summary: 'Filter by time: at this time or later', helpValue: '<date-time>' }),
    'created-before': Flags.string({ summary: 'Filter by time: at this time or earlier', helpValue: '<date-time>' }),
    ...listFlags,
  }

  protected async perform({ flags }: Parsed<typeof EventsList>): Promise<void> {
    const client = await this.client()
    const query = {
      type: flags.type,
      'created[gte]': flags['created-after'],
      'created[lte]': flags['created-before'],
      limit: flags.limit,
      starting_after: flags['starting-after'],
    }
    await this.printList(listPages(client.pages('listEvents', { query }), flags), resourceColumns.event)
  }
}
