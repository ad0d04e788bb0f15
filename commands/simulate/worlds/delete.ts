import * as Args from '@oclif/core/args'
import { worldNeed } from '../../../src/cli/simulator/choices.js'
import { controlFlags, SimulatorCommand } from '../../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../../src/cli/base/command.js'
import { yesFlag } from '../../../src/cli/base/flags.js'
import { controlColumns } from '../../../src/output/columns/control.js'

export default class SimulateWorldsDelete extends SimulatorCommand<typeof SimulateWorldsDelete> {
  static override summary = 'Delete a world'
  static override description = 'Ends its requests and streams. The main world cannot be deleted.'
  static override examples = [
    '<%= config.bin %> simulate worlds delete 3f9a1c0be2d4',
    '<%= config.bin %> simulate worlds delete 3f9a1c0be2d4 --yes',
  ]
  static override args = { world: Args.string({ description: 'Id of the world (required)', ignoreStdin: true }) }
  static override flags = { ...yesFlag, ...controlFlags }

  protected async perform({ args, flags }: Parsed<typeof SimulateWorldsDelete>): Promise<void> {
    this.expectColumns(controlColumns.deletedWorld)
    const [id = ''] = await this.promptForMissing(
      worldNeed(['<world>', 'World'], args.world, () => this.control(flags['control-token']), { withMain: false }),
    )
    await this.confirm(flags.yes, `Delete the world ${id}?`)
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('deleteWorld', { params: { id } })
    await this.printer().record(body, controlColumns.deletedWorld)
    this.say(`The world ${id} was deleted.`)
  }
}
