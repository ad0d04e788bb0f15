/** Everything that can be read of a world, as lines to compare. */
import type { Usage } from '../../src/contract/usage.js'
import type { Stage } from './actions/stage.js'

/** Everything except the numbers of requests. */
export async function digestOf(stage: Stage): Promise<string[]> {
  const { simulation } = stage
  const lines = [simulation.now]
  for (const { campaigns, keys } of await stage.organizations()) {
    lines.push(...campaigns.map((campaign) => JSON.stringify(campaign)))
    for (const key of keys.filter(({ campaign_ids }) => campaign_ids === null)) {
      const client = simulation.as(key)
      for (const [path, cursor] of [['/events'], ['/leads'], ['/calls'], ['/dnc', 'cursor']] as const) {
        const items = await client.all<object>(path, cursor)
        lines.push(...items.reverse().map((item) => `${path} ${JSON.stringify(item)}`))
      }
      const { data } = await client.get<Usage>('/usage?group_by=campaign')
      lines.push(JSON.stringify([data.totals, ...data.groups].map((counts) => ({ ...counts, requests: 0 }))))
    }
  }
  const { appointments } = await simulation.control<{ appointments: object[] }>('GET', '/_sim/agenda?limit=1000')
  return [...lines, ...appointments.map((appointment) => JSON.stringify(appointment))]
}

/** The first line in which two worlds differ; null if they are equal. */
export function difference(one: readonly string[], other: readonly string[]): string | null {
  const n = one.findIndex((line, at) => line !== other[at])
  if (n < 0 && one.length === other.length) return null
  const at = n < 0 ? one.length : n
  return `line ${at} of ${one.length} and ${other.length}:\n  ${one[at]}\n  ${other[at]}`
}
