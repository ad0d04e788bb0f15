import * as Flags from '@oclif/core/flags'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { durationMs } from '../../src/cli/base/flags.js'
import type { ErrorCode } from '../../src/contract/errors/error-codes.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { controlColumns } from '../../src/output/columns-of-control.js'

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const

export default class SimulateFault extends SimulatorCommand<typeof SimulateFault> {
  static override summary = 'Make the next API requests fail'
  static override description =
    'Delays matching requests, answers them with an error, or drops their connection. With --after-commit, does so after the ' +
    'change is saved. --clear removes all faults.'
  static override examples = [
    '<%= config.bin %> simulate fault --method POST --path "/leads/**" --status 503',
    '<%= config.bin %> simulate fault --path /leads --drop --after-commit',
    '<%= config.bin %> simulate fault --latency 2s --count 5',
    '<%= config.bin %> simulate fault --clear',
  ]
  static override flags = {
    method: Flags.option({ options: methods, summary: 'Method to match' })(),
    path: Flags.string({
      summary: 'Path to match, below the base address; * matches one segment, ** any number',
      helpValue: '<glob>',
    }),
    count: Flags.integer({ summary: 'Number of requests to affect', min: 1, default: 1 }),
    latency: Flags.string({ summary: 'Delay before the answer', helpValue: '<2s>' }),
    status: Flags.integer({ summary: 'Status of the answer', helpValue: '<503>', min: 400, max: 599 }),
    code: Flags.string({ summary: 'Error code of the answer', helpValue: '<code>' }),
    drop: Flags.boolean({ summary: 'Drop the connection instead of answering' }),
    'after-commit': Flags.boolean({ summary: 'Apply the fault after the change is saved' }),
    clear: Flags.boolean({ summary: 'Remove all faults' }),
    ...controlFlags,
  }

  protected async perform({ flags }: Parsed<typeof SimulateFault>): Promise<void> {
    const { method, path, count, latency, status, code, drop, clear } = flags
    this.expectColumns(clear ? controlColumns.removed : controlColumns.fault)
    const goesWrong = latency !== undefined || status !== undefined || code !== undefined || drop
    if (clear && goesWrong) throw new UsageError('Give a fault or --clear, not both.')
    if (!clear && !goesWrong)
      throw new UsageError('What is to go wrong?', 'Give --latency, --status, --code or --drop, or --clear.')
    const control = await this.control(flags['control-token'])
    if (clear) return this.printer().record((await control.call('removeFaults', {})).body, controlColumns.removed)
    const fault = {
      method,
      path,
      count,
      latency_ms: latency === undefined ? undefined : durationMs(latency, '--latency'),
      status,
      // Which codes there are is for the simulator to say.
      code: code as ErrorCode | undefined,
      drop: drop || undefined,
      after_commit: flags['after-commit'] || undefined,
    }
    const { body } = await control.call('addFault', { body: fault })
    await this.printer().record(body, controlColumns.fault)
  }
}
