import * as Args from '@oclif/core/args'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { phoneNeed } from '../../src/cli/input/choices.js'

export default class DncAdd extends SvcCommand<typeof DncAdd> {
  static override summary = 'Add a number to the Do Not Call list'
  static override description = 'No campaign of the organization calls the number again. Its leads leave their queues.'
  static override examples = [
    '<%= config.bin %> dnc add "(212) 555-7812"',
    '<%= config.bin %> dnc add +12125557812 --json',
  ]
  static override args = {
    phone: Args.string({ description: 'Phone number, in any common form (required)', ignoreStdin: true }),
  }
  static override flags = writeFlags

  protected async perform({ args, flags }: Parsed<typeof DncAdd>): Promise<void> {
    this.expectColumns(resourceColumns.dncEntry)
    const client = await this.client({ affectsPeople: true })
    const [phone = ''] = await this.promptForMissing(phoneNeed(args.phone, '<phone>'))
    const { body } = await client.call('addDnc', { body: { phone } }, { idempotencyKey: flags['idempotency-key'] })
    await this.printer().record(body, resourceColumns.dncEntry)
    this.say(`${body.data.phone} is on the Do Not Call list now: no campaign calls it.`)
  }
}
