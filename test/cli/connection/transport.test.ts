import nock from 'nock'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/client/client.js'
import { ApiError, ConnectionError, NotTheApiError, UnsendableError } from '../../../src/client/errors.js'
import type { SystemClock } from '../../../src/client/system-clock.js'
import { Transport, type Observer, type TransportOptions } from '../../../src/client/transport.js'
import { json, refuse, stubServer, type Answering } from '../../support/servers/stub-server.js'

// Importing nock replaces `node:http`: only the tests that use it may see that.
nock.restore()

/** A machine whose sleeps are over at once, and on record. */
class Hurried implements SystemClock {
  readonly slept: number[] = []
  passed = Date.UTC(2026, 9, 1)

  now = () => this.passed
  random = () => 0.5

  sleep(ms: number): Promise<void> {
    this.slept.push(ms)
    this.passed += ms
    return Promise.resolve()
  }
}

async function transportTo(answer: Answering, options: Partial<TransportOptions> = {}) {
  const stub = await stubServer(answer)
  const machine = new Hurried()
  const transport = new Transport({
    baseUrl: stub.baseUrl,
    machine,
    key: { id: 'ck_test_a', secret: 'cs_test_a' },
    ...options,
  })
  return { ...stub, machine, transport }
}

const failing =
  (times: number, fail: Answering): Answering =>
  (asked, response, turn) =>
    turn < times ? fail(asked, response, turn) : json(response, 200, { data: { turn } })

describe('a request', () => {
  it('proves itself with the key id and the secret, or with the secret alone', async () => {
    const { transport, asked, baseUrl } = await transportTo((_asked, response) => json(response, 200, { data: 1 }))
    await transport.request('GET', '/leads')
    await new Transport({ baseUrl, key: { secret: 'cs_test_a' } }).request('GET', '/leads')
    await new Transport({ baseUrl }).request('GET', '/leads')
    const basic = `Basic ${Buffer.from('ck_test_a:cs_test_a').toString('base64')}`
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([basic, 'Bearer cs_test_a', undefined])
  })

  it('carries an idempotency key on every write, on no read, and a new one on each', async () => {
    const { transport, asked } = await transportTo((_asked, response) => json(response, 200, { data: 1 }))
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'POST'])
      await transport.request(method, '/x', { body: method === 'GET' ? undefined : {} })
    await transport.request('POST', '/x', {}, { idempotencyKey: 'mine' })
    const keys = asked.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toBeUndefined()
    expect(new Set(keys.slice(1, 5)).size).toBe(4)
    expect(keys[5]).toBe('mine')
  })

  it("lets the caller's own header replace ours, whatever its case", async () => {
    const { transport, asked } = await transportTo((_asked, response) => json(response, 200, { data: 1 }))
    await transport.request('POST', '/x', {
      body: 'a=b',
      headers: { 'content-type': 'text/x-own', 'IDEMPOTENCY-KEY': 'own' },
    })
    expect(asked[0]?.headers).toMatchObject({ 'content-type': 'text/x-own', 'idempotency-key': 'own' })
    expect(asked[0]?.body).toBe('a=b')
  })

  it('sends the length of its body, whatever the method', async () => {
    const { transport, asked } = await transportTo((_asked, response) => json(response, 200, { data: 1 }))
    for (const method of ['POST', 'DELETE']) await transport.request(method, '/x', { body: { name: 'Zoë' } })
    expect(asked.map(({ body, headers }) => [body, headers['content-length']])).toEqual([
      ['{"name":"Zoë"}', '15'],
      ['{"name":"Zoë"}', '15'],
    ])
  })

  it('gives the reply as it came, with fields nobody knows yet', async () => {
    const body = { data: { id: 1, brand_new: { field: [1.5, null] } }, later: true }
    const { transport } = await transportTo((_asked, response) => json(response, 201, body, { 'Request-Id': 'req_7' }))
    expect(await transport.request('POST', '/x')).toMatchObject({ status: 201, body, requestId: 'req_7' })
  })
})

describe('a refusal', () => {
  it('is the error object as the API sent it', async () => {
    const error = {
      type: 'invalid_request_error',
      code: 'duplicate_lead',
      message: 'There already.',
      param: null,
      request_id: 'req_2',
      lead_id: 'x',
      extra: [1],
    }
    const { transport, asked } = await transportTo((_asked, response) => json(response, 409, { error }))
    const thrown: unknown = await transport.request('POST', '/leads').catch((caught: unknown) => caught)
    expect(thrown).toBeInstanceOf(ApiError)
    expect(thrown).toMatchObject({ status: 409, refusal: error, message: 'There already.' })
    expect(asked).toHaveLength(1)
  })

  it.each<[string, Answering]>([
    [
      'a page of a proxy',
      (_asked, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>sign in</html>'),
    ],
    ['JSON of something else', (_asked, response) => json(response, 200, { hello: 'world' })],
    ['a list where an object is due', (_asked, response) => json(response, 200, [1])],
    [
      'a redirect, which is not followed',
      (_asked, response) => response.writeHead(302, { location: 'https://elsewhere.example/x?token=1' }).end(),
    ],
    ['an error of another shape', (_asked, response) => json(response, 404, { message: 'no' })],
    ['nothing at all', (_asked, response) => response.writeHead(204).end()],
  ])('is not read into %s', async (_name, answer) => {
    const { transport, asked } = await transportTo(answer)
    const thrown: unknown = await transport.request('GET', '/leads').catch((caught: unknown) => caught)
    expect(thrown).toBeInstanceOf(NotTheApiError)
    expect((thrown as Error).message).not.toMatch(/sign in|token=1/)
    expect(asked).toHaveLength(1)
  })
})

describe('a rate limit', () => {
  it.each(['GET', 'POST'])('is waited out by Retry-After and the same %s is sent again', async (method) => {
    const limited = failing(2, (_asked, response) => refuse(response, 429, 'rate_limited', { 'retry-after': '7' }))
    const { transport, asked, machine } = await transportTo(limited)
    expect((await transport.request(method, '/leads')).body).toEqual({ data: { turn: 2 } })
    expect(machine.slept).toEqual([7000, 7000])
    expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it('is waited out when another request has the idempotency key', async () => {
    const busy = failing(1, (_asked, response) =>
      refuse(response, 409, 'idempotency_in_progress', { 'retry-after': '1' }),
    )
    const { transport, machine } = await transportTo(busy)
    await transport.request('POST', '/leads', { body: {} })
    expect(machine.slept).toEqual([1000])
  })

  it('reads a Retry-After that is a date', async () => {
    const until = new Date(Date.UTC(2026, 9, 1, 0, 0, 5)).toUTCString()
    const { transport, machine } = await transportTo(
      failing(1, (_asked, response) => refuse(response, 429, 'rate_limited', { 'retry-after': until })),
    )
    await transport.request('GET', '/leads')
    expect(machine.slept).toEqual([5000])
  })

  it('is the answer once patience does not reach to the next try', async () => {
    const limited: Answering = (_asked, response) => refuse(response, 429, 'lead_rate_limited', { 'retry-after': '25' })
    const { transport, asked, machine } = await transportTo(limited)
    await expect(transport.request('POST', '/leads')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 25 })
    expect(machine.slept).toEqual([25_000, 25_000])
    await expect(transport.request('POST', '/leads', {}, { maxWaitMs: 0 })).rejects.toMatchObject({ status: 429 })
    expect([asked.length, machine.slept.length]).toEqual([4, 2])
  })
})

it('a code that the caller deals with itself is thrown at once, with what the service asks to wait', async () => {
  const wait = { 'retry-after': '3' }
  const { transport, asked, machine } = await transportTo((_asked, response, turn) =>
    refuse(response, 429, turn === 0 ? 'rate_limited' : 'lead_rate_limited', wait),
  )
  const sent = transport.request('POST', '/leads/batch', {}, { unretried: ['lead_rate_limited'] })
  await expect(sent).rejects.toMatchObject({ refusal: { code: 'lead_rate_limited' }, retryAfterSeconds: 3 })
  expect({ tries: asked.length, slept: machine.slept }).toEqual({ tries: 2, slept: [3000] })
})

describe('a failing service', () => {
  it('is tried three times more, later each time, with one idempotency key', async () => {
    const { transport, asked, machine } = await transportTo((_asked, response) =>
      refuse(response, 503, 'service_unavailable'),
    )
    await expect(transport.request('POST', '/leads')).rejects.toMatchObject({ status: 503 })
    expect(machine.slept).toEqual([200, 400, 800])
    expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it('is not sent a write again that has no idempotency key', async () => {
    const broken: Answering = (_asked, response) => refuse(response, 500, 'internal_error')
    const { transport, asked } = await transportTo(broken, { idempotent: false })
    await expect(transport.request('POST', '/_sim/reset')).rejects.toMatchObject({ status: 500 })
    expect(asked).toHaveLength(1)
  })

  it('may break the connection before, or in the middle of, its answer', async () => {
    const before = await transportTo(failing(1, (_asked, response) => response.destroy()))
    expect((await before.transport.request('POST', '/leads')).status).toBe(200)
    const middle = await transportTo(
      failing(1, (_asked, response) =>
        response.writeHead(200, { 'content-length': '100' }).write('{"data"', () => response.destroy()),
      ),
    )
    expect((await middle.transport.request('GET', '/leads')).status).toBe(200)
    expect([before.asked.length, middle.asked.length]).toEqual([2, 2])
  })

  it('that breaks every connection is reported after the last try, and a write without a key after the first', async () => {
    const cut = await transportTo((_asked, response) => response.destroy())
    await expect(cut.transport.request('GET', '/leads')).rejects.toBeInstanceOf(ConnectionError)
    expect(cut.asked).toHaveLength(4)
    const unsafe = await transportTo((_asked, response) => response.destroy(), { idempotent: false })
    await expect(unsafe.transport.request('POST', '/leads')).rejects.toBeInstanceOf(ConnectionError)
    expect(unsafe.asked).toHaveLength(1)
  })

  it('that stays silent is given up', async () => {
    const { transport } = await transportTo(() => undefined)
    const thrown = transport.request('GET', '/leads', {}, { timeoutMs: 20, maxWaitMs: 0 })
    await expect(thrown).rejects.toMatchObject({
      code: 'ANSWER_TIMEOUT',
      message: expect.stringContaining('accepted the connection but did not answer in time') as string,
    })
  })

  it('that falls silent in the middle of its answer is given up', async () => {
    const { transport } = await transportTo((_asked, response) =>
      response.writeHead(200, { 'content-length': '100' }).write('{"data"'),
    )
    const thrown = transport.request('GET', '/leads', {}, { timeoutMs: 20, maxWaitMs: 0 })
    await expect(thrown).rejects.toMatchObject({ code: 'ANSWER_TIMEOUT' })
  })

  it('that is not there refuses the connection, which any request may be tried on again', async () => {
    const machine = new Hurried()
    const transport = new Transport({ baseUrl: 'http://127.0.0.1:1/api/v1/external', machine, idempotent: false })
    await expect(transport.request('POST', '/leads')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(machine.slept).toHaveLength(3)
  })
})

describe('a caller', () => {
  it('can end a request at once, in the middle of an answer or of a wait', async () => {
    const leaving = new AbortController()
    const { transport, asked } = await transportTo(() => leaving.abort(new Error('left')))
    await expect(transport.request('GET', '/leads', {}, { signal: leaving.signal })).rejects.toThrow('left')
    expect(asked).toHaveLength(1)

    const waiting = new AbortController()
    const observer: Observer = { waiting: () => void waiting.abort(new Error('left the wait')) }
    const limited: Answering = (_asked, response) => refuse(response, 429, 'rate_limited', { 'retry-after': '30' })
    const { baseUrl } = await stubServer(limited)
    const real = new Transport({ baseUrl, observer })
    await expect(real.request('GET', '/leads', {}, { signal: waiting.signal })).rejects.toThrow(/aborted/i)
  })

  it('is told what goes on', async () => {
    const told: string[] = []
    const observer: Observer = {
      sending: ({ method, url }, attempt) => told.push(`${method} ${url.pathname} ${attempt}`),
      answered: ({ status }) => told.push(String(status)),
      waiting: ({ ms, code, asked }) => {
        told.push(`wait ${ms} ${code} ${asked}`)
        return () => told.push('over')
      },
    }
    const limited = failing(1, (_asked, response) => refuse(response, 429, 'rate_limited', { 'retry-after': '2' }))
    const { transport } = await transportTo(limited, { observer })
    await transport.request('GET', '/leads')
    expect(told).toEqual([
      'GET /api/v1/external/leads 1',
      '429',
      'wait 2000 rate_limited true',
      'over',
      'GET /api/v1/external/leads 2',
      '200',
    ])
  })
})

describe('the client of the API', () => {
  const origin = 'https://api.example'
  const client = createClient({
    baseUrl: `${origin}/api/v1/external`,
    key: { secret: 'cs_test_a' },
  })
  const id = '3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11'
  beforeAll(() => {
    nock.activate()
    nock.disableNetConnect()
  })
  afterAll(() => nock.restore())
  afterEach(() => {
    const left = nock.pendingMocks()
    nock.cleanAll()
    expect(left).toEqual([])
  })

  it('calls an endpoint by its name, with its parameters in the path, the query and the body', async () => {
    nock(origin)
      .get('/api/v1/external/dnc/check')
      .query({ phone: '+1 (212) 555-7812' })
      .reply(200, { data: { onDncList: false } })
    expect((await client.call('checkDnc', { query: { phone: '+1 (212) 555-7812' } })).body.data.onDncList).toBe(false)
    const resend = '/api/v1/external/webhook_endpoints/a%2Fb/deliveries/c%3Fd/resend'
    nock(origin)
      .post(resend)
      .reply(202, { data: { id: 'new' } })
    expect((await client.call('resendDelivery', { params: { id: 'a/b', delivery_id: 'c?d' } })).status).toBe(202)
    nock(origin).patch(`/api/v1/external/leads/${id}`, { name: null }).reply(200, { data: { id } })
    expect((await client.call('updateLead', { params: { id }, body: { name: null } })).body.data.id).toBe(id)
  })

  it.each(['', '.', '..'])('asks for no other path than was meant when an id is "%s"', async (strange) => {
    await expect(client.call('getLead', { params: { id: strange } })).rejects.toThrow(UnsendableError)
  })

  it('gives a plain-text reply as text', async () => {
    nock(origin)
      .get(`/api/v1/external/calls/${id}/transcript`)
      .query({ format: 'text' })
      .reply(200, 'Ada: hello\n', { 'content-type': 'text/plain; charset=utf-8' })
    expect((await client.call('getTranscript', { params: { id }, query: { format: 'text' } })).body).toBe(
      'Ada: hello\n',
    )
  })

  it('follows pages by the cursor of the list, and keeps the query', async () => {
    const page = (ids: string[], next_cursor: string | null) => ({
      data: ids.map((one) => ({ id: one })),
      meta: { next_cursor, has_more: next_cursor !== null },
    })
    const base = '/api/v1/external/dnc'
    nock(origin)
      .get(base)
      .query({ search: '212', limit: 2 })
      .reply(200, page(['a', 'b'], 'b'))
    nock(origin)
      .get(base)
      .query({ search: '212', limit: 2, cursor: 'b' })
      .reply(200, page(['c'], null))
    const seen: string[] = []
    for await (const { body } of client.pages('listDnc', { query: { search: '212', limit: 2 } }))
      seen.push(...body.data.map((entry) => entry.id))
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  it('stops at a list that would never end', async () => {
    nock(origin)
      .get('/api/v1/external/events')
      .query(true)
      .twice()
      .reply(200, { data: [], meta: { next_cursor: 'x', has_more: true } })
    const read = async () => {
      for await (const page of client.pages('listEvents', {})) expect(page.status).toBe(200)
    }
    await expect(read()).rejects.toThrow(/never end/)
  })
})
