/** Mutants of calls, the Do Not Call list, campaigns, exports and usage. */
import { jsonOf, type Answer } from './mutating-proxy.js'
import {
  answering,
  asking,
  codeOf,
  every,
  headers,
  memory,
  replying,
  throughProxy,
  withJson,
  type Body,
  type Mutant,
} from './mutant.js'

export const resources: Mutant[] = [
  {
    name: 'a lead gets a fourth call in a day',
    rule: 'D15',
    groups: ['calls'],
    make: () => {
      const started = memory<Answer>()
      return answering(/^POST \/calls$/, (answer) => {
        if (answer.status === 202) started.set('last', answer)
        return codeOf(answer) === 'call_limit_reached' ? started.get('last') : undefined
      })
    },
  },
  {
    name: 'a started call is answered with 200',
    rule: 'C3',
    groups: ['calls'],
    make: () =>
      answering(/^POST \/calls$/, (answer) => (answer.status === 202 ? { ...answer, status: 200 } : undefined)),
  },
  {
    name: 'a 429 has no Retry-After',
    rule: 'L4',
    groups: ['calls'],
    make: () => headers(every, (all) => delete all['retry-after']),
  },
  {
    name: 'the older list of calls has the new shape',
    rule: 'P4',
    groups: ['calls', 'paging'],
    make: () =>
      asking(/^GET \/calls$/, ({ query }) => {
        query.delete('offset')
        query.delete('status')
        if (Number(query.get('limit')) > 100) query.set('limit', '100')
      }),
  },
  {
    name: 'only the stored form of a number is found on the list',
    rule: 'N2',
    groups: ['dnc'],
    make: () =>
      replying(/^GET \/dnc\/check/, ({ data }, { status }, { query }) => {
        if (status === 200 && !/^\+1\d{10}$/.test(query.get('phone') ?? '')) data['onDncList'] = false
      }),
  },
  {
    name: 'a removed number stays on the list',
    rule: 'N3',
    groups: ['dnc'],
    make: () =>
      answering(/^DELETE \/dnc/, async (answer, _asked, _next, to) => {
        if (answer.status === 200) await to.ask('POST', '/dnc', { phone: jsonOf<Body>(answer.body)?.data['phone'] })
        return undefined
      }),
  },
  {
    name: 'a number is listed twice',
    rule: 'N1',
    groups: ['dnc'],
    make: () =>
      answering(/^POST \/dnc$/, async (answer, asked, _next, to) => {
        if (codeOf(answer) !== 'duplicate_dnc_entry') return undefined
        const search = String(jsonOf(asked.body)?.['phone']).replaceAll(/\D/g, '').slice(-10)
        const found = jsonOf<{ data: unknown[] }>((await to.ask('GET', `/dnc?search=${search}`)).body)
        return withJson(answer, { data: found?.data[0] }, 201)
      }),
  },
  {
    name: 'a paused campaign goes on dialing',
    rule: 'D12',
    groups: ['campaigns', 'leads'],
    make: () =>
      answering(/^POST \/campaigns\/[^/]+\/pause$/, async (answer, { path }, _next, to) => {
        if (answer.status === 200) await to.ask('POST', path.replace('/pause', '/start'))
        return undefined
      }),
  },
  {
    name: 'a test key lists exports',
    rule: 'X2',
    groups: ['exports'],
    make: () =>
      answering(/^GET \/exports$/, (answer) =>
        answer.status === 403 ? withJson(answer, { data: [] }, 200) : undefined,
      ),
  },
  {
    name: 'an exported file has no header row',
    rule: 'X1',
    groups: ['exports'],
    make: () => throughProxy((file) => ({ ...file, body: Buffer.from(file.body.toString().replace(/^.*\r?\n/, '')) })),
  },
  {
    name: 'a link works with another signature',
    rule: 'X1',
    groups: ['exports'],
    make: () => {
      const files = memory<Answer>()
      return throughProxy((file, { path }) => {
        if (file.status === 200) files.set(path, file)
        return files.get(path) ?? file
      })
    },
  },
  {
    name: 'test calls cost money',
    rule: 'X3',
    groups: ['usage'],
    make: () =>
      replying(/^GET \/usage/, ({ data }, { status }) => {
        if (status === 200) Object.assign(data['totals'] as object, { cost_usd: 1.5 })
      }),
  },
  {
    name: 'usage is not grouped',
    rule: 'X4',
    groups: ['usage'],
    make: () => asking(/^GET \/usage/, ({ query }) => query.delete('group_by')),
  },
]
