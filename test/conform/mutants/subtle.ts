/** Mutants that read requests and leads otherwise in a detail: a window by one, a form that is not read. */
import { jsonOf, type Answer } from './mutating-proxy.js'
import {
  aLead,
  aPage,
  answering,
  asking,
  codeOf,
  every,
  replying,
  sending,
  withJson,
  type Body,
  type Mutant,
} from './mutant.js'

const refusing = (answer: Answer, code: string, message = 'Refused.'): Answer => {
  const error = jsonOf<Partial<Body>>(answer.body)?.error
  const request_id = answer.headers['request-id'] ?? null
  return withJson(
    answer,
    { error: { type: 'invalid_request_error', param: null, ...error, code, message, request_id } },
    400,
  )
}

export const subtleRequests: Mutant[] = [
  {
    name: 'the secret is compared without its case',
    rule: 'K1',
    groups: ['gate'],
    make: () => ({
      request: (asked, next, to) => {
        const isSame = asked.headers['authorization']?.toLowerCase() === to.authorization.toLowerCase()
        return next(isSame ? { ...asked, headers: { ...asked.headers, authorization: to.authorization } } : asked)
      },
    }),
  },
  {
    name: 'a scheme in lower case is not read',
    rule: 'K1',
    groups: ['gate'],
    make: () =>
      asking(every, ({ headers: all }) => {
        if (all['authorization']?.startsWith('bearer ')) delete all['authorization']
      }),
  },
  {
    name: 'unknown parameters of a query are refused',
    rule: 'C8',
    groups: ['parsing'],
    make: () =>
      answering(/^GET/, (answer, { query }) => {
        const known =
          /^(limit|starting_after|cursor|campaign_id|lead_id|external_id|status|outcome|offset|search|phone|type|period|group_by|format|created\[[gl]te\]|expires|signature)$/
        const unknown = [...query.keys()].some((name) => !known.test(name))
        return unknown && answer.status === 200 ? refusing(answer, 'invalid_request') : undefined
      }),
  },
  {
    name: 'a filter without a time zone is read as UTC',
    rule: 'C4',
    groups: ['parsing', 'leads', 'calls', 'events'],
    make: () =>
      asking(/^GET/, ({ query }) => {
        for (const name of ['created[gte]', 'created[lte]']) {
          const value = query.get(name)
          if (value !== null && /T[\d:.]+$/.test(value)) query.set(name, `${value}Z`)
        }
      }),
  },
  {
    name: 'unknown fields inside consent are ignored',
    rule: 'C2',
    groups: ['parsing'],
    make: () =>
      sending(aLead, (body) => {
        const consent = body['consent'] as Record<string, unknown> | undefined
        const known = ['source', 'agreed_at', 'text', 'url', 'ip']
        if (consent && typeof consent === 'object')
          body['consent'] = Object.fromEntries(Object.entries(consent).filter(([name]) => known.includes(name)))
      }),
  },
  {
    name: 'a lead has 51 custom fields',
    rule: 'L6',
    groups: ['limits'],
    make: () =>
      sending(aLead, (body) => {
        const fields = Object.entries(body['fields'] ?? {})
        if (fields.length === 51) body['fields'] = Object.fromEntries(fields.slice(1))
      }),
  },
  {
    name: 'a name has 201 characters',
    rule: 'L6',
    groups: ['limits'],
    make: () =>
      sending(/^POST .*leads/, (body) => {
        for (const lead of [body, ...((body['leads'] ?? []) as Record<string, unknown>[])]) {
          const { name } = lead
          if (typeof name === 'string' && name.length === 201) lead['name'] = name.slice(1)
        }
      }),
  },
  {
    name: 'a batch holds 101 numbers',
    rule: 'L5',
    groups: ['batch', 'dnc'],
    make: () => ({
      request: async (asked, next) => {
        const phones = jsonOf<{ phones?: unknown[] }>(asked.body)?.phones
        if (phones?.length !== 101) return next(asked)
        const answer = await next({ ...asked, body: Buffer.from(JSON.stringify({ phones: phones.slice(1) })) })
        const { data } = jsonOf<{ data: { failed: number; errors: unknown[] } }>(answer.body) ?? {}
        return data
          ? withJson(answer, { data: { ...data, failed: data.failed + 1, errors: [...data.errors, phones[0]] } })
          : answer
      },
    }),
  },
  {
    name: 'a limit of 0 is taken for the default',
    rule: 'P3',
    groups: ['paging'],
    make: () => asking(aPage, ({ query }) => query.get('limit') === '0' && query.delete('limit')),
  },
  {
    name: 'the older list takes a limit of 501',
    rule: 'P4',
    groups: ['calls', 'paging'],
    make: () => ({
      request: async (asked, next) => {
        if (asked.path !== '/calls' || asked.query.get('limit') !== '501') return next(asked)
        const query = new URLSearchParams(asked.query)
        query.set('limit', '500')
        const answer = await next({ ...asked, query })
        return withJson(answer, { ...(jsonOf(answer.body) as object), limit: 501 })
      },
    }),
  },
  {
    name: 'a malformed lead of a batch fails alone',
    rule: 'A6',
    groups: ['batch'],
    make: () => ({
      request: async (asked, next) => {
        const first = await next(asked)
        const body = jsonOf<{ leads?: unknown[] }>(asked.body)
        const param = String(jsonOf<Body>(first.body)?.error?.['param'])
        const at = Number(/^leads\[(\d+)\]/.exec(param)?.[1] ?? -1)
        if (first.status !== 400 || at < 0 || !body?.leads) return first
        const rest = body.leads.filter((_, index) => index !== at)
        const answer = await next({ ...asked, body: Buffer.from(JSON.stringify({ ...body, leads: rest })) })
        const { data } = jsonOf<{ data?: { results: object[]; failed: number } }>(answer.body) ?? {}
        if (!data) return first
        const error = { code: 'not_found', message: 'Malformed.', param }
        const results = [...data.results.slice(0, at), { ok: false, error }, ...data.results.slice(at)]
        return withJson(answer, {
          data: { ...data, failed: data.failed + 1, results: results.map((one, index) => ({ ...one, index })) },
        })
      },
    }),
  },
]

export const subtleLeads: Mutant[] = [
  {
    name: 'a dry run is answered with 201',
    rule: 'A5',
    groups: ['leads'],
    make: () => answering(aLead, (answer) => (answer.status === 200 ? { ...answer, status: 201 } : undefined)),
  },
  {
    name: 'the external_id is not looked at for duplicates',
    rule: 'D9',
    groups: ['leads'],
    make: () =>
      answering(aLead, async (answer, asked, next) => {
        const sent = jsonOf(asked.body)
        if (codeOf(answer) !== 'duplicate_lead' || sent?.['external_id'] === undefined) return undefined
        const { external_id, ...rest } = sent
        const again = await next({ ...asked, body: Buffer.from(JSON.stringify(rest)) })
        const { data } = jsonOf<Body>(again.body) ?? {}
        return data ? withJson(again, { data: { ...data, external_id } }) : again
      }),
  },
  {
    name: 'a duplicate does not name the lead',
    rule: 'D9',
    groups: ['leads'],
    make: () => replying(aLead, ({ error }) => error && delete error['lead_id']),
  },
  {
    name: 'a number that is not dialed has no reason',
    rule: 'D11',
    groups: ['leads'],
    make: () => replying(aLead, ({ error }) => error?.['code'] === 'number_not_allowed' && delete error['reason']),
  },
  {
    name: 'a Caribbean number is accepted',
    rule: 'D11',
    groups: ['leads'],
    make: () =>
      sending(/^POST .*leads/, (body) => {
        for (const lead of [body, ...((body['leads'] ?? []) as Record<string, unknown>[])]) {
          if (/^\+1(876|658|787|242|246)/.test(String(lead['phone']))) lead['phone'] = '+12122015001'
        }
      }),
  },
  {
    name: 'a made-up number is accepted',
    rule: 'T2',
    groups: ['leads'],
    make: () =>
      sending(/^POST .*leads/, (body) => {
        for (const lead of [body, ...((body['leads'] ?? []) as Record<string, unknown>[])]) {
          if (/^\+1(?!555)\d{3}55501\d\d$/.test(String(lead['phone']))) lead['phone'] = '+12122015002'
        }
      }),
  },
  {
    name: 'custom fields are replaced',
    rule: 'A7',
    groups: ['leads'],
    make: () => ({
      request: async (asked, next, to) => {
        const fields = jsonOf<{ fields?: Record<string, string> }>(asked.body)?.fields
        if (asked.method !== 'PATCH' || !fields) return next(asked)
        const { data } = jsonOf<Body>((await to.ask('GET', asked.path)).body) ?? {}
        const cleared = Object.fromEntries(Object.keys(data?.['fields'] ?? {}).map((name) => [name, '']))
        const body = { ...jsonOf(asked.body), fields: { ...cleared, ...fields } }
        return next({ ...asked, body: Buffer.from(JSON.stringify(body)) })
      },
    }),
  },
  {
    name: 'a phone in an update is ignored',
    rule: 'A7',
    groups: ['leads'],
    make: () => sending(/^PATCH \/leads/, (body) => delete body['phone']),
  },
  {
    name: 'an opt-out does not list the number',
    rule: 'D6',
    groups: ['leads', 'calls', 'dnc'],
    make: () =>
      answering(/\/opt_out$/, async (answer, _asked, _next, to) => {
        const phone = String(jsonOf<Body>(answer.body)?.data?.['phone'])
        const found = jsonOf<{ data: { id: string }[] }>((await to.ask('GET', `/dnc?search=${phone.slice(2)}`)).body)
        for (const { id } of found?.data ?? []) await to.ask('DELETE', `/dnc/${id}`)
        return undefined
      }),
  },
  {
    name: 'a completed campaign starts again',
    rule: 'A2',
    groups: ['campaigns', 'leads'],
    make: () =>
      answering(/^POST \/campaigns\/[^/]+\/start$/, async (answer, { path }, _next, to) => {
        if (codeOf(answer) !== 'campaign_closed') return undefined
        const { data } = jsonOf<Body>((await to.ask('GET', path.replace('/start', ''))).body) ?? {}
        return withJson(answer, { data: { ...data, status: 'running' } }, 200)
      }),
  },
  {
    name: 'a completed campaign is answered with 422',
    rule: 'F1',
    groups: ['leads', 'campaigns'],
    make: () =>
      answering(every, (answer) => (codeOf(answer) === 'campaign_closed' ? { ...answer, status: 422 } : undefined)),
  },
  {
    name: 'errors never name the field',
    rule: 'F1',
    groups: ['errors', 'parsing'],
    make: () => replying(every, ({ error }) => error && (error['param'] = null)),
  },
]
