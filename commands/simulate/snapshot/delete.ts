import * as Args from '@oclif/core/args'
import { snapshotNeed } from '../../../src/cli/simulator/choices.js'
import { controlFlags, SimulatorCommand } from '../../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../../src/cli/base/command.js'
import { yesFlag } from '../../../src/cli/base/flags.js'
import { controlColumns } from '../../../src/output/columns/control.js'

export default class SimulateSnapshotDelete extends SimulatorCommand<typeof SimulateSnapshotDelete> {
  static override summary = 'Delete a snapshot'
  static override description = 'Does not change the current state of the simulator.'
  static override examples = [
    '<%= config.bin %> simulate snapshot delete before-import',
    '<%= config.bin %> simulate snapshot delete clean --yes',
  ]
  static override args = { name: Args.string({ description: 'Name of the snapshot (required)', ignoreStdin: true }) }
  static override flags = { ...yesFlag, ...controlFlags }

  protected async perform({ args, flags }: Parsed<typeof SimulateSnapshotDelete>): Promise<void> {
    this.expectColumns(controlColumns.snapshot)
    const [name = ''] = await this.promptForMissing(snapshotNeed(args.name, () => this.control(flags['control-token'])))
    await this.confirm(flags.yes, `Delete the snapshot ${name}?`)
    const control = await this.control(flags['control-token'])
    const { body } = await this.ofSnapshot(name, control.call('deleteSnapshot', { params: { name } }))
    await this.printer().record(body, controlColumns.snapshot)
    this.say(`The snapshot ${name} was deleted.`)
  }
}
