/** Checks of the list of events (rules E1 and E2). */
import { apiVersion, type Event } from '../../contract/events.js'
import { withExtras, type Check } from '../check.js'
import { cannotAsk, contains, equals, expects, page, refused } from '../expect.js'
import { dialedLead, readLead } from '../fixtures/leads.js'
import type { Session } from '../session.js'

/** The events of the dialed lead, newest first. */
async function eventsOfLead(session: Session) {
  const { id, isNew } = await dialedLead(session)
  if (!isNew) cannotAsk('the reserved number has a lead of an earlier run')
  const { reply, all } = await session.keep('the events', async () => {
    const list = await session.get('/events?limit=100')
    return { reply: list, all: page<Event>(list).items }
  })
  return { id, reply, all, items: all.filter(({ data }) => subjectOf(data) === id) }
}

/** The id of the lead that an event is about. */
function subjectOf({ object }: Event['data']): string | undefined {
  return 'lead' in object ? object.lead?.id : object.id
}

export const eventChecks: readonly Check[] = withExtras(
  [
    {
      rule: 'E1',
      group: 'events',
      title: 'A new lead has the events lead.created and lead.queued',
      needs: ['webhooks:read', 'leads:read', 'calls:read', 'leads:write'],
      run: async (session) => {
        const { id, reply, items } = await eventsOfLead(session)
        const types = items.map(({ type }) => type).toReversed()
        equals(reply, 'first events of the lead', types.slice(0, 2), ['lead.created', 'lead.queued'])
        const created = items.find(({ type }) => type === 'lead.created')
        const { lead } = await readLead(session, id)
        contains(reply, created?.data.object ?? {}, { id, phone: lead.phone, campaign_id: lead.campaign_id })
        contains(reply, created ?? {}, { created: lead.created, api_version: apiVersion, livemode: session.isLive })
      },
    },
    {
      rule: 'E1',
      group: 'events',
      title: 'A lead that was dialed has the event call.started',
      needs: ['webhooks:read', 'leads:read', 'calls:read', 'leads:write'],
      run: async (session) => {
        const { id, reply, items } = await eventsOfLead(session)
        const { lead } = await readLead(session, id)
        if (lead.attempts === 0) cannotAsk('the lead was not dialed yet')
        expects(
          reply,
          items.some(({ type }) => type === 'call.started'),
          'a call.started event',
        )
      },
    },
    {
      rule: 'D6',
      group: 'events',
      title: 'An opt-out sends lead.opted_out with its source and reason',
      needs: ['webhooks:read', 'leads:read', 'calls:read', 'leads:write', 'dnc:write'],
      run: async (session) => {
        const { id, reply, items } = await eventsOfLead(session)
        const { lead } = await readLead(session, id)
        if (lead.status !== 'out_of_queue') cannotAsk('the lead has not opted out')
        const event = items.find(({ type }) => type === 'lead.opted_out')
        expects(reply, event?.type === 'lead.opted_out', 'a lead.opted_out event')
        equals(reply, 'opt_out', event.data.opt_out, { source: 'api', reason: 'svc conform' })
      },
    },
    {
      rule: 'E1',
      group: 'events',
      title: 'An event that is read again is the same',
      needs: ['webhooks:read', 'leads:read', 'calls:read', 'leads:write'],
      run: async (session) => {
        const { all } = await eventsOfLead(session)
        const again = await session.get('/events?limit=100')
        const items = new Map(page<Event>(again).items.map((event) => [event.id, event]))
        for (const event of all) if (items.has(event.id)) equals(again, event.id, items.get(event.id), event)
      },
    },
    {
      rule: 'E2',
      group: 'events',
      title: 'Events are filtered by type and time',
      needs: ['webhooks:read', 'leads:read', 'calls:read', 'leads:write'],
      run: async (session) => {
        const { all } = await eventsOfLead(session)
        const [newest] = all
        if (!newest) cannotAsk('there are no events')
        const typed = await session.get('/events?limit=100&type=lead.created')
        for (const { type } of page<Event>(typed).items) equals(typed, 'type', type, 'lead.created')
        const early = all.at(-1)?.created ?? ''
        const until = await session.get(`/events?limit=100&created[lte]=${early}`)
        for (const { created } of page<Event>(until).items)
          expects(until, created <= early, `events of ${early} or earlier`)
        const later = new Date(Date.parse(newest.created) + 86_400_000 * 365).toISOString()
        const from = await session.get(`/events?created[gte]=${later}`)
        equals(from, 'data', page<Event>(from).items, [])
        refused(await session.get('/events?type=svc'), 'invalid_request', { param: 'type' })
      },
    },
  ],
  'read again is the same',
)
