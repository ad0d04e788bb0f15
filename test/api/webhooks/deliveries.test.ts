/** Events on their way to a real receiver: signed, retried on the schedule, paused, resumed, sent again. */
import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../src/contract/deliveries.js'
import type { Event } from '../../../src/contract/events.js'
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '../../../src/contract/webhook-endpoints.js'
import { verify } from '../../../src/webhooks/sign.js'
import { receiverWith } from '../../support/dispatch.js'
import type { Answer, Received, Receiver } from '../../support/deliveries/receiver.js'
import { simulate, type Client, type Simulation } from '../../support/simulate.js'

interface Hooked {
  sim: Simulation
  receiver: Receiver
  endpoint: WebhookEndpointWithSecret
}

async function hooked(answer?: Answer, words: object = {}): Promise<Hooked> {
  const receiver = await receiverWith(answer)
  const sim = await simulate({ allowLocalWebhooks: true })
  await sim.changeCampaign({ lines: 0 })
  const { data: endpoint } = await sim.live.post<WebhookEndpointWithSecret>('/webhook_endpoints', {
    url: `${receiver.url}/hook`,
    events: ['lead.created'],
    ...words,
  })
  return { sim, receiver, endpoint }
}

const at = (hours: number, minutes = 0) => new Date(Date.UTC(2026, 9, 1, 15 + hours, minutes)).toISOString()
const deliveriesOf = ({ sim, endpoint }: Hooked, client: Client = sim.live) =>
  client.all<Delivery>(`/webhook_endpoints/${endpoint.id}/deliveries`)
const endpointNow = async ({ sim, endpoint }: Hooked) =>
  (await sim.live.get<WebhookEndpoint>(`/webhook_endpoints/${endpoint.id}`)).data
const refusing: Answer = () => ({ status: 500, body: 'no' })

function signatureOf({ headers, rawBody }: Received, secret: string): boolean {
  const header = String(headers['service-signature'])
  return verify({ header, body: rawBody, secrets: [secret], now: Date.now() / 1000 }).ok
}

describe('an event', () => {
  it('arrives at once as it is listed, signed and labelled, while the clock stands still', async () => {
    const hook = await hooked()
    await hook.sim.lead()
    const request = await hook.receiver.next()
    const [event] = await hook.sim.events()
    expect(JSON.parse(request.rawBody.toString())).toEqual(event)
    expect([request.method, request.path]).toEqual(['POST', '/hook'])
    await hook.sim.advance('0s')
    const [delivery] = await deliveriesOf(hook)
    expect(request.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'service-event-id': event?.id,
      'service-event-type': 'lead.created',
      'service-delivery-id': delivery?.id,
      'service-delivery-attempt': '1',
      'service-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
      'user-agent': 'Service-Webhooks/1.0',
    })
    expect(signatureOf(request, hook.endpoint.secret)).toBe(true)
    expect(signatureOf(request, 'whsec_other_0123456789')).toBe(false)
    expect(delivery).toMatchObject({
      status: 'sent',
      attempts: 1,
      event_id: event?.id,
      event_type: 'lead.created',
      response_status: 200,
      next_attempt_at: null,
      last_attempt_at: at(0),
      resent_from: null,
      livemode: true,
    })
    expect(await endpointNow(hook)).toMatchObject({ last_success_at: at(0), failing_since: null })
  })

  // rule E3
  it('goes to the endpoints that want its type, its campaign and its mode', async () => {
    const receiver = await receiverWith()
    const sim = await simulate({ allowLocalWebhooks: true })
    const { id: other } = await sim.campaign({ lines: 0 })
    const make = (client: Client, path: string, words: object) =>
      client.post('/webhook_endpoints', { url: receiver.url + path, ...words })
    await make(sim.live, '/all', { events: ['lead.created'] })
    await make(sim.live, '/late', { events: ['lead.late'] })
    await make(sim.live, '/other', { events: ['lead.created'], campaign_ids: [other] })
    await make(sim.test, '/test', { events: ['lead.created'] })
    await sim.lead()
    await sim.advance('1s')
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/all'])
    await sim.lead({ campaign_id: other })
    await sim.lead({ phone: '+15550100002' }, sim.test)
    await sim.advance('1s')
    expect(receiver.requests.map(({ path }) => path).sort()).toEqual(['/all', '/all', '/other', '/test'])
  })
})

describe('a failure', () => {
  it('is tried seven times on the schedule, then given up', async () => {
    const hook = await hooked(refusing)
    await hook.sim.lead()
    const schedule = [at(0), at(0, 1), at(0, 5), at(0, 30), at(2), at(6), at(12)]
    for (const [index, moment] of schedule.entries()) {
      await hook.sim.advance(moment)
      expect(hook.receiver.requests).toHaveLength(index + 1)
      const [delivery] = await deliveriesOf(hook)
      const last = index === 6
      expect(delivery).toMatchObject({
        status: last ? 'gave_up' : 'failed',
        attempts: index + 1,
        last_attempt_at: moment,
        next_attempt_at: schedule[index + 1] ?? null,
        response_status: 500,
        response_body: 'no',
      })
      const next = schedule[index + 1]
      if (next === undefined) continue
      await hook.sim.advance(new Date(Date.parse(next) - 1).toISOString())
      expect(hook.receiver.requests).toHaveLength(index + 1)
    }
    const requests = hook.receiver.requests
    expect(requests.map(({ headers }) => headers['service-delivery-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
    ])
    expect(new Set(requests.map(({ headers }) => headers['service-delivery-id'])).size).toBe(1)
    for (const { rawBody } of requests) expect(rawBody.equals(requests[0]?.rawBody ?? Buffer.alloc(0))).toBe(true)
    for (const request of requests) expect(signatureOf(request, hook.endpoint.secret)).toBe(true)
    await hook.sim.advance('3d')
    expect(hook.receiver.requests).toHaveLength(7)
  })

  it('makes all its tries in one push of time, too', async () => {
    const hook = await hooked(refusing)
    await hook.sim.lead()
    await hook.sim.advance('1d')
    expect(hook.receiver.requests).toHaveLength(7)
    expect((await deliveriesOf(hook))[0]).toMatchObject({ status: 'gave_up', attempts: 7, last_attempt_at: at(12) })
  })

  it.each([301, 302, 307, 400, 404, 410, 429, 503])(
    'is an answer of %i, and redirects are not followed',
    async (status) => {
      const hook = await hooked(({ path }) =>
        path === '/hook' ? { status, headers: { location: '/elsewhere', 'retry-after': '1' } } : {},
      )
      await hook.sim.lead()
      await hook.sim.advance('59.999s')
      expect(hook.receiver.requests.map(({ path }) => path)).toEqual(['/hook'])
      expect((await deliveriesOf(hook))[0]).toMatchObject({
        status: 'failed',
        response_status: status,
        next_attempt_at: at(0, 1),
      })
    },
  )

  it.each([200, 201, 202, 204, 299])('is not an answer of %i', async (status) => {
    const hook = await hooked(() => ({ status }))
    await hook.sim.lead()
    await hook.sim.advance('1s')
    expect((await deliveriesOf(hook))[0]).toMatchObject({ status: 'sent', response_status: status })
  })

  it('is forgotten when a later try is taken', async () => {
    let failures = 2
    const hook = await hooked(() => ({ status: failures-- > 0 ? 500 : 204 }))
    await hook.sim.lead()
    await hook.sim.advance('1m')
    expect(await endpointNow(hook)).toMatchObject({ failing_since: at(0), last_success_at: null })
    await hook.sim.advance('1d')
    expect((await deliveriesOf(hook))[0]).toMatchObject({ status: 'sent', attempts: 3, last_attempt_at: at(0, 5) })
    expect(await endpointNow(hook)).toMatchObject({ failing_since: null, last_success_at: at(0, 5) })
    expect(hook.receiver.requests).toHaveLength(3)
  })

  // rule W12
  it('keeps the first 4 KB of the answer', async () => {
    const hook = await hooked(() => ({ status: 500, body: 'é'.repeat(4_000) }))
    await hook.sim.lead()
    await hook.sim.advance('1s')
    expect((await deliveriesOf(hook))[0]?.response_body).toBe('é'.repeat(2_048))
  })

  // rule W8
  it('that lasts a day pauses the endpoint; what comes then is skipped and can be sent after all', async () => {
    const hook = await hooked(refusing)
    const { sim, receiver } = hook
    await sim.lead()
    await sim.advance('23h59m')
    await sim.lead()
    await sim.advance('30s')
    expect((await endpointNow(hook)).status).toBe('active')
    await sim.advance('30s')
    expect(await endpointNow(hook)).toMatchObject({ status: 'paused', failing_since: at(0), paused_at: at(24) })
    await sim.lead()
    const { length } = receiver.requests
    await sim.advance('2d')
    expect(receiver.requests).toHaveLength(length)
    expect((await deliveriesOf(hook)).map(({ status }) => status)).toEqual([
      'skipped_paused',
      'skipped_paused',
      'gave_up',
    ])

    receiver.answer = () => ({})
    const { data } = await sim.live.post(`/webhook_endpoints/${hook.endpoint.id}/resume`, { resend_skipped: true })
    expect(data).toMatchObject({ status: 'active', paused_at: null, failing_since: null, resent: 2 })
    await sim.advance('1s')
    expect((await deliveriesOf(hook)).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['sent', 1],
      ['sent', 1],
      ['gave_up', 7],
    ])
  })
})

// rule W9
describe('a paused endpoint', () => {
  it('skips what waits for a retry, and keeps it skipped when it is resumed without more', async () => {
    const hook = await hooked(refusing)
    const path = `/webhook_endpoints/${hook.endpoint.id}`
    await hook.sim.lead()
    await hook.sim.advance('1s')
    await hook.sim.live.patch(path, { status: 'paused' })
    expect((await deliveriesOf(hook))[0]).toMatchObject({ status: 'skipped_paused', next_attempt_at: null })
    expect((await hook.sim.live.post(`${path}/resume`)).data).toMatchObject({ status: 'active', resent: 0 })
    await hook.sim.advance('1d')
    expect(hook.receiver.requests).toHaveLength(1)
  })

  it('refuses samples and resends', async () => {
    const hook = await hooked()
    const path = `/webhook_endpoints/${hook.endpoint.id}`
    await hook.sim.lead()
    await hook.sim.advance('1s')
    const [delivery] = await deliveriesOf(hook)
    await hook.sim.live.patch(path, { status: 'paused' })
    expect((await hook.sim.live.post(`${path}/test`, { type: 'lead.late' })).error.code).toBe('endpoint_paused')
    expect((await hook.sim.live.post(`${path}/deliveries/${delivery?.id}/resend`)).error.code).toBe('endpoint_paused')
  })
})

// rule W10
describe('a resend', () => {
  it('is a delivery of its own with the same event and the same bytes', async () => {
    const hook = await hooked()
    await hook.sim.lead()
    await hook.sim.advance('1m')
    const [first] = await deliveriesOf(hook)
    const path = `/webhook_endpoints/${hook.endpoint.id}/deliveries`
    const { status, data } = await hook.sim.live.post<Delivery>(`${path}/${first?.id}/resend`)
    expect(status).toBe(202)
    expect(data).toMatchObject({
      status: 'pending',
      attempts: 0,
      event_id: first?.event_id,
      resent_from: first?.id,
      next_attempt_at: at(0, 1),
    })
    await hook.sim.advance('1s')
    const [one, two] = hook.receiver.requests
    expect(two?.rawBody.equals(one?.rawBody ?? Buffer.alloc(0))).toBe(true)
    expect(two?.headers['service-delivery-attempt']).toBe('1')
    expect(two?.headers['service-delivery-id']).toBe(data.id)
    expect(two?.headers['service-event-id']).toBe(one?.headers['service-event-id'])
    expect((await hook.sim.live.post(`${path}/b7a5d9a3-43f4-4fd1-9d59-6c4d2be0f1d5/resend`)).error.code).toBe(
      'not_found',
    )
  })
})

// rule W11
describe('a sample', () => {
  it('is sent in a real envelope, marked, whatever the endpoint subscribes to', async () => {
    const hook = await hooked()
    const { status, data } = await hook.sim.live.post<Delivery & { event: Event }>(
      `/webhook_endpoints/${hook.endpoint.id}/test`,
      {
        type: 'call.completed',
      },
    )
    expect(status).toBe(202)
    expect(data).toMatchObject({
      event_type: 'call.completed',
      livemode: false,
      event: { type: 'call.completed', sample: true, livemode: false },
    })
    const request = await hook.receiver.next()
    expect(JSON.parse(request.rawBody.toString())).toEqual(data.event)
    expect(signatureOf(request, hook.endpoint.secret)).toBe(true)
    await hook.sim.advance('1s')
    expect((await deliveriesOf(hook))[0]).toMatchObject({ id: data.id, status: 'sent', event_id: data.event.id })
    expect(await hook.sim.events()).toEqual([])
  })
})

// rule W4
describe('a rolled secret', () => {
  it('signs first, and the old one along with it until its time is up', async () => {
    const hook = await hooked()
    const { sim, receiver, endpoint } = hook
    const roll = async (body?: object) =>
      (await sim.live.post<WebhookEndpointWithSecret>(`/webhook_endpoints/${endpoint.id}/roll_secret`, body)).data
    const next = async () => {
      await sim.lead()
      await sim.advance('0s')
      return receiver.requests.at(-1) as Received
    }
    const signatures = ({ headers }: Received) => String(headers['service-signature']).split(',v1=').length - 1

    const rolled = await roll()
    expect(rolled.secret).not.toBe(endpoint.secret)
    expect(rolled.previous_secret_expires_at).toBe(at(24))
    const both = await next()
    expect([signatures(both), signatureOf(both, rolled.secret), signatureOf(both, endpoint.secret)]).toEqual([
      2,
      true,
      true,
    ])
    const again = await roll({ grace_hours: 1 })
    const newer = await next()
    expect([
      signatures(newer),
      signatureOf(newer, again.secret),
      signatureOf(newer, rolled.secret),
      signatureOf(newer, endpoint.secret),
    ]).toEqual([2, true, true, false])
    await sim.advance('1h')
    const one = await next()
    expect([signatures(one), signatureOf(one, again.secret)]).toEqual([1, true])
    expect((await endpointNow(hook)).previous_secret_expires_at).toBeNull()
    expect((await roll({ grace_hours: 0 })).previous_secret_expires_at).toBeNull()
    expect(signatures(await next())).toBe(1)
  })

  it.each([-1, 169, 1.5, '24'])('has no grace of %j hours', async (grace_hours) => {
    const { sim, endpoint } = await hooked()
    const { error } = await sim.live.post(`/webhook_endpoints/${endpoint.id}/roll_secret`, { grace_hours })
    expect(error).toMatchObject({ code: 'invalid_request', param: 'grace_hours' })
  })
})

it('GET /webhook_endpoints/{id}/deliveries lists deliveries by their status', async () => {
  let tries = 0
  const hook = await hooked(() => ({ status: tries++ % 2 === 0 ? 200 : 500 }))
  for (let n = 0; n < 4; n++) {
    await hook.sim.lead()
    await hook.sim.advance('0s')
  }
  const path = `/webhook_endpoints/${hook.endpoint.id}/deliveries`
  const count = async (status: string) => (await hook.sim.live.all(`${path}?status=${status}`)).length
  expect([await count('sent'), await count('failed'), await count('pending')]).toEqual([2, 2, 0])
  expect((await hook.sim.live.get(`${path}?status=lost`)).error).toMatchObject({
    code: 'invalid_request',
    param: 'status',
  })
})
