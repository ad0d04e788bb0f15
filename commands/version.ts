import { SvcCommand } from '../src/cli/base/command.js'

export default class Version extends SvcCommand<typeof Version> {
  static override summary = 'Print the version'
  static override description = 'Prints the version of svc, the platform and the version of Node.'
  static override examples = ['<%= config.bin %> version', '<%= config.bin %> version --json']

  protected async perform(): Promise<void> {
    const { version, userAgent } = this.config
    const printer = this.printer()
    if (printer.style.format.endsWith('json')) await printer.json({ data: { version } })
    else await printer.text(userAgent)
  }
}
