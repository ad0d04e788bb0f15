import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { onePage } from '../../src/cli/base/pages.js'
import { controlColumns } from '../../src/output/columns/control.js'

export default class SimulateNotifications extends SimulatorCommand<typeof SimulateNotifications> {
  static override summary = 'List the emails that the service would have sent'
  static override description = 'Covers the administrators of all organizations, newest first.'
  static override examples = [
    '<%= config.bin %> simulate notifications',
    '<%= config.bin %> simulate notifications --columns subject,to',
  ]
  static override flags = controlFlags

  protected async perform({ flags }: Parsed<typeof SimulateNotifications>): Promise<void> {
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('listNotifications', {})
    await this.printList(onePage(body), controlColumns.notification)
  }
}
