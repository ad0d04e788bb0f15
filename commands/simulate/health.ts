import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { controlColumns } from '../../src/output/columns/control.js'

export default class SimulateHealth extends SimulatorCommand<typeof SimulateHealth> {
  static override summary = 'Check whether the simulator is ready'
  static override description =
    'Shows its version, its clock and the address of its API. Exits 0 if the simulator answers, and 8 if nothing does.'
  static override examples = [
    '<%= config.bin %> simulate health',
    '<%= config.bin %> simulate health --base-url http://localhost:4010 --json',
  ]
  static override flags = controlFlags

  protected async perform({ flags }: Parsed<typeof SimulateHealth>): Promise<void> {
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('getHealth', {})
    await this.printer().record(body, controlColumns.health)
  }
}
