/** Idempotency keys: the first answer again, once and only once done. */
import { Agent, request } from 'undici'
import { describe, expect, it } from 'vitest'
import { startSimulator } from '../../simulator/index.js'
import type { LeadAccepted } from '../../src/contract/new-leads.js'
import { HeldMachine } from '../support/held-machine.js'
import { simulate, type Client, type Simulation } from '../support/simulate.js'
import { temporaryFile } from '../support/temporary-folder.js'

const named = (name: string) => ({ 'idempotency-key': name })
const add = (sim: Simulation, phone: string, name: string, client: Client = sim.live) =>
  client.post<LeadAccepted>('/leads', { campaign_id: sim.campaignId, phone }, named(name))

describe('the same request with the same key', () => {
  // rule I2
  it('gets the first answer again and makes no second lead', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    const first = await add(sim, phone, 'a')
    const again = await add(sim, phone, 'a')
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect({ status: again.status, body: again.body }).toEqual({ status: first.status, body: first.body })
    expect(again.requestId).not.toBe(first.requestId)
    expect(await sim.live.all('/leads')).toHaveLength(1)
    expect((await sim.events()).filter(({ type }) => type === 'lead.created')).toHaveLength(1)
  })

  it('may be spelled otherwise: order of keys and white space do not count', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    const send = (raw: string) =>
      sim.live.send('POST', '/leads', { raw, headers: { 'content-type': 'application/json', ...named('a') } })
    await send(`{"campaign_id":"${sim.campaignId}","phone":"${phone}","fields":{"a":"1","b":"2"}}`)
    const again = await send(
      ` { "fields": {"b":"2", "a":"\\u0031"}, "phone":"${phone}",\n"campaign_id":"${sim.campaignId}" } `,
    )
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  it('gets a refusal of the endpoint again too, under the id of the new request', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    const { id } = (await sim.live.post<{ id: string }>('/dnc', { phone })).data
    expect((await add(sim, phone, 'a')).error.code).toBe('on_dnc_list')
    await sim.live.del(`/dnc/${id}`)
    const again = await add(sim, phone, 'a')
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.error).toMatchObject({ code: 'on_dnc_list', request_id: again.requestId })
    expect((await add(sim, phone, 'b')).status).toBe(201)
  })

  it('is a new one after twenty-four hours', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await add(sim, phone, 'a')
    await sim.advance('2026-10-02T14:59:59.999Z')
    expect((await add(sim, phone, 'a')).headers['idempotent-replayed']).toBe('true')
    await sim.advance('1ms')
    expect((await add(sim, phone, 'a')).error.code).toBe('duplicate_lead')
  })

  it('is another one for another API key', async () => {
    const sim = await simulate()
    const other = sim.as(await sim.key())
    await add(sim, sim.phone(), 'a')
    expect((await add(sim, sim.phone(), 'a', other)).status).toBe(201)
    expect((await add(sim, sim.phone(), 'a', sim.test)).status).toBe(201)
  })

  it('is known after a restart', async () => {
    const data = temporaryFile()
    const before = await simulate({ data })
    const phone = before.phone()
    const first = await add(before, phone, 'a')
    await before.simulator.close()
    const after = await simulate({ data })
    const again = await add(after, phone, 'a')
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body).toEqual(first.body)
  })

  it.each<[string, (client: Client, sim: Simulation) => Promise<unknown>]>([
    ['POST /dnc', (client, sim) => client.post('/dnc', { phone: sim.phone() }, named('a'))],
    ['POST /dnc/batch', (client, sim) => client.post('/dnc/batch', { phones: [sim.phone()] }, named('a'))],
    [
      'POST /leads/batch',
      (client, sim) =>
        client.post('/leads/batch', { campaign_id: sim.campaignId, leads: [{ phone: sim.phone() }] }, named('a')),
    ],
    [
      'POST /campaigns/{id}/pause',
      (client, sim) => client.post(`/campaigns/${sim.campaignId}/pause`, undefined, named('a')),
    ],
    [
      'POST /webhook_endpoints',
      (client) =>
        client.post('/webhook_endpoints', { url: 'https://203.0.114.1/x', events: ['lead.late'] }, named('a')),
    ],
  ])('is honoured by %s', async (_name, send) => {
    const sim = await simulate()
    const phone = sim.phone()
    const still = Object.assign(Object.create(sim) as Simulation, { phone: () => phone })
    await send(sim.live, still)
    expect(await send(sim.live, still)).toMatchObject({ headers: { 'idempotent-replayed': 'true' } })
  })

  it('is honoured by DELETE and PATCH', async () => {
    const sim = await simulate()
    const { id } = (await sim.live.post<{ id: string }>('/dnc', { phone: sim.phone() })).data
    await sim.live.del(`/dnc/${id}`, named('a'))
    const again = await sim.live.del(`/dnc/${id}`, named('a'))
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true'])
    const lead = await sim.lead()
    await sim.live.patch(`/leads/${lead.id}`, { name: 'Ada' }, named('b'))
    const patched = await sim.live.patch(`/leads/${lead.id}`, { name: 'Ada' }, named('b'))
    expect(patched.headers['idempotent-replayed']).toBe('true')
  })
})

// rule I3
describe('another request with the same key', () => {
  it.each<[string, (sim: Simulation) => Promise<{ error: { code: string } }>]>([
    ['another body', (sim) => add(sim, sim.phone(), 'a')],
    [
      'another path',
      (sim) => sim.live.post(`/campaigns/${sim.campaignId}/leads`, { phone: '+16462019000' }, named('a')),
    ],
    [
      'another query',
      (sim) => sim.live.post('/leads?x=1', { campaign_id: sim.campaignId, phone: '+16462019000' }, named('a')),
    ],
  ])('is a mismatch: %s', async (_what, send) => {
    const sim = await simulate()
    await add(sim, '+16462019000', 'a')
    expect((await send(sim)).error.code).toBe('idempotency_mismatch')
  })
})

// rule I5
describe('what is not kept', () => {
  it('is the answer to a body that is malformed or not valid: the corrected request may use the key', async () => {
    const sim = await simulate()
    const bad = await sim.live.post(
      '/leads',
      { campaign_id: sim.campaignId, phone: sim.phone(), colour: 'red' },
      named('a'),
    )
    expect(bad.status).toBe(400)
    const malformed = await sim.live.send('POST', '/leads', {
      raw: '{',
      headers: { 'content-type': 'application/json', ...named('a') },
    })
    expect(malformed.status).toBe(400)
    expect((await add(sim, sim.phone(), 'a')).status).toBe(201)
  })

  it.each<[string, string, object, object]>([
    [
      'an address that webhooks cannot go to',
      '/webhook_endpoints',
      { url: 'http://example.com/hook', events: ['lead.late'] },
      { url: 'https://203.0.114.1/hook', events: ['lead.late'] },
    ],
    [
      'a batch of more than sixty',
      '/leads/batch',
      { leads: Array.from({ length: 61 }, () => ({ phone: '+16462019000' })) },
      { leads: [{ phone: '+16462019000' }] },
    ],
  ])('is the answer to %s', async (_what, path, wrong, right) => {
    const sim = await simulate()
    const campaign = path === '/leads/batch' ? { campaign_id: sim.campaignId } : {}
    expect((await sim.live.post(path, { ...wrong, ...campaign }, named('a'))).error.code).toBe('invalid_request')
    expect((await sim.live.post(path, { ...right, ...campaign }, named('a'))).status).toBeLessThan(300)
  })

  it('is 401, and 403 of the key or its scope', async () => {
    const sim = await simulate()
    const { id: other } = await sim.campaign()
    const key = await sim.key({ campaign_ids: [other] })
    const phone = sim.phone()
    await sim.control('PATCH', `/_sim/keys/${key.key_id}`, { status: 'disabled' })
    expect((await add(sim, phone, 'a', sim.as(key))).status).toBe(401)
    await sim.control('PATCH', `/_sim/keys/${key.key_id}`, { status: 'active', permissions: ['leads:read'] })
    expect((await add(sim, phone, 'a', sim.as(key))).error.missing_permission).toBe('leads:write')
    await sim.control('PATCH', `/_sim/keys/${key.key_id}`, { permissions: ['leads:write'] })
    expect((await add(sim, phone, 'a', sim.as(key))).error.campaign_id).toBe(sim.campaignId)
    await sim.control('PATCH', `/_sim/keys/${key.key_id}`, { campaign_ids: null })
    expect((await add(sim, phone, 'a', sim.as(key))).status).toBe(201)
  })

  it('is a 429 of the endpoint itself', async () => {
    const sim = await simulate()
    const { id } = await sim.campaign({ lines: 20 })
    const start = (phone: string, name: string) => sim.test.post('/leads', { campaign_id: id, phone }, named(name))
    for (let n = 0; n < 20; n++) {
      const phone = sim.phone()
      await sim.control('POST', '/_sim/scripts', {
        phone,
        mode: 'test',
        calls: [{ answer: 'no_answer', ring_seconds: 10 }],
      })
      await start(phone, `lead-${n}`)
    }
    const last = sim.phone()
    expect((await start(last, 'last')).error.code).toBe('test_flows_busy')
    await sim.advance('10s')
    expect((await start(last, 'last')).status).toBe(201)
  })
})

// rule I1
describe('the key itself', () => {
  it.each(['', 'two words', 'tab\there', 'é', 'x'.repeat(256)])('is refused as %j', async (name) => {
    const sim = await simulate()
    const { error } = await add(sim, sim.phone(), name)
    expect(error).toMatchObject({ code: 'invalid_request', param: 'Idempotency-Key' })
    expect(await sim.live.all('/leads')).toEqual([])
  })

  it('may have 255 visible characters', async () => {
    const sim = await simulate()
    expect((await add(sim, sim.phone(), '!~'.repeat(127) + 'x')).status).toBe(201)
  })

  it('means nothing on a read', async () => {
    const sim = await simulate()
    await sim.live.with(named('a')).get('/leads')
    expect((await add(sim, sim.phone(), 'a')).status).toBe(201)
  })
})

// rule I4
describe('a request that is still running', () => {
  /** Two requests with one key at the same time, either of which may come first: what was done, and what was refused. */
  async function together(phones: [string, string]) {
    const machine = new HeldMachine(400)
    const sim = await simulate({ machine })
    await sim.control('POST', '/_sim/faults', { method: 'POST', path: '/leads', latency_ms: 400 })
    const sent = phones.map((phone) => add(sim, phone, 'a'))
    const refused = await Promise.race(sent)
    machine.release()
    const done = (await Promise.all(sent)).find((reply) => reply !== refused)
    if (!done) throw new Error('two requests were sent')
    expect(done.status).toBe(201)
    expect(await sim.live.all('/leads')).toHaveLength(1)
    return { sim, done, refused }
  }

  it('makes the same request wait, and then get its answer', async () => {
    const phone = '+16462018000'
    const { sim, done, refused } = await together([phone, phone])
    expect(refused.error).toMatchObject({ code: 'idempotency_in_progress', type: 'idempotency_error' })
    expect(refused.headers['retry-after']).toBe('1')
    const again = await add(sim, phone, 'a')
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([done.body, 'true'])
  })

  it('makes another one a mismatch', async () => {
    const { refused } = await together(['+16462018000', '+16462018001'])
    expect(refused.error.code).toBe('idempotency_mismatch')
  })
})

it('an Idempotency-Key does the work once for many at the same time: the others are told to wait, or get the answer', async () => {
  const simulator = await startSimulator({ paused: true, limits: false, now: '2026-10-01T15:00:00Z' })
  const agent = new Agent({ connections: 20 })
  try {
    const { campaigns, keys } = simulator.describe()
    const body = JSON.stringify({ campaign_id: campaigns[0]?.id, phone: '+16462011234' })
    const headers = { authorization: `Bearer ${keys[0]?.secret}`, 'content-type': 'application/json', ...named('a') }
    const replies = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const got = await request(`${simulator.baseUrl}/leads`, { method: 'POST', headers, body, dispatcher: agent })
        return { status: got.statusCode, body: (await got.body.json()) as { error?: { code: string } } }
      }),
    )
    for (const { status, body } of replies) if (status !== 201) expect(body.error?.code).toBe('idempotency_in_progress')
    expect(simulator.describe().leads).toBe(1)
  } finally {
    await agent.close()
    await simulator.close()
  }
})
