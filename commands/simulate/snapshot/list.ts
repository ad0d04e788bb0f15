import { controlFlags, SimulatorCommand } from '../../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../../src/cli/base/command.js'
import { onePage } from '../../../src/cli/base/pages.js'
import { controlColumns } from '../../../src/output/columns/control.js'

export default class SimulateSnapshotList extends SimulatorCommand<typeof SimulateSnapshotList> {
  static override summary = 'List snapshots'
  static override description = 'Includes the clock of each saved state.'
  static override examples = [
    '<%= config.bin %> simulate snapshot list',
    '<%= config.bin %> simulate snapshot list --json',
  ]
  static override flags = controlFlags

  protected async perform({ flags }: Parsed<typeof SimulateSnapshotList>): Promise<void> {
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('listSnapshots', {})
    await this.printList(onePage(body), controlColumns.snapshot)
  }
}
