import * as Args from '@oclif/core/args'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { findEvent } from '../../src/cli/events/find-event.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class EventsGet extends SvcCommand<typeof EventsGet> {
  static override summary = 'Show an event'
  static override description = 'Searches the events of the last 30 days, newest first.'
  static override examples = [
    '<%= config.bin %> events get evt_5c1f0a9e2b7d4836a1e09f3c7d5b2468',
    '<%= config.bin %> events get evt_5c1f0a9e2b7d4836a1e09f3c7d5b2468 --json',
  ]
  static override args = { event: Args.string({ description: 'Id of the event (required)', ignoreStdin: true }) }

  protected async perform({ args }: Parsed<typeof EventsGet>): Promise<void> {
    this.expectColumns(resourceColumns.event)
    const [id = ''] = await this.promptForMissing({ flag: '<event>', label: 'Event', value: args.event })
    const event = await findEvent(await this.client(), id, (text) => this.note(text))
    await this.printer().record({ data: event }, resourceColumns.event)
  }
}
