import * as Args from '@oclif/core/args'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator-command.js'
import type { Parsed } from '../../src/cli/command.js'
import { durationMs } from '../../src/cli/flags.js'
import { exitCodes, ExitError } from '../../src/cli/exit.js'
import { push } from '../../src/cli/push.js'
import type { Client } from '../../src/client/client.js'
import { machine } from '../../src/client/machine.js'
import type { ClockAdvance } from '../../src/contract/control/clock.js'
import type { Control } from '../../src/contract/control.js'
import { kinds } from '../../src/output/kinds.js'
import { Progress } from '../../src/output/progress.js'

export default class SimulateAdvance extends SimulatorCommand<typeof SimulateAdvance> {
  static override summary = "push the simulator's clock forward"
  static override description =
    'Everything due on the way happens before the command returns, in order: calls, retries, webhooks and their answers. ' +
    'Ctrl-C stops time where it has come to.'
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
    this.expects(kinds.clock)
    const [by = ''] = await this.need({ flag: '<by>', label: 'How far', value: args.by })
    const body = /^\d{4}-/.test(by) ? { to: by } : { by: durationMs(by, '<by>') / 1000 }
    const control = await this.control(flags['control-token'])
    const reply = await this.#pushed(control, body)
    this.shows(reply.body.data)
    await this.printer().record(reply.body, kinds.clock)
  }

  async #pushed(control: Client<Control>, body: ClockAdvance) {
    const { stderr } = this.around
    const stop = new AbortController()
    const interrupt = () => stop.abort(new ExitError(exitCodes.interrupted))
    process.once('SIGINT', interrupt)
    try {
      return await push(control, body, {
        progress: (what) =>
          new Progress({
            what,
            atTerminal: Boolean(stderr.isTTY),
            width: stderr.columns || 100,
            write: (text) => this.note(text),
            now: () => machine.now(),
          }),
        machine,
        signal: stop.signal,
      })
    } catch (error) {
      if (!stop.signal.aborted) throw error
      this.note(`Stopped. The clock shows ${(await control.call('getClock', {})).body.data.now}.\n`)
      throw stop.signal.reason
    } finally {
      process.removeListener('SIGINT', interrupt)
    }
  }
}
