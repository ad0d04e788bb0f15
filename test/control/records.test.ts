import { afterEach, describe, expect, it } from 'vitest'
import type { LoggedRequest, Notification } from '../../src/contract/control/records.js'
import type { Delivery } from '../../src/contract/deliveries.js'
import { keyOf, simulate, type Simulation } from '../support/simulate.js'
import { Receiver } from '../support/deliveries/receiver.js'

const receivers: Receiver[] = []
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})

async function receiving(status: number): Promise<Receiver> {
  const receiver = await Receiver.start(() => ({ status }))
  receivers.push(receiver)
  return receiver
}

const requests = (sim: Simulation, query = '') => sim.control<LoggedRequest[]>('GET', `/_sim/requests${query}`)

describe('the log of requests', () => {
  it('has what was asked and answered, newest first', async () => {
    const sim = await simulate()
    const { id } = await sim.lead({ name: 'Ann' })
    await sim.advance('1m')
    const { requestId } = await sim.live.get(`/leads/${id}?colour=red&limit=2`)
    const [second, first] = await requests(sim)
    expect(second).toMatchObject({
      id: requestId,
      at: sim.now,
      key_id: sim.live.key.key_id,
      method: 'GET',
      path: `/leads/${id}?colour=red&limit=2`,
      status: 200,
      request_body: null,
      response_body: { data: { id, name: 'Ann' } },
      ignored_query: ['colour', 'limit'],
    })
    expect(first).toMatchObject({ method: 'POST', path: '/leads', status: 201, request_body: { name: 'Ann' } })
    expect(first).not.toHaveProperty('ignored_query')
    expect(first?.duration_ms).toBeGreaterThan(0)
  })

  it('has what was refused, at whatever point', async () => {
    const sim = await simulate()
    await sim.send('GET', '/leads', { headers: { authorization: 'Bearer cs_live_wrong' } })
    await sim.live.get('/nowhere')
    await sim.live.send('POST', '/leads', { raw: '{"phone":', headers: { 'content-type': 'application/json' } })
    await sim.live.post('/leads', { phone: 'x' })
    const logged = await requests(sim)
    expect(logged.map(({ status, path, key_id }) => [status, path, key_id !== null])).toEqual([
      [400, '/leads', true],
      [400, '/leads', true],
      [404, '/nowhere', true],
      [401, '/leads', false],
    ])
    expect(logged[1]?.request_body).toBe('{"phone":')
    expect(logged[0]?.response_body).toMatchObject({ error: { code: 'invalid_request' } })
  })

  it('shows no secret', async () => {
    const sim = await simulate()
    const { data } = await sim.live.post<{ id: string; secret: string }>('/webhook_endpoints', {
      url: 'https://example.com/x',
      events: ['lead.created'],
    })
    await sim.live.post(`/webhook_endpoints/${data.id}/roll_secret`)
    const text = JSON.stringify(await requests(sim))
    expect(text).not.toContain(data.secret)
    expect(text).toContain('"secret":"whsec_***"')
    expect(text).not.toMatch(/whsec_\w|cs_(live|test)_\w/)
  })

  it('shows no secret that a program sent where none belongs, in a long body neither', async () => {
    const sim = await simulate()
    const { secret } = sim.live.key
    await sim.live.get(`/leads?secret=${secret}&other=whsec_abcDEF123`)
    await sim.live.post('/leads', { campaign_id: sim.campaignId, phone: sim.phone(), name: `my key is ${secret}` })
    await sim.live.post('/dnc', { phone: sim.phone(), [secret]: secret })
    for (const length of [16_360, 16_370, 16_380])
      await sim.live.post('/dnc', { phone: sim.phone(), note: 'x'.repeat(length) + secret })
    const text = JSON.stringify(await requests(sim))
    expect(text).toContain('secret=cs_live_***&other=whsec_***')
    expect(text).toContain('my key is cs_live_***')
    expect(text).not.toMatch(/cs_live_\w|whsec_\w/)
  })

  it('has requests to the API alone, with the time of the machine they took', async () => {
    const sim = await simulate()
    await sim.control('POST', '/_sim/faults', { latency_ms: 50 })
    await sim.live.get('/leads')
    await sim.ask('GET', '/_sim/world')
    const logged = await requests(sim)
    expect(logged.map(({ path }) => path)).toEqual(['/leads'])
    expect(logged[0]?.duration_ms).toBeGreaterThanOrEqual(49)
  })

  it('shows 100 unless told otherwise, and a thousand at most', async () => {
    const sim = await simulate()
    for (let i = 0; i < 101; i++) await sim.live.get('/nowhere')
    expect(await requests(sim)).toHaveLength(100)
    expect(await requests(sim, '?limit=101')).toHaveLength(101)
    for (const query of ['limit=1001', 'limit=0', 'limit=many', 'status=bad'])
      expect((await sim.ask('GET', `/_sim/requests?${query}`)).error).toMatchObject({
        code: 'invalid_request',
        param: query.split('=')[0],
      })
  })

  it('is asked by limit, path, status and key', async () => {
    const sim = await simulate()
    for (const path of ['/leads', '/leads?limit=1', '/calls', '/leads/x', '/calls/x']) await sim.live.get(path)
    await sim.test.get('/calls')
    const paths = async (query: string) => (await requests(sim, query)).map(({ path }) => path)
    expect(await paths('?limit=2')).toEqual(['/calls', '/calls/x'])
    expect(await paths('?path=/leads')).toEqual(['/leads?limit=1', '/leads'])
    expect(await paths('?path=/*/x')).toEqual(['/calls/x', '/leads/x'])
    expect(await paths('?path=leads')).toEqual(['/leads?limit=1', '/leads'])
    expect(await paths('?path=*')).toHaveLength(6)
    expect(await paths('?key_id=nobody')).toEqual([])
    expect(await paths('?status=404&path=/calls/**')).toEqual(['/calls/x'])
    expect(await paths(`?key_id=${sim.test.key.key_id}`)).toEqual(['/calls'])
  })

  it('keeps the last thousand, and the beginning of a long body', async () => {
    const sim = await simulate()
    await sim.live.post('/dnc/batch', {
      phones: Array.from({ length: 100 }, () => 'x'.repeat(32)),
      more: 'y'.repeat(100_000),
    })
    const [long] = await requests(sim)
    expect(String(long?.request_body)).toHaveLength(16_384 + '... (the first 16384 of 103543 bytes)'.length)
    expect(String(long?.request_body)).toContain('bytes)')
    for (let i = 0; i < 2_010; i++) await sim.sendUnchecked('GET', `/${i}`)
    const all = await requests(sim, '?limit=1000')
    expect([all.length, all[0]?.path, all[999]?.path]).toEqual([1000, '/2009', '/1010'])
    expect(await requests(sim, '?path=/1009')).toEqual([])
  })

  it('never holds more than so much of large bodies', async () => {
    const sim = await simulate()
    // 900 requests and their answers: 18.7 MB, more than the limit of 16 MiB.
    const body = { leads: Array.from({ length: 60 }, () => ({ phone: 'x', name: 'y'.repeat(200) })) }
    const path = `/campaigns/${sim.campaignId}/leads/batch`
    for (let i = 0; i < 900; i++) await sim.sendUnchecked('POST', path, body, sim.live.key)
    const all = await requests(sim, '?limit=1000')
    const bodies = JSON.stringify(all.map(({ request_body, response_body }) => [request_body, response_body])).length
    expect(all).toHaveLength(900)
    expect(bodies).toBeLessThan(17 * 2 ** 20)
    expect(all[0]).toMatchObject({ request_body: body })
  })
})

describe('an endpoint paused by failures', () => {
  it('brings the administrators one e-mail', async () => {
    const receiver = await receiving(500)
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    await sim.lead()
    await sim.advance('1h')
    expect(await sim.control('GET', '/_sim/notifications')).toEqual([])
    await sim.advance('23h')
    await sim.lead()
    await sim.advance('3d')
    const notifications = await sim.control<Notification[]>('GET', '/_sim/notifications')
    expect(notifications).toHaveLength(1)
    expect(notifications[0]).toMatchObject({
      organization_id: sim.organization.id,
      to: sim.organization.admins,
      at: '2026-10-02T15:00:00.000Z',
      subject: `Webhook endpoint paused: ${receiver.url}`,
    })
    expect(notifications[0]?.body).toContain('since 2026-10-01T15:00:00.000Z')
  })

  it('brings the people of its own organization theirs, newest first, in either mode', async () => {
    const receiver = await receiving(500)
    const sim = await simulate({ allowLocalWebhooks: true })
    const other = await sim.control<Simulation['organization']>('POST', '/_sim/organizations', { name: 'Other' })
    const pairs = [
      [sim.live, sim.campaignId],
      [sim.as(keyOf(other, 'test')), other.campaigns[0]?.id],
    ] as const
    for (const [client, campaign_id] of pairs) {
      await client.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
      await sim.lead({ campaign_id }, client)
      await sim.advance('25h')
      await sim.lead({ campaign_id }, client)
      await sim.advance('1s')
    }
    const notifications = await sim.control<Notification[]>('GET', '/_sim/notifications')
    expect(notifications.map(({ organization_id, to }) => [organization_id, to])).toEqual([
      [other.id, other.admins],
      [sim.organization.id, sim.organization.admins],
    ])
    expect(notifications[0]?.body).toContain('the test webhook endpoint')
  })

  it('by hand brings none', async () => {
    const sim = await simulate()
    const { data } = await sim.live.post<{ id: string }>('/webhook_endpoints', {
      url: 'https://example.com/x',
      events: ['lead.created'],
    })
    await sim.live.patch(`/webhook_endpoints/${data.id}`, { status: 'paused' })
    expect(await sim.control('GET', '/_sim/notifications')).toEqual([])
  })
})

describe('the deliveries of all endpoints', () => {
  it('are listed newest first, whosever they are, and by status', async () => {
    const [good, bad] = [await receiving(204), await receiving(500)]
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.live.post('/webhook_endpoints', { url: good.url, events: ['lead.created', 'lead.queued'] })
    await sim.test.post('/webhook_endpoints', { url: bad.url, events: ['lead.created'] })
    await sim.lead()
    await sim.lead({}, sim.test)
    await sim.advance('1s')
    const all = await sim.control<Delivery[]>('GET', '/_sim/deliveries')
    expect(all.map(({ event_type, status, livemode }) => [event_type, status, livemode])).toEqual([
      ['lead.created', 'failed', false],
      ['lead.queued', 'sent', true],
      ['lead.created', 'sent', true],
    ])
    expect(await sim.control('GET', '/_sim/deliveries?status=failed')).toEqual(all.slice(0, 1))
    expect(await sim.control('GET', '/_sim/deliveries?limit=1')).toEqual(all.slice(0, 1))
    expect(await sim.control('GET', '/_sim/deliveries?status=sent')).toEqual(all.slice(1))
    expect(await sim.control('GET', '/_sim/deliveries?status=gave_up')).toEqual([])
    expect((await sim.ask('GET', '/_sim/deliveries?status=lost')).error.param).toBe('status')
  })
})
