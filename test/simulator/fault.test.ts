/** Receivers that give no answer, in every way they can, and the word the courier has for each. */
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { certificate, key } from '../support/servers/certificate.js'
import {
  answerWithinMs,
  closing,
  courierWith,
  deliver,
  gone,
  impatientCourier,
  rawReceiver,
  receiverWith,
} from '../support/dispatch.js'
import { Receiver } from '../support/deliveries/receiver.js'

/** Reads the request and answers with these bytes, then leaves the connection open. */
const says = (text: string) => rawReceiver((socket) => void socket.once('data', () => void socket.write(text)))

describe('a receiver', () => {
  const failed = (error: string) => ({ responseStatus: null, responseBody: null, error })

  it.each([
    ['nothing', ''],
    ['half a status line', 'HTTP/1.1 20'],
    ['half its headers', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Slow: '],
    ['only promises', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20)],
  ])('that sends %s in time is given up', async (_, text) => {
    const { url, sockets } = await says(text)
    const outcome = await deliver(url, impatientCourier())
    expect(outcome).toMatchObject(failed('timeout'))
    expect(outcome.durationMs).toBeGreaterThanOrEqual(answerWithinMs - 5)
    await gone(sockets)
  })

  it('that is not listening refused the connection, under either name of this machine', async () => {
    const receiver = await Receiver.start()
    const { url } = receiver
    await receiver.close()
    expect(await deliver(url)).toMatchObject(failed('connection_refused'))
    expect(await deliver(url.replace('127.0.0.1', 'localhost'))).toMatchObject(failed('connection_refused'))
  })

  it.each([
    ['resets', (socket: Socket) => void socket.resetAndDestroy()],
    ['closes', (socket: Socket) => void socket.end()],
    ['closes in the middle of its headers', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nX-A: b')],
  ])('that %s the connection has reset it', async (_, act) => {
    const { url } = await rawReceiver((socket) => void socket.once('data', () => act(socket)))
    expect(await deliver(url)).toMatchObject(failed('connection_reset'))
  })

  it.each([
    ['something that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],

    ['an invitation that it never made', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
    ['another protocol it does not name', 'HTTP/1.1 101 Switching Protocols\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
    ['a status below all', 'HTTP/1.1 099 Less\r\nContent-Length: 0\r\n\r\n'],
    ['two different lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ])('that sends %s gave a bad response', async (_, text) => {
    const { url } = await says(text)
    expect(await deliver(url)).toMatchObject(failed('bad_response'))
  })

  it('that sends headers without end gave a response that is too large', async () => {
    const { url } = await says(`HTTP/1.1 200 OK\r\n${'X-Long: abcdefghijklmnopqrstuvwxyz\r\n'.repeat(10_000)}\r\n`)
    expect(await deliver(url)).toMatchObject(failed('too_large'))
  })

  it('with a certificate of nobody known has a TLS error, and is reached once it is trusted', async () => {
    const server = createServer({ key, cert: certificate }, (_request, response) => void response.end('sealed'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing({ close: () => new Promise((resolve) => server.close(resolve)) })
    const { port } = server.address() as AddressInfo
    const trusting = courierWith({ authorities: certificate })
    expect(await deliver(`https://localhost:${port}/`)).toMatchObject(failed('tls_error'))
    expect(await deliver(`https://localhost:${port}/`, trusting)).toMatchObject({ responseBody: 'sealed', error: null })
    expect(await deliver(`https://127.0.0.1:${port}/`, trusting)).toMatchObject(failed('tls_error'))
  })

  it('that was to speak TLS and speaks plain HTTP has a TLS error, one that is mute is given up', async () => {
    const plain = await receiverWith()
    expect(await deliver(plain.url.replace('http', 'https'))).toMatchObject(failed('tls_error'))
    const mute = await rawReceiver((socket) => void socket.resume())
    expect(await deliver(mute.url.replace('http', 'https'), impatientCourier())).toMatchObject(failed('timeout'))
    await gone(mute.sockets)
  })
})
