/** Mutants that answer wrongly: headers, errors, times and modes. */
import { jsonOf } from './mutating-proxy.js'
import { answering, every, headers, replying, type Mutant } from './mutant.js'

export const replies: Mutant[] = [
  {
    name: 'errors have no Request-Id',
    rule: 'C7',
    groups: ['errors'],
    make: () => headers(every, (all, { status }) => status >= 400 && delete all['request-id']),
  },
  {
    name: 'replies have no RateLimit-Reset',
    rule: 'C7',
    groups: ['headers', 'usage'],
    make: () => headers(every, (all) => delete all['ratelimit-reset']),
  },
  {
    name: 'a 401 has no WWW-Authenticate',
    rule: 'K1',
    groups: ['gate'],
    make: () => headers(every, (all) => delete all['www-authenticate']),
  },
  {
    name: 'a missing object has a code of its own',
    rule: 'F1',
    groups: ['errors', 'leads'],
    make: () => replying(every, ({ error }, { status }) => status === 404 && (error['code'] = 'lead_not_found')),
  },
  {
    name: 'messages show the number that was sent',
    rule: 'F2',
    groups: ['errors'],
    make: () =>
      replying(every, ({ error }, { status }, asked) => {
        const phone = jsonOf(asked.body)?.['phone']
        if (status >= 400 && typeof phone === 'string')
          error['message'] = `${String(error['message'])} It was ${phone}.`
      }),
  },
  {
    name: 'an error does not repeat the id of the request',
    rule: 'F1',
    groups: ['errors'],
    make: () => replying(every, ({ error }, { status }) => status >= 400 && (error['request_id'] = null)),
  },
  {
    name: 'an unknown path has the page of a gateway',
    rule: 'C1',
    groups: ['gate', 'errors'],
    make: () =>
      answering(every, (answer, { path }) => {
        const isKnown = /^\/(leads|calls|dnc|campaigns|events|exports|usage|webhook_endpoints|storage)\b/.test(path)
        if (isKnown || answer.status !== 404) return undefined
        return { status: 404, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>404 Not Found</h1>') }
      }),
  },
  {
    name: 'times have an offset in place of the Z',
    rule: 'C4',
    groups: ['campaigns', 'leads'],
    make: () =>
      answering(/^GET/, (answer) => {
        const text = answer.body.toString().replaceAll(/(T\d\d:\d\d:\d\d\.\d{3})Z"/g, '$1+00:00"')
        return { ...answer, body: Buffer.from(text) }
      }),
  },
  {
    name: 'a lead is shown as live to a test key',
    rule: 'C6',
    groups: ['leads'],
    make: () => replying(/^GET \/leads\/[^/]+$/, ({ data }, { status }) => status === 200 && (data['livemode'] = true)),
  },
]
