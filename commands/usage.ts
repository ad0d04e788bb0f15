import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../src/cli/base/command.js'
import { onePage } from '../src/cli/base/pages.js'
import { renderUsage } from '../src/output/charts/usage-chart.js'
import { usageGroupings } from '../src/contract/enums.js'
import { resourceColumns } from '../src/output/columns/resources.js'

export default class Usage extends SvcCommand<typeof Usage> {
  static override summary = 'Show usage and cost of a month'
  static override description =
    'Counts requests, leads, calls and minutes in the time zone of the organization. With --chart, draws the calls of each day, ' +
    'campaign or key as bars; the solid part shows answered calls.'
  static override examples = [
    '<%= config.bin %> usage',
    '<%= config.bin %> usage --period 2026-09 --group-by campaign',
    '<%= config.bin %> usage --chart',
  ]
  static override flags = {
    period: Flags.string({ summary: 'Month to show, or current', helpValue: '<yyyy-mm>' }),
    'group-by': Flags.option({ options: usageGroupings, summary: 'Grouping of the figures' })(),
    chart: Flags.boolean({ summary: 'Draw bars, by day unless --group-by is given' }),
  }

  protected async perform({ flags }: Parsed<typeof Usage>): Promise<void> {
    const asked = flags.json || flags.output !== undefined || flags.columns !== undefined
    const drawn = flags.chart && !asked
    const group_by = flags['group-by'] ?? (flags.chart ? 'day' : undefined)
    const client = await this.client()
    const { body } = await client.call('getUsage', { query: { period: flags.period, group_by } })
    const { totals, groups, period, timezone, updated } = body.data
    const printer = this.printer()
    if (drawn) return printer.foreignText(renderUsage(body.data, printer.style.width))
    if (printer.style.format === 'json') return printer.json(body)
    if (group_by === undefined)
      return printer.record({ data: { period, timezone, ...totals, updated } }, resourceColumns.usage)
    await this.printList(onePage({ data: groups }), resourceColumns.usageOf[group_by])
  }
}
