/** Mutants that answer and deliver otherwise in a detail. */
import { eventTypes } from '../../../src/contract/enums.js'
import type { EventType } from '../../../src/contract/events.js'
import { jsonOf } from './mutating-proxy.js'
import {
  aPage,
  answering,
  asking,
  every,
  headers,
  listing,
  memory,
  replying,
  sending,
  withJson,
  type Body,
  type Mutant,
} from './mutant.js'

export const subtleReplies: Mutant[] = [
  {
    name: 'a search of the Do Not Call list is ignored',
    rule: 'P3',
    groups: ['dnc'],
    make: () => asking(/^GET \/dnc$/, ({ query }) => query.delete('search')),
  },
  {
    name: 'calls are not filtered by lead',
    rule: 'P3',
    groups: ['calls', 'leads'],
    make: () => asking(/^GET \/calls$/, ({ query }) => query.delete('lead_id')),
  },
  {
    name: 'events before a time are listed',
    rule: 'P3',
    groups: ['events'],
    make: () => asking(/^GET \/events$/, ({ query }) => query.delete('created[gte]')),
  },
  {
    name: 'deliveries are oldest first',
    rule: 'P1',
    groups: ['webhooks', 'paging'],
    make: () => listing(/\/deliveries$/, (items) => items.reverse()),
  },
  {
    name: 'a page with more to come has no cursor',
    rule: 'C3',
    groups: ['paging'],
    make: () => replying(aPage, (body) => body.meta && (body.meta.next_cursor = null)),
  },
  {
    name: 'a kept answer has the status 200',
    rule: 'I2',
    groups: ['idempotency', 'dnc'],
    make: () =>
      answering(every, (answer) => {
        const isKept = answer.headers['idempotent-replayed'] !== undefined && answer.status < 300
        return isKept ? { ...answer, status: 200 } : undefined
      }),
  },
  {
    name: 'a body that is written otherwise is another request',
    rule: 'I2',
    groups: ['idempotency'],
    make: () => {
      const first = memory<string>()
      return answering(every, (answer, asked) => {
        const { 'idempotency-key': key } = asked.headers
        if (key === undefined || answer.status >= 400) return undefined
        const text = asked.body.toString()
        const known = first.get(key) ?? text
        first.set(key, known)
        if (known === text) return undefined
        const { 'idempotent-replayed': _replayed, ...rest } = answer.headers
        const error = { type: 'idempotency_error', code: 'idempotency_mismatch', message: 'Used.', param: null }
        return withJson(
          { ...answer, headers: rest },
          { error: { ...error, request_id: answer.headers['request-id'] } },
          409,
        )
      })
    },
  },
  {
    name: 'Retry-After is a date',
    rule: 'L4',
    groups: ['calls'],
    make: () =>
      headers(every, (all) => {
        if (all['retry-after'] !== undefined) all['retry-after'] = 'Thu, 01 Oct 2026 15:00:00 GMT'
      }),
  },
  {
    name: 'the address of a changed endpoint is not checked',
    rule: 'W1',
    groups: ['webhooks'],
    make: () =>
      answering(/^PATCH \/webhook_endpoints/, async (answer, asked, _next, to) => {
        const url = jsonOf(asked.body)?.['url']
        if (answer.status !== 400 || typeof url !== 'string') return undefined
        // The endpoint itself stays as it is, so that its webhooks arrive.
        const { data } = jsonOf<Body>((await to.ask('GET', asked.path)).body) ?? {}
        return withJson(answer, { data: { ...data, url } }, 200)
      }),
  },
  {
    name: 'an endpoint takes unknown event types',
    rule: 'E3',
    groups: ['webhooks'],
    make: () =>
      sending(/^POST \/webhook_endpoints$/, (body) => {
        const list = (Array.isArray(body['events']) ? body['events'] : []) as EventType[]
        const kept = list.filter((type) => eventTypes.includes(type))
        if (list.length > 0) body['events'] = kept.length > 0 ? kept : ['lead.created']
      }),
  },
  {
    name: 'a sample is of live mode',
    rule: 'W11',
    groups: ['webhooks'],
    make: () =>
      replying(
        /\/test$/,
        ({ data }, { status }) => status === 202 && Object.assign(data['event'] as object, { livemode: true }),
      ),
  },
  {
    name: 'a resend counts its attempts from 2',
    rule: 'W10',
    groups: ['webhooks'],
    make: () => {
      return {
        delivery: (letter, next) =>
          next({
            ...letter,
            headers: { ...letter.headers, ...(isAgain(letter.headers) && { 'service-delivery-attempt': '2' }) },
          }),
      }
    },
  },
  {
    name: 'the signing time is in milliseconds',
    rule: 'W3',
    groups: ['webhooks'],
    make: () => ({
      delivery: (letter, next) => {
        const signature = (letter.headers['service-signature'] ?? '').replace(/t=(\d+)/, 't=$1000')
        return next({ ...letter, headers: { ...letter.headers, 'service-signature': signature } })
      },
    }),
  },
  {
    name: 'the older secret signs first',
    rule: 'W4',
    groups: ['webhooks'],
    make: () => ({
      delivery: (letter, next) => {
        const signature = (letter.headers['service-signature'] ?? '').replace(/(v1=\w+),(v1=\w+)$/, '$2,$1')
        return next({ ...letter, headers: { ...letter.headers, 'service-signature': signature } })
      },
    }),
  },
  {
    name: 'webhooks name another program',
    rule: 'W2',
    groups: ['webhooks'],
    make: () => ({
      delivery: (letter, next) => next({ ...letter, headers: { ...letter.headers, 'user-agent': 'node' } }),
    }),
  },
  {
    name: 'an export lasts an hour',
    rule: 'X1',
    groups: ['exports'],
    make: () =>
      replying(/^POST \/exports$/, ({ data }, { status }) => {
        const one = data?.['export'] as { createdAt: string; expiresAt: string }
        if (status === 200) one.expiresAt = new Date(Date.parse(one.createdAt) + 3_600_000).toISOString()
      }),
  },
  {
    name: 'usage of every month is that of the current one',
    rule: 'X4',
    groups: ['usage'],
    make: () => asking(/^GET \/usage$/, ({ query }) => query.delete('period')),
  },
  {
    name: 'a deleted object does not say its mode',
    rule: 'C6',
    groups: ['webhooks'],
    make: () => replying(/^DELETE \/webhook_endpoints/, ({ data }) => data && delete data['livemode']),
  },
]

const seen = new Map<string, string>()

/** Whether another delivery of the same event came before. */
function isAgain({
  'service-event-id': event = '',
  'service-delivery-id': delivery = '',
}: Record<string, string>): boolean {
  const first = seen.get(event) ?? delivery
  seen.set(event, first)
  return first !== delivery
}
