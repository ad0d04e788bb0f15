import * as Args from '@oclif/core/args'
import { describeSaved } from '../../../src/cli/results/simulator.js'
import { controlFlags, SimulatorCommand } from '../../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../../src/cli/base/command.js'
import { controlColumns } from '../../../src/output/columns/control.js'

export default class SimulateSnapshotSave extends SimulatorCommand<typeof SimulateSnapshotSave> {
  static override summary = 'Save the whole state of the simulator'
  static override description = 'Includes the clock. Replaces a snapshot with the same name.'
  static override examples = [
    '<%= config.bin %> simulate snapshot save before-import',
    '<%= config.bin %> simulate snapshot save clean --json',
  ]
  static override args = { name: Args.string({ description: 'Name of the snapshot (required)', ignoreStdin: true }) }
  static override flags = controlFlags

  protected async perform({ args, flags }: Parsed<typeof SimulateSnapshotSave>): Promise<void> {
    this.expectColumns(controlColumns.snapshot)
    const [name = ''] = await this.promptForMissing({ flag: '<name>', label: 'Snapshot', value: args.name })
    const control = await this.control(flags['control-token'])
    const isReplaced =
      this.isForPerson && (await control.call('listSnapshots', {})).body.data.some((one) => one.name === name)
    const { body } = await control.call('createSnapshot', { body: { name } })
    await this.printer().record(body, controlColumns.snapshot)
    this.say(describeSaved(body.data.name, isReplaced))
  }
}
