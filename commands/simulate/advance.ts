import * as Args from '@oclif/core/args'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator-command.js'
import type { Parsed } from '../../src/cli/command.js'
import { durationMs } from '../../src/cli/flags.js'
import { kinds } from '../../src/output/kinds.js'

export default class SimulateAdvance extends SimulatorCommand<typeof SimulateAdvance> {
  static override summary = "push the simulator's clock forward"
  static override description =
    'Everything due on the way happens before the command returns, in order: calls, retries, webhooks and their answers.'
  static override examples = [
    '<%= config.bin %> simulate advance 4m',
    '<%= config.bin %> simulate advance 31d',
    '<%= config.bin %> simulate advance 2026-10-02T09:00:00Z',
  ]
  static override args = {
    by: Args.string({ description: '90s, 4m, 24h, 31d, a number of seconds, or a date-time', ignoreStdin: true }),
  }
  static override flags = controlFlags

  protected async perform({ args, flags }: Parsed<typeof SimulateAdvance>): Promise<void> {
    const [by = ''] = await this.need({ flag: '<by>', label: 'How far', value: args.by })
    const body = /^\d{4}-/.test(by) ? { to: by } : { by: durationMs(by, '<by>') / 1000 }
    const control = await this.control(flags['control-token'])
    const reply = await control.call('advanceClock', { body })
    this.shows(reply.body.data)
    await this.printer().record(reply.body, kinds.clock)
  }
}
