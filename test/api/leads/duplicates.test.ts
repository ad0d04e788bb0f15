/** A lead that is sent again: a duplicate inside the window, put back in the queue after it. */
import { expect, it } from 'vitest'
import type { LeadAccepted } from '../../../src/contract/new-leads.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const over = { answer: 'person', outcome: 'not_interested', talk_seconds: 30 } as const

/** A lead that was called and is done. */
async function finished(sim: Simulation, words: object = {}): Promise<{ id: string; phone: string }> {
  const phone = sim.phone()
  await sim.script(phone, over)
  const { id } = await sim.lead({ phone, ...words })
  await sim.advance('1m')
  expect((await sim.readLead(id)).status).toBe('done')
  return { id, phone }
}

it('a lead that is sent again is a duplicate by its number or by its external id, and the first lead is named', async () => {
  const sim = await simulate()
  const phone = sim.phone()
  const { id } = await sim.lead({ phone, external_id: 'crm-1' })
  const send = (words: object) => sim.live.post('/leads', { campaign_id: sim.campaignId, ...words })
  expect((await send({ phone })).error).toMatchObject({ code: 'duplicate_lead', param: 'phone', lead_id: id })
  expect((await send({ phone: sim.phone(), external_id: 'crm-1' })).error).toMatchObject({
    code: 'duplicate_lead',
    param: 'external_id',
    lead_id: id,
  })
})

it('a lead that is sent again is no duplicate in another campaign, earlier or later, where its number and its external id are free', async () => {
  const sim = await simulate()
  const { id: other } = await sim.campaign()
  for (const campaigns of [
    [sim.campaignId, other],
    [other, sim.campaignId],
  ]) {
    const words = { phone: sim.phone(), external_id: `crm-${campaigns.indexOf(other)}` }
    const ids: string[] = []
    for (const campaign_id of campaigns) {
      const { status, data } = await sim.live.post<{ id: string }>('/leads', { ...words, campaign_id })
      expect([status, data]).toMatchObject([201, { external_id: words.external_id }])
      ids.push(data.id)
    }
    expect(new Set(ids).size).toBe(2)
  }
})

it('a lead that is sent again is a duplicate until the last moment of thirty days, and put back in the queue from then on', async () => {
  const sim = await simulate()
  const { id, phone } = await finished(sim, { name: 'Ada', external_id: 'crm-1' })
  await sim.advance('2026-10-31T14:59:59.999Z')
  const send = (words: object) =>
    sim.live.post<LeadAccepted>('/leads', { campaign_id: sim.campaignId, phone, ...words })
  expect((await send({})).error.lead_id).toBe(id)

  await sim.advance('2026-10-31T15:00:00Z')
  const again = await send({ email: 'ada@example.com' })
  expect(again.status).toBe(200)
  expect(again.data).toMatchObject({ id, requeued: true, dry_run: false, external_id: 'crm-1', status: 'dialing' })
  const lead = await sim.readLead(id)
  expect(lead).toMatchObject({
    name: 'Ada',
    email: 'ada@example.com',
    attempts: 2,
    created: '2026-10-01T15:00:00.000Z',
  })
  expect(lead.calls).toHaveLength(2)
  expect((await send({})).error.code).toBe('duplicate_lead')
})

it('the duplicate window starts when the lead was last accepted, also by a requeue', async () => {
  const sim = await simulate()
  const { phone } = await finished(sim)
  const send = () => sim.live.post('/leads', { campaign_id: sim.campaignId, phone })
  await sim.advance('30d')
  expect((await send()).status).toBe(200)
  await sim.advance('29d')
  expect((await send()).error.code).toBe('duplicate_lead')
  await sim.advance('1d')
  expect((await send()).status).toBe(200)
})

it('the duplicate window is as long as the campaign says', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ duplicate_window_days: 2 })
  const { phone, id } = await finished(sim)
  const send = () => sim.live.post<LeadAccepted>('/leads', { campaign_id: sim.campaignId, phone })
  await sim.advance('47h')
  expect((await send()).error.code).toBe('duplicate_lead')
  await sim.advance('1h')
  expect((await send()).data).toMatchObject({ id, requeued: true })
})

it('a lead that is sent again is put back only when it passes the other checks', async () => {
  const sim = await simulate()
  const { phone } = await finished(sim)
  await sim.advance('31d')
  await sim.changeCampaign({ consent_required: true })
  expect((await sim.live.post('/leads', { campaign_id: sim.campaignId, phone })).error.code).toBe('consent_required')
  await sim.live.post('/dnc', { phone })
  expect((await sim.live.post('/leads', { campaign_id: sim.campaignId, phone })).error.code).toBe('on_dnc_list')
})

it('a lead that is sent again is reported as queued again, not as created', async () => {
  const sim = await simulate()
  const { phone } = await finished(sim)
  await sim.advance('30d')
  const before = (await sim.events()).length
  await sim.live.post('/leads', { campaign_id: sim.campaignId, phone })
  const types = (await sim.events()).slice(before).map(({ type }) => type)
  expect(types).toEqual(['lead.queued', 'call.started'])
})

it('a lead that is sent again counts as a call started through the API when it asks to be called now', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ duplicate_window_days: 0 })
  const { phone, id } = await finished(sim)
  const send = (words: object) =>
    sim.live.post<LeadAccepted>('/leads', { campaign_id: sim.campaignId, phone, ...words })
  for (let n = 0; n < 3; n++) {
    expect((await send({ call_now: true })).status).toBe(200)
    await sim.advance('1m')
  }
  const { error, headers } = await send({ call_now: true })
  expect(error.code).toBe('call_limit_reached')
  // The first of the three was started a minute after the lead came, three minutes ago.
  expect(headers['retry-after']).toBe(String(24 * 3600 - 3 * 60))
  expect((await send({ call_now: false })).status).toBe(200)
  await sim.advance('1m')
  const [latest, before] = (await sim.readLead(id)).calls
  expect((await sim.readCall(latest?.id ?? '')).started_by).toEqual({ type: 'dialer', api_key_id: null })
  expect((await sim.readCall(before?.id ?? '')).started_by).toEqual({ type: 'api', api_key_id: sim.live.key.key_id })
})

it('a lead that is sent again is refused while it is on the telephone, however short the window', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ duplicate_window_days: 0 })
  const phone = sim.phone()
  const { id } = await sim.lead({ phone })
  expect((await sim.live.post('/leads', { campaign_id: sim.campaignId, phone })).error.lead_id).toBe(id)
})
