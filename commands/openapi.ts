import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../src/cli/command.js'

export default class Openapi extends SvcCommand<typeof Openapi> {
  static override summary = "print the API's OpenAPI document"
  static override description =
    'Prints the OpenAPI 3.1 document of the API as JSON. With --control, that of the simulator’s own routes.'
  static override examples = ['<%= config.bin %> openapi > openapi.json', '<%= config.bin %> openapi --control']
  static override flags = { control: Flags.boolean({ summary: "the simulator's own routes, below /_sim" }) }

  protected async perform({ flags }: Parsed<typeof Openapi>): Promise<void> {
    const { openapi } = await import('../src/contract/openapi.js')
    const { version } = this.config
    const document = flags.control
      ? openapi((await import('../src/contract/control.js')).control, { title: 'Simulator control plane', version })
      : openapi((await import('../src/contract/index.js')).contract, { title: 'Lead-calling service', version })
    await this.printer('json').json(document)
  }
}
