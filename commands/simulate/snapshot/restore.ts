import * as Args from '@oclif/core/args'
import { snapshotNeed } from '../../../src/cli/simulator/choices.js'
import { describeRestored } from '../../../src/cli/results/simulator.js'
import { controlFlags, SimulatorCommand } from '../../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../../src/cli/base/command.js'
import { yesFlag } from '../../../src/cli/base/flags.js'
import { controlColumns } from '../../../src/output/columns/control.js'
import { followKeys } from '../../../src/cli/simulator/profiles.js'

export default class SimulateSnapshotRestore extends SimulatorCommand<typeof SimulateSnapshotRestore> {
  static override summary = 'Restore a saved state'
  static override description =
    'Discards leads, calls, events, keys and time since then. Updates the profiles simulator and simulator-live with the restored ' +
    'keys.'
  static override examples = [
    '<%= config.bin %> simulate snapshot restore before-import',
    '<%= config.bin %> simulate snapshot restore clean --yes',
  ]
  static override args = { name: Args.string({ description: 'Name of the snapshot (required)', ignoreStdin: true }) }
  static override flags = { ...yesFlag, ...controlFlags }

  protected async perform({ args, flags }: Parsed<typeof SimulateSnapshotRestore>): Promise<void> {
    this.expectColumns(controlColumns.snapshot)
    const [name = ''] = await this.promptForMissing(snapshotNeed(args.name, () => this.control(flags['control-token'])))
    await this.confirm(flags.yes, `Put the snapshot ${name} back, and lose what happened since?`)
    const control = await this.control(flags['control-token'])
    const { body } = await this.ofSnapshot(name, control.call('restoreSnapshot', { params: { name } }))
    const [organization] = (await control.call('getWorld', {})).body.data.organizations
    followKeys(this.profiles(), {
      baseUrl: this.settings.baseUrl.value,
      world: { keys: organization?.keys ?? [] },
    })
    this.shows(body.data)
    await this.printer().record(body, controlColumns.snapshot)
    this.say(describeRestored(body.data))
  }
}
