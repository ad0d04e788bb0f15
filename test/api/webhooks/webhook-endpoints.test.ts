/** Webhook endpoints: made, read, changed, deleted. */
import { describe, expect, it } from 'vitest'
import { eventTypes } from '../../../src/contract/enums.js'
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '../../../src/contract/webhook-endpoints.js'
import type { Delivery } from '../../../src/contract/deliveries.js'
import { closing, rawReceiver, receiverWith } from '../../support/dispatch.js'
import { NameServer } from '../../support/servers/name-server.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const url = 'https://203.0.114.1/hook'
const make = (sim: Simulation, words: object = {}) =>
  sim.live.post<WebhookEndpointWithSecret>('/webhook_endpoints', { url, events: ['lead.created'], ...words })

describe('an endpoint that is made', () => {
  it('shows its secret once', async () => {
    const sim = await simulate()
    const { status, data } = await make(sim)
    expect(status).toBe(201)
    const { secret, ...rest } = data
    expect(secret).toMatch(/^whsec_\w{16,}$/)
    expect(rest).toEqual({
      id: expect.any(String),
      object: 'webhook_endpoint',
      url,
      events: ['lead.created'],
      campaign_ids: null,
      mode: 'live',
      livemode: true,
      status: 'active',
      failing_since: null,
      paused_at: null,
      last_success_at: null,
      previous_secret_expires_at: null,
      created: '2026-10-01T15:00:00.000Z',
      updated: '2026-10-01T15:00:00.000Z',
    })
    expect((await sim.live.get(`/webhook_endpoints/${rest.id}`)).data).toEqual(rest)
    expect(await sim.live.all('/webhook_endpoints')).toEqual([rest])
    expect((await sim.live.patch(`/webhook_endpoints/${rest.id}`, {})).data).toEqual(rest)
  })

  it('has the mode of the key that made it', async () => {
    const sim = await simulate()
    const { data } = await sim.test.post('/webhook_endpoints', { url, events: ['lead.created'] })
    expect(data).toMatchObject({ mode: 'test', livemode: false })
  })

  it('keeps an event once that is named twice', async () => {
    const sim = await simulate()
    expect((await make(sim, { events: ['lead.late', 'lead.created', 'lead.late'] })).data.events).toEqual([
      'lead.late',
      'lead.created',
    ])
  })

  it.each([
    ['events', { events: [] }],
    ['events', { events: undefined }],
    ['events[1]', { events: ['lead.created', 'lead.lost'] }],
    ['events', { events: Array.from({ length: 51 }, () => 'lead.created') }],
    ['campaign_ids', { campaign_ids: [] }],
    ['campaign_ids[0]', { campaign_ids: ['x'] }],
    ['secret', { secret: 'whsec_mine' }],
  ])('must be right in %s, case %#', async (param, words) => {
    const sim = await simulate()
    expect((await make(sim, words)).error).toMatchObject({ code: 'invalid_request', param })
  })

  it('may name an event fifty times', async () => {
    const sim = await simulate()
    expect(
      (await make(sim, { events: Array.from({ length: 50 }, (_, n) => eventTypes[n % 11]) })).data.events,
    ).toHaveLength(11)
  })

  it('must name campaigns that are there', async () => {
    const sim = await simulate()
    const { error } = await make(sim, { campaign_ids: [sim.campaignId, 'b7a5d9a3-43f4-4fd1-9d59-6c4d2be0f1d5'] })
    expect(error).toMatchObject({ code: 'not_found', param: 'campaign_ids' })
  })
})

describe('an address', () => {
  it.each([
    'http://203.0.114.1/',
    'ftp://203.0.114.1/',
    'https://user:pass@203.0.114.1/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://10.1.2.3/',
    'https://192.168.0.1/',
    'https://169.254.169.254/',
    'https://100.64.0.1/',
    'https://192.0.2.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fe80::1]/',
    'https://[2002:7f00:1::]/',
    'not a url',
    '',
    `https://203.0.114.1/${'x'.repeat(2048)}`,
  ])('that is not on the public internet is refused: %s', async (address) => {
    const sim = await simulate()
    expect((await make(sim, { url: address })).error).toMatchObject({ code: 'invalid_request', param: 'url' })
    const { data } = await make(sim)
    expect((await sim.live.patch(`/webhook_endpoints/${data.id}`, { url: address })).error).toMatchObject({
      code: 'invalid_request',
      param: 'url',
    })
  })

  it('may have 2,048 characters', async () => {
    const sim = await simulate()
    const long = 'https://203.0.114.1/'.padEnd(2048, 'x')
    expect((await make(sim, { url: long })).data.url).toBe(long)
  })

  it.each([
    ['without a path', ''],
    ['with letters of its own', '/ü?a=%C3%BC&A=b'],
    ['with dots between its slashes', '/a/./b/../c'],
    ['of 2,048 characters that are more once encoded', '/'.padEnd(2048, 'é')],
  ])('%s is kept as it was written, and sent to', async (_what, path) => {
    const receiver = await receiverWith()
    const sim = await simulate({ allowLocalWebhooks: true })
    const written = (receiver.url.replace('http:', 'HTTP:') + path).slice(0, 2048)
    const { data } = await make(sim, { url: written })
    expect(data.url).toBe(written)
    expect((await sim.live.patch<WebhookEndpoint>(`/webhook_endpoints/${data.id}`, { url: written })).data.url).toBe(
      written,
    )
    await sim.lead()
    await sim.advance('0s')
    expect(receiver.requests.map((got) => got.path)).toEqual([new URL(written).pathname + new URL(written).search])
  })

  it('is refused in whole sentences', async () => {
    const sim = await simulate()
    const { error } = await make(sim, { url: 'https://203.0.114.1/#part' })
    expect(error.message).toBe(
      'This address cannot be used: The URL must not contain a fragment (#...): fragments are never sent.',
    )
  })

  it('of this machine is taken only where local webhooks are allowed', async () => {
    const sim = await simulate({ allowLocalWebhooks: true })
    expect((await make(sim, { url: 'http://127.0.0.1:9/' })).status).toBe(201)
    expect((await make(sim, { url: 'http://10.0.0.1/' })).error.param).toBe('url')
  })
})

describe('a host name', () => {
  /** A name with a private and a public address, one with only public addresses, and an unknown one. */
  async function named() {
    const nameServer = closing(await NameServer.start())
    nameServer.names.set('private.example.com', ['8.8.8.8', '10.0.0.1'])
    nameServer.names.set('public.example.com', ['8.8.8.8', '2606:4700::1111'])
    return { nameServer, sim: await simulate({ nameServers: [nameServer.address] }) }
  }
  const refused = { code: 'invalid_request', param: 'url' }

  it('that leads to any address that is not public is refused, for a new endpoint and for one there is', async () => {
    const { sim } = await named()
    expect((await make(sim, { url: 'https://private.example.com/' })).error).toMatchObject(refused)
    const { data, status } = await make(sim, { url: 'https://public.example.com/' })
    expect(status).toBe(201)
    const path = `/webhook_endpoints/${data.id}`
    expect((await sim.live.patch(path, { url: 'https://private.example.com/' })).error).toMatchObject(refused)
    expect(await sim.live.all('/webhook_endpoints')).toEqual([expect.objectContaining({ url: data.url })])
  })

  it('that nobody knows yet is taken', async () => {
    const { sim } = await named()
    expect((await make(sim, { url: 'https://unknown.example.com/' })).status).toBe(201)
  })

  it('that leads to this machine later is not gone to: the try fails without an answer', async () => {
    const { sim, nameServer } = await named()
    const connections: unknown[] = []
    const { url } = await rawReceiver((socket) => connections.push(socket))
    const { data } = await make(sim, { url: `https://public.example.com:${new URL(url).port}/` })
    nameServer.names.set('public.example.com', ['127.0.0.1'])
    await sim.lead()
    await sim.advance('0s')
    const [delivery] = await sim.live.all<Delivery>(`/webhook_endpoints/${data.id}/deliveries`)
    expect(delivery).toMatchObject({ status: 'failed', attempts: 1, response_status: null, response_body: null })
    expect(connections).toEqual([])
  })
})

describe('an endpoint that is changed', () => {
  it('keeps what is not sent', async () => {
    const sim = await simulate()
    const { id: campaign } = await sim.campaign()
    const { data } = await make(sim, { campaign_ids: [campaign] })
    await sim.advance('1h')
    const changed = await sim.live.patch<WebhookEndpoint>(`/webhook_endpoints/${data.id}`, { events: ['lead.late'] })
    expect(changed.data).toMatchObject({
      url,
      events: ['lead.late'],
      campaign_ids: [campaign],
      updated: '2026-10-01T16:00:00.000Z',
    })
    expect(
      (await sim.live.patch<WebhookEndpoint>(`/webhook_endpoints/${data.id}`, { campaign_ids: null })).data
        .campaign_ids,
    ).toBeNull()
  })

  it('is paused and resumed by its status', async () => {
    const sim = await simulate()
    const { data } = await make(sim)
    const paused = await sim.live.patch(`/webhook_endpoints/${data.id}`, { status: 'paused' })
    expect(paused.data).toMatchObject({ status: 'paused', paused_at: '2026-10-01T15:00:00.000Z' })
    expect((await sim.live.post(`/webhook_endpoints/${data.id}/test`, { type: 'lead.late' })).error.code).toBe(
      'endpoint_paused',
    )
    const active = await sim.live.patch(`/webhook_endpoints/${data.id}`, { status: 'active' })
    expect(active.data).toMatchObject({ status: 'active', paused_at: null, failing_since: null })
    expect((await sim.live.patch(`/webhook_endpoints/${data.id}`, { status: 'asleep' })).error.param).toBe('status')
  })

  it('needs the permission to read its events when address, events or campaigns change, not for its status', async () => {
    const sim = await simulate()
    const { data } = await make(sim)
    const key = sim.as(await sim.key({ permissions: ['webhooks:write'] }))
    for (const words of [{ url }, { events: ['lead.late'] }, { campaign_ids: null }]) {
      expect((await key.patch(`/webhook_endpoints/${data.id}`, words)).error.missing_permission).toBe('leads:read')
    }
    expect((await key.patch(`/webhook_endpoints/${data.id}`, { status: 'paused' })).status).toBe(200)
  })
})

it('a webhook endpoint is gone when it is deleted, with its deliveries, and the events stay', async () => {
  const sim = await simulate()
  const { data } = await make(sim)
  await sim.live.patch(`/webhook_endpoints/${data.id}`, { status: 'paused' })
  await sim.lead()
  const events = await sim.events()
  const { status, data: deleted } = await sim.live.del(`/webhook_endpoints/${data.id}`)
  expect([status, deleted]).toEqual([200, { id: data.id, object: 'webhook_endpoint', deleted: true, livemode: true }])
  expect((await sim.live.get(`/webhook_endpoints/${data.id}`)).error.code).toBe('not_found')
  expect((await sim.live.get(`/webhook_endpoints/${data.id}/deliveries`)).error.code).toBe('not_found')
  expect((await sim.live.del(`/webhook_endpoints/${data.id}`)).error.code).toBe('not_found')
  expect(await sim.events()).toEqual(events)
})
