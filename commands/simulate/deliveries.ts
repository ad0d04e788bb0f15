import * as Flags from '@oclif/core/flags'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { onePage } from '../../src/cli/base/pages.js'
import { deliveryStatuses } from '../../src/contract/enums.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class SimulateDeliveries extends SimulatorCommand<typeof SimulateDeliveries> {
  static override summary = 'List the deliveries of all endpoints, newest first'
  static override description = 'Covers every webhook endpoint in both modes.'
  static override examples = [
    '<%= config.bin %> simulate deliveries',
    '<%= config.bin %> simulate deliveries --status gave_up',
  ]
  static override flags = {
    limit: Flags.integer({ summary: 'Maximum number to list', min: 1 }),
    status: Flags.option({ options: deliveryStatuses, summary: 'Filter by status' })(),
    ...controlFlags,
  }

  protected async perform({ flags }: Parsed<typeof SimulateDeliveries>): Promise<void> {
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('listAllDeliveries', { query: { limit: flags.limit, status: flags.status } })
    await this.printList(onePage(body), resourceColumns.simulatedDelivery)
  }
}
