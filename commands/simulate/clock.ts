import * as Flags from '@oclif/core/flags'
import { describeClock } from '../../src/cli/results/simulator.js'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { speedOf } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class SimulateClock extends SimulatorCommand<typeof SimulateClock> {
  static override summary = "Show or change the simulator's clock"
  static override description =
    'Shows the clock if no flag is given. Use the flags to pause it, resume it or change its speed.'
  static override examples = [
    '<%= config.bin %> simulate clock',
    '<%= config.bin %> simulate clock --pause',
    '<%= config.bin %> simulate clock --resume --speed 60',
  ]
  static override flags = {
    pause: Flags.boolean({ summary: 'Pause the clock', exclusive: ['resume'] }),
    resume: Flags.boolean({ summary: 'Resume the clock' }),
    speed: Flags.string({ summary: 'Clock speed factor (60 = one simulated minute per second)', helpValue: '<n>' }),
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
    this.say(describeClock(reply.body.data))
  }
}
