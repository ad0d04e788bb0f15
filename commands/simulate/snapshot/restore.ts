import * as Args from '@oclif/core/args'
import { controlFlags, SimulatorCommand } from '../../../src/cli/simulator-command.js'
import type { Parsed } from '../../../src/cli/command.js'
import { yesFlag } from '../../../src/cli/flags.js'
import { controlKinds } from '../../../src/output/control-kinds.js'

export default class SimulateSnapshotRestore extends SimulatorCommand<typeof SimulateSnapshotRestore> {
  static override summary = 'put a saved state back'
  static override description = 'Everything since is lost: leads, calls, events, keys, and the time that went by.'
  static override examples = [
    '<%= config.bin %> simulate snapshot restore before-import',
    '<%= config.bin %> simulate snapshot restore clean --yes',
  ]
  static override args = { name: Args.string({ description: 'name of the snapshot', ignoreStdin: true }) }
  static override flags = { ...yesFlag, ...controlFlags }

  protected async perform({ args, flags }: Parsed<typeof SimulateSnapshotRestore>): Promise<void> {
    this.expects(controlKinds.snapshot)
    const [name = ''] = await this.need({ flag: '<name>', label: 'Snapshot', value: args.name })
    await this.confirm(flags.yes, `Put the snapshot ${name} back, and lose what happened since?`)
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('restoreSnapshot', { params: { name } })
    this.shows(body.data)
    await this.printer().record(body, controlKinds.snapshot)
  }
}
