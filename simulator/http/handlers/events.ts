/** Serves the list of events with their original envelopes (rules E1 and E2). */
import { eventRetentionDays } from '../../../src/contract/limits.js'
import { readPermission } from '../../../src/contract/events.js'
import { eventTypes } from '../../../src/contract/enums.js'
import { before, days, later } from '../../kernel/instant.js'
import { envelopeOf } from '../../webhooks/outbox.js'
import type { Principal } from '../principal.js'
import { cursorNumber } from '../cursor.js'
import { replyPage, type Handlers } from '../handler.js'
import { filterInstant } from '../moment-filter.js'

export const eventHandlers: Pick<Handlers, 'listEvents'> = {
  listEvents: (caller, { query }) => {
    const { tenant, world } = caller
    const types = eventTypes.filter((type) => caller.can(readPermission(type)) && (query.type ?? type) === type)
    const cursor = cursorNumber(query.starting_after, (id) => numberOf(caller, id))
    const kept = before(world.now, days(eventRetentionDays))
    const filter = {
      campaigns: caller.scope,
      types,
      createdFrom: later(filterInstant(query['created[gte]']) ?? kept, kept),
      createdTo: filterInstant(query['created[lte]']),
    }
    const rows = tenant.events.page(filter, cursor, query.limit + 1)
    return replyPage(rows, query.limit, (event) => envelopeOf(tenant, event))
  },
}

/** The number of an event that the key may read. A deleted event also works as a cursor. */
function numberOf(caller: Principal, id: string): number | null {
  const { events } = caller.tenant
  const n = events.number(id)
  const event = n === null ? null : events.get(n)
  if (event === null) return n
  const { scope } = caller
  const isSeen = scope === null || (event.campaign !== null && scope.includes(event.campaign))
  return isSeen && caller.can(readPermission(event.type)) ? n : null
}
