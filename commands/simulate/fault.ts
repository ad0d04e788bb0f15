import * as Flags from '@oclif/core/flags'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { durationMs } from '../../src/cli/base/flags.js'
import type { ErrorCode } from '../../src/contract/errors/error-codes.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { controlColumns } from '../../src/output/columns-of-control.js'

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const

export default class SimulateFault extends SimulatorCommand<typeof SimulateFault> {
  static override summary = 'let the next API requests go wrong'
  static override description =
    'The next matching requests are slowed, answered with an error, or cut off: with --after-commit only once the work was done. --clear lets nothing go wrong any more.'
  static override examples = [
    '<%= config.bin %> simulate fault --method POST --path "/leads/**" --status 503',
    '<%= config.bin %> simulate fault --path /leads --drop --after-commit',
    '<%= config.bin %> simulate fault --latency 2s --count 5',
    '<%= config.bin %> simulate fault --clear',
  ]
  static override flags = {
    method: Flags.option({ options: methods, summary: 'requests of this method' })(),
    path: Flags.string({
      summary: 'requests of this path, below the base address; * is a part of it, ** anything',
      helpValue: '<glob>',
    }),
    count: Flags.integer({ summary: 'how many requests it meets', min: 1, default: 1 }),
    latency: Flags.string({ summary: 'answer so much later', helpValue: '<2s>' }),
    status: Flags.integer({ summary: 'answer with this status', helpValue: '<503>', min: 400, max: 599 }),
    code: Flags.string({ summary: 'answer with this error code', helpValue: '<code>' }),
    drop: Flags.boolean({ summary: 'cut the connection instead of answering' }),
    'after-commit': Flags.boolean({ summary: 'only after the work was done' }),
    clear: Flags.boolean({ summary: 'let nothing go wrong any more' }),
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
