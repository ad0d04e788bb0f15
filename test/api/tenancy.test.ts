/** Organizations, and the two modes of each: none ever sees anything of another. */
import { describe, expect, it } from 'vitest'
import type { Organization } from '../../src/contract/control/world.js'
import { keyOf, simulate, type Client, type Simulation } from '../support/simulate.js'

interface Id {
  id: string
}

const phone = '+16462011234'

/** Two clients that must not meet, each with a campaign. */
async function strangers(
  how: 'organization' | 'mode',
): Promise<{ sim: Simulation; one: Client; other: Client; otherCampaign: string }> {
  const sim = await simulate()
  if (how === 'mode') return { sim, one: sim.live, other: sim.test, otherCampaign: sim.campaignId }
  const organization = await sim.control<Organization>('POST', '/_sim/organizations', { name: 'Other' })
  return {
    sim,
    one: sim.live,
    other: sim.as(keyOf(organization, 'live')),
    otherCampaign: organization.campaigns[0]?.id ?? '',
  }
}

describe.each(['organization', 'mode'] as const)('another %s', (how) => {
  // rule K6
  it('finds nothing of it by id', async () => {
    const { sim, one, other } = await strangers(how)
    const { id: lead } = await sim.lead({ phone, external_id: 'same' }, one)
    const call = (await sim.readLead(lead, one)).calls[0]?.id ?? ''
    const { data: listed } = await one.post<Id>('/dnc', { phone: '+16462019999' })
    const { data: endpoint } = await one.post<Id>('/webhook_endpoints', {
      url: 'https://203.0.114.1',
      events: ['lead.created'],
    })
    const replies = [
      await other.get(`/leads/${lead}`),
      await other.get('/leads?external_id=same'),
      await other.patch(`/leads/${lead}`, { name: 'x' }),
      await other.post(`/leads/${lead}/opt_out`),
      await other.post('/calls', { lead_id: lead }),
      await other.get(`/calls/${call}`),
      await other.del(`/dnc/${listed.id}`),
      await other.get(`/webhook_endpoints/${endpoint.id}`),
      await other.patch(`/webhook_endpoints/${endpoint.id}`, { status: 'paused' }),
      await other.post(`/webhook_endpoints/${endpoint.id}/test`, { type: 'lead.late' }),
      await other.del(`/webhook_endpoints/${endpoint.id}`),
    ]
    for (const { error } of replies) expect(error.code).toBe('not_found')
  })

  it('sees nothing of it in lists', async () => {
    const { sim, one, other } = await strangers(how)
    await sim.lead({ phone }, one)
    await one.post('/dnc', { phone: '+16462019999' })
    await one.post('/webhook_endpoints', { url: 'https://203.0.114.1', events: ['lead.created'] })
    for (const path of ['/leads', '/calls', '/events', '/webhook_endpoints']) expect(await other.all(path)).toEqual([])
    expect(await other.all('/dnc', 'cursor')).toEqual([])
  })

  it('has a Do Not Call list, duplicates and external ids of its own', async () => {
    const { sim, one, other, otherCampaign } = await strangers(how)
    await sim.lead({ phone, external_id: 'same' }, one)
    await one.post('/dnc', { phone })
    expect((await other.get(`/dnc/check?phone=${encodeURIComponent(phone)}`)).data).toMatchObject({ onDncList: false })
    expect((await other.post('/leads', { campaign_id: otherCampaign, phone, external_id: 'same' })).status).toBe(201)
    expect((await other.post('/dnc', { phone })).status).toBe(201)
  })

  it('has lines of its own', async () => {
    const { sim, one, other, otherCampaign } = await strangers(how)
    await sim.changeCampaign({ lines: 1 })
    expect((await sim.lead({}, one)).status).toBe('dialing')
    expect((await sim.lead({}, one)).status).toBe('queued')
    expect((await sim.lead({ campaign_id: otherCampaign }, other)).status).toBe('dialing')
  })

  it('is not held back by the cooldown', async () => {
    const { sim, one, other } = await strangers(how)
    await sim.lead({ phone }, one)
    const second = (await sim.campaign()).id
    expect((await sim.lead({ phone, campaign_id: second }, one)).scheduled_reason).toBe('recent_contact_cooldown')
    const campaign_id = how === 'mode' ? second : (await other.all<Id>('/campaigns'))[0]?.id
    expect((await sim.lead({ phone, campaign_id }, other)).status).toBe('dialing')
  })
})

// rule K2
it('an organization has campaigns that both modes see, each with its own livemode', async () => {
  const sim = await simulate()
  const [live] = await sim.live.all<object>('/campaigns')
  const [test] = await sim.test.all<object>('/campaigns')
  expect(test).toEqual({ ...live, livemode: false })
})

it('an organization has campaigns that another organization cannot name', async () => {
  const { sim, other } = await strangers('organization')
  const { error } = await other.post('/leads', { campaign_id: sim.campaignId, phone })
  expect(error.code).toBe('not_found')
  expect((await other.get(`/campaigns/${sim.campaignId}`)).error.code).toBe('not_found')
  expect((await other.post(`/campaigns/${sim.campaignId}/pause`)).error.code).toBe('not_found')
})

// rule W1
it('an organization has ten webhook endpoints at most, live and test together', async () => {
  const sim = await simulate()
  const make = (client: Client) =>
    client.post<Id>('/webhook_endpoints', { url: 'https://203.0.114.1', events: ['lead.late'] })
  for (let n = 0; n < 5; n++) for (const client of [sim.live, sim.test]) expect((await make(client)).status).toBe(201)
  expect((await make(sim.live)).error).toMatchObject({ code: 'limit_reached' })
  expect((await make(sim.test)).error).toMatchObject({ code: 'limit_reached' })
  const organization = await sim.control<Organization>('POST', '/_sim/organizations', { name: 'Other' })
  expect((await make(sim.as(keyOf(organization, 'live')))).status).toBe(201)
  const [first] = await sim.test.all<Id>('/webhook_endpoints')
  await sim.test.del(`/webhook_endpoints/${first?.id}`)
  expect((await make(sim.live)).status).toBe(201)
})
