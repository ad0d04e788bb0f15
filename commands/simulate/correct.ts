import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { callChoices } from '../../src/cli/input/questions/choices.js'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { repeated } from '../../src/cli/base/flags.js'
import { outcomes } from '../../src/contract/enums.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

const clearable = ['note', 'label'] as const

export default class SimulateCorrect extends SimulatorCommand<typeof SimulateCorrect> {
  static override summary = 'Correct a call, as a person does in the app'
  static override description =
    'Changes the outcome, its label, or the note of an ended call. Sends call.completed again with a higher revision. The lead ' +
    'follows its latest call.'
  static override examples = [
    '<%= config.bin %> simulate correct 5d2c7e19-04b6-4f9a-8c31-6b7a9e0d1f22 --outcome interested --note "Wants a quote"',
    '<%= config.bin %> simulate correct 5d2c7e19-04b6-4f9a-8c31-6b7a9e0d1f22 --label "Hot lead"',
    '<%= config.bin %> simulate correct 5d2c7e19-04b6-4f9a-8c31-6b7a9e0d1f22 --clear note',
  ]
  static override args = { call: Args.string({ description: 'Id of the call (required)', ignoreStdin: true }) }
  static override flags = {
    outcome: Flags.option({ options: outcomes, summary: 'Correct outcome' })(),
    label: Flags.string({ summary: 'Label of the outcome', helpValue: '<text>' }),
    note: Flags.string({ summary: 'Note on the call', helpValue: '<text>' }),
    clear: Flags.option({
      options: clearable,
      summary: 'Value to remove (repeatable)',
      ...repeated,
    })(),
    ...controlFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof SimulateCorrect>): Promise<void> {
    this.expectColumns(resourceColumns.call)
    const { outcome, clear = [] } = flags
    const both = clear.find((name) => flags[name] !== undefined)
    if (both) throw new UsageError(`--${both} and --clear ${both} cannot both be meant.`)
    const worded = (name: (typeof clearable)[number]) => flags[name] ?? (clear.includes(name) ? null : undefined)
    const correction = { outcome, outcome_label: worded('label'), note: worded('note') }
    if (Object.values(correction).every((value) => value === undefined))
      throw new UsageError('Nothing to correct was named.', 'Give --outcome, --label, --note or --clear.')
    const choices = async () => (this.settings.secret ? callChoices(await this.client()) : [])
    const [id = ''] = await this.promptForMissing({
      flag: '<call>',
      label: 'Call',
      value: args.call,
      choices,
      isOpen: true,
    })
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('correctCall', { params: { id }, body: correction })
    await this.printer().record(body, resourceColumns.call)
    this.say(`The call was corrected, and call.completed sent again. Its outcome: ${body.data.outcome ?? 'none'}.`)
  }
}
