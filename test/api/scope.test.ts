/** Keys that are limited to some campaigns: what they see, and what they may name. */
import { describe, expect, it } from 'vitest'
import type { Lead } from '../../src/contract/leads.js'
import type { Delivery } from '../../src/contract/deliveries.js'
import type { Event } from '../../src/contract/events.js'
import { receiverWith } from '../support/dispatch.js'
import { simulate, type Client, type Simulation } from '../support/simulate.js'

interface Id {
  id: string
}

/** One campaign inside the scope of a key and one outside, each with a lead on the telephone. */
async function scoped(): Promise<{
  sim: Simulation
  client: Client
  inside: string
  outside: string
  seen: string
  unseen: string
}> {
  const sim = await simulate()
  const outside = sim.campaignId
  const inside = (await sim.campaign()).id
  const client = sim.as(await sim.key({ campaign_ids: [inside] }))
  const seen = (await sim.lead({ campaign_id: inside, external_id: 'same' })).id
  const unseen = (await sim.lead({ campaign_id: outside, external_id: 'same' })).id
  return { sim, client, inside, outside, seen, unseen }
}

const callOf = async (sim: Simulation, lead: string) => (await sim.readLead(lead)).calls[0]?.id ?? ''
const nowhere = 'b7a5d9a3-43f4-4fd1-9d59-6c4d2be0f1d5'

// rule K4
describe('a write that names a campaign outside', () => {
  it.each<[string, (client: Client, campaign: string) => Promise<{ error: object }>]>([
    ['POST /leads', (client, campaign_id) => client.post('/leads', { campaign_id, phone: '+16462019000' })],
    [
      'POST /leads, dry',
      (client, campaign_id) => client.post('/leads', { campaign_id, phone: '+16462019000', dry_run: true }),
    ],
    [
      'POST /leads/batch',
      (client, campaign_id) => client.post('/leads/batch', { campaign_id, leads: [{ phone: '+16462019000' }] }),
    ],
    [
      'POST /leads/batch, in one lead',
      (client, campaign_id) => client.post('/leads/batch', { leads: [{ phone: '+16462019000', campaign_id }] }),
    ],
    [
      'POST /campaigns/{id}/leads',
      (client, campaign) => client.post(`/campaigns/${campaign}/leads`, { phone: '+16462019000' }),
    ],
    ['POST /calls', (client, campaign_id) => client.post('/calls', { external_id: 'same', campaign_id })],
    [
      'POST /webhook_endpoints',
      (client, campaign) =>
        client.post('/webhook_endpoints', {
          url: 'https://203.0.114.1',
          events: ['lead.late'],
          campaign_ids: [campaign],
        }),
    ],
  ])('is 403 and names it: %s', async (_what, send) => {
    const { client, outside } = await scoped()
    expect((await send(client, outside)).error).toMatchObject({
      code: 'permission_denied',
      type: 'permission_error',
      campaign_id: outside,
    })
  })

  it('is 403 too for an endpoint that is to have it, and the field is named', async () => {
    const { sim, client, inside, outside } = await scoped()
    const words = { url: 'https://203.0.114.1', events: ['lead.late'] }
    const { data } = await client.post<Id>('/webhook_endpoints', { ...words, campaign_ids: [inside] })
    for (const campaign_ids of [[outside], [inside, outside], null]) {
      const refused = {
        code: 'permission_denied',
        campaign_id: campaign_ids && outside,
        param: campaign_ids && 'campaign_ids',
      }
      expect((await client.patch(`/webhook_endpoints/${data.id}`, { campaign_ids })).error).toMatchObject(refused)
      expect((await client.post('/webhook_endpoints', { ...words, campaign_ids })).error).toMatchObject(refused)
    }
    expect((await sim.live.get(`/webhook_endpoints/${data.id}`)).data).toMatchObject({ campaign_ids: [inside] })
  })

  it('is 404 when the campaign is not there at all', async () => {
    const { client } = await scoped()
    expect((await client.post('/leads', { campaign_id: nowhere, phone: '+16462019000' })).error.code).toBe('not_found')
  })

  it('adds none of a batch that has one lead outside', async () => {
    const { sim, client, inside, outside } = await scoped()
    const leads = [inside, outside].map((campaign_id) => ({ campaign_id, phone: sim.phone() }))
    expect((await client.post('/leads/batch', { leads })).status).toBe(403)
    expect(await sim.live.all('/leads')).toHaveLength(2)
  })
})

it('a key of one campaign answers 404 for everything outside that is addressed by its own id', async () => {
  const { sim, client, unseen, outside } = await scoped()
  const call = await callOf(sim, unseen)
  const { data: endpoint } = await sim.live.post<Id>('/webhook_endpoints', {
    url: 'https://203.0.114.1',
    events: ['lead.late'],
  })
  const replies = [
    await client.get(`/leads/${unseen}`),
    await client.patch(`/leads/${unseen}`, { name: 'x' }),
    await client.post(`/leads/${unseen}/opt_out`),
    await client.post('/calls', { lead_id: unseen }),
    await client.get(`/calls/${call}`),
    await client.get(`/calls/${call}/transcript`),
    await client.get(`/calls/${call}/recording`),
    await client.get(`/campaigns/${outside}`),
    await client.get(`/webhook_endpoints/${endpoint.id}`),
    await client.get(`/webhook_endpoints/${endpoint.id}/deliveries`),
    await client.del(`/webhook_endpoints/${endpoint.id}`),
  ]
  for (const { error } of replies) expect(error.code).toBe('not_found')
  expect((await sim.readLead(unseen)).name).toBeNull()
})

it('a key of one campaign shows in lists only what is inside', async () => {
  const { sim, client, inside, outside, seen } = await scoped()
  expect((await client.all<Lead>('/leads')).map(({ id }) => id)).toEqual([seen])
  expect(await client.all(`/leads?campaign_id=${outside}`)).toEqual([])
  expect(await client.all(`/leads?campaign_id=${nowhere}`)).toEqual([])
  expect((await client.get<Id>('/leads?external_id=same')).data.id).toBe(seen)
  expect((await client.all<Id>('/calls')).map(({ id }) => id)).toEqual([await callOf(sim, seen)])
  expect((await client.all<Id>('/campaigns')).map(({ id }) => id)).toEqual([inside])
  const campaigns = (await client.all<Event>('/events')).map(({ data }) => data.object.campaign_id)
  expect([...new Set(campaigns)]).toEqual([inside])
})

it('a key of one campaign takes no cursor that is outside, in any list', async () => {
  const { sim, client, unseen, outside } = await scoped()
  const [event] = (await sim.live.all<Event>('/events')).filter(({ data }) => data.object.campaign_id === outside)
  const cursors = { leads: unseen, calls: await callOf(sim, unseen), campaigns: outside, events: event?.id }
  for (const [list, cursor] of Object.entries(cursors)) {
    const path = `/${list}?starting_after=${cursor}`
    expect((await sim.live.get(path)).status).toBe(200)
    expect((await client.get(path)).error).toMatchObject({ code: 'invalid_request', param: 'starting_after' })
  }
})

it('a key of one campaign takes no cursor that names an event the key may not read', async () => {
  const sim = await simulate()
  await sim.lead()
  const [created, , started] = await sim.events()
  const client = sim.as(await sim.key({ permissions: ['webhooks:read', 'calls:read'] }))
  expect((await client.get(`/events?starting_after=${started?.id}`)).status).toBe(200)
  expect((await client.get(`/events?starting_after=${created?.id}`)).error).toMatchObject({
    code: 'invalid_request',
    param: 'starting_after',
  })
})

it('a key of one campaign finds a lead that is ambiguous for a wider key', async () => {
  const { sim, client, seen, unseen, inside, outside } = await scoped()
  const { error } = await sim.live.get('/leads?external_id=same')
  expect(error).toMatchObject({ code: 'ambiguous_external_id' })
  expect(error.candidates).toHaveLength(2)
  expect(error.candidates).toEqual(
    expect.arrayContaining([
      { id: seen, campaign_id: inside },
      { id: unseen, campaign_id: outside },
    ]),
  )
  expect((await sim.live.get<Id>(`/leads?external_id=same&campaign_id=${outside}`)).data.id).toBe(unseen)
  expect((await client.get('/leads?external_id=other')).error.code).toBe('not_found')
})

it('sees the endpoints whose campaigns are all its own, so none that has every campaign', async () => {
  const { sim, client, inside, outside } = await scoped()
  const make = async (campaign_ids: string[] | null) =>
    (await sim.live.post<Id>('/webhook_endpoints', { url: 'https://203.0.114.1', events: ['lead.late'], campaign_ids }))
      .data.id
  const [own] = [await make([inside]), await make([inside, outside]), await make(null)]
  expect((await client.all<Id>('/webhook_endpoints')).map(({ id }) => id)).toEqual([own])
})

it.each<[string, (client: Client) => Promise<{ error: object }>]>([
  [
    'webhook endpoints without campaigns',
    (client) => client.post('/webhook_endpoints', { url: 'https://203.0.114.1', events: ['lead.late'] }),
  ],
  [
    'endpoints for every campaign',
    (client) =>
      client.post('/webhook_endpoints', { url: 'https://203.0.114.1', events: ['lead.late'], campaign_ids: null }),
  ],
  ['the list of exports', (client) => client.get('/exports')],
  ['a new export', (client) => client.post('/exports', { exportType: 'leads' })],
])('a key of one campaign cannot do what needs a key for all campaigns: %s', async (_what, send) => {
  const { client } = await scoped()
  expect((await send(client)).error).toMatchObject({ code: 'permission_denied', campaign_id: null })
})

it('a key of one campaign sees only deliveries of its campaign, and samples, of an endpoint that served other campaigns', async () => {
  const receiver = await receiverWith()
  const sim = await simulate({ allowLocalWebhooks: true })
  await sim.changeCampaign({ lines: 0 })
  const { id: outside } = await sim.campaign({ lines: 0 })
  const { data: endpoint } = await sim.live.post<Id>('/webhook_endpoints', {
    url: receiver.url,
    events: ['lead.created'],
    campaign_ids: [sim.campaignId, outside],
  })
  const path = `/webhook_endpoints/${endpoint.id}`
  await sim.live.post(`${path}/test`, { type: 'lead.late' })
  await sim.lead({ campaign_id: outside })
  await sim.lead()
  await sim.advance('0s')
  await sim.live.patch(path, { status: 'paused' })
  await sim.lead({ campaign_id: outside })
  await sim.lead()
  await sim.live.patch(path, { campaign_ids: [sim.campaignId] })

  const client = sim.as(await sim.key({ campaign_ids: [sim.campaignId] }))
  const all = await sim.live.all<Delivery>(`${path}/deliveries`)
  const [inside, unseen, , hidden, sample] = all.map(({ id }) => id)
  const seen = await client.all<Delivery>(`${path}/deliveries`, 'starting_after', 1)
  expect(seen).toEqual([all[0], all[2], all[4]])
  expect(await client.all(`${path}/deliveries?status=skipped_paused`)).toEqual([all[0]])
  expect((await client.get(`${path}/deliveries?starting_after=${unseen}`)).error.param).toBe('starting_after')

  expect((await client.post(`${path}/resume`, { resend_skipped: true })).data).toMatchObject({ resent: 1 })
  expect(await sim.live.all(`${path}/deliveries?status=skipped_paused`)).toEqual([all[1]])
  const resend = async (id?: string) => (await client.post(`${path}/deliveries/${id}/resend`)).status
  expect([await resend(inside), await resend(sample), await resend(hidden), await resend(unseen)]).toEqual([
    ...[202, 202, 404, 404],
  ])
})
