/** Rate limits of a key and its organization, in system time: refusals and how long they say to wait. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ManualMachine } from '../support/manual-machine.js'
import { simulate, type Client, type Reply, type Simulation } from '../support/simulate.js'

/** A simulator with limits on a machine whose time the test passes; it begins with a minute of the clock. */
async function limited(): Promise<{ sim: Simulation; machine: ManualMachine }> {
  const machine = new ManualMachine()
  return { sim: await simulate({ limits: true, machine }), machine }
}

const ask = (client: Client) => client.get('/usage')

async function askTimes(client: Client, times: number): Promise<Reply[]> {
  const replies: Reply[] = []
  for (let n = 0; n < times; n++) replies.push(await ask(client))
  return replies
}

const limits = ({ headers }: Reply) => [
  headers['ratelimit-limit'],
  headers['ratelimit-remaining'],
  headers['ratelimit-reset'],
]

// rule L2
describe('requests a minute', () => {
  it('come twenty at once, then two a second', async () => {
    const { sim, machine } = await limited()
    for (const { status } of await askTimes(sim.live, 20)) expect(status).toBe(200)
    const refused = await ask(sim.live)
    expect(refused.error).toMatchObject({ code: 'rate_limited', type: 'rate_limit_error' })
    expect(refused.headers['retry-after']).toBe('1')
    machine.pass(499)
    expect((await ask(sim.live)).status).toBe(429)
    machine.pass(1)
    expect((await ask(sim.live)).status).toBe(200)
    expect((await ask(sim.live)).status).toBe(429)
    machine.pass(60_000)
    expect((await askTimes(sim.live, 21)).map(({ status }) => status)).toEqual([...Array<number>(20).fill(200), 429])
  })

  it('are at most 120 in a minute of the clock', async () => {
    const { sim, machine } = await limited()
    await askTimes(sim.live, 20)
    for (let second = 1; second <= 50; second++) {
      machine.pass(1000)
      for (const { status } of await askTimes(sim.live, 2)) expect(status).toBe(200)
    }
    machine.pass(500)
    const refused = await ask(sim.live)
    expect(refused.status).toBe(429)
    expect(limits(refused)).toEqual(['120', '0', '10'])
    expect(refused.headers['retry-after']).toBe('10')
    machine.pass(9_500)
    expect((await ask(sim.live)).status).toBe(200)
  })

  // rule C7
  it('are told in every reply, refusals of the endpoint too', async () => {
    const { sim, machine } = await limited()
    machine.pass(1_500)
    expect(limits(await ask(sim.live))).toEqual(['120', '119', '59'])
    expect(limits(await sim.live.get('/leads/nothing'))).toEqual(['120', '118', '59'])
    expect(limits(await sim.live.get('/nothing'))).toEqual(['120', '117', '59'])
    expect(limits(await sim.live.post('/leads', {}))).toEqual(['120', '116', '59'])
  })

  it('are not counted when they are refused, nor without a key', async () => {
    const { sim } = await limited()
    await askTimes(sim.live, 25)
    const { headers } = await sim.send('GET', '/usage', {})
    expect(headers['ratelimit-limit']).toBeUndefined()
    expect(limits(await ask(sim.live))).toEqual(['120', '100', '60'])
  })

  it('have the limits that an administrator gives the key', async () => {
    const { sim } = await limited()
    const key = sim.as(await sim.key({ limits: { requests_per_minute: 3, burst: 10 } }))
    expect((await askTimes(key, 4)).map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(limits(await ask(key))).toEqual(['3', '0', '60'])
  })

  it('of all keys together are those of the plan', async () => {
    const { sim } = await limited()
    await sim.control('PATCH', `/_sim/organizations/${sim.organization.id}`, { requests_per_minute: 5 })
    await askTimes(sim.live, 3)
    expect((await askTimes(sim.test, 3)).map(({ status }) => status)).toEqual([200, 200, 429])
    expect(limits(await ask(sim.live))).toEqual(['5', '0', '60'])
  })

  it('of another organization do not count', async () => {
    const { sim } = await limited()
    const other = await sim.control<Simulation['organization']>('POST', '/_sim/organizations', {
      name: 'Other',
      requests_per_minute: 1,
    })
    await askTimes(sim.live, 5)
    const key = other.keys[0]
    expect((await ask(sim.as(key ?? sim.live.key))).status).toBe(200)
  })

  it('do not follow the simulated clock', async () => {
    const { sim } = await limited()
    await askTimes(sim.live, 20)
    await sim.advance('1h')
    expect((await ask(sim.live)).status).toBe(429)
  })

  // rule L4
  it('always pass after the wait that a refusal names', async () => {
    const { sim, machine } = await limited()
    const key = sim.as(await sim.key({ limits: { requests_per_minute: 30, burst: 7 } }))
    const step = fc.record({ asks: fc.integer({ min: 1, max: 8 }), ms: fc.integer({ min: 0, max: 9_000 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const { asks, ms } of steps) {
          machine.pass(ms)
          const refused = (await askTimes(key, asks)).find(({ status }) => status === 429)
          if (!refused) continue
          machine.pass(Number(refused.headers['retry-after']) * 1000)
          expect((await ask(key)).status).toBe(200)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('are not limited, and no header says so, without limits', async () => {
    const sim = await simulate()
    for (const reply of await askTimes(sim.live, 30))
      expect([reply.status, ...limits(reply)]).toEqual([200, undefined, undefined, undefined])
  })
})

// rule L3
describe('new leads a minute', () => {
  const batch = (sim: Simulation, client: Client, count: number, more: object = {}) =>
    client.post<{ succeeded: number }>('/leads/batch', {
      campaign_id: sim.campaignId,
      leads: Array.from({ length: count }, () => ({ phone: sim.phone() })),
      ...more,
    })

  it('are sixty in any sixty seconds, and each lead of a batch counts', async () => {
    const { sim, machine } = await limited()
    expect((await batch(sim, sim.live, 40)).data.succeeded).toBe(40)
    machine.pass(30_000)
    const refused = await batch(sim, sim.live, 21)
    expect(refused.error).toMatchObject({ code: 'lead_rate_limited', type: 'rate_limit_error' })
    expect(refused.headers['retry-after']).toBe('30')
    expect(await sim.live.all('/leads')).toHaveLength(40)
    expect((await batch(sim, sim.live, 20)).status).toBe(200)
    const one = await sim.live.post('/leads', { campaign_id: sim.campaignId, phone: sim.phone() })
    expect(one.error.code).toBe('lead_rate_limited')
    machine.pass(30_000)
    expect((await batch(sim, sim.live, 40)).status).toBe(200)
  })

  it('count when they are refused, and not on a dry run', async () => {
    const { sim } = await limited()
    const key = sim.as(await sim.key({ limits: { leads_per_minute: 2 } }))
    const send = (phone: string, more: object = {}) =>
      key.post('/leads', { campaign_id: sim.campaignId, phone, ...more })
    for (let n = 0; n < 3; n++) expect((await send(sim.phone(), { dry_run: true })).status).toBe(200)
    expect((await batch(sim, key, 3, { dry_run: true })).status).toBe(200)
    expect((await send('12')).error.code).toBe('invalid_phone')
    expect((await send(sim.phone())).status).toBe(201)
    expect((await send(sim.phone())).error.code).toBe('lead_rate_limited')
    expect((await send(sim.phone(), { dry_run: true })).status).toBe(200)
  })

  it('are not counted for a replayed answer, nor for a body that is not valid', async () => {
    const { sim } = await limited()
    const key = sim.as(await sim.key({ limits: { leads_per_minute: 1 } }))
    const words = { campaign_id: sim.campaignId, phone: sim.phone() }
    expect((await key.post('/leads', { ...words, colour: 'red' })).status).toBe(400)
    for (let n = 0; n < 3; n++) expect((await key.post('/leads', words, { 'idempotency-key': 'a' })).status).toBe(201)
    const refused = await key.post('/leads', { ...words, phone: sim.phone() }, { 'idempotency-key': 'b' })
    expect(refused.error.code).toBe('lead_rate_limited')
  })

  it('leave the idempotency key free when they are too many', async () => {
    const { sim, machine } = await limited()
    const key = sim.as(await sim.key({ limits: { leads_per_minute: 1 } }))
    const send = (name: string, phone: string) =>
      key.post('/leads', { campaign_id: sim.campaignId, phone }, { 'idempotency-key': name })
    await send('a', sim.phone())
    const phone = sim.phone()
    expect((await send('b', phone)).status).toBe(429)
    machine.pass(60_000)
    expect((await send('b', phone)).status).toBe(201)
  })

  it('are counted below a campaign too', async () => {
    const { sim } = await limited()
    const key = sim.as(await sim.key({ limits: { leads_per_minute: 1 } }))
    expect((await key.post(`/campaigns/${sim.campaignId}/leads`, { phone: sim.phone() })).status).toBe(201)
    const refused = await key.post(`/campaigns/${sim.campaignId}/leads/batch`, { leads: [{ phone: sim.phone() }] })
    expect(refused.error.code).toBe('lead_rate_limited')
  })
})

// rule L1
describe('simultaneous requests', () => {
  /** A request whose body does not come: it runs until it is cut. */
  async function hanging(sim: Simulation, client: Client): Promise<Socket> {
    const { hostname, port } = new URL(sim.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    const head = ['POST /api/v1/external/dnc HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${client.key.secret}`]
    const more = ['Content-Type: application/json', 'Content-Length: 99', 'Expect: 100-continue', '', '']
    socket.write([...head, ...more].join('\r\n'))
    // It has its slot now, before the next request.
    const [heard] = (await once(socket, 'data')) as [Buffer]
    expect(heard.toString()).toMatch(/^HTTP\/1.1 100 /)
    return socket
  }

  /** Asks until the answer is of the status: what a socket does arrives when it arrives. */
  async function until(client: Client, status: number): Promise<Reply> {
    for (let n = 0; n < 2_000; n++) {
      const reply = await ask(client)
      if (reply.status === status) return reply
      await new Promise((resolve) => setImmediate(resolve))
    }
    throw new Error(`no request was answered with ${status}`)
  }

  it('are as many as the key may have; a place is free again when a request is cut off', async () => {
    const sim = await simulate({ limits: true })
    const wide = { requests_per_minute: 1_000_000, burst: 1_000_000 }
    await sim.control('PATCH', `/_sim/organizations/${sim.organization.id}`, { requests_per_minute: 1_000_000 })
    const key = sim.as(await sim.key({ limits: { concurrent_requests: 2, ...wide } }))
    const sockets = [await hanging(sim, key), await hanging(sim, key)]
    const refused = await until(key, 429)
    expect(refused.error).toMatchObject({ code: 'too_many_concurrent_requests', type: 'rate_limit_error' })
    expect(refused.headers['retry-after']).toBe('1')
    expect((await ask(sim.live)).status).toBe(200)
    sockets[0]?.destroy()
    expect((await until(key, 200)).status).toBe(200)
    sockets[1]?.destroy()
  })

  it('are all free again after hundreds of senders hung up, in the headers, in the body or before the answer', async () => {
    const sim = await simulate({ limits: true })
    const wide = { requests_per_minute: 1_000_000, burst: 1_000_000, leads_per_minute: 1_000_000 }
    await sim.control('PATCH', `/_sim/organizations/${sim.organization.id}`, { requests_per_minute: 1_000_000 })
    const key = sim.as(await sim.key({ limits: { concurrent_requests: 10, ...wide } }))
    const hangUp = (n: number) => {
      const body = JSON.stringify({ campaign_id: sim.campaignId, phone: sim.phone() })
      const head = `POST ${new URL(sim.baseUrl).pathname}/leads HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key.key.secret}\r\n`
      const whole = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      const sent = [whole, whole.slice(0, -20), head.slice(0, -10)][n % 3] ?? whole
      return new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(sim.url).port), '127.0.0.1', () => {
          socket.write(sent, () => setImmediate(() => socket.resetAndDestroy()))
        })
        socket.on('error', () => undefined).once('close', () => resolve())
      })
    }
    for (let n = 0; n < 300; n += 30) await Promise.all(Array.from({ length: 30 }, (_, i) => hangUp(n + i)))
    // Slowed, so that all of them run together; the last senders to hang up are heard of when they are.
    const together = async () => {
      await sim.control('DELETE', '/_sim/faults')
      await sim.control('POST', '/_sim/faults', { latency_ms: 300, count: 10, path: '/usage' })
      return (await Promise.all(Array.from({ length: 10 }, () => ask(key)))).map(({ status }) => status)
    }
    await expect.poll(together, { timeout: 10_000 }).toEqual(Array(10).fill(200))
  })
})
