/** Serves the metrics: what was counted since the start, and what the world holds now. */
import { leadStatuses } from '../../../../src/contract/enums.js'
import { modes } from '../../../model/api-key.js'
import { tenantNumberOf } from '../../../model/organization.js'
import type { World } from '../../../model/world.js'
import type { ControlHandlers } from '../../handler.js'
import type { ControlContext } from '../context.js'
import { byLabel, expositionType, formatMetrics, type MetricFamily, type Sample } from './exposition.js'
import { sql } from '../../../storage/sql.js'
import { tables } from '../../../storage/tables.js'

export function metricsHandlers(context: ControlContext): Pick<ControlHandlers, 'getMetrics'> {
  const { metrics, steps } = context
  return {
    getMetrics: () => {
      const body = steps.read(() => formatMetrics([...metrics.families(), ...worldMetrics(context)]))
      return { status: 200 as const, body, headers: { 'content-type': expositionType } }
    },
  }
}

/** Read from counts that the world keeps: no rows are counted. */
function worldMetrics({ world, clock }: ControlContext): MetricFamily[] {
  const now = world.now
  return [
    gaugeFamily('svc_lines_busy', 'Lines with a call, in live and test mode.', [{ value: busyLines(world) }]),
    gaugeFamily('svc_lines', 'Lines of running campaigns, in live and test mode.', [{ value: runningLines(world) }]),
    gaugeFamily('svc_leads', 'Leads by status, in live and test mode.', byLabel('status', leadCounts(world))),
    gaugeFamily('svc_simulated_time_seconds', 'The simulated time, in seconds since 1970-01-01 UTC.', [
      { value: now / 1000 },
    ]),
    gaugeFamily('svc_simulated_lag_seconds', 'Simulated seconds by which due work is behind the simulated clock.', [
      { value: Math.max(0, clock.now() - now) / 1_000 },
    ]),
  ]
}

const busyLines = ({ store }: World): number =>
  store.one<{ busy: number | null }>(sql`SELECT sum(busy) AS busy FROM ${tables.queues}`)?.busy ?? 0

/** A campaign has its lines in each mode. */
function runningLines({ store }: World): number {
  const query = sql`SELECT sum(lines) AS lines FROM ${tables.campaigns} WHERE status = 'running'`
  return modes.length * (store.one<{ lines: number | null }>(query)?.lines ?? 0)
}

function leadCounts(world: World): Map<string, number> {
  const all = new Map<string, number>(leadStatuses.map((status) => [status, 0]))
  for (const { n } of world.organizations.all())
    for (const mode of modes)
      for (const [status, count] of world.tenant(tenantNumberOf(n, mode)).leads.statusCounts.all())
        all.set(status, (all.get(status) ?? 0) + count)
  return all
}

const gaugeFamily = (name: string, help: string, samples: Sample[]): MetricFamily => ({
  name,
  type: 'gauge',
  help,
  samples,
})
