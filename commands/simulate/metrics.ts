import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { onePage } from '../../src/cli/base/pages.js'
import { readMetricSamples } from '../../src/cli/simulator/metric-samples.js'
import { controlColumns } from '../../src/output/columns/control.js'

export default class SimulateMetrics extends SimulatorCommand<typeof SimulateMetrics> {
  static override summary = 'Print metrics for Prometheus'
  static override description =
    'Prints the metrics in the Prometheus text format: requests, refusals, calls, lines, leads and webhook attempts. ' +
    'Prometheus reads the same text from /_sim/metrics. With --json, ndjson, csv or tsv, prints one object or row for each ' +
    'value: its name, type, labels and value.'
  static override examples = [
    '<%= config.bin %> simulate metrics',
    '<%= config.bin %> simulate metrics --base-url http://localhost:4010',
    '<%= config.bin %> simulate metrics --json',
  ]
  static override flags = controlFlags

  protected async perform({ flags }: Parsed<typeof SimulateMetrics>): Promise<void> {
    const printer = this.printer('table')
    printer.expects(controlColumns.metric)
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('getMetrics', {})
    if (printer.style.format === 'table' && !printer.style.columns) return printer.text(body)
    await printer.list(onePage({ data: readMetricSamples(body) }), controlColumns.metric)
  }
}
