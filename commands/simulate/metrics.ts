import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'

export default class SimulateMetrics extends SimulatorCommand<typeof SimulateMetrics> {
  static override summary = 'Print metrics for Prometheus'
  static override description =
    'Prints the metrics in the Prometheus text format: requests, refusals, calls, lines, leads and webhook attempts. ' +
    'Prometheus reads the same text from /_sim/metrics.'
  static override examples = [
    '<%= config.bin %> simulate metrics',
    '<%= config.bin %> simulate metrics --base-url http://localhost:4010',
  ]
  static override flags = controlFlags

  protected async perform({ flags }: Parsed<typeof SimulateMetrics>): Promise<void> {
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('getMetrics', {})
    await this.printer('table').text(body)
  }
}
