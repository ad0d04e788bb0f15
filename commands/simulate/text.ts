import * as Args from '@oclif/core/args'
import { describeText } from '../../src/cli/results/simulator.js'
import { controlFlags, SimulatorCommand, tenantFlags } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { controlColumns } from '../../src/output/columns/control.js'

export default class SimulateText extends SimulatorCommand<typeof SimulateText> {
  static override summary = 'Simulate a text message from a person'
  static override description =
    'A text that is exactly STOP, UNSUBSCRIBE, CANCEL, END or QUIT opts its sender out, in the mode of the current key or of ' +
    '--mode. Other texts do nothing.'
  static override examples = [
    '<%= config.bin %> simulate text +12125557812 STOP',
    '<%= config.bin %> simulate text "(212) 555-7812" "Who is this?" --mode live',
  ]
  static override args = {
    from: Args.string({ description: 'Phone number of the sender, in any common form (required)', ignoreStdin: true }),
    body: Args.string({ description: 'Text of the message (required)', ignoreStdin: true }),
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
    this.say(describeText(from, body.data.opted_out))
  }
}
