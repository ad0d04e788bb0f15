import * as Flags from '@oclif/core/flags'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { onePage } from '../../src/cli/base/pages.js'
import { deliveryStatuses } from '../../src/contract/enums.js'
import { resourceColumns } from '../../src/output/columns-of-resources.js'

export default class SimulateDeliveries extends SimulatorCommand<typeof SimulateDeliveries> {
  static override summary = 'list the deliveries of all endpoints, newest first'
  static override description = 'Lists what was sent to every webhook endpoint, of either mode.'
  static override examples = [
    '<%= config.bin %> simulate deliveries',
    '<%= config.bin %> simulate deliveries --status gave_up',
  ]
  static override flags = {
    limit: Flags.integer({ summary: 'how many at most', min: 1 }),
    status: Flags.option({ options: deliveryStatuses, summary: 'with this status' })(),
    ...controlFlags,
  }

  protected async perform({ flags }: Parsed<typeof SimulateDeliveries>): Promise<void> {
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('listAllDeliveries', { query: { limit: flags.limit, status: flags.status } })
    await this.printList(onePage(body), resourceColumns.simulatedDelivery)
  }
}
