import * as Flags from '@oclif/core/flags'
import { machine } from '../../src/client/machine.js'
import { SvcCommand, type Parsed } from '../../src/cli/command.js'
import { EventFeed } from '../../src/cli/event-feed.js'
import { eventTypes } from '../../src/contract/words.js'
import { durationMs } from '../../src/cli/flags.js'
import { kinds } from '../../src/output/kinds.js'

export default class EventsTail extends SvcCommand<typeof EventsTail> {
  static override summary = 'follow events as they happen'
  static override description =
    'Prints new events, oldest first, none missed and none repeated, until Ctrl-C. It begins now, at --created-after, or after the event that --starting-after names: ' +
    'the last one of an earlier run, so that nothing is missed between the two. JSON is an object a line.'
  static override examples = [
    '<%= config.bin %> events tail',
    '<%= config.bin %> events tail --type call.completed --output ndjson',
    '<%= config.bin %> events tail --created-after 2026-10-01T00:00:00Z --limit 100 --output csv > events.csv',
  ]
  static override flags = {
    type: Flags.option({ options: eventTypes, summary: 'of this type' })(),
    'created-after': Flags.string({ summary: 'begin with those of this moment', helpValue: '<date-time>' }),
    'starting-after': Flags.string({
      summary: 'begin after this event',
      helpValue: '<id>',
      exclusive: ['created-after'],
    }),
    limit: Flags.integer({ summary: 'end after so many', min: 1 }),
    interval: Flags.string({ summary: 'how often to look', helpValue: '<1s>', default: '1s' }),
  }

  protected async perform({ flags }: Parsed<typeof EventsTail>): Promise<void> {
    const intervalMs = durationMs(flags.interval, '--interval')
    const client = await this.client()
    const feed = await EventFeed.open(client, {
      type: flags.type,
      since: flags['created-after'],
      after: flags['starting-after'],
    })
    this.note('Waiting for events.\n')
    await this.printer().stream(batches(feed, intervalMs, flags.limit ?? Infinity), kinds.event)
  }
}

async function* batches(feed: EventFeed, intervalMs: number, limit: number) {
  for (let left = limit; left > 0;) {
    const events = (await feed.next()).slice(0, left)
    left -= events.length
    yield events
    if (left > 0) await machine.sleep(intervalMs)
  }
}
