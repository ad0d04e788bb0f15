import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkExchange, type Exchange } from '../../src/conform/exchange/check.js'
import { simulateAlone } from '../support/simulate.js'
import { exchangeWith, withHeaders, withReply } from './exchanges.js'

const secret = 'cs_test_exchange'
const world = { organizations: [{ name: 'Acme', keys: [{ mode: 'test' as const, secret }] }] }

type Name = keyof typeof exchanges
let exchanges: Record<
  | 'campaigns'
  | 'created'
  | 'lead'
  | 'leads'
  | 'batch'
  | 'older'
  | 'endpoint'
  | 'read'
  | 'missing'
  | 'invalid'
  | 'keyless'
  | 'unknown'
  | 'duplicate',
  Exchange
>

beforeAll(async () => {
  const simulation = await simulateAlone({ limits: true, world, allowLocalWebhooks: true })
  const ask = (line: string, wanted = {}) => exchangeWith(simulation, line, wanted)
  const campaign_id = simulation.campaignId
  const phone = '+16462011000'
  const created = await ask('POST /leads', { body: { campaign_id, phone, external_id: 'crm-1' } })
  await ask('POST /leads', { body: { campaign_id, phone: '+16462011001' } })
  const { id } = (JSON.parse(Buffer.from(created.responseBody ?? []).toString()) as { data: { id: string } }).data
  const endpoint = await ask('POST /webhook_endpoints', {
    body: { url: 'http://127.0.0.1:9/hooks', events: ['lead.created'] },
  })
  const endpointId = (JSON.parse(Buffer.from(endpoint.responseBody ?? []).toString()) as { data: { id: string } }).data
    .id
  exchanges = {
    created,
    endpoint,
    campaigns: await ask('GET /campaigns'),
    lead: await ask(`GET /leads/${id}`),
    leads: await ask('GET /leads?limit=2'),
    batch: await ask('POST /leads/batch', {
      body: { campaign_id, dry_run: true, leads: [{ phone }, { phone: '+16462011002' }] },
    }),
    older: await ask('GET /calls?offset=0'),
    read: await ask(`GET /webhook_endpoints/${endpointId}`),
    missing: await ask('GET /leads/00000000-0000-4000-8000-000000000000'),
    invalid: await ask('POST /leads', { body: { campaign_id, phone, colour: 'red' } }),
    keyless: await ask('GET /leads', { headers: { authorization: '' } }),
    unknown: await ask('GET /nothing'),
    duplicate: await ask('POST /leads', { body: { campaign_id, phone } }),
  }
  await simulation.simulator.close()
})

/** Departures in short: the part of the reply, where it is, and the rule. */
const found = (exchange: Exchange): string[] =>
  checkExchange(exchange).map(({ where, at, rule }) => `${where}, ${at}: ${rule}`)

const text = (exchange: Exchange): string => JSON.stringify(checkExchange(exchange))

describe('an exchange with the simulator', () => {
  it.each<[Name, string[]]>([
    ['campaigns', []],
    ['created', []],
    ['lead', []],
    ['leads', []],
    ['batch', []],
    ['older', []],
    ['endpoint', []],
    ['read', []],
    ['missing', []],
    ['duplicate', []],
    ['invalid', ['request, body colour: C2']],
    ['keyless', ['request, header Authorization: K1']],
    ['unknown', ['request, path: C1']],
  ])('has only the departures of its request: %s', (name, departures) => {
    expect(found(exchanges[name])).toEqual(departures)
  })
})

interface Data {
  [name: string]: unknown
  [place: number]: Record<string, unknown>
}
interface Body {
  data: Data
  error: Record<string, unknown>
  meta: Record<string, unknown>
}
type Change = (body: Body) => void

describe('a reply with another body departs:', () => {
  it.each<[string, Name, Change, string[]]>([
    ['a field is missing', 'lead', ({ data }) => delete data['late'], ['body data.late: C3']],
    ['a field has another type', 'lead', ({ data }) => (data['attempts'] = '0'), ['body data.attempts: C3']],
    ['an id is no UUID', 'lead', ({ data }) => (data['campaign_id'] = '7'), ['body data.campaign_id: C5']],
    [
      'a time is not in UTC',
      'lead',
      ({ data }) => (data['created'] = '2026-10-01T11:00:00-04:00'),
      ['body data.created: C4'],
    ],
    ['a status is unknown', 'lead', ({ data }) => (data['status'] = 'waiting'), ['body data.status: S1']],
    ['the mode is another', 'lead', ({ data }) => (data['livemode'] = true), ['body data.livemode: C6']],
    [
      'another lead is answered',
      'lead',
      ({ data }) => (data['id'] = '00000000-0000-4000-8000-000000000000'),
      ['body data.id: C5'],
    ],
    [
      'a held lead has no reason',
      'lead',
      ({ data }) => (data['status'] = 'held'),
      ['body data.held_reason: D12', 'body data.place_in_line: S1'],
    ],
    ['a new lead has no id', 'created', ({ data }) => (data['id'] = null), ['body data.id: A5']],
    ['the page has no end', 'leads', ({ meta }) => (meta['next_cursor'] = '1'), ['body meta.next_cursor: C3']],
    [
      'the cursor is not the last item',
      'leads',
      ({ meta }) => Object.assign(meta, { has_more: true, next_cursor: 'x' }),
      ['body meta.next_cursor: P1'],
    ],
    [
      'the order is reversed',
      'leads',
      ({ data }) => ((data[0] ?? {})['created'] = '2020-01-01T00:00:00Z'),
      ['body data[1]: P1'],
    ],
    ['an item is repeated', 'leads', ({ data }) => (data[1] = data[0] ?? {}), ['body data[1].id: P2']],
    [
      'a result is missing',
      'batch',
      ({ data }) => (data['results'] as unknown[]).pop(),
      ['body data.results: A6', 'body data.succeeded: A6'],
    ],
    // rule W13
    ['a secret is shown', 'read', ({ data }) => (data['secret'] = 'whsec_0123456789'), ['body data.secret: W13']],
    [
      'an error has another code',
      'missing',
      ({ error }) => (error['code'] = 'duplicate_lead'),
      ['body error.code: F1', 'status: F1', 'body error.lead_id: D9'],
    ],
    ['an error has an unknown code', 'missing', ({ error }) => (error['code'] = 'gone'), ['body error.code: F1']],
    ['an error has another type', 'missing', ({ error }) => (error['type'] = 'api_error'), ['body error.type: F1']],
    [
      'an error has another id',
      'missing',
      ({ error }) => (error['request_id'] = 'req_1'),
      ['body error.request_id: F1'],
    ],
    [
      'an error shows a number',
      'missing',
      ({ error }) => (error['message'] = 'No +12125557812.'),
      ['body error.message: F2'],
    ],
    ['an error has no param', 'missing', ({ error }) => delete error['param'], ['body error.param: F1']],
    [
      'a duplicate does not name the lead',
      'duplicate',
      ({ error }) => delete error['lead_id'],
      ['body error.lead_id: D9'],
    ],
  ])('%s', (_title, name, change, expected) => {
    const altered = withReply(exchanges[name], (body: Body) => void change(body))
    expect(found(altered)).toEqual(expected.map((departure) => `response, ${departure}`))
  })

  it('it is empty', () => {
    expect(found({ ...exchanges.lead, responseBody: new Uint8Array() })).toEqual(['response, body: C3'])
    expect(found({ ...exchanges.missing, responseBody: new Uint8Array() })).toEqual(['response, body: F1'])
  })

  it('it is not JSON, or not UTF-8', () => {
    expect(found({ ...exchanges.lead, responseBody: Buffer.from('{') })).toEqual(['response, body: C3'])
    expect(found({ ...exchanges.lead, responseBody: Buffer.from([0xff]) })).toEqual(['response, body: C3'])
  })

  it('it is the page of a gateway', () => {
    const page = withHeaders(exchanges.missing, { 'content-type': 'text/html' })
    expect(found({ ...page, responseBody: Buffer.from('<h1>Not found</h1>') })).toEqual([
      'response, header Content-Type: F1',
    ])
  })
})

describe('a reply with another status departs:', () => {
  it.each<[string, Name, number, string[]]>([
    ['a new lead with 200', 'created', 200, ['status: D9']],
    ['a status that the endpoint does not have', 'lead', 206, ['status: C3']],
    ['an error with the status of another', 'missing', 410, ['status: F1']],
    ['a success of a path that does not exist', 'unknown', 200, ['status: C1']],
    ['a request without a key that is taken', 'keyless', 200, ['status: K1', 'status: C3']],
    ['a body with an unknown field that is taken', 'invalid', 201, ['status: C2', 'body: C3']],
  ])('%s', (_title, name, status, expected) => {
    const departures = found({ ...exchanges[name], status }).filter((line) => line.startsWith('response'))
    for (const departure of expected.slice(0, 1)) expect(departures).toContain(`response, ${departure}`)
  })
})

describe('a reply with other headers departs:', () => {
  it.each<[string, Name, Exchange['responseHeaders'], string[]]>([
    ['without Request-Id', 'lead', { 'request-id': undefined }, ['header Request-Id: C7']],
    ['with a Request-Id of another form', 'lead', { 'request-id': '7' }, ['header Request-Id: C5']],
    ['without one RateLimit header', 'lead', { 'ratelimit-reset': undefined }, ['header RateLimit-Reset: C7']],
    [
      'with more requests left than allowed',
      'lead',
      { 'ratelimit-remaining': '9999' },
      ['header RateLimit-Remaining: L2'],
    ],
    ['with a reset after the minute', 'lead', { 'ratelimit-reset': '61' }, ['header RateLimit-Reset: C7']],
    ['with another Content-Type', 'lead', { 'content-type': 'text/plain' }, ['header Content-Type: C3']],
    [
      'with another charset',
      'lead',
      { 'content-type': 'application/json; charset=latin1' },
      ['header Content-Type: C3'],
    ],
    [
      'with Idempotent-Replayed on a read',
      'lead',
      { 'idempotent-replayed': 'true' },
      ['header Idempotent-Replayed: I2'],
    ],
    ['with Deprecation on another list', 'leads', { deprecation: '@1' }, ['header Deprecation: P4']],
    ['without Deprecation on the older list', 'older', { deprecation: undefined }, ['header Deprecation: P4']],
    ['without Link on the older list', 'older', { link: undefined }, ['header Link: P4']],
    ['without WWW-Authenticate', 'keyless', { 'www-authenticate': undefined }, ['header WWW-Authenticate: K1']],
    ['with a Retry-After that is no number', 'missing', { 'retry-after': 'soon' }, ['header Retry-After: L4']],
    ['in an unknown encoding', 'lead', { 'content-encoding': 'zip' }, ['header Content-Encoding: C3']],
    ['not in the encoding that it names', 'lead', { 'content-encoding': 'gzip' }, ['header Content-Encoding: C3']],
  ])('%s', (_title, name, headers, expected) => {
    const departures = found(withHeaders(exchanges[name], headers)).filter((line) => line.startsWith('response'))
    expect(departures).toEqual(expected.map((departure) => `response, ${departure}`))
  })

  it('with no RateLimit header, unless the deployment has no limits', () => {
    const gone = { 'ratelimit-limit': undefined, 'ratelimit-remaining': undefined, 'ratelimit-reset': undefined }
    const bare = withHeaders(exchanges.lead, gone)
    expect(found(bare)).toEqual(['response, header RateLimit-Limit: C7'])
    expect(checkExchange(bare, { isLimited: false })).toEqual([])
  })
})

describe('a request departs:', () => {
  const lead = { campaign_id: '00000000-0000-4000-8000-000000000000', phone: '+16462011000' }
  it.each<[string, Partial<Exchange> & { sent?: object | string }, string[]]>([
    ['a number that is text', { sent: { ...lead, dry_run: 'yes' } }, ['body dry_run: C2']],
    ['a missing field', { sent: { phone: '+16462011000' } }, ['body campaign_id: C2']],
    ['two unknown fields', { sent: { ...lead, a: 1, b: 2 } }, ['body a: C2', 'body b: C2']],
    ['a long text', { sent: { ...lead, name: 'x'.repeat(201) } }, ['body name: L6']],
    ['too many leads', { path: '/leads/batch', sent: { leads: Array(61).fill(lead) } }, ['body leads: L5']],
    ['a key that is there twice', { sent: '{"phone":"1","phone":"2"}' }, ['body: C2']],
    ['no body', { sent: '' }, ['body: C2']],
    ['more than 1 MB', { sent: ' '.repeat(1_048_577) }, ['body: C2']],
    [
      'another Content-Type',
      { sent: lead, requestHeaders: { 'content-type': 'text/plain' } },
      ['header Content-Type: C2'],
    ],
    ['an encoding', { sent: lead, requestHeaders: { 'content-encoding': 'gzip' } }, ['header Content-Encoding: C2']],
    [
      'an Idempotency-Key with a space',
      { sent: lead, requestHeaders: { 'idempotency-key': 'a b' } },
      ['header Idempotency-Key: I1'],
    ],
    ['a limit over 100', { method: 'GET', path: '/leads?limit=101' }, ['query limit: P3']],
    ['a repeated parameter', { method: 'GET', path: '/leads?limit=1&limit=2' }, ['query limit: C2']],
    ['an id that is no UUID', { method: 'GET', path: '/leads/7' }, ['path id: C5']],
    ['no phone', { method: 'GET', path: '/dnc/check' }, ['query phone: N2']],
    ['a method that the path does not have', { method: 'PUT', path: '/leads' }, ['path: C1']],
    ['HEAD', { method: 'HEAD', path: '/leads' }, ['path: C1']],
    ['OPTIONS', { method: 'OPTIONS', path: '/leads' }, ['path: C1']],
    [
      'a scheme that is not Basic or Bearer',
      { sent: lead, requestHeaders: { authorization: 'Digest x' } },
      ['header Authorization: K1'],
    ],
  ])('%s', (_title, { method = 'POST', path = '/leads', sent = '', requestHeaders = {} }, expected) => {
    const { unknown } = exchanges
    const exchange = {
      ...unknown,
      method,
      path: `/api/v1/external${path}`,
      requestHeaders: { ...unknown.requestHeaders, 'content-type': 'application/json', ...requestHeaders },
      requestBody: Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent)),
    }
    const departures = found(exchange).filter((line) => line.startsWith('request'))
    expect(departures).toEqual(expected.map((departure) => `request, ${departure}`))
  })

  it('outside the path of the API, of which the reply is not checked', () => {
    expect(found({ ...exchanges.lead, path: '/leads' })).toEqual(['request, path: C1'])
    expect(found({ ...exchanges.lead, path: '/_sim/clock' })).toEqual([])
  })
})

describe('a compressed reply is checked like a plain one:', () => {
  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ])('%s, way %#', (encoding, compress) => {
    const { lead } = exchanges
    const packed = (exchange: Exchange) =>
      withHeaders(
        { ...exchange, responseBody: compress(exchange.responseBody ?? '') },
        { 'content-encoding': encoding },
      )
    expect(found(packed(lead))).toEqual([])
    expect(found(packed(withReply(lead, ({ data }: Body) => void delete data['late'])))).toEqual([
      'response, body data.late: C3',
    ])
  })
})

describe('an exchange of which a body was not kept', () => {
  it('is checked without it', () => {
    expect(found({ ...exchanges.lead, responseBody: null })).toEqual([])
    expect(found({ ...exchanges.invalid, requestBody: null, responseBody: null })).toEqual([])
    expect(found(withHeaders({ ...exchanges.lead, responseBody: null }, { 'request-id': undefined }))).toEqual([
      'response, header Request-Id: C7',
    ])
  })
})

describe('the message of a departure', () => {
  it('shows no secret, phone number, e-mail address or control character', () => {
    const { invalid } = exchanges
    const names = ['+12125557812', 'ann@example.com', secret, 'whsec_abcdefgh', 'a\u001b]0;x\u0007b']
    const sent = { ...Object.fromEntries(names.map((name) => [name, 1])), campaign_id: 1 }
    const told = text({ ...invalid, requestBody: Buffer.from(JSON.stringify(sent)) })
    for (const name of names) expect(told).not.toContain(name)
    expect(told).not.toContain('\\u001b')
    expect(told).toContain('whsec_****')
  })

  it('is short, however long the name of a field is', () => {
    const { invalid } = exchanges
    const sent = { ['x'.repeat(100_000)]: 1 }
    for (const { at, message } of checkExchange({ ...invalid, requestBody: Buffer.from(JSON.stringify(sent)) })) {
      expect(at.length + message.length).toBeLessThan(600)
    }
  })
})
