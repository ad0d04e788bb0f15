/** Leads sent one by one: what is taken in, what is said of it, and what is refused. */
import { describe, expect, it } from 'vitest'
import type { Lead } from '../../../src/contract/leads.js'
import type { LeadAccepted } from '../../../src/contract/new-leads.js'
import { simulate } from '../../support/simulate.js'

const consent = {
  source: 'web_form',
  agreed_at: '2026-09-30T10:00:00+02:00',
  url: 'https://example.com/form',
  ip: '203.0.113.9',
}
const nowhere = 'b7a5d9a3-43f4-4fd1-9d59-6c4d2be0f1d5'

describe('a lead that is taken in', () => {
  it('is dialed at once on a free line', async () => {
    const sim = await simulate()
    const { status, data } = await sim.live.post('/leads', { campaign_id: sim.campaignId, phone: sim.phone() })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.any(String),
      external_id: null,
      status: 'dialing',
      call_now: false,
      place_in_line: 0,
      estimated_wait_seconds: 0,
      scheduled_for: null,
      scheduled_reason: null,
      held_reason: null,
      dry_run: false,
      livemode: true,
    })
  })

  it('is read back with all that was sent', async () => {
    const sim = await simulate()
    const words = {
      external_id: 'crm-7',
      name: 'Ada',
      email: 'ada@example.com',
      address: '1 Main St',
      fields: { roof: 'slate' },
      consent,
    }
    const { id } = await sim.lead({ ...words, phone: '(212) 555-7812', call_now: true })
    expect(await sim.readLead(id)).toMatchObject({
      ...words,
      phone: '+12125557812',
      call_now: true,
      campaign_id: sim.campaignId,
      created: '2026-10-01T15:00:00.000Z',
      attempts: 1,
      late: false,
      lead_source: 'api',
      last_outcome: null,
    })
  })

  it('is reported as created, then as queued', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const { id } = await sim.lead()
    const events = await sim.events()
    expect(events.map(({ type }) => type)).toEqual(['lead.created', 'lead.queued'])
    const { livemode: _livemode, place_in_line, ...lead } = await sim.readLead(id)
    expect(place_in_line).toBe(1)
    for (const { data } of events) expect(data.object).toMatchObject(lead)
  })

  it.each([
    ['scheduled', '2026-10-01T04:00:00Z', 'running'],
    ['held', '2026-10-01T15:00:00Z', 'paused'],
  ])(
    'is reported so, once, when it is %s as well, and not again when its time comes',
    async (status, now, campaign) => {
      const sim = await simulate({ now })
      await sim.changeCampaign({ status: campaign })
      const { id } = await sim.lead()
      const types = async () => (await sim.events()).map(({ type, data }) => [type, (data.object as Lead).status])
      const reported = [
        ['lead.created', status],
        ['lead.queued', status],
      ]
      expect(await types()).toEqual(reported)
      await sim.changeCampaign({ status: 'running' })
      await sim.advance('2026-10-01T15:00:00Z')
      expect((await types()).slice(0, 3)).toEqual([...reported, ['call.started', 'ringing']])
      expect((await sim.events()).filter(({ type }) => type === 'lead.queued')).toHaveLength(1)
      expect((await sim.readLead(id)).attempts).toBeGreaterThan(0)
    },
  )

  it.each(['(212) 555-7812', '212.555.7812', '+1 212 555 7812', '1-212-555-7812', '2125557812'])(
    'may be written %s',
    async (phone) => {
      const sim = await simulate()
      const { id } = await sim.lead({ phone })
      expect((await sim.readLead(id)).phone).toBe('+12125557812')
    },
  )

  it('has the priority its campaign gives where the request says nothing', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ call_now_default: true })
    expect(await sim.lead()).toMatchObject({ call_now: true })
    expect(await sim.lead({ call_now: false })).toMatchObject({ call_now: false })
  })

  it('may be sent below its campaign', async () => {
    const sim = await simulate()
    const reply = await sim.live.post<LeadAccepted>(`/campaigns/${sim.campaignId}/leads`, { phone: sim.phone() })
    expect(reply.status).toBe(201)
    expect((await sim.readLead(reply.data.id ?? '')).campaign_id).toBe(sim.campaignId)
    const named = await sim.live.post(`/campaigns/${sim.campaignId}/leads`, {
      campaign_id: sim.campaignId,
      phone: sim.phone(),
    })
    expect(named.error).toMatchObject({ code: 'invalid_request', param: 'campaign_id' })
    expect((await sim.live.post(`/campaigns/${nowhere}/leads`, { phone: sim.phone() })).error.code).toBe('not_found')
  })
})

describe('a lead in a campaign that is held', () => {
  it.each([
    ['not_started', {}, 'campaign_not_started'],
    ['paused', {}, 'campaign_paused'],
    ['running', { spend_cap_usd: 0 }, 'spend_cap_reached'],
    ['paused', { spend_cap_usd: 0 }, 'campaign_paused'],
    ['not_started', { spend_cap_usd: 0 }, 'campaign_not_started'],
  ])('%s %j waits, at night too', async (status, more, held_reason) => {
    const sim = await simulate({ now: '2026-10-01T04:00:00Z' })
    const { id: campaign_id } = await sim.campaign({ status, ...more })
    expect(await sim.lead({ campaign_id })).toMatchObject({
      status: 'held',
      held_reason,
      scheduled_for: null,
      place_in_line: null,
    })
  })

  it('is called once the hold lifts', async () => {
    const sim = await simulate()
    const { id: campaign_id } = await sim.campaign({ status: 'not_started' })
    const { id } = await sim.lead({ campaign_id })
    expect((await sim.live.post(`/campaigns/${campaign_id}/start`)).data).toMatchObject({ status: 'running' })
    expect(await sim.readLead(id)).toMatchObject({ status: 'dialing', held_reason: null })
  })

  it('is held again with those in line when a hold begins', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const { id } = await sim.lead()
    await sim.live.post(`/campaigns/${sim.campaignId}/pause`)
    expect(await sim.readLead(id)).toMatchObject({ status: 'held', held_reason: 'campaign_paused' })
  })
})

describe('a number', () => {
  // rule T2
  it.each(['12', 'hello', '+1 212 555 0150', '+1 555 010 0003', '(646) 555-0100', '+12125550199'])(
    '%s is invalid for every key',
    async (phone) => {
      const sim = await simulate()
      for (const client of [sim.live, sim.test]) {
        const { error } = await client.post('/leads', { campaign_id: sim.campaignId, phone })
        expect(error).toMatchObject({ code: 'invalid_phone', param: 'phone' })
      }
    },
  )

  it.each(['+15550100001', '+15550100002'])('%s, reserved for tests, is invalid for a live key', async (phone) => {
    const sim = await simulate()
    expect((await sim.live.post('/leads', { campaign_id: sim.campaignId, phone })).error.code).toBe('invalid_phone')
    expect((await sim.test.post('/leads', { campaign_id: sim.campaignId, phone })).status).toBe(201)
  })

  it.each([
    ['+1 900 555 1234', 'premium'],
    ['+1 212 976 1234', 'premium'],
    ['+1 876 555 1234', 'international'],
    ['+1 787 555 1234', 'international'],
    ['+44 20 7946 0958', 'international'],
  ])('%s is %s and not dialed', async (phone, reason) => {
    const sim = await simulate()
    const { error } = await sim.live.post('/leads', { campaign_id: sim.campaignId, phone })
    expect(error).toMatchObject({ code: 'number_not_allowed', reason, param: 'phone' })
  })

  it('on the Do Not Call list is refused in every campaign', async () => {
    const sim = await simulate()
    const { id: campaign_id } = await sim.campaign()
    const phone = sim.phone()
    await sim.live.post('/dnc', { phone })
    for (const words of [{ campaign_id: sim.campaignId }, { campaign_id }]) {
      expect((await sim.live.post('/leads', { ...words, phone })).error).toMatchObject({
        code: 'on_dnc_list',
        param: 'phone',
      })
    }
  })
})

// rule D7
describe('consent', () => {
  it('is asked for where the campaign requires it', async () => {
    const sim = await simulate()
    const { id: campaign_id } = await sim.campaign({ consent_required: true })
    expect((await sim.live.post('/leads', { campaign_id, phone: sim.phone() })).error).toMatchObject({
      code: 'consent_required',
      param: 'consent',
    })
    expect((await sim.live.post('/leads', { campaign_id, phone: sim.phone(), consent })).status).toBe(201)
  })

  it.each([
    ['consent.source', { ...consent, source: undefined }],
    ['consent.source', { ...consent, source: 'x'.repeat(101) }],
    ['consent.agreed_at', { ...consent, agreed_at: undefined }],
    ['consent.agreed_at', { ...consent, agreed_at: '2026-09-30T10:00:00' }],
    ['consent.agreed_at', { ...consent, agreed_at: '2026-02-30T10:00:00Z' }],
    ['consent.text', { ...consent, url: undefined }],
    ['consent.text', { ...consent, text: 'x'.repeat(5001) }],
    ['consent.url', { ...consent, url: 'not a url' }],
    ['consent.colour', { ...consent, colour: 'red' }],
  ])('that is wrong in %s is refused, case %#', async (param, wrong) => {
    const sim = await simulate()
    const { error } = await sim.live.post('/leads', { campaign_id: sim.campaignId, phone: sim.phone(), consent: wrong })
    expect(error).toMatchObject({ code: 'invalid_request', param })
  })
})

// rule A2
describe('a campaign', () => {
  it('that is not there is 404', async () => {
    const sim = await simulate()
    const { error } = await sim.live.post('/leads', { campaign_id: nowhere, phone: sim.phone() })
    expect(error).toMatchObject({ code: 'not_found', param: 'campaign_id' })
  })

  it('that is completed is closed', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ status: 'completed' })
    const { error } = await sim.live.post('/leads', { campaign_id: sim.campaignId, phone: sim.phone() })
    expect(error).toMatchObject({ code: 'campaign_closed', param: 'campaign_id' })
  })
})

it.each([
  ['external_id', 200],
  ['phone', 32],
  ['name', 200],
  ['email', 254],
  ['address', 500],
])('%s has at most %i characters', async (field, most) => {
  const sim = await simulate()
  const send = (length: number) => {
    const text = field === 'phone' ? sim.phone().padEnd(length, ' ') : 'x'.repeat(length)
    return sim.live.post('/leads', { campaign_id: sim.campaignId, phone: sim.phone(), [field]: text })
  }
  expect((await send(most)).status).toBe(201)
  expect((await send(most + 1)).error).toMatchObject({ code: 'invalid_request', param: field })
})

it('a new lead has at most fifty custom fields, and they are texts', async () => {
  const sim = await simulate()
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 'x']))
  const send = (sent: object) =>
    sim.live.post('/leads', { campaign_id: sim.campaignId, phone: sim.phone(), fields: sent })
  expect((await send(fields(50))).status).toBe(201)
  expect((await send(fields(51))).error).toMatchObject({ code: 'invalid_request', param: 'fields' })
  expect((await send({ size: 3 })).error).toMatchObject({ code: 'invalid_request', param: 'fields.size' })
})
