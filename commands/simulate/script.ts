import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { describeScript, describeScriptsRemoved } from '../../src/cli/results/simulator.js'
import { controlFlags, SimulatorCommand, tenantFlags } from '../../src/cli/simulator/simulator-command.js'
import { parseScriptedCall } from '../../src/cli/input/scripted-call.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { controlColumns } from '../../src/output/columns/control.js'

export default class SimulateScript extends SimulatorCommand<typeof SimulateScript> {
  static override summary = 'Script the next calls to a number'
  static override description =
    'Each call is busy, no_answer, failed, voicemail or person, with optional settings: ring_seconds, talk_seconds, outcome, ' +
    'callback_at, interested_after_seconds, handover (sdr, closer or none), accept_after_seconds, dnc_by (ai or outcome). The last ' +
    'call repeats. A script belongs to the mode of the current key, or to --mode.'
  static override examples = [
    '<%= config.bin %> simulate script +12125557812 busy no_answer person:outcome=interested,talk_seconds=95',
    '<%= config.bin %> simulate script +12125557812 person:outcome=callback,callback_at=2026-10-02T15:00:00Z --mode live',
    '<%= config.bin %> simulate script +12125557812 --clear',
    '<%= config.bin %> simulate script all --clear',
  ]
  static override args = {
    // oclif allows a list argument only after a required one. An empty default leaves it to the command to report
    // what is missing.
    phone: Args.string({
      description: 'Phone number in any common form, or all with --clear (required)',
      ignoreStdin: true,
      required: true,
      default: () => Promise.resolve(''),
    }),
    call: Args.string({
      description: 'Scripted call, such as person:outcome=interested (required without --clear)',
      ignoreStdin: true,
      multiple: true,
    }),
  }
  static override flags = {
    clear: Flags.boolean({ summary: 'Remove the script of the number' }),
    ...tenantFlags,
    ...controlFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof SimulateScript>): Promise<void> {
    this.expectColumns(flags.clear ? controlColumns.removed : controlColumns.script)
    const whose = this.tenantScope(flags)
    const { call: texts = [] } = args
    if (flags.clear && texts.length > 0) throw new UsageError('Give calls or --clear, not both.')
    const calls = { flag: '<call>', label: 'Calls (with spaces between)', value: texts.join(' ') }
    const [phone = '', spoken = ''] = await this.promptForMissing(
      { flag: '<phone>', label: 'Phone', value: args.phone },
      ...(flags.clear ? [] : [calls]),
    )
    const control = await this.control(flags['control-token'])
    if (flags.clear) {
      const { body } = await control.call('removeScript', {
        query: { phone: phone === 'all' ? undefined : phone, ...whose },
      })
      await this.printer().record(body, controlColumns.removed)
      return this.say(describeScriptsRemoved(body.data.removed))
    }
    const script = spoken.split(/\s+/).filter(Boolean).map(parseScriptedCall)
    const { body } = await control.call('setScript', { body: { phone, calls: script, ...whose } })
    await this.printer().record(body, controlColumns.script)
    this.say(describeScript(body.data.phone, script))
  }
}
