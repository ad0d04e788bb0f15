import * as Flags from '@oclif/core/flags'
import { Doorbell } from '../../src/client/doorbell.js'
import { systemClock } from '../../src/client/system-clock.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { EventFeed } from '../../src/cli/events/event-feed.js'
import { watchEvents } from '../../src/cli/events/event-watch.js'
import { InterruptedError } from '../../src/cli/errors/exit-codes.js'
import { durationMs, sinceFlag, untilFlag } from '../../src/cli/base/flags.js'
import { exitCodeOfSignal, waitForInterrupt } from '../../src/cli/base/interruption.js'
import { parseMilliseconds } from '../../src/cli/input/date-time.js'
import { eventTypes } from '../../src/contract/enums.js'
import type { Event } from '../../src/contract/events.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { stripControls } from '../../src/output/sanitize.js'

export default class EventsTail extends SvcCommand<typeof EventsTail> {
  static override summary = 'Follow events as they happen'
  static override description =
    'Prints each new event once, oldest first, until Ctrl-C. If the service is unreachable, waits and continues where it stopped. ' +
    'Starts with events from now on, unless --since, --all or --starting-after is given. Pass the last id of an earlier ' +
    'run to --starting-after to continue without a gap. With JSON output, prints one object per line.'
  static override examples = [
    '<%= config.bin %> events tail',
    '<%= config.bin %> events tail --event call.completed --output ndjson',
    '<%= config.bin %> events tail --since 2026-10-01 --limit 100 --output csv > events.csv',
  ]
  static override flags = {
    event: Flags.option({ options: eventTypes, summary: 'Filter by event type', aliases: ['type'] })(),
    ...sinceFlag('Start with events at this time or later, such as 2026-10-01, monday or 7d'),
    ...untilFlag('End at the first event after this time'),
    'starting-after': Flags.string({
      summary: 'Start after this event',
      helpValue: '<id>',
      exclusive: ['since', 'all'],
    }),
    all: Flags.boolean({ summary: 'Start with the oldest event', exclusive: ['since'] }),
    limit: Flags.integer({ summary: 'Number of events to end after', min: 1 }),
    interval: Flags.string({
      summary: 'Polling interval when the service cannot push events',
      helpValue: '<1s>',
      default: '1s',
    }),
  }

  protected async perform({ flags }: Parsed<typeof EventsTail>): Promise<void> {
    const intervalMs = durationMs(flags.interval, '--interval')
    const since = await this.time(flags.since, '--since')
    const until = await this.time(flags.until, '--until')
    const { event: type, limit = Infinity } = flags
    const id = flags['starting-after']
    const after = flags.all ? null : id === undefined ? undefined : { id }
    const client = await this.client()
    const onReplaced = () => this.note('The simulator has another world now.\n')
    const feed = await EventFeed.open(client, { since, after, onReplaced })
    const over = new AbortController()
    const stopped = waitForInterrupt()
    stopped.addEventListener('abort', () => over.abort())
    const { baseUrl, mode } = this.settings
    const events = watchEvents({
      ...{ feed, intervalMs, machine: systemClock, signal: over.signal },
      doorbell: Doorbell.listen({ baseUrl: baseUrl.value, mode, machine: systemClock, signal: over.signal }),
      onLost: ({ message }) => this.note(stripControls(`Lost: ${message} Trying until it is back.\n`)),
      onBack: () => this.note('Back.\n'),
    })
    this.note('Waiting for events.\n')
    let shown = { count: 0, last: id }
    const batches = filterEvents(events, { type, until, limit }, (batch) => {
      shown = { count: shown.count + batch.length, last: batch.at(-1)?.id ?? shown.last }
    })
    await this.printer()
      .stream(batches, resourceColumns.event)
      .finally(() => over.abort())
    if (stopped.aborted) throw this.#interrupted(shown, exitCodeOfSignal(stopped))
  }

  #interrupted({ count, last }: { count: number; last: string | undefined }, exitCode: number): InterruptedError {
    const message = `Stopped after ${count} ${count === 1 ? 'event' : 'events'}.`
    if (last === undefined) return new InterruptedError(message, undefined, exitCode)
    const command = this.repeatCommand(['--starting-after', last], ['--all', '--since', '--created-after'])
    return new InterruptedError(message, `Go on with: ${command}`, exitCode)
  }
}

interface Wanted {
  type: string | undefined
  until: string | undefined
  limit: number
}

async function* filterEvents(
  batches: AsyncIterable<Event[]>,
  { type, until, limit }: Wanted,
  onShown: (events: Event[]) => void,
): AsyncGenerator<Event[]> {
  const end = until === undefined ? Infinity : parseMilliseconds(until)
  let left = limit
  for await (const batch of batches) {
    const inTime = batch.filter(({ created }) => Date.parse(created) <= end)
    const events = inTime.filter((event) => type === undefined || event.type === type).slice(0, left)
    left -= events.length
    yield events
    onShown(events)
    if (left === 0 || inTime.length < batch.length) return
  }
}
