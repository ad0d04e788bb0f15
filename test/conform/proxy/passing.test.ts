import { once } from 'node:events'
import { request as send, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { replyBytesMax } from '../../../src/conform/proxy/forwarding.js'
import { ask, base, hash, json, noise, proxyToServer } from './proxied.js'

const connectionHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/** Headers as they were sent, one to a line, without those of the connection. */
function linesOf(raw: readonly string[]): string[] {
  const lines: string[] = []
  for (let at = 0; at < raw.length; at += 2) lines.push(`${raw[at]}: ${raw[at + 1]}`)
  return lines.filter((line) => !connectionHeaders.has(line.split(':')[0]?.toLowerCase() ?? ''))
}

describe('the proxy passes on', () => {
  it('method, path, headers and body of a request, with their case and order', async () => {
    const seen: { method?: string; url?: string; headers: string[]; body: string }[] = []
    const proxied = await proxyToServer((asked, response) => {
      void text(asked).then((body) => {
        const { method = '', url = '', rawHeaders } = asked
        seen.push({ method, url, headers: linesOf(rawHeaders), body })
        response.end()
      })
    })
    const headers = ['Host', 'localhost', 'X-One', '1', 'x-TWO', 'ü', 'X-One', 'again', 'Content-Length', '3']
    const path = `${base}/leads/%2F?a=%20b&c=+`
    await ask(proxied, path, { method: 'PATCH', headers: headers as never, body: Buffer.from('abc') })
    const host = new URL(proxied.proxy.url).port
    expect(seen).toEqual([
      {
        method: 'PATCH',
        url: path,
        headers: [
          expect.stringMatching(/^Host: 127\.0\.0\.1:\d+$/),
          'X-One: 1',
          'x-TWO: ü',
          'X-One: again',
          'Content-Length: 3',
        ],
        body: 'abc',
      },
    ])
    expect(seen[0]?.headers[0]).not.toContain(host)
  })

  it('neither the headers of the connection nor those that Connection names', async () => {
    const seen: string[][] = []
    const proxied = await proxyToServer(({ headers }, response) => {
      seen.push(Object.keys(headers).sort())
      response
        .writeHead(200, { Connection: 'x-private', 'X-Private': '1', 'Keep-Alive': 'timeout=3', 'X-Kept': '1' })
        .end()
    })
    const headers = {
      connection: 'close, X-Secret',
      'x-secret': '1',
      te: 'trailers',
      upgrade: 'h2c',
      'proxy-authorization': 'x',
    }
    const reply = await ask(proxied, base, { headers })
    expect(seen).toEqual([['connection', 'host']])
    expect(reply.headers['x-kept']).toBe('1')
    expect(Object.keys(reply.headers)).not.toContain('x-private')
    expect(reply.headers['keep-alive']).not.toBe('timeout=3')
  })

  it('the head of a reply: status, message, repeated headers, and no Date of its own', async () => {
    const proxied = await proxyToServer((_asked, response) => {
      response.sendDate = false
      response.writeHead(299, 'Fine', ['X-A', '1', 'x-B', '2', 'X-A', '3', 'Content-Length', '0']).end()
    })
    const reply = await ask(proxied, base)
    expect(reply.statusCode).toBe(299)
    expect(reply.statusMessage).toBe('Fine')
    expect(linesOf(reply.rawHeaders)).toEqual(['X-A: 1', 'x-B: 2', 'X-A: 3', 'Content-Length: 0'])
  })

  const page = Buffer.from(
    JSON.stringify({ data: [], meta: { next_cursor: null, has_more: false }, more: 'x'.repeat(5_000) }),
  )
  it.each([
    ['plain', undefined, page],
    ['gzip', 'gzip', gzipSync(page)],
    ['br', 'br', brotliCompressSync(page)],
    ['deflate', 'deflate', deflateSync(page)],
    ['broken gzip', 'gzip', gzipSync(page).subarray(0, 40)],
    ['no JSON', undefined, noise(10_000)],
    ['empty', undefined, Buffer.alloc(0)],
  ])('the bytes of a reply: %s', async (_title, encoding, bytes) => {
    const proxied = await proxyToServer((_asked, response) => {
      response.writeHead(200, { ...json, ...(encoding && { 'content-encoding': encoding }) }).end(bytes)
    })
    const reply = await ask(proxied, `${base}/leads`, { headers: { authorization: 'Bearer cs_test_x' } })
    expect(hash(await buffer(reply))).toBe(hash(bytes))
    const [record] = await proxied.ended(1)
    const isWhole = encoding === undefined ? bytes === page : bytes.length > 40
    expect(record?.departures.map(({ rule }) => rule)).toEqual(isWhole ? [] : ['C3'])
  })

  it('a reply that is too long to check, which it does not keep', async () => {
    const bytes = noise(replyBytesMax + 1)
    const proxied = await proxyToServer((_asked, response) => void response.writeHead(200, json).end(bytes))
    const reply = await ask(proxied, `${base}/leads`, { headers: { authorization: 'Bearer cs_test_x' } })
    expect(hash(await buffer(reply))).toBe(hash(bytes))
    expect((await proxied.ended(1))[0]?.departures).toEqual([])
  })

  it('an upload in chunks, longer than the API takes', async () => {
    const bytes = noise(3_000_000)
    const hashes: string[] = []
    const proxied = await proxyToServer((asked, response) => {
      void buffer(asked).then((body) => {
        hashes.push(`${asked.headers['transfer-encoding']} ${asked.headers['content-length']} ${hash(body)}`)
        response.writeHead(200, json).end('{}')
      })
    })
    const sent = send(`${proxied.proxy.url}${base}/leads`, {
      method: 'POST',
      headers: { authorization: 'Bearer cs_test_x' },
    })
    for (let at = 0; at < bytes.length; at += 50_000) sent.write(bytes.subarray(at, at + 50_000))
    sent.end()
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    reply.resume()
    expect(hashes).toEqual([`chunked undefined ${hash(bytes)}`])
    const [record] = await proxied.ended(1)
    expect(record?.departures).toContainEqual({
      where: 'request',
      at: 'body',
      message: 'larger than 1 MB (1,048,576 bytes)',
      rule: 'C2',
    })
  })

  it('a POST without a body as one without a body', async () => {
    const seen: unknown[] = []
    const proxied = await proxyToServer(({ headers }, response) => {
      seen.push([headers['transfer-encoding'], headers['content-length']])
      response.end()
    })
    const socket = connect(Number(new URL(proxied.proxy.url).port), '127.0.0.1')
    socket.write(`POST ${base}/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    await text(socket)
    expect(seen).toEqual([[undefined, '0']])
  })

  it('the headers of a HEAD and of a 204, which have no body', async () => {
    const proxied = await proxyToServer(({ method }, response) => {
      if (method === 'HEAD') response.writeHead(200, { ...json, 'content-length': '1234' }).end()
      else response.writeHead(204, { 'request-id': 'req_2' }).end()
    })
    const head = await ask(proxied, `${base}/leads`, { method: 'HEAD' })
    expect([head.statusCode, head.headers['content-length'], await text(head)]).toEqual([200, '1234', ''])
    const none = await ask(proxied, `${base}/leads`)
    expect([none.statusCode, none.headers['transfer-encoding'], await text(none)]).toEqual([204, undefined, ''])
  })

  it('the wish to continue, and the body after the deployment agrees', async () => {
    const proxied = await proxyToServer((asked, response) => {
      expect(asked.headers.expect).toBe('100-continue')
      response.writeContinue()
      void text(asked).then((body) => response.end(body.toUpperCase()))
    })
    const sent = send(`${proxied.proxy.url}${base}/leads`, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': '5' },
    })
    sent.flushHeaders()
    await once(sent, 'continue')
    sent.end('hello')
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    expect(await text(reply)).toBe('HELLO')
  })

  it('the refusal of a body that the client offers', async () => {
    const proxied = await proxyToServer((_asked, response) => void response.writeHead(417).end())
    const sent = send(`${proxied.proxy.url}${base}/leads`, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': '5' },
    })
    sent.flushHeaders()
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    expect(reply.statusCode).toBe(417)
    sent.destroy()
  })

  it('each part of a stream as it comes', async () => {
    let next = () => {}
    const proxied = await proxyToServer((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
      next = () => void response.end('data: 2\n\n')
    })
    const reply = await ask(proxied, '/_sim/stream')
    const parts: string[] = []
    for await (const part of reply) {
      parts.push(String(part))
      next()
    }
    expect(parts).toEqual(['data: 1\n\n', 'data: 2\n\n'])
  })
})
