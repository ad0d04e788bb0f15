import * as Flags from '@oclif/core/flags'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator-command.js'
import type { Parsed } from '../../src/cli/command.js'
import { onePage } from '../../src/cli/pages.js'
import { controlKinds } from '../../src/output/control-kinds.js'

export default class SimulateAgenda extends SimulatorCommand<typeof SimulateAgenda> {
  static override summary = 'show what is going to happen, and which leads wait for what'
  static override description =
    'Lists what the simulator has planned, soonest first. With --waiting it lists the leads that wait, and why, instead.'
  static override examples = [
    '<%= config.bin %> simulate agenda',
    '<%= config.bin %> simulate agenda --waiting',
    '<%= config.bin %> simulate agenda --limit 5 --json',
  ]
  static override flags = {
    waiting: Flags.boolean({ summary: 'the leads that wait' }),
    limit: Flags.integer({ summary: 'how many at most', min: 1 }),
    ...controlFlags,
  }

  protected async perform({ flags }: Parsed<typeof SimulateAgenda>): Promise<void> {
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('getAgenda', { query: { limit: flags.limit } })
    const { appointments, waiting } = body.data
    const printer = this.printer()
    if (printer.style.format === 'json') return printer.json(body)
    if (flags.waiting) return this.printList(onePage({ data: waiting }), controlKinds.waitingLead)
    await this.printList(onePage({ data: appointments }), controlKinds.appointment)
    if (waiting.length > 0) this.note(`Leads that wait: ${waiting.length}; --waiting lists them.\n`)
  }
}
