import * as Flags from '@oclif/core/flags'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { listFlag, repeated } from '../../src/cli/base/flags.js'
import { batchRows, readStreamRows } from '../../src/cli/events/stream-rows.js'
import { controlColumns } from '../../src/output/columns/control.js'

export default class SimulateStream extends SimulatorCommand<typeof SimulateStream> {
  static override summary = 'Follow everything that happens in the simulator'
  static override description =
    'Prints every event, lead or call transition and webhook attempt until Ctrl-C. --event takes names and globs: event types, ' +
    'transition.lead, transition.call, delivery.attempt, or the kinds event, transition, delivery and world. world.replaced is ' +
    'printed only if --event includes it. With JSON output, prints one object per line.'
  static override examples = [
    '<%= config.bin %> simulate stream',
    '<%= config.bin %> simulate stream --event transition.lead,delivery',
    '<%= config.bin %> simulate stream --event "call.*" --mode live --limit 10 --output ndjson',
  ]
  static override flags = {
    event: Flags.string({
      aliases: ['types'],
      summary: 'Type or glob to include; repeatable, or a comma-separated list',
      helpValue: '<glob>',
      ...repeated,
    }),
    mode: Flags.option({ options: ['live', 'test'] as const, summary: 'Filter by mode' })(),
    organization: Flags.string({ summary: 'Filter by organization', helpValue: '<id>' }),
    limit: Flags.integer({ summary: 'Number of items to end after', min: 1 }),
    ...controlFlags,
  }

  protected async perform({ flags }: Parsed<typeof SimulateStream>): Promise<void> {
    const control = await this.control(flags['control-token'])
    const query = { types: listFlag(flags.event)?.join(), mode: flags.mode, organization_id: flags.organization }
    const streamed = control.follow('stream', { query })
    const printer = this.printer()
    const isJson = printer.style.format === 'json' || printer.style.format === 'ndjson'
    const shown: AsyncIterable<unknown> = isJson ? streamed : readStreamRows(streamed)
    this.note('Waiting for what happens.\n')
    await printer.stream(batchRows(shown, flags.limit), controlColumns.happening)
  }
}
