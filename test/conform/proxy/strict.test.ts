import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../../src/contract/errors/error-codes.js'
import { replyBytesMax } from '../../../src/conform/proxy/forwarding.js'
import { ask, base, errorOf, hash, json, noise, proxyToServer } from './proxied.js'

describe('strict mode', () => {
  const authorization = 'Bearer cs_test_x'
  const good = { data: [], meta: { next_cursor: null, has_more: false } }
  const strict = { strict: true }

  it('answers 502 instead of a reply that departs, with the request id of the deployment', async () => {
    const proxied = await proxyToServer(
      (_asked, response) => void response.writeHead(200, json).end('{"data":1}'),
      strict,
    )
    const reply = await ask(proxied, `${base}/leads`, { headers: { authorization } })
    const { code, message, request_id } = await errorOf(reply)
    expect([reply.statusCode, reply.headers['request-id'], code, request_id]).toEqual([
      502,
      'req_1',
      'invalid_response',
      'req_1',
    ])
    expect(errorCodes).not.toContain(code)
    expect(message).toBe(
      'The reply of the deployment departs from the contract: body data: invalid input: expected array, received number, rule C3 (and 1 more).',
    )
    const [record] = await proxied.ended(1)
    expect([record?.status, record?.departures.length]).toEqual([200, 2])
  })

  it('answers 502 instead of an error that departs', async () => {
    const body = '{"error":{"code":"gone"}}'
    const proxied = await proxyToServer((_asked, response) => void response.writeHead(404, json).end(body), strict)
    expect((await ask(proxied, `${base}/leads`, { headers: { authorization } })).statusCode).toBe(502)
  })

  it('passes on a reply that keeps the contract, compressed too', async () => {
    const bytes = gzipSync(JSON.stringify(good))
    const headers = { ...json, 'content-encoding': 'gzip' }
    const proxied = await proxyToServer((_asked, response) => void response.writeHead(200, headers).end(bytes), strict)
    const reply = await ask(proxied, `${base}/leads`, { headers: { authorization } })
    expect([reply.statusCode, hash(await buffer(reply))]).toEqual([200, hash(bytes)])
  })

  it('passes on a request that departs', async () => {
    const asked: string[] = []
    const proxied = await proxyToServer(({ url = '' }, response) => {
      asked.push(url)
      const error = {
        type: 'invalid_request_error',
        code: 'invalid_request',
        message: 'limit',
        param: 'limit',
        request_id: 'req_1',
      }
      response.writeHead(400, json).end(JSON.stringify({ error }))
    }, strict)
    const reply = await ask(proxied, `${base}/leads?limit=0`, { headers: { authorization } })
    expect(reply.statusCode).toBe(400)
    expect(asked).toEqual([`${base}/leads?limit=0`])
    expect((await proxied.ended(1))[0]?.departures.map(({ where }) => where)).toEqual(['request'])
  })

  it('passes on a reply that is too long to check, and streams of events at once', async () => {
    const bytes = noise(replyBytesMax + 100_000)
    const proxied = await proxyToServer(({ url = '' }, response) => {
      if (url.startsWith('/_sim')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: 1\n\n')
      } else response.writeHead(200, json).end(bytes)
    }, strict)
    const long = await ask(proxied, `${base}/leads`, { headers: { authorization } })
    expect(hash(await buffer(long))).toBe(hash(bytes))
    const stream = await ask(proxied, '/_sim/stream')
    const [first] = (await once(stream, 'data')) as [Buffer]
    expect(String(first)).toBe('data: 1\n\n')
    stream.destroy()
  })
})
