/** Checks of lists: order, cursors and page sizes (rules P1 to P3). */
import type { DncEntry } from '../../../contract/dnc.js'
import { pageSizeMax } from '../../../contract/limits.js'
import type { Permission } from '../../../contract/permissions.js'
import { withExtras, type Check } from '../../check.js'
import { accepted, cannotAsk, equals, expects, page, refused } from '../../expect.js'
import { listNumber, unlistAtEnd } from '../../fixtures/leads.js'
import { ownEndpoint } from '../../fixtures/endpoints.js'
import type { Session } from '../../session.js'

interface List {
  name: string
  path: (session: Session) => Promise<string>
  cursor: 'starting_after' | 'cursor'
  /** The field that orders the list. */
  time: 'created' | 'started' | 'createdAt'
  needs: Permission
}

const at = (path: string) => async () => path

/** Every list that has pages. */
const lists: readonly List[] = [
  { name: 'leads', path: at('/leads'), cursor: 'starting_after', time: 'created', needs: 'leads:read' },
  { name: 'calls', path: at('/calls'), cursor: 'starting_after', time: 'started', needs: 'calls:read' },
  { name: 'DNC entries', path: at('/dnc'), cursor: 'cursor', time: 'createdAt', needs: 'dnc:read' },
  { name: 'campaigns', path: at('/campaigns'), cursor: 'starting_after', time: 'created', needs: 'campaigns:read' },
  { name: 'events', path: at('/events'), cursor: 'starting_after', time: 'created', needs: 'webhooks:read' },
  {
    name: 'deliveries',
    path: async (session) => `/webhook_endpoints/${(await ownEndpoint(session)).id}/deliveries`,
    cursor: 'starting_after',
    time: 'created',
    needs: 'webhooks:read',
  },
]

type Item = { id: string } & Partial<Record<List['time'], string>>

const walks: readonly Check[] = lists.map(({ name, path, cursor, time, needs }) => ({
  rule: 'P1',
  group: 'paging',
  title: `The list of ${name} is newest first, and its pages follow each other`,
  needs: [needs],
  run: async (session) => {
    const list = await path(session)
    const whole = await session.get(`${list}?limit=${pageSizeMax}`)
    const { items, next, hasMore } = page<Item>(whole)
    expects(whole, hasMore || next === null, 'next_cursor null on the last page')
    const times = items.map((item) => Date.parse(item[time] ?? ''))
    expects(
      whole,
      times.every((one, i) => i === 0 || one <= (times[i - 1] ?? 0)),
      `items by ${time}, newest first`,
    )
    if (items.length < 3) return
    const first = await session.get(`${list}?limit=2`)
    const begun = page<Item>(first)
    if (begun.items[0]?.id !== items[0]?.id) cannotAsk('another client adds items')
    equals(
      first,
      'ids',
      begun.items.map(({ id }) => id),
      items.slice(0, 2).map(({ id }) => id),
    )
    expects(
      first,
      begun.hasMore && begun.next === items[1]?.id,
      'next_cursor with the id of the last item, and has_more true',
    )
    const second = await session.get(`${list}?limit=1&${cursor}=${begun.next}`)
    const rest = page<Item>(second)
    equals(
      second,
      'ids',
      rest.items.map(({ id }) => id),
      [items[2]?.id],
    )
    equals(second, 'has_more', rest.hasMore, items.length > 3 || hasMore)
  },
}))

const cursors: readonly Check[] = lists.map(({ name, path, cursor, needs }) => ({
  rule: 'P1',
  group: 'paging',
  title: `A cursor that names nothing is refused: ${name}`,
  needs: [needs],
  run: async (session) => {
    const reply = await session.get(`${await path(session)}?${cursor}=${session.madeUp.uuid()}`)
    refused(reply, 'invalid_request', { param: cursor })
  },
}))

const sizes: readonly Check[] = lists.map(({ name, path, needs }) => ({
  rule: 'P3',
  group: 'paging',
  title: `A page of ${name} holds 1 to 100 items`,
  needs: [needs],
  run: async (session) => {
    const list = await path(session)
    refused(await session.get(`${list}?limit=0`), 'invalid_request', { param: 'limit' })
    if (name === 'calls') return
    refused(await session.get(`${list}?limit=${pageSizeMax + 1}`), 'invalid_request', { param: 'limit' })
  },
}))

/** Entries of the Do Not Call list in the order in which they were added. */
async function addEntries(session: Session, phones: readonly string[]): Promise<void> {
  accepted(await session.post('/dnc/batch', { phones }))
}

const underWrites: readonly Check[] = [
  {
    rule: 'P2',
    group: 'paging',
    title: 'Pages neither repeat nor skip items while others are added and removed',
    needs: ['dnc:read', 'dnc:write'],
    run: async (session) => {
      const phones = Array.from({ length: 6 }, () => session.madeUp.phone())
      await addEntries(session, phones)
      const whole = page<DncEntry>(await session.get('/dnc?limit=6')).items
      for (const { id, phone } of whole) if (phones.includes(phone)) unlistAtEnd(session, id)
      const newestFirst = phones.toReversed()
      if (whole.some(({ phone }) => !phones.includes(phone))) cannotAsk('another client adds numbers')
      const seen: string[] = []
      let cursor = ''
      for (let number = 0; number < 3; number++) {
        const reply = await session.get(`/dnc?limit=2${cursor}`)
        const { items, next } = page<DncEntry>(reply)
        equals(reply, 'number of items', items.length, 2)
        seen.push(...items.map(({ phone }) => phone))
        equals(reply, 'numbers so far', seen, newestFirst.slice(0, seen.length))
        cursor = `&cursor=${next}`
        if (number === 0) await listNumber(session, session.madeUp.phone())
        if (number === 1) await removeFirst(session, whole)
      }
    },
  },
  {
    rule: 'P3',
    group: 'paging',
    title: 'A page holds as many items as limit says, and by default 20 leads or 50 of other lists',
    needs: ['dnc:read'],
    run: async (session) => {
      const reply = await session.get('/dnc')
      const { items, hasMore } = page<DncEntry>(reply)
      expects(reply, items.length <= 50 && (!hasMore || items.length === 50), 'at most 50 items by default')
      const one = await session.get('/dnc?limit=1')
      const { items: first } = page<DncEntry>(one)
      equals(one, 'number of items', first.length, Math.min(items.length, 1))
      refused(await session.get('/dnc?limit=x'), 'invalid_request', { param: 'limit' })
    },
  },
]

/** Removes an entry that was on the first page. */
async function removeFirst(session: Session, [newest]: readonly DncEntry[]): Promise<void> {
  if (newest) accepted(await session.del(`/dnc/${newest.id}`))
}

export const pagingChecks: readonly Check[] = withExtras(
  [...walks, ...cursors, ...sizes, ...underWrites],
  'The list of deliveries',
  'The list of campaigns',
  'refused: campaigns',
  'refused: events',
  'refused: deliveries',
  'A page of campaigns',
  'A page of events',
  'A page of deliveries',
)
