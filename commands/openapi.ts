import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../src/cli/base/command.js'
import { baseAddress } from '../src/config/address.js'
import { defaultBaseUrl } from '../src/config/settings.js'

export default class Openapi extends SvcCommand<typeof Openapi> {
  static override summary = "print the API's OpenAPI document"
  static override description =
    'Prints the OpenAPI 3.1 document of the API as JSON. With --control, that of the simulator’s control plane. The ' +
    'server of the document is the address in --base-url, and a local simulator by default; profiles have no influence.'
  static override examples = [
    '<%= config.bin %> openapi > openapi.json',
    '<%= config.bin %> openapi --base-url https://api.example.com > openapi.json',
    '<%= config.bin %> openapi --control',
  ]
  static override flags = {
    control: Flags.boolean({ summary: "print the control plane's document (routes below /_sim)" }),
  }

  protected async perform({ flags }: Parsed<typeof Openapi>): Promise<void> {
    const { apiDocument, controlDocument } = await import('../src/contract/openapi.js')
    const { href, origin } = baseAddress(flags['base-url'] ?? defaultBaseUrl, 'flag --base-url')
    const document = flags.control ? controlDocument(origin, this.config.version) : apiDocument(href)
    await this.printer('json').json(document)
  }
}
