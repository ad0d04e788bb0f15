/** Checks of Idempotency-Key (rules I1 to I5). */
import { idempotencyKeyLength } from '../../../contract/limits.js'
import type { DncEntry } from '../../../contract/dnc.js'
import type { LeadAccepted } from '../../../contract/new-leads.js'
import { withExtras, type Check } from '../../check.js'
import { accepted, cannotAsk, equals, expects, page, refused } from '../../expect.js'
import { deleteAtEnd, unusedUrl } from '../../fixtures/endpoints.js'
import { isObject } from '../../requests/reply.js'
import { dialedLead, listNumber, unlistAtEnd } from '../../fixtures/leads.js'
import type { Reply } from '../../requests/reply.js'

const badKeys: readonly (readonly [what: string, key: string])[] = [
  ['that is empty', ''],
  ['with a space', 'svc conform'],
  ['with a tab', 'svc\tconform'],
  ['that is not ASCII', 'svc-é'],
  [`of ${idempotencyKeyLength + 1} characters`, 'k'.repeat(idempotencyKeyLength + 1)],
]

const keys: readonly Check[] = [
  ...badKeys.map(([what, idempotencyKey]): Check => ({
    rule: 'I1',
    group: 'idempotency',
    title: `A key ${what} is refused`,
    needs: ['dnc:write'],
    run: async (session) => {
      refused(await session.post('/dnc', { phone: 'svc' }, { idempotencyKey }), 'invalid_request')
    },
  })),
  {
    rule: 'I1',
    group: 'idempotency',
    title: `A key of ${idempotencyKeyLength} visible characters is accepted`,
    needs: ['dnc:write'],
    run: async (session) => {
      const idempotencyKey = session.madeUp.name('key').padEnd(idempotencyKeyLength, '!~')
      refused(await session.post('/dnc', { phone: 'svc' }, { idempotencyKey }), 'invalid_phone')
    },
  },
]

/** Expects a reply to be the kept answer to an earlier request. */
function replayed(reply: Reply, first: Reply): void {
  equals(reply, 'status', reply.status, first.status)
  equals(reply, 'Idempotent-Replayed', reply.headers['idempotent-replayed'], 'true')
  const [id, firstId] = [reply.headers['request-id'], first.headers['request-id']]
  expects(reply, id !== firstId, 'a Request-Id of this request')
  // An error names the request, and this is another one.
  const without = (text: string, requestId = '') => (requestId === '' ? text : text.replaceAll(requestId, ''))
  const same = without(reply.exchange.response.text, id) === without(first.exchange.response.text, firstId)
  expects(reply, same, 'the body of the first answer')
}

const replays: readonly Check[] = [
  {
    rule: 'I2',
    group: 'idempotency',
    title: 'The same request with the same key gives the first answer again',
    needs: ['dnc:write'],
    run: async (session) => {
      const ask = { idempotencyKey: session.madeUp.name('key') }
      const phone = session.madeUp.phone()
      const { reply: first } = await listNumber(session, phone, ask)
      equals(first, 'Idempotent-Replayed', first.headers['idempotent-replayed'], undefined)
      replayed(await session.post('/dnc', { phone }, ask), first)
      replayed(await session.send('POST', '/dnc', { raw: `{ "phone" : ${JSON.stringify(phone)} }`, ...ask }), first)
    },
  },
  {
    rule: 'I2',
    group: 'idempotency',
    title: 'A lead that is sent again with its key is not added again',
    needs: ['leads:write'],
    run: async (session) => {
      const { isNew, reply: first, sent } = await dialedLead(session)
      if (!isNew) cannotAsk('the reserved number has a lead of an earlier run')
      const idempotencyKey = first.exchange.request.headers['Idempotency-Key'] ?? ''
      replayed(await session.post('/leads', sent, { idempotencyKey }), first)
      // Another order of the keys is the same request.
      const turned = Object.fromEntries(Object.entries(sent).reverse())
      replayed(await session.post('/leads', turned, { idempotencyKey }), first)
    },
  },
  {
    rule: 'I2',
    group: 'idempotency',
    title: 'A removal that is sent again with its key gives the first answer, not 404',
    needs: ['dnc:write'],
    run: async (session) => {
      const { entry, drop } = await listNumber(session, session.madeUp.phone())
      const ask = { idempotencyKey: session.madeUp.name('key') }
      const first = await session.del(`/dnc/${entry.id}`, ask)
      accepted<DncEntry>(first)
      drop()
      replayed(await session.del(`/dnc/${entry.id}`, ask), first)
    },
  },
  {
    rule: 'I2',
    group: 'idempotency',
    title: 'Requests with different keys, or without one, are separate',
    needs: ['dnc:write'],
    run: async (session) => {
      const { entry } = await listNumber(session, session.madeUp.phone(), {
        idempotencyKey: session.madeUp.name('key'),
      })
      const ask = { idempotencyKey: session.madeUp.name('key') }
      refused(await session.post('/dnc', { phone: entry.phone }, ask), 'duplicate_dnc_entry')
    },
  },
  {
    rule: 'I2',
    group: 'idempotency',
    title: 'A dry run is kept with its key as well',
    needs: ['leads:write'],
    run: async (session) => {
      const { id: campaign_id } = await session.campaign()
      const ask = { idempotencyKey: session.madeUp.name('key') }
      const path = `/campaigns/${campaign_id}/leads`
      const lead = {
        phone: session.madeUp.phone(),
        dry_run: true,
        consent: { source: 'crm', agreed_at: '2026-01-05T10:00:00Z', text: 'x' },
      }
      const first = await session.post(path, lead, ask)
      accepted<LeadAccepted>(first)
      replayed(await session.post(path, lead, ask), first)
    },
  },
]

const mismatches: readonly Check[] = [
  {
    rule: 'I3',
    group: 'idempotency',
    title: 'The same key with another body, query, path or method gives idempotency_mismatch',
    needs: ['dnc:write'],
    run: async (session) => {
      const ask = { idempotencyKey: session.madeUp.name('key') }
      const { entry } = await listNumber(session, session.madeUp.phone(), ask)
      const { phone } = entry
      for (const other of [
        await session.post('/dnc', { phone: session.madeUp.phone() }, ask),
        await session.post('/dnc?svc=1', { phone }, ask),
        await session.post('/dnc/batch', { phones: [phone] }, ask),
        await session.del(`/dnc/${entry.id}`, ask),
      ])
        refused(other, 'idempotency_mismatch')
    },
  },
  {
    rule: 'I4',
    group: 'idempotency',
    title: 'Requests at the same time with one key act once; the others are in progress or get the kept answer',
    needs: ['webhooks:write', 'leads:read'],
    run: async (session) => {
      const campaign_ids = (await session.coversEveryCampaign()) ? null : [(await session.campaign()).id]
      // The service looks up the name of the host, so that the first request takes a moment.
      const body = { url: unusedUrl(session), events: ['lead.late'], campaign_ids }
      const ask = { idempotencyKey: session.madeUp.name('key'), takes429: true }
      const replies = await Promise.all(Array.from({ length: 3 }, () => session.post('/webhook_endpoints', body, ask)))
      for (const id of new Set(replies.flatMap(({ data }) => (isObject(data) ? [String(data['id'])] : []))))
        deleteAtEnd(session, id)
      if (replies.some(({ code }) => code === 'limit_reached')) cannotAsk('there is no room for a webhook endpoint')
      const [first] = replies.filter(({ status }) => status === 201)
      if (!first) return cannotAsk('no request was accepted')
      const others = replies.filter(({ status }) => status !== 201 && status !== 429)
      for (const reply of others) refused(reply, 'idempotency_in_progress')
      for (const reply of replies) if (reply.status === 201) equals(reply, 'data', reply.data, first.data)
      const acted = replies.filter(
        ({ status, headers }) => status === 201 && headers['idempotent-replayed'] === undefined,
      )
      expects(first, acted.length === 1, 'one answer without Idempotent-Replayed')
      if (others.length === 0) cannotAsk('no request met one that was still running')
    },
  },
]

const kept: readonly Check[] = [
  {
    rule: 'I5',
    group: 'idempotency',
    title: 'A refusal of the endpoint is kept',
    needs: ['dnc:write'],
    run: async (session) => {
      const { entry, drop } = await listNumber(session, session.madeUp.phone())
      const ask = { idempotencyKey: session.madeUp.name('key') }
      const first = await session.post('/dnc', { phone: entry.phone }, ask)
      refused(first, 'duplicate_dnc_entry')
      accepted(await session.del(`/dnc/${entry.id}`))
      drop()
      const again = await session.post('/dnc', { phone: entry.phone }, ask)
      if (again.status === 201) unlistAtEnd(session, accepted<DncEntry>(again, 201).id)
      replayed(again, first)
    },
  },
  {
    rule: 'I5',
    group: 'idempotency',
    title: 'A 404 of the endpoint is kept, with the id of the new request',
    needs: ['dnc:write'],
    run: async (session) => {
      const ask = { idempotencyKey: session.madeUp.name('key') }
      const path = `/dnc/${session.madeUp.uuid()}`
      const first = await session.del(path, ask)
      refused(first, 'not_found')
      const again = await session.del(path, ask)
      replayed(again, first)
      equals(again, 'error.request_id', again.error['request_id'], again.headers['request-id'])
    },
  },
  {
    rule: 'I5',
    group: 'idempotency',
    title: 'An answer of the checks before the endpoint is not kept',
    needs: ['dnc:write'],
    run: async (session) => {
      const ask = { idempotencyKey: session.madeUp.name('key') }
      const phone = session.madeUp.phone()
      refused(await session.post('/dnc', { phone }, { ...ask, authorization: null }), 'authentication_failed')
      refused(await session.post('/dnc', { phone, svc_conform: 1 }, ask), 'invalid_request')
      const { reply } = await listNumber(session, phone, ask)
      equals(reply, 'Idempotent-Replayed', reply.headers['idempotent-replayed'], undefined)
    },
  },
  {
    rule: 'I2',
    group: 'idempotency',
    title: 'A read ignores the key',
    needs: ['dnc:read'],
    run: async (session) => {
      const ask = { idempotencyKey: session.madeUp.name('key') }
      page(await session.get('/dnc?limit=1', ask))
      const reply = await session.get('/dnc?limit=2', ask)
      page(reply)
      equals(reply, 'Idempotent-Replayed', reply.headers['idempotent-replayed'], undefined)
    },
  },
]

export const idempotencyChecks: readonly Check[] = withExtras(
  [...keys, ...replays, ...mismatches, ...kept],
  'with a tab',
  'with a space',
  'not ASCII',
  'A read ignores',
  'A dry run is kept',
  'are separate',
  'A 404 of the endpoint',
  'A refusal of the endpoint is kept',
)
