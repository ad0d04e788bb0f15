/** Serves what was used in a month. */
import { reportUsage } from '../../reporting/usage.js'
import { replyOk, type Handlers } from '../handler.js'

export const usageHandlers: Pick<Handlers, 'getUsage'> = {
  getUsage: ({ organization, world, key, scope }, { query: { period, group_by = null } }) => {
    // Requests still in memory belong to the figures too.
    world.requests.save()
    const within = scope && { campaigns: scope, key: key.n }
    return replyOk(reportUsage(organization, { period, group_by, within }))
  },
}
