import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { describeListed } from '../../src/cli/results/simulator.js'
import { controlFlags, SimulatorCommand, tenantFlags } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { exitCodes } from '../../src/cli/errors/exit-codes.js'
import { controlColumns } from '../../src/output/columns/control.js'

export default class SimulateDnc extends SimulatorCommand<typeof SimulateDnc> {
  static override summary = 'Add numbers to the Do Not Call list in the app'
  static override description =
    'Records the source as manual, or with --bulk as bulk (an upload). Use svc dnc add to go through the API. Shows numbers that ' +
    'are already listed or invalid, and then exits 6.'
  static override examples = [
    '<%= config.bin %> simulate dnc +12125557812',
    '<%= config.bin %> simulate dnc +12125557812 "(310) 555-7812" --bulk --mode live',
  ]
  static override args = {
    phone: Args.string({
      description: 'Phone number, in any common form (required)',
      ignoreStdin: true,
      multiple: true,
    }),
  }
  static override flags = {
    bulk: Flags.boolean({ summary: 'Record the source as bulk instead of manual' }),
    ...tenantFlags,
    ...controlFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof SimulateDnc>): Promise<void> {
    this.expectColumns(controlColumns.dncBatch)
    const given = args.phone ?? []
    const [first = ''] = await this.promptForMissing({ flag: '<phone>', label: 'Phone', value: given[0] })
    const phones = [first, ...given.slice(1)]
    const control = await this.control(flags['control-token'])
    const source = flags.bulk ? ('bulk' as const) : ('manual' as const)
    const { body } = await control.call('addDncInApp', { body: { phones, source, ...this.tenantScope(flags) } })
    await this.printer().record(body, controlColumns.dncBatch)
    this.say(describeListed(body.data.succeeded, body.data.failed))
    if (body.data.failed > 0) this.exitWith(exitCodes.partly)
  }
}
