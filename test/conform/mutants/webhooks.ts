/** Mutants of webhook endpoints, their deliveries, and events. */
import { answering, asking, listing, memory, replying, type Body, type Mutant } from './mutant.js'
import { jsonOf, type Answer, type Asked } from './mutating-proxy.js'

const signature = 'service-signature'

/** Changes deliveries whose attempt fits. */
const delivering = (change: (letter: Asked) => void): Mutant['make'] => {
  return () => ({
    delivery: (letter, next) => {
      const copy = { ...letter, headers: { ...letter.headers } }
      change(copy)
      return next(copy)
    },
  })
}

const created = /^POST \/webhook_endpoints$/
const oneEndpoint = /^(GET|PATCH) \/webhook_endpoints\/[^/]+$/

export const webhooks: Mutant[] = [
  {
    name: 'a retry has no signature',
    rule: 'W3',
    groups: ['webhooks'],
    isSlow: true,
    make: delivering(({ headers }) => headers['service-delivery-attempt'] !== '1' && delete headers[signature]),
  },
  {
    name: 'the body is written again after it was signed',
    rule: 'W3',
    groups: ['webhooks'],
    make: delivering((letter) => (letter.body = Buffer.from(JSON.stringify(jsonOf(letter.body), null, 1)))),
  },
  {
    name: 'the old secret stops signing when a new one is made',
    rule: 'W4',
    groups: ['webhooks'],
    make: delivering(
      ({ headers }) => (headers[signature] = (headers[signature] ?? '').replace(/(v1=\w+),v1=\w+$/, '$1')),
    ),
  },
  {
    name: 'a delivery does not say which attempt it is',
    rule: 'W2',
    groups: ['webhooks'],
    make: delivering(({ headers }) => delete headers['service-delivery-attempt']),
  },
  {
    name: 'a redirect of a receiver is followed',
    rule: 'W2',
    groups: ['webhooks'],
    make: () => ({
      delivery: async (letter, next) => {
        const answer = await next(letter)
        return answer.status >= 300 && answer.status < 400 ? { ...answer, status: 204 } : answer
      },
    }),
  },
  {
    name: 'the secret is shown when an endpoint is read',
    rule: 'W13',
    groups: ['webhooks'],
    make: () => {
      const secrets = memory<unknown>()
      return answering(/webhook_endpoints/, (answer, { path, method }) => {
        const body = jsonOf<Body>(answer.body)
        if (created.test(`${method} ${path}`) && answer.status === 201)
          secrets.set(body?.data.id ?? '', body?.data['secret'])
        if (!body || !oneEndpoint.test(`${method} ${path}`) || answer.status !== 200) return undefined
        const data = { ...body.data, secret: secrets.get(body.data.id) ?? 'whsec_0123456789abcdef' }
        return { ...answer, body: Buffer.from(JSON.stringify({ data })) }
      })
    },
  },
  {
    name: 'an endpoint in a private network is accepted',
    rule: 'W1',
    groups: ['webhooks'],
    make: () => ({
      request: async (asked, next) => {
        const body = jsonOf(asked.body)
        const url = String(body?.['url'])
        if (asked.method !== 'POST' || !/^https:\/\/(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)/.test(url))
          return next(asked)
        // Nothing listens there, and no name has to be looked up.
        const allowed = 'http://127.0.0.1:9/private'
        const answer = await next({ ...asked, body: Buffer.from(JSON.stringify({ ...body, url: allowed })) })
        return { ...answer, body: Buffer.from(answer.body.toString().replaceAll(allowed, url)) }
      },
    }),
  },
  {
    name: 'a paused endpoint sends test events',
    rule: 'W9',
    groups: ['webhooks'],
    make: () => ({
      request: async (asked, next, to) => {
        const answer = await next(asked)
        const code = jsonOf<Body>(answer.body)?.error?.['code']
        const [, id = ''] = /^\/webhook_endpoints\/([^/]+)\/(test|deliveries)/.exec(asked.path) ?? []
        if (code !== 'endpoint_paused') return answer
        await to.ask('PATCH', `/webhook_endpoints/${id}`, { status: 'active' })
        const again = await next(asked)
        await to.ask('PATCH', `/webhook_endpoints/${id}`, { status: 'paused' })
        return again
      },
    }),
  },
  {
    name: 'a resend has the id of the first delivery',
    rule: 'W10',
    groups: ['webhooks'],
    make: () =>
      replying(/\/resend$/, ({ data }, { status }, { path }) => {
        if (status === 202) data.id = path.split('/').at(-2) ?? ''
      }),
  },
  {
    name: 'an eleventh endpoint is accepted',
    rule: 'W1',
    groups: ['webhooks'],
    make: () => {
      const last = memory<Answer>()
      return answering(created, (answer) => {
        if (answer.status === 201) last.set('last', answer)
        return jsonOf<Body>(answer.body)?.error?.['code'] === 'limit_reached' ? last.get('last') : undefined
      })
    },
  },
]

export const events: Mutant[] = [
  {
    name: 'lead.queued is never listed',
    rule: 'E1',
    groups: ['events', 'leads'],
    make: () => listing(/^GET \/events$/, (items) => items.filter(({ type }) => type !== 'lead.queued')),
  },
  {
    name: 'an opt-out sends no event',
    rule: 'D6',
    groups: ['events', 'leads', 'calls'],
    make: () => listing(/^GET \/events$/, (items) => items.filter(({ type }) => type !== 'lead.opted_out')),
  },
  {
    name: 'events are not filtered by type',
    rule: 'P3',
    groups: ['events'],
    make: () => asking(/^GET \/events$/, ({ query }) => query.delete('type')),
  },
  {
    name: 'a sample is listed as an event',
    rule: 'W11',
    groups: ['webhooks', 'events'],
    make: () => {
      const samples = memory<unknown>()
      return answering(/^(POST .*\/test|GET \/events)$/, (answer, { method }) => {
        const body = jsonOf<{ data?: unknown[] & { event?: unknown } }>(answer.body)
        if (method === 'POST' && answer.status === 202) samples.set('last', body?.data?.event)
        const sample = samples.get('last')
        if (method === 'POST' || !Array.isArray(body?.data) || sample === undefined) return undefined
        return {
          ...answer,
          body: Buffer.from(JSON.stringify({ ...body, data: [sample, ...(body.data as unknown[])] })),
        }
      })
    },
  },
]
