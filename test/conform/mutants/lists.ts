/** Mutants of lists, idempotency and limits. */
import { jsonOf, type Answer } from './mutating-proxy.js'
import {
  aPage,
  answering,
  asking,
  codeOf,
  headers,
  listing,
  every,
  lineOf,
  memory,
  replying,
  type Mutant,
} from './mutant.js'

export const paging: Mutant[] = [
  {
    name: 'a page after a cursor skips an item',
    rule: 'P2',
    groups: ['paging'],
    make: () => ({
      request: async (asked, next) => {
        const isFollowing =
          aPage.test(lineOf(asked)) && (asked.query.has('starting_after') || asked.query.has('cursor'))
        const limit = Number(asked.query.get('limit') ?? 20)
        if (!isFollowing || limit >= 100) return next(asked)
        const query = new URLSearchParams(asked.query)
        query.set('limit', String(limit + 1))
        const answer = await next({ ...asked, query })
        const body = jsonOf<{ data?: unknown[] }>(answer.body)
        return body?.data
          ? { ...answer, body: Buffer.from(JSON.stringify({ ...body, data: body.data.slice(1) })) }
          : answer
      },
    }),
  },
  {
    name: 'a list is oldest first',
    rule: 'P1',
    groups: ['paging', 'leads'],
    make: () => listing(/^GET \/leads$/, (items) => items.reverse()),
  },
  {
    name: 'limit is ignored',
    rule: 'P3',
    groups: ['paging'],
    make: () => asking(aPage, ({ query }) => query.delete('limit')),
  },
  {
    name: 'a cursor that names nothing begins at the first page',
    rule: 'P1',
    groups: ['paging'],
    make: () =>
      answering(aPage, (answer, asked, next) => {
        if (answer.status !== 400) return undefined
        const query = new URLSearchParams(asked.query)
        query.delete('starting_after')
        query.delete('cursor')
        return next({ ...asked, query })
      }),
  },
  {
    name: 'a filter by status is ignored',
    rule: 'P3',
    groups: ['leads'],
    make: () => asking(/^GET \/leads$/, ({ query }) => query.delete('status')),
  },
  {
    name: 'a page holds 101 items',
    rule: 'P3',
    groups: ['paging', 'leads'],
    make: () =>
      asking(/^GET \/(leads|dnc|events|campaigns)$/, ({ query }) => {
        if (query.get('limit') === '101') query.set('limit', '100')
      }),
  },
  {
    name: 'the first page says that it is the last',
    rule: 'P2',
    groups: ['paging'],
    make: () =>
      replying(aPage, (body) => body.meta && Object.assign(body.meta, { next_cursor: null, has_more: false })),
  },
]

export const idempotency: Mutant[] = [
  {
    name: 'a request that is repeated with its key runs again',
    rule: 'I2',
    groups: ['idempotency'],
    make: () => asking(every, (asked) => delete asked.headers['idempotency-key']),
  },
  {
    name: 'a key that was used for another request gives its answer',
    rule: 'I3',
    groups: ['idempotency'],
    make: () => {
      const kept = memory<Answer>()
      return answering(every, (answer, { headers: { 'idempotency-key': key = '' } }) => {
        if (codeOf(answer) === 'idempotency_mismatch') return kept.get(key)
        if (answer.status < 400)
          kept.set(key, { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } })
        return undefined
      })
    },
  },
  {
    name: 'a refusal is not kept',
    rule: 'I5',
    groups: ['idempotency'],
    make: () => {
      const refused = memory<number>()
      return {
        request: async (asked, next) => {
          const { 'idempotency-key': key } = asked.headers
          if (key === undefined) return next(asked)
          const before = refused.get(key) ?? 0
          const changed = before > 0 ? { ...asked.headers, 'idempotency-key': `${key}-${before}` } : asked.headers
          const answer = await next({ ...asked, headers: changed })
          if (answer.status >= 400) refused.set(key, before + 1)
          return answer
        },
      }
    },
  },
  {
    name: 'a key of 256 characters is accepted',
    rule: 'I1',
    groups: ['idempotency'],
    make: () =>
      asking(every, (asked) => {
        const { 'idempotency-key': key } = asked.headers
        if (key?.length === 256) asked.headers['idempotency-key'] = key.slice(1)
      }),
  },
  {
    name: 'a kept answer is not marked',
    rule: 'I2',
    groups: ['idempotency'],
    make: () => headers(every, (all) => delete all['idempotent-replayed']),
  },
  {
    name: 'the answer to a malformed body is kept',
    rule: 'I5',
    groups: ['idempotency'],
    make: () => {
      const kept = memory<Answer>()
      return {
        request: async (asked, next) => {
          const { 'idempotency-key': key = '' } = asked.headers
          const old = kept.get(key)
          if (old && key !== '') return { ...old, headers: { ...old.headers, 'idempotent-replayed': 'true' } }
          const answer = await next(asked)
          if (answer.status === 400) kept.set(key, answer)
          return answer
        },
      }
    },
  },
]

export const limits: Mutant[] = [
  {
    name: 'RateLimit-Remaining never falls',
    rule: 'L2',
    groups: ['limits', 'usage', 'headers'],
    make: () => headers(every, (all) => (all['ratelimit-remaining'] = all['ratelimit-limit'] ?? '120')),
  },
  {
    name: 'a key sends 61 new leads in a minute',
    rule: 'L3',
    groups: ['limits'],
    isLimited: true,
    limits: { leads_per_minute: 61 },
    make: () => ({}),
  },
  {
    name: 'a key sends 40 requests at once',
    rule: 'L2',
    groups: ['limits'],
    isLimited: true,
    limits: { burst: 40 },
    make: () => ({}),
  },
  {
    name: 'Retry-After is a second too short',
    rule: 'L4',
    groups: ['limits'],
    isLimited: true,
    make: () =>
      headers(every, (all) => {
        if (all['retry-after'] !== undefined) all['retry-after'] = String(Number(all['retry-after']) - 1)
      }),
  },
]
