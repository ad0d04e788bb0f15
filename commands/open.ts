import { openInBrowser } from '../src/cli/base/open-in-browser.js'
import type { Parsed } from '../src/cli/base/command.js'
import { controlFlags, SimulatorCommand } from '../src/cli/simulator/simulator-command.js'
import { controlColumns } from '../src/output/columns/control.js'

export default class Open extends SimulatorCommand<typeof Open> {
  static override summary = 'Open the console of the simulator in the browser'
  static override description =
    'Opens the web console of a running simulator: its clock, leads, calls and webhooks as they happen. Prints the address. ' +
    'Without a terminal or a browser it only prints the address. BROWSER names the program to open it with.'
  static override examples = ['<%= config.bin %> open', '<%= config.bin %> open --json']
  static override flags = controlFlags

  protected async perform({ flags }: Parsed<typeof Open>): Promise<void> {
    this.expectColumns(controlColumns.openedConsole)
    const control = await this.control(flags['control-token'])
    await control.call('getHealth', {})
    const url = `${this.controlAddress.value}/console/`
    const { stdout, env } = this.around
    const opened = stdout.isTTY ? await openInBrowser(url, env) : false
    const printer = this.printer('table')
    if (printer.style.format === 'table' && !printer.style.columns) await printer.text(`${url}\n`)
    else await printer.record({ data: { url, opened } }, controlColumns.openedConsole)
  }
}
