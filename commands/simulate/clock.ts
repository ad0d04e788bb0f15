import * as Flags from '@oclif/core/flags'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { speedOf } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns-of-resources.js'

export default class SimulateClock extends SimulatorCommand<typeof SimulateClock> {
  static override summary = "show or change the simulator's clock"
  static override description = 'Without a flag it shows the clock. It can be paused, let go on, or made faster.'
  static override examples = [
    '<%= config.bin %> simulate clock',
    '<%= config.bin %> simulate clock --pause',
    '<%= config.bin %> simulate clock --resume --speed 60',
  ]
  static override flags = {
    pause: Flags.boolean({ summary: 'let time stand still', exclusive: ['resume'] }),
    resume: Flags.boolean({ summary: 'let it go on' }),
    speed: Flags.string({ summary: 'simulated seconds in a real one', helpValue: '<n>' }),
    ...controlFlags,
  }

  protected async perform({ flags }: Parsed<typeof SimulateClock>): Promise<void> {
    this.expectColumns(resourceColumns.clock)
    const control = await this.control(flags['control-token'])
    const speed = speedOf(flags.speed)
    const paused = flags.pause ? true : flags.resume ? false : undefined
    const changes = { ...(speed !== undefined && { speed }), ...(paused !== undefined && { paused }) }
    const reply =
      Object.keys(changes).length === 0
        ? await control.call('getClock', {})
        : await control.call('updateClock', { body: changes })
    this.shows(reply.body.data)
    await this.printer().record(reply.body, resourceColumns.clock)
  }
}
