import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../src/cli/base/command.js'
import { baseAddress } from '../src/config/address.js'
import { defaultBaseUrl } from '../src/config/settings.js'

export default class Openapi extends SvcCommand<typeof Openapi> {
  static override summary = 'Print the OpenAPI document of the API'
  static override description =
    "Prints OpenAPI 3.1 as JSON. With --control, describes the simulator's control plane instead. The server in the document is " +
    '--base-url, or a local simulator by default; profiles have no effect.'
  static override examples = [
    '<%= config.bin %> openapi > openapi.json',
    '<%= config.bin %> openapi --base-url https://api.example.com > openapi.json',
    '<%= config.bin %> openapi --control',
  ]
  static override flags = {
    control: Flags.boolean({ summary: "Print the document of the simulator's control plane (routes below /_sim)" }),
  }

  protected async perform({ flags }: Parsed<typeof Openapi>): Promise<void> {
    const { apiDocument, controlDocument } = await import('../src/contract/openapi.js')
    const { href, origin } = baseAddress(flags['base-url'] ?? defaultBaseUrl, 'flag --base-url')
    const document = flags.control ? controlDocument(origin, this.config.version) : apiDocument(href)
    await this.printer('json').json(document)
  }
}
