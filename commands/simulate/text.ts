import * as Args from '@oclif/core/args'
import { controlFlags, SimulatorCommand, tenantFlags } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { controlColumns } from '../../src/output/columns-of-control.js'

export default class SimulateText extends SimulatorCommand<typeof SimulateText> {
  static override summary = 'let somebody send a text message'
  static override description =
    'A text that says STOP, or UNSUBSCRIBE, CANCEL, END or QUIT, and nothing else opts its sender out, in the mode of the key in use or in --mode. Others do nothing.'
  static override examples = [
    '<%= config.bin %> simulate text +12125557812 STOP',
    '<%= config.bin %> simulate text "(212) 555-7812" "Who is this?" --mode live',
  ]
  static override args = {
    from: Args.string({ description: 'number of the sender, in any common form', ignoreStdin: true }),
    body: Args.string({ description: 'what it says', ignoreStdin: true }),
  }
  static override flags = { ...tenantFlags, ...controlFlags }

  protected async perform({ args, flags }: Parsed<typeof SimulateText>): Promise<void> {
    this.expectColumns(controlColumns.text)
    const [from = '', text = ''] = await this.promptForMissing(
      { flag: '<from>', label: 'From', value: args.from },
      { flag: '<body>', label: 'Text', value: args.body },
    )
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('receiveText', { body: { from, body: text, ...this.tenantScope(flags) } })
    await this.printer().record(body, controlColumns.text)
  }
}
