/** Serves the usage of a month (rule X4). */
import { reportUsage } from '../../reporting/usage.js'
import { replyOk, type Handlers } from '../handler.js'

export const usageHandlers: Pick<Handlers, 'getUsage'> = {
  getUsage: ({ tenant, world, key, scope }, { query: { period, group_by = null } }) => {
    // Writes counted requests that are still in memory, so that the report includes them.
    world.requests.save()
    const within = scope && { campaigns: scope, key: key.n }
    return replyOk(reportUsage(tenant, { period, group_by, within }))
  },
}
