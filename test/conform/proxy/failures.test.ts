import { once } from 'node:events'
import { request as send } from 'node:http'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../../src/contract/errors/error-codes.js'
import { freePort } from '../../support/servers/free-port.js'
import { ask, base, errorOf, json, proxyTo, proxyToServer } from './proxied.js'

describe('a connection that fails', () => {
  it('is reported as 502 with a code that the API does not have', async () => {
    const proxied = await proxyTo(`http://127.0.0.1:${await freePort()}${base}`)
    const reply = await ask(proxied, `${base}/leads`, { method: 'POST', body: '{}' })
    const { code, message, request_id } = await errorOf(reply)
    expect([reply.statusCode, code, request_id]).toEqual([502, 'deployment_unreachable', null])
    expect(errorCodes).not.toContain(code)
    expect(message).toMatch(
      /^The deployment at 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\. Check that it runs\.$/,
    )
    const [record] = await proxied.ended(1)
    expect(record).toMatchObject({ status: null, request_id: null, departures: [], error: message })
  })

  it('breaks off the reply, so that the client does not take a part for the whole', async () => {
    const proxied = await proxyToServer((_asked, response) => {
      response.writeHead(200, { ...json, 'content-length': '100' })
      response.write('{"data":', () => response.destroy())
    })
    const reply = await ask(proxied, `${base}/leads`)
    await expect(text(reply)).rejects.toThrow('aborted')
    expect((await proxied.ended(1))[0]).toMatchObject({ status: 200, error: 'The deployment broke off its reply.' })
  })

  it('was idle and has gone: a read is sent again on another one', async () => {
    let connections = 0
    // Closes each connection at its second request, without an answer.
    const server = createServer((socket) => {
      connections++
      let requests = 0
      socket.on('error', () => undefined)
      socket.on('data', () => {
        if (++requests > 1) socket.destroy()
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const proxied = await proxyTo(`http://127.0.0.1:${port}${base}`)
    for (const method of ['GET', 'GET', 'POST', 'POST']) {
      expect(await text(await ask(proxied, base, { method }))).toBe('ok')
    }
    // Two for the reads, and one for each write, because a write must not be sent twice.
    expect(connections).toBe(4)
    server.close()
  })

  it('is ended by the client, and then to the deployment too', async () => {
    let closed: Promise<unknown> = Promise.resolve()
    const proxied = await proxyToServer((_asked, response) => {
      closed = once(response, 'close')
      response.writeHead(200, json)
      response.write('{')
    })
    const reply = await ask(proxied, `${base}/leads`)
    reply.on('error', () => undefined)
    reply.destroy()
    const [record] = await proxied.ended(1)
    await closed
    expect(record).toMatchObject({ status: 200, departures: [], error: 'The client closed the connection.' })
  })

  it('is ended by the client before the reply', async () => {
    let closed: Promise<unknown> = Promise.resolve()
    let arrived = () => {}
    const arrival = new Promise<void>((resolve) => (arrived = resolve))
    const proxied = await proxyToServer((_asked, response) => {
      closed = once(response, 'close')
      arrived()
    })
    const sent = send(`${proxied.proxy.url}${base}/leads`).on('error', () => undefined)
    sent.end()
    await arrival
    sent.destroy()
    const [record] = await proxied.ended(1)
    await closed
    expect(record).toMatchObject({ status: null, error: 'The client closed the connection.' })
  })
})

describe('the proxy refuses', () => {
  it.each([
    ['a name that was made to point here', { host: 'evil.test' }],
    ['an address of another machine', { host: '10.0.0.1:4020' }],
    ['a page of another origin', { origin: 'http://evil.test' }],
    ['a page of another port', { origin: 'http://127.0.0.1:3000' }],
    ['a page without an origin', { origin: 'null' }],
    ['an image of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('%s, and passes nothing on', async (_title, headers) => {
    let asked = 0
    const proxied = await proxyToServer((_request, response) => (asked++, void response.end()))
    const reply = await ask(proxied, `${base}/leads`, { headers: headers as Record<string, string> })
    expect(reply.statusCode).toBe(403)
    const { code } = await errorOf(reply)
    expect(code).toBe('foreign_request')
    expect(errorCodes).not.toContain(code)
    expect([asked, proxied.records.length, proxied.refused.length]).toEqual([0, 0, 1])
  })

  it('a request to a whole address, because it is no general proxy', async () => {
    const proxied = await proxyToServer((_asked, response) => void response.end())
    const socket = connect(Number(new URL(proxied.proxy.url).port), '127.0.0.1')
    socket.write('GET http://example.com/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /)
  })

  it.each([['localhost'], ['127.0.0.1:1'], ['[::1]:4020']])('no request for %s', async (host) => {
    const proxied = await proxyToServer((_asked, response) => void response.end())
    expect((await ask(proxied, base, { headers: { host } })).statusCode).toBe(200)
  })
})
