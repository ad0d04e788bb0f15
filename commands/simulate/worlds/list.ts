import { controlFlags, SimulatorCommand } from '../../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../../src/cli/base/command.js'
import { onePage } from '../../../src/cli/base/pages.js'
import { controlColumns } from '../../../src/output/columns/control.js'

export default class SimulateWorldsList extends SimulatorCommand<typeof SimulateWorldsList> {
  static override summary = 'List worlds'
  static override description = 'The main world comes first. Times are those of the system clock.'
  static override examples = ['<%= config.bin %> simulate worlds list', '<%= config.bin %> simulate worlds list --json']
  static override flags = controlFlags

  protected async perform({ flags }: Parsed<typeof SimulateWorldsList>): Promise<void> {
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('listWorlds', {})
    this.shows({ now: new Date().toISOString() })
    await this.printList(onePage(body), controlColumns.listedWorld)
  }
}
