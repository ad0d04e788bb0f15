/** What the courier sends, what it takes for an answer, and how it stops. */
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../simulator/kernel/system-clock.js'
import {
  body,
  courierWith,
  deliver,
  gone,
  parcelTo,
  rawReceiver,
  receiverWith,
  secret,
} from '../../support/dispatch.js'

describe('a try', () => {
  it('posts the very bytes with all headers, signed at that moment', async () => {
    const receiver = await receiverWith()
    const outcome = await deliver(`${receiver.url}/hooks/a%20b?x=1`)
    const got = await receiver.next()
    expect(got).toMatchObject({ method: 'POST', path: '/hooks/a%20b?x=1', rawBody: body })
    expect(got.headers).toMatchObject({
      'user-agent': 'Service-Webhooks/1.0',
      'content-type': 'application/json',
      'content-length': String(body.length),
      'service-event-id': 'evt_1',
      'service-event-type': 'lead.created',
      'service-delivery-id': 'd1',
      'service-delivery-attempt': '1',
      connection: 'close',
    })
    const signature = String(got.headers['service-signature'])
    expect(Stripe.webhooks.constructEvent(got.rawBody, signature, secret, 2)).toMatchObject({ id: 'evt_1' })
    expect(outcome).toMatchObject({ responseStatus: 200, responseBody: '', error: null })
    expect(outcome.durationMs).toBeGreaterThan(0)
  })

  it('signs with the clock of the machine it was given, and every secret in force', async () => {
    const receiver = await receiverWith()
    const at = 1_790_000_000_999
    await deliver(receiver.url, courierWith({ machine: { ...systemClock, now: () => at } }), {
      secrets: () => ['whsec_new_0123456789', 'whsec_old_0123456789'],
    })
    const signature = String((await receiver.next()).headers['service-signature'])
    expect(signature).toMatch(/^t=1790000000,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    for (const one of ['whsec_new_0123456789', 'whsec_old_0123456789']) {
      expect(Stripe.webhooks.constructEvent(body, signature, one, 1, undefined, at)).toMatchObject({ id: 'evt_1' })
    }
  })

  it.each([200, 201, 202, 204, 226, 299])('tells of an answer of %d', async (status) => {
    const receiver = await receiverWith(() => ({ status }))
    const outcome = await deliver(receiver.url)
    expect(outcome).toMatchObject({ responseStatus: status, error: null })
  })

  it.each([304, 400, 401, 404, 410, 429, 500, 503, 599])(
    'tells of an answer of %d, with what was answered, and tries no second time',
    async (status) => {
      const receiver = await receiverWith(() => ({
        status,
        headers: { 'retry-after': '1' },
        body: status === 304 ? '' : 'no',
      }))
      const outcome = await deliver(receiver.url)
      expect(outcome).toMatchObject({ responseStatus: status, responseBody: status === 304 ? '' : 'no', error: null })
      expect(receiver.requests).toHaveLength(1)
    },
  )

  it.each([301, 302, 303, 307, 308])('tells of an answer of %d and never goes where it points', async (status) => {
    const target = await receiverWith()
    const receiver = await receiverWith(() => ({ status, headers: { location: target.url } }))
    const outcome = await deliver(receiver.url)
    expect(outcome).toMatchObject({ responseStatus: status, error: null })
    expect([receiver.requests.length, target.requests.length]).toEqual([1, 0])
  })

  it('makes a connection of its own each time', async () => {
    const { url, sockets } = await rawReceiver((socket) => {
      socket.once(
        'data',
        () => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n'),
      )
    })
    const courier = courierWith()
    for (const _ of [1, 2, 3]) {
      const outcome = await deliver(url, courier)
      expect(outcome.responseStatus).toBe(200)
      await gone(sockets)
    }
  })

  it('sends nothing when there is nothing to send any more', async () => {
    const receiver = await receiverWith()
    const courier = courierWith()
    expect(await courier.send('lane', () => null)).toBeNull()
    expect(await courier.send('lane', () => parcelTo(receiver.url, { secrets: () => [] }))).toBeNull()
    await deliver(receiver.url, courier)
    expect(receiver.requests).toHaveLength(1)
  })

  it('passes on an error of the caller, and the lane goes on', async () => {
    const receiver = await receiverWith()
    const courier = courierWith()
    const broken = courier.send('lane', () => {
      throw new Error('no such delivery')
    })
    await expect(broken).rejects.toThrow('no such delivery')
    expect(await deliver(receiver.url, courier)).toMatchObject({ responseStatus: 200 })
  })
})

describe('the body of an answer', () => {
  const answered = async (answer: string | Buffer) => {
    const receiver = await receiverWith(() => ({ body: answer }))
    return (await deliver(receiver.url)).responseBody
  }

  it.each([0, 1, 4_095, 4_096, 4_097, 100_000])('is kept up to 4,096 bytes: %d bytes', async (length) => {
    expect(await answered('x'.repeat(length))).toBe('x'.repeat(Math.min(length, 4_096)))
  })

  it('is cut at a whole character', async () => {
    expect(await answered('x' + '☎'.repeat(2_000))).toBe('x' + '☎'.repeat(1_365))
    expect(await answered('😀'.repeat(1_024) + '!')).toBe('😀'.repeat(1_024))
  })

  it('is shown with replacement characters where it is no UTF-8', async () => {
    expect(await answered(Buffer.from([0x61, 0xff, 0xfe, 0x62]))).toBe('a\ufffd\ufffdb')
    expect(await answered(Buffer.from([0x61, 0xe2, 0x98]))).toBe('a\ufffd')
    expect(await answered('\ufeffmarked')).toBe('\ufeffmarked')
  })

  it('is not unpacked', async () => {
    const receiver = await receiverWith(() => ({ headers: { 'content-encoding': 'gzip' }, body: 'not gzip' }))
    expect(await deliver(receiver.url)).toMatchObject({ responseStatus: 200, responseBody: 'not gzip' })
  })

  it('of a gigabyte is hung up on after its beginning', async () => {
    let written = 0
    const { url, sockets } = await rawReceiver((socket) => {
      const chunk = Buffer.alloc(65_536, 'x')
      const pour = () => {
        while (!socket.destroyed && written < 1e9 && socket.write(chunk)) written += chunk.length
      }
      socket.on('drain', pour).once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n')
        pour()
      })
    })
    const outcome = await deliver(url)
    await gone(sockets)
    expect(outcome).toMatchObject({ responseStatus: 200, error: null, responseBody: 'x'.repeat(4_096) })
    expect(written).toBeLessThan(5e7)
  })

  it('that drips for ever is a success, held no longer than the time for an answer', async () => {
    let drops: NodeJS.Timeout | undefined
    const { url, sockets } = await rawReceiver((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')
        drops = setInterval(() => socket.write('.'), 20)
      })
    })
    // Long enough for the first drops on a busy machine.
    const answerWithinMs = 1_500
    const began = performance.now()
    const outcome = await deliver(url, courierWith({ answerWithinMs }))
    const took = performance.now() - began
    clearInterval(drops)
    await gone(sockets)
    expect(outcome).toMatchObject({ error: null, responseBody: expect.stringMatching(/^\.+$/) as string })
    expect(outcome.durationMs).toBeLessThan(answerWithinMs)
    expect(took).toBeGreaterThan(answerWithinMs - 5)
  })

  it.each([
    ['breaks off', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart'],
    ['is badly chunked', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\nzz\r\n'],
  ])('changes nothing about success when it %s', async (_, text) => {
    const { url } = await rawReceiver((socket) => void socket.once('data', () => void socket.end(text)))
    const outcome = await deliver(url)
    expect(outcome).toMatchObject({ responseStatus: 200, error: null })
    expect('part'.startsWith(outcome.responseBody ?? '?')).toBe(true)
  })
})

describe('closing', () => {
  it('hangs up at once, says so, and lets go of what waits', async () => {
    const receiver = await receiverWith(() => new Promise(() => undefined))
    const courier = courierWith({ answerWithinMs: 3_600_000 })
    const sent = Array.from({ length: 7 }, () => courier.send('lane', () => parcelTo(receiver.url)))
    await receiver.waitFor(5)
    await courier.close()
    const outcomes = await Promise.all(sent)
    expect(outcomes.map((outcome) => outcome?.error ?? null)).toEqual([
      ...Array<string>(5).fill('interrupted'),
      null,
      null,
    ])
    expect(await courier.send('lane', () => parcelTo(receiver.url))).toBeNull()
    expect(receiver.requests).toHaveLength(5)
  })
})
