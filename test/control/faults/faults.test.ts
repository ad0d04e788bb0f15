import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import type { LoggedRequest } from '../../../src/contract/control/records.js'
import { HeldMachine } from '../../support/held-machine.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const fault = (sim: Simulation, words: object) => sim.ask('POST', '/_sim/faults', words)

/** The status and the error code of a reply; 'cut' if the connection broke. */
async function get(
  sim: Simulation,
  path = '/leads',
  method: 'GET' | 'POST' = 'GET',
  body?: object,
  headers: object = {},
) {
  try {
    const {
      statusCode,
      headers: got,
      body: sent,
    } = await request(sim.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${sim.live.key.secret}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
    })
    const { error } = (await sent.json()) as { error?: { code: string; request_id: string } }
    return { status: statusCode, code: error?.code, headers: got }
  } catch {
    return 'cut'
  }
}

describe('a fault', () => {
  it('meets the next matching request, as many as it counts, and then no more', async () => {
    const sim = await simulate()
    expect((await fault(sim, { status: 503, count: 2 })).status).toBe(201)
    for (const status of [503, 503, 200]) expect(await get(sim)).toMatchObject({ status })
  })

  it.each([
    [{ code: 'queue_full' }, 429, 'queue_full', '1'],
    [{ status: 429 }, 429, 'rate_limited', '1'],
    [{ status: 500 }, 500, 'internal_error', undefined],
    [{ status: 502 }, 502, 'service_unavailable', undefined],
    [{ status: 401 }, 401, 'authentication_failed', undefined],
    [{ status: 418 }, 418, 'invalid_request', undefined],
    [{ status: 599, code: 'on_dnc_list' }, 599, 'on_dnc_list', undefined],
  ])('%j answers %i %s', async (words, status, code, retryAfter) => {
    const sim = await simulate()
    await fault(sim, words)
    const reply = await get(sim)
    expect(reply).toMatchObject({ status, code })
    expect(reply).toHaveProperty('headers.request-id')
    expect(reply === 'cut' ? null : reply.headers['retry-after']).toBe(retryAfter)
  })

  it('looks at the method and, below the base address, at the path', async () => {
    const sim = await simulate()
    const { id } = await sim.lead()
    await fault(sim, { method: 'POST', status: 503 })
    await fault(sim, { path: '/leads/*', status: 502 })
    await fault(sim, { path: 'calls/**', status: 504 })
    expect(await get(sim, '/leads?limit=3')).toMatchObject({ status: 200 })
    expect(await get(sim, `/calls/${id}/recording`)).toMatchObject({ status: 504 })
    expect(await get(sim, `/leads/${id}?x=1`)).toMatchObject({ status: 502 })
    expect(await get(sim, '/dnc', 'POST', { phone: sim.phone() })).toMatchObject({ status: 503 })
  })

  it.each([
    ['/leads', ['/leads', '/leads?limit=3'], ['/leads/x', '/calls']],
    ['leads', ['/leads'], ['/leads/x', '/calls']],
    ['/leads/*', ['/leads/x'], ['/leads', '/leads/x/y', '/calls/x']],
    ['/leads/**', ['/leads/x'], ['/leads', '/calls/x']],
    ['/*/x/recording', ['/calls/x/recording'], ['/calls/x', '/calls/x/transcript']],
    ['/call?', ['/calls'], ['/leads']],
    ['*', ['/leads', '/calls/x/recording', '/webhook_endpoints/x/deliveries'], []],
    ['**', ['/leads', '/calls/x/recording'], []],
    ['/api/v1/external/leads', [], ['/leads']],
    ['/calls/*x?**g', ['/calls/xa/recording', '/calls/axxb/recording'], ['/calls/x/recording', '/calls/xa/transcript']],
    ['/leads/[a]+', ['/leads/[a]+'], ['/leads/aa']],
  ])('of the path %s meets %j and not %j', async (path, met, missed) => {
    const sim = await simulate()
    await fault(sim, { path, status: 599, count: 100 })
    for (const one of met) expect([one, await get(sim, one)]).toMatchObject([one, { status: 599 }])
    for (const one of missed) expect([one, await get(sim, one)]).not.toMatchObject([one, { status: 599 }])
  })

  it('of a path with many stars is read as soon as any other, by the log of requests too', async () => {
    const sim = await simulate()
    const path = `/leads/${'a*'.repeat(5)}b`
    const logged = () => sim.control<LoggedRequest[]>('GET', `/_sim/requests?path=${path}`)
    await fault(sim, { path, status: 599 })
    expect(await get(sim, `/leads/${'a'.repeat(400)}`)).toMatchObject({ status: 404 })
    expect(await logged()).toEqual([])
    expect(await get(sim, `/leads/${'a'.repeat(400)}b`)).toMatchObject({ status: 599 })
    expect(await logged()).toHaveLength(1)
  })

  it('with a path glob over 200 characters is refused, so that no request fails by it', async () => {
    const sim = await simulate()
    const refused = await fault(sim, { path: 'x'.repeat(201), status: 599 })
    expect(refused).toMatchObject({ status: 400, error: { code: 'invalid_request', param: 'path' } })
    expect((await fault(sim, { path: 'x'.repeat(200), status: 599 })).status).toBe(201)
    expect(await get(sim)).toMatchObject({ status: 200 })
  })

  it('meets a request once: those that are set first, first', async () => {
    const sim = await simulate()
    for (const status of [501, 502]) await fault(sim, { status })
    for (const status of [501, 502, 200]) expect(await get(sim)).toMatchObject({ status })
  })

  it('waits for a request that comes past the gate and can be read', async () => {
    const sim = await simulate()
    await fault(sim, { status: 503 })
    const lead = { campaign_id: sim.campaignId, phone: sim.phone() }
    expect((await sim.send('GET', '/leads', { headers: {} })).status).toBe(401)
    expect((await sim.live.get('/nowhere')).status).toBe(404)
    expect((await sim.live.get('/leads?limit=0')).status).toBe(400)
    expect((await sim.live.post('/leads', { ...lead, colour: 'red' })).status).toBe(400)
    expect((await sim.live.post('/leads', lead, { 'idempotency-key': 'a b' })).status).toBe(400)
    expect((await sim.as(await sim.key({ permissions: [] })).get('/leads')).status).toBe(403)
    expect((await sim.ask('GET', '/_sim/world')).status).toBe(200)
    expect(await get(sim)).toMatchObject({ status: 503 })
  })

  it('meets a replayed answer too, which is there afterwards', async () => {
    const sim = await simulate()
    const key = { 'idempotency-key': 'one' }
    const body = { campaign_id: sim.campaignId, phone: sim.phone() }
    const first = await sim.live.post<{ id: string }>('/leads', body, key)
    for (const words of [{ status: 503 }, { drop: true }, { status: 503, after_commit: true }]) {
      await fault(sim, words)
      const reply = await get(sim, '/leads', 'POST', body, key)
      expect(reply === 'cut' ? reply : reply.status).toBe('drop' in words ? 'cut' : 503)
    }
    expect((await sim.live.post<{ id: string }>('/leads', body, key)).data.id).toBe(first.data.id)
  })

  it.each([
    [{ status: 503 }, 503],
    [{ code: 'queue_full' }, 429],
    [{ drop: true }, 'cut'],
    [{ status: 500, after_commit: true }, 500],
    [{ drop: true, after_commit: true }, 'cut'],
    [{}, 201],
    [{ after_commit: true }, 201],
  ])('may slow a request first, and then %j', async (words, expected) => {
    const machine = new HeldMachine(321)
    const sim = await simulate({ machine })
    await fault(sim, { latency_ms: 321, ...words })
    const asked = get(sim, '/leads', 'POST', { campaign_id: sim.campaignId, phone: sim.phone() })
    await machine.timer(321)
    expect((await sim.live.get<object[]>('/leads')).data).toEqual([])
    machine.release()
    const reply = await asked
    expect(reply === 'cut' ? reply : reply.status).toBe(expected)
    const isDone = expected === 201 || 'after_commit' in words
    expect(await sim.live.all('/leads')).toHaveLength(isDone ? 1 : 0)
  })

  it('of a reading request cuts it off after it was read, too', async () => {
    const sim = await simulate()
    await fault(sim, { drop: true, after_commit: true })
    expect(await get(sim)).toBe('cut')
    expect(await get(sim)).toMatchObject({ status: 200 })
  })

  it('meets both modes and every organization, and leaves the limits of the key as they would be', async () => {
    const sim = await simulate({ limits: true })
    await fault(sim, { status: 500, count: 2 })
    const [live, test] = [await sim.live.get('/calls'), await sim.test.get('/calls')]
    expect([live.status, test.status]).toEqual([500, 500])
    expect(live.headers).toMatchObject({ 'ratelimit-limit': '120', 'ratelimit-remaining': '119' })
  })

  it('before the work leaves nothing done, and frees the idempotency key', async () => {
    const sim = await simulate()
    const key = { 'idempotency-key': 'one' }
    const body = { campaign_id: sim.campaignId, phone: sim.phone() }
    for (const words of [{ drop: true }, { status: 500 }]) {
      await fault(sim, { path: '/leads', ...words })
      const reply = await get(sim, '/leads', 'POST', body, key)
      expect(reply === 'cut' ? 'cut' : reply.status).toBe('drop' in words ? 'cut' : 500)
      expect(await sim.live.all('/leads')).toEqual([])
    }
    const reply = await sim.live.post('/leads', body, key)
    expect([reply.status, reply.headers['idempotent-replayed']]).toEqual([201, undefined])
  })

  it.each([{ drop: true }, { status: 503 }])(
    '%j after the commit keeps the work: the same key gets the first answer',
    async (words) => {
      const sim = await simulate()
      const key = { 'idempotency-key': 'one' }
      const body = { campaign_id: sim.campaignId, phone: sim.phone() }
      await fault(sim, { ...words, after_commit: true })
      const reply = await get(sim, '/leads', 'POST', body, key)
      expect(reply === 'cut' ? reply : reply.status).toBe(words.drop ? 'cut' : 503)
      expect(await sim.live.all('/leads')).toHaveLength(1)
      const again = await sim.live.post('/leads', body, key)
      expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
    },
  )

  it('cuts without a key too, and the log tells of it', async () => {
    const sim = await simulate()
    await fault(sim, { drop: true, after_commit: true })
    expect(await get(sim, '/dnc', 'POST', { phone: sim.phone() })).toBe('cut')
    expect(await sim.live.all('/dnc', 'cursor')).toHaveLength(1)
    const [, cut] = await sim.control<LoggedRequest[]>('GET', '/_sim/requests')
    expect(cut).toMatchObject({ method: 'POST', path: '/dnc', status: null, response_body: null })
  })

  it('that slows holds the idempotency key and the place among the running requests', async () => {
    const machine = new HeldMachine(1_500, 1_000)
    const sim = await simulate({ limits: true, machine })
    await sim.control('PATCH', `/_sim/keys/${sim.live.key.key_id}`, { limits: { concurrent_requests: 2 } })
    const key = { 'idempotency-key': 'one' }
    const body = { campaign_id: sim.campaignId, phone: sim.phone() }
    await fault(sim, { latency_ms: 1_500, method: 'POST' })
    await fault(sim, { latency_ms: 1_000, method: 'GET' })
    const first = get(sim, '/leads', 'POST', body, key)
    await machine.timer(1_500)
    expect(await get(sim, '/leads', 'POST', body, key)).toMatchObject({ status: 409, code: 'idempotency_in_progress' })
    const second = get(sim, '/dnc')
    await machine.timer(1_000)
    expect(await get(sim, '/dnc')).toMatchObject({ status: 429, code: 'too_many_concurrent_requests' })
    machine.release()
    expect([await first, await second]).toMatchObject([{ status: 201 }, { status: 200 }])
  })

  it('is forgotten when faults are removed, and when the world is reset', async () => {
    const sim = await simulate()
    await fault(sim, { status: 503 })
    await fault(sim, { status: 503 })
    expect((await sim.ask('DELETE', '/_sim/faults')).data).toEqual({ removed: 2 })
    expect(await get(sim)).toMatchObject({ status: 200 })
    await fault(sim, { status: 503 })
    await sim.control('POST', '/_sim/reset', {})
    expect(await get(sim)).toMatchObject({ status: 200 })
  })

  it('says what goes wrong', async () => {
    const sim = await simulate()
    expect((await fault(sim, { path: '/leads' })).error.code).toBe('invalid_request')
    expect((await fault(sim, { status: 200 })).error.param).toBe('status')
    expect((await fault(sim, { status: 503, count: 0 })).error.param).toBe('count')
    expect((await fault(sim, { status: 503, method: 'PUT' })).error.param).toBe('method')
    expect((await fault(sim, { code: 'no_such_code' })).error.param).toBe('code')
    expect((await fault(sim, { drop: false })).error.code).toBe('invalid_request')
    expect((await fault(sim, { after_commit: true })).error.code).toBe('invalid_request')
    expect((await fault(sim, { status: 503, latency_ms: 1.5 })).error.param).toBe('latency_ms')
    expect((await sim.ask('DELETE', '/_sim/faults')).data).toEqual({ removed: 0 })
  })

  it('that slows a request cuts it off when the world is replaced: it was meant for the old one', async () => {
    const machine = new HeldMachine(3_600_000)
    const sim = await simulate({ machine })
    await fault(sim, { latency_ms: 3_600_000 })
    const slow = get(sim)
    await machine.timer(3_600_000)
    await sim.control('POST', '/_sim/reset', {})
    expect(await slow).toBe('cut')
  })

  it('that slows does not keep the simulator from closing', async () => {
    const machine = new HeldMachine(3_600_000)
    const sim = await simulate({ machine })
    await fault(sim, { latency_ms: 3_600_000 })
    const slow = get(sim)
    await machine.timer(3_600_000)
    await sim.simulator.close()
    expect(await slow).toBe('cut')
  })
})
