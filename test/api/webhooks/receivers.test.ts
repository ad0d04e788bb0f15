/** Receivers that misbehave, over real sockets: what counts as an answer, ten seconds by every measure, and what is kept of it. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Delivery } from '../../../src/contract/deliveries.js'
import type { WebhookEndpoint } from '../../../src/contract/webhook-endpoints.js'
import { gone, rawReceiver } from '../../support/dispatch.js'
import { ManualMachine } from '../../support/manual-machine.js'
import { Program } from '../../support/programs/program.js'
import { simulate, type Simulation } from '../../support/simulate.js'

interface Sent {
  sim: Simulation
  machine: ManualMachine
  delivery: () => Promise<Delivery | undefined>
  /** The try and what is written down of it. */
  over: Promise<unknown>
}

/** One event on its way to the URL, at a moment that does not pass. */
async function send(url: string): Promise<Sent> {
  const machine = new ManualMachine()
  const sim = await simulate({ machine, allowLocalWebhooks: true })
  await sim.changeCampaign({ lines: 0 })
  const { data } = await sim.live.post<WebhookEndpoint>('/webhook_endpoints', { url, events: ['lead.created'] })
  await sim.lead()
  const over = sim.advance('0s')
  const delivery = async () => (await sim.live.get<Delivery[]>(`/webhook_endpoints/${data.id}/deliveries`)).data[0]
  return { sim, machine, delivery, over }
}

/** As `send`, once the try has begun. */
async function sendAndHang(url: string): Promise<Sent> {
  const sent = await send(url)
  await expect.poll(() => sent.machine.timersOf(10_000)).toBe(1)
  return sent
}

const later = '2026-10-01T15:01:00.000Z'
const noAnswer = { status: 'failed', attempts: 1, response_status: null, response_body: null, next_attempt_at: later }
const taken = { status: 'sent', attempts: 1, next_attempt_at: null }
const refused = { status: 'failed', attempts: 1, next_attempt_at: later }

/** Answers each request with the same bytes, and leaves the connection open. */
const answering = (bytes: string | Buffer) =>
  rawReceiver((socket) => void socket.once('data', () => socket.write(bytes)))

/** The connection on which the answer has begun. What is written earlier would come before the status line. */
async function answeringSocket(sockets: ReadonlySet<Socket>): Promise<Socket> {
  const begun = () => [...sockets].find(({ bytesWritten }) => bytesWritten > 0)
  await expect.poll(begun).toBeDefined()
  return begun() as Socket
}

const head = (status: number | string, ...headers: string[]) =>
  [`HTTP/1.1 ${status} Whatever`, ...headers, '', ''].join('\r\n')

// rule W2
describe('an answer of status', () => {
  it.each([200, 204, 299])('%i is taken', async (status) => {
    const { url } = await answering(head(status, 'Content-Length: 0'))
    const { delivery, over } = await send(url)
    await over
    expect(await delivery()).toMatchObject({ ...taken, response_status: status, response_body: '' })
  })

  it.each([300, 304, 307, 399, 400, 410, 429, 499, 500, 599, 600, 999])('%i is a failure', async (status) => {
    const { url } = await answering(head(status, 'Content-Length: 0', 'Location: /elsewhere', 'Retry-After: 1'))
    const { delivery, over } = await send(url)
    await over
    expect(await delivery()).toMatchObject({ ...refused, response_status: status, response_body: '' })
  })

  it.each([102, 103, 199])('%i is waited over: what comes after it is the answer', async (status) => {
    const { url } = await answering(head(status, 'Link: </a>') + head(status) + head(202, 'Content-Length: 2') + 'ok')
    const { delivery, over } = await send(url)
    await over
    expect(await delivery()).toMatchObject({ ...taken, response_status: 202, response_body: 'ok' })
  })
})

/** What it does with a connection on which nothing ever comes that would be an answer. */
const hanging: Record<string, (socket: Socket) => void> = {
  'reads the request and says nothing': () => undefined,
  'stops in the status line': (socket) => void socket.write('HTTP/1.1 20'),
  'stops in the headers': (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-'),
  'has all but the last line break': (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r'),
  'says again and again that it is at it': (socket) => void socket.write(head(102).repeat(50)),
}

describe('no answer within ten seconds is a failure, and is hung up on:', () => {
  /** Up to the last millisecond the try is open; then it is over, after ten seconds. */
  async function timesOut({ machine, delivery, over }: Sent, passed = 0): Promise<void> {
    machine.pass(9_999 - passed)
    expect(await delivery()).toMatchObject({ status: 'pending', attempts: 0 })
    machine.pass(1)
    await over
    expect(await delivery()).toMatchObject({ ...noAnswer, duration_ms: 10_000 })
  }

  it.each(Object.entries(hanging))('a receiver that %s', async (_what, then) => {
    const asked: Promise<unknown>[] = []
    const { url, sockets } = await rawReceiver((socket) => asked.push(once(socket, 'data').then(() => then(socket))))
    const sent = await sendAndHang(url)
    await expect.poll(() => asked.length).toBe(1)
    await asked[0]
    await timesOut(sent)
    await gone(sockets)
  })

  it.each([
    ['says nothing', Buffer.alloc(0)],
    ['stops in its first record', Buffer.from('160303007a020000', 'hex')],
  ])('a receiver that in the making of TLS %s', async (_what, bytes) => {
    const { url, sockets } = await answering(bytes)
    const sent = await sendAndHang(url.replace('http:', 'https:'))
    await expect.poll(() => sockets.size).toBe(1)
    await timesOut(sent)
    await gone(sockets)
  })

  it.runIf(process.platform === 'linux')('a receiver that takes no connection', async () => {
    const program = Program.start('programs/deaf-program.ts')
    const port = Number(await program.line())
    program.suspend()
    // The operating system accepts as many connections as its queue holds.
    const waiting = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
    onTestFinished(() => waiting.forEach((socket) => socket.destroy()))
    await Promise.race(waiting.map((socket) => once(socket, 'connect')))
    await timesOut(await sendAndHang(`http://127.0.0.1:${port}/`))
  })

  it('a receiver whose headers drip, one each second', async () => {
    const { url, sockets } = await answering('HTTP/1.1 200 OK\r\n')
    const sent = await sendAndHang(url)
    const socket = await answeringSocket(sockets)
    for (let second = 1; second < 10; second++) {
      await new Promise((written) => socket.write(`X-${second}: drop\r\n`, written))
      sent.machine.pass(1_000)
    }
    await timesOut(sent, 9_000)
    await gone(sockets)
  })
})

/** Bytes that are not an HTTP response, or an invalid one. */
const malformed: Record<string, string | Buffer> = {
  'no HTTP at all': 'hello\r\n\r\n',
  'a mail server': '220 mail.example.com ESMTP\r\n',
  'another version': 'HTTP/9.9 200 OK\r\n\r\n',
  'a status of no three digits': 'HTTP/1.1 20 OK\r\n\r\n',
  'a status of four digits': 'HTTP/1.1 2000 OK\r\n\r\n',
  'a status below 100': head('099', 'Content-Length: 0'),
  'lines that end in a line feed alone': 'HTTP/1.1 200 OK\nContent-Length: 0\n\n',
  'a header without a colon': head(200, 'bad header'),
  'a header with a null byte': head(200, 'X: a\0b'),
  'two lengths': head(200, 'Content-Length: 1', 'Content-Length: 2'),
  'a length and chunks': head(200, 'Content-Length: 2', 'Transfer-Encoding: chunked') + '2\r\nok\r\n0\r\n\r\n',
  'a length that is no number': head(200, 'Content-Length: two'),
  'a switch to another protocol': head(101, 'Upgrade: x', 'Connection: upgrade'),
  'a go-ahead nobody asked for': head(100) + head(200, 'Content-Length: 0'),
  'headers beyond 16 KB': head(200, `X: ${'a'.repeat(20_000)}`, 'Content-Length: 0'),
  'headers without end': 'HTTP/1.1 200 OK\r\n' + 'X: a\r\n'.repeat(50_000),
}

describe('what is no answer is a failure at once:', () => {
  it.each(Object.entries(malformed))('%s', async (_what, bytes) => {
    const { url, sockets } = await answering(bytes)
    const { delivery, over } = await send(url)
    await over
    expect(await delivery()).toMatchObject({ ...noAnswer, duration_ms: 0 })
    await gone(sockets)
  })

  it.each<[string, (socket: Socket) => void]>([
    ['is closed as soon as it is made', (socket) => void socket.destroy()],
    ['is reset as soon as it is made', (socket) => void socket.resetAndDestroy()],
    ['is closed after the request', (socket) => void socket.once('data', () => socket.end())],
    ['is reset after the request', (socket) => void socket.once('data', () => socket.resetAndDestroy())],
    ['is closed in the status line', (socket) => void socket.once('data', () => socket.end('HTTP/1.1 2'))],
    ['is closed in the headers', (socket) => void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nX: '))],
  ])('a connection that %s', async (_what, serve) => {
    const { url } = await rawReceiver(serve)
    const { delivery, over } = await send(url)
    await over
    expect(await delivery()).toMatchObject(noAnswer)
  })

  it('a port where nobody listens', async () => {
    const { url, close } = await rawReceiver(() => undefined)
    await close()
    const { delivery, over } = await send(url)
    await over
    expect(await delivery()).toMatchObject(noAnswer)
  })

  it('a receiver that speaks no TLS where it should', async () => {
    const { url } = await answering(head(400, 'Content-Length: 0'))
    const { delivery, over } = await send(url.replace('http:', 'https:'))
    await over
    expect(await delivery()).toMatchObject(noAnswer)
  })
})

describe('once status line and headers are there, the body changes nothing:', () => {
  const both = [
    [200, taken],
    [500, refused],
  ] as const

  it.each(both)('one that drips after %i is read for ten seconds, for the log', async (status, expected) => {
    const { url, sockets } = await answering(head(status, 'Content-Length: 100000'))
    const { machine, delivery, over } = await sendAndHang(url)
    const socket = await answeringSocket(sockets)
    for (let second = 1; second < 10; second++) {
      await new Promise((written) => socket.write('.', written))
      machine.pass(1_000)
    }
    expect(await delivery()).toMatchObject({ status: 'pending' })
    machine.pass(1_000)
    await over
    const body = expect.stringMatching(/^\.{0,9}$/)
    expect(await delivery()).toMatchObject({
      ...expected,
      response_status: status,
      response_body: body,
      duration_ms: 0,
    })
    await gone(sockets)
  })

  it.each(both)('one without end after %i is hung up on after 4 KB', async (status, expected) => {
    let written = 0
    const { url, sockets } = await rawReceiver((socket) => {
      const pour = () => {
        while (!socket.destroyed && written < 1e9 && socket.write(Buffer.alloc(65_536, 'x'))) written += 65_536
      }
      socket.on('drain', pour).once('data', () => socket.write(head(status), pour))
    })
    const { delivery, over } = await send(url)
    await over
    await gone(sockets)
    expect(await delivery()).toMatchObject({ ...expected, response_status: status, response_body: 'x'.repeat(4_096) })
    expect(written).toBeLessThan(1e8)
  })

  it.each(both)('one that is reset after %i keeps what came', async (status, expected) => {
    const { url } = await rawReceiver((socket) => {
      socket.once('data', () =>
        socket.write(`${head(status, 'Content-Length: 9')}part`, () => socket.resetAndDestroy()),
      )
    })
    const { delivery, over } = await send(url)
    await over
    expect(await delivery()).toMatchObject({ ...expected, response_status: status })
  })

  it.each([
    ['no UTF-8', Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x62]), 'a\ufffd\ufffd(b'],
    ['cut in a character', Buffer.from('☎').subarray(0, 2), '\ufffd'],
    ['a null byte', Buffer.from('a\0b'), 'a\0b'],
    ['half a surrogate pair', Buffer.from([0xed, 0xa0, 0x80]), '\ufffd\ufffd\ufffd'],
  ])('%s is kept as text', async (_what, bytes, text) => {
    const { url } = await answering(Buffer.concat([Buffer.from(head(200, `Content-Length: ${bytes.length}`)), bytes]))
    const { delivery, over } = await send(url)
    await over
    expect(await delivery()).toMatchObject({ ...taken, response_body: text })
  })

  it.each([
    ['deeply nested arrays', '['.repeat(500_000)],
    ['deeply nested objects', '{"a":'.repeat(200_000)],
    ['a megabyte of numbers in nested arrays', `${'['.repeat(3_000)}${'1,'.repeat(500_000)}`],
    ['orders to a terminal', '\u001b]52;c;ZXZpbA==\u0007\u009b2J\u202e'],
  ])('%s are kept as the first 4 KB of a text', async (_what, text) => {
    const { url } = await answering(head(200, `Content-Length: ${Buffer.byteLength(text)}`) + text)
    const { delivery, over } = await send(url)
    await over
    expect(await delivery()).toMatchObject({ ...taken, response_body: text.slice(0, 4_096) })
  })

  it('compressed bytes are kept as they came, and never unpacked', async () => {
    const zip = gzipSync(Buffer.alloc(20_000_000))
    const { url } = await answering(
      Buffer.concat([Buffer.from(head(200, 'Content-Encoding: gzip', `Content-Length: ${zip.length}`)), zip]),
    )
    const { delivery, over } = await send(url)
    await over
    const { response_body } = (await delivery()) ?? {}
    expect(Buffer.from(response_body ?? '').length).toBeLessThan(3 * 4_096)
    expect(response_body?.startsWith('\u001f\ufffd')).toBe(true)
  })

  it.each([301, 302, 303, 307, 308])('a redirect by %i to another server is not followed', async (status) => {
    let asked = 0
    const elsewhere = await rawReceiver(() => void asked++)
    const { url } = await answering(head(status, `Location: ${elsewhere.url}`, 'Content-Length: 0'))
    const { delivery, over } = await send(url)
    await over
    expect(await delivery()).toMatchObject({ ...refused, response_status: status })
    expect(asked).toBe(0)
  })

  it('bad chunks after it are passed over', async () => {
    const { url } = await answering(head(200, 'Transfer-Encoding: chunked') + '4\r\npart\r\nzz\r\n')
    const { delivery, over } = await send(url)
    await over
    expect(await delivery()).toMatchObject({ ...taken, response_status: 200 })
  })
})

it('a receiver that hung is tried again a minute later as if nothing had been', async () => {
  const answers = [undefined, head(200, 'Content-Length: 0')]
  const { url } = await rawReceiver((socket) => {
    const answer = answers.shift()
    socket.once('data', () => answer && socket.write(answer))
  })
  const { sim, machine, delivery, over } = await sendAndHang(url)
  machine.pass(10_000)
  await over
  await sim.advance('1m')
  expect(await delivery()).toMatchObject({ status: 'sent', attempts: 2, response_status: 200 })
})
