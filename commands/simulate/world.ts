import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { onePage } from '../../src/cli/base/pages.js'
import { controlColumns } from '../../src/output/columns/control.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class SimulateWorld extends SimulatorCommand<typeof SimulateWorld> {
  static override summary = "Show the simulator's organizations, campaigns and keys"
  static override description = 'Includes members and the secrets of keys.'
  static override examples = ['<%= config.bin %> simulate world', '<%= config.bin %> simulate world --json']
  static override flags = controlFlags

  protected async perform({ flags }: Parsed<typeof SimulateWorld>): Promise<void> {
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('getWorld', {})
    const { organizations } = body.data
    const printer = this.printer()
    if (printer.style.format === 'json') return printer.json(body)
    if (printer.style.format !== 'table' || printer.style.columns) {
      return this.printList(onePage({ data: organizations }), controlColumns.organization)
    }
    for (const [i, organization] of organizations.entries()) {
      if (i > 0) await printer.text('\n')
      await printer.foreignText(`${organization.name} (${organization.id}, ${organization.time_zone})\n`)
      for (const [data, kind] of [
        [organization.campaigns, resourceColumns.campaign],
        [organization.keys, controlColumns.key],
        [organization.members, controlColumns.member],
      ] as const) {
        await printer.text('\n')
        await printer.list(onePage({ data }), kind)
      }
    }
  }
}
