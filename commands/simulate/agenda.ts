import * as Flags from '@oclif/core/flags'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { onePage } from '../../src/cli/base/pages.js'
import { renderAgenda } from '../../src/output/agenda.js'
import { controlColumns } from '../../src/output/columns/control.js'

export default class SimulateAgenda extends SimulatorCommand<typeof SimulateAgenda> {
  static override summary = 'Show planned actions and waiting leads'
  static override description =
    'Lists planned actions, soonest first, and the reason each lead waits. In a pipe, lists only the planned actions, or with ' +
    '--waiting only the leads.'
  static override examples = [
    '<%= config.bin %> simulate agenda',
    '<%= config.bin %> simulate agenda --waiting',
    '<%= config.bin %> simulate agenda --limit 5 --json',
  ]
  static override flags = {
    waiting: Flags.boolean({ summary: 'List only the waiting leads' }),
    limit: Flags.integer({ summary: 'Maximum number of each to list', min: 1, max: 1_000, default: 100 }),
    ...controlFlags,
  }

  protected async perform({ flags }: Parsed<typeof SimulateAgenda>): Promise<void> {
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('getAgenda', { query: { limit: flags.limit } })
    const { appointments, waiting } = body.data
    const printer = this.printer()
    const { format, columns, terminal } = printer.style
    const width = terminal ? printer.style.width : Infinity
    if (format === 'json') return printer.json(body)
    if (flags.waiting) return this.printList(onePage({ data: waiting }), controlColumns.waitingLead)
    if (format === 'table' && columns === undefined)
      return printer.drawn((paint) => renderAgenda(body.data, { ...flags, width }, paint))
    await this.printList(onePage({ data: appointments }), controlColumns.appointment)
    const many = waiting.length >= flags.limit ? `${waiting.length} or more` : String(waiting.length)
    if (waiting.length > 0) this.note(`Leads that wait: ${many}; --waiting lists them.\n`)
  }
}
