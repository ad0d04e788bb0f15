import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Receiver } from './receiver.js'

let receiver: Receiver
beforeEach(async () => {
  receiver = await Receiver.start()
})
afterEach(() => receiver.close())

const post = (path: string, body: string) =>
  request(receiver.url + path, { method: 'POST', body, headers: { 'x-mark': 'one' } })

describe('a receiver', () => {
  it('keeps the bytes, headers and target of what it gets', async () => {
    const before = Date.now()
    await post('/hooks?a=1', '{"name":"Zoë"}')
    const [got] = await receiver.waitFor(1)
    expect(got).toMatchObject({ method: 'POST', path: '/hooks?a=1', headers: { 'x-mark': 'one' } })
    expect(got?.rawBody).toEqual(Buffer.from('{"name":"Zoë"}'))
    expect(got?.at).toBeGreaterThanOrEqual(before)
  })

  it('answers 200 until it is told otherwise', async () => {
    expect((await post('/', '')).statusCode).toBe(200)
    receiver.answer = (got) => ({ status: 503, headers: { 'retry-after': '7' }, body: got.rawBody })
    const reply = await post('/', 'again')
    expect([reply.statusCode, reply.headers['retry-after'], await reply.body.text()]).toEqual([503, '7', 'again'])
  })

  it('gives requests one by one, those that came and those to come', async () => {
    await post('/first', '')
    expect((await receiver.next()).path).toBe('/first')
    const second = receiver.next()
    const third = receiver.next()
    await post('/second', '')
    await post('/third', '')
    expect([(await second).path, (await third).path]).toEqual(['/second', '/third'])
  })

  it('says what it waited for when nothing more comes', async () => {
    await post('/only', '')
    await expect(receiver.waitFor(2, 20)).rejects.toThrow(
      'the receiver waited 20 ms for 2 requests and had 1:\n  POST /only',
    )
  })

  it('cuts a connection instead of answering when told to', async () => {
    receiver.answer = (_got, response) => void response.destroy()
    await expect(post('/', '')).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
  })

  it('counts how many requests were open at once, and closes while they hang', async () => {
    receiver.answer = () => new Promise(() => {})
    const hanging = Promise.allSettled([post('/a', ''), post('/b', ''), post('/c', '')])
    await receiver.waitFor(3)
    expect(receiver.mostAtOnce).toBe(3)
    await receiver.close()
    expect((await hanging).map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected'])
    receiver = await Receiver.start()
  })
})
