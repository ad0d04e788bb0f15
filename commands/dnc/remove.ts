import * as Args from '@oclif/core/args'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags, yesFlag } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns-of-resources.js'

export default class DncRemove extends SvcCommand<typeof DncRemove> {
  static override summary = 'Remove a number from the Do Not Call list'
  static override description = 'The number can be called again.'
  static override examples = [
    '<%= config.bin %> dnc remove 9a4e1d70-2b5c-4f8e-a3d6-7c0b1e2f3a44 --yes',
    '<%= config.bin %> dnc remove "(212) 555-7812"',
  ]
  static override args = {
    id: Args.string({ description: 'Phone number, or id of the entry (required)', ignoreStdin: true }),
  }
  static override flags = {
    ...yesFlag,
    ...writeFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof DncRemove>): Promise<void> {
    this.expectColumns(resourceColumns.dncEntry)
    const client = await this.client({ affectsPeople: true })
    const [entry = ''] = await this.promptForMissing({ flag: '<id>', label: 'Phone number', value: args.id })
    await this.confirm(flags.yes, `Take ${entry} off the Do Not Call list, so that the number can be called again?`)
    const id = await (await this.lookup(client)).dncEntry(entry)
    const { body } = await client.call('removeDnc', { params: { id } }, { idempotencyKey: flags['idempotency-key'] })
    await this.printer().record(body, resourceColumns.dncEntry)
  }
}
