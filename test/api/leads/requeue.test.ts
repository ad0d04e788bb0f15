/** A known lead that is sent again after its duplicate window: what changes, its status, and which leads are refused. */
import { describe, expect, it } from 'vitest'
import type { LeadAccepted } from '../../../src/contract/new-leads.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const consent = { source: 'crm', agreed_at: '2026-09-30T10:00:00Z', text: 'Yes.' }

/** A simulator whose campaign takes every lead again. */
async function again(lines = 5): Promise<Simulation> {
  const sim = await simulate()
  await sim.changeCampaign({ duplicate_window_days: 0, lines })
  return sim
}

const send = (sim: Simulation, words: object) =>
  sim.live.post<LeadAccepted>('/leads', { campaign_id: sim.campaignId, ...words })

const place = async (sim: Simulation, id: string) => (await sim.readLead(id)).place_in_line

describe('what is sent again', () => {
  it('replaces what is stored, and what is not sent is kept', async () => {
    const sim = await again(0)
    const phone = sim.phone()
    const words = { name: 'Ada', email: 'ada@example.com', address: '1 Main St', fields: { a: '1' }, consent }
    const { id } = await sim.lead({ phone, external_id: 'crm-1', ...words })
    await sim.advance('1h')
    const news = { name: 'Ada Byron', fields: { b: '2' }, consent: { ...consent, source: 'web_form' } }
    const { status, data } = await send(sim, { phone, ...news, email: '' })
    expect(status).toBe(200)
    expect(data).toEqual({
      id,
      external_id: 'crm-1',
      status: 'queued',
      call_now: false,
      place_in_line: 1,
      estimated_wait_seconds: 120,
      scheduled_for: null,
      scheduled_reason: null,
      held_reason: null,
      dry_run: false,
      requeued: true,
      livemode: true,
    })
    expect(await sim.readLead(id)).toMatchObject({ ...words, ...news, external_id: 'crm-1' })
  })

  it('finds the lead by its external id, and takes over the number sent with it', async () => {
    const sim = await again()
    const [before, after] = [sim.phone(), sim.phone()]
    await sim.script(before, { answer: 'person', outcome: 'not_interested', talk_seconds: 5 })
    const { id } = await sim.lead({ phone: before, external_id: 'crm-1' })
    await sim.advance('1m')
    expect((await send(sim, { phone: after, external_id: 'crm-1' })).data).toMatchObject({ id, requeued: true })
    expect(await sim.readLead(id)).toMatchObject({ phone: after, status: 'dialing' })
  })

  it('gives a lead that had none the external id', async () => {
    const sim = await again(0)
    const phone = sim.phone()
    const { id } = await sim.lead({ phone })
    expect((await send(sim, { phone, external_id: 'crm-1' })).data).toMatchObject({ id, external_id: 'crm-1' })
  })

  it('is a duplicate when it names two known leads', async () => {
    const sim = await again(0)
    const phone = sim.phone()
    await sim.lead({ phone })
    const { id } = await sim.lead({ external_id: 'crm-1' })
    expect((await send(sim, { phone, external_id: 'crm-1' })).error).toMatchObject({
      code: 'duplicate_lead',
      lead_id: id,
    })
  })

  it('comes back in a batch too, each marked', async () => {
    const sim = await again(0)
    const phone = sim.phone()
    const { id } = await sim.lead({ phone })
    const leads = [{ phone }, { phone: sim.phone() }]
    const { data } = await sim.live.post<{ results: { lead: LeadAccepted }[] }>('/leads/batch', {
      campaign_id: sim.campaignId,
      leads,
    })
    expect(data.results.map(({ lead }) => [lead.id === id, lead.requeued])).toEqual([
      [true, true],
      [false, undefined],
    ])
  })
})

describe('a lead that is sent again', () => {
  it('while it waits keeps its place', async () => {
    const sim = await again(0)
    const phone = sim.phone()
    const { id } = await sim.lead({ phone })
    const { id: behind } = await sim.lead()
    await sim.advance('1s')
    await send(sim, { phone })
    expect([await place(sim, id), await place(sim, behind)]).toEqual([1, 2])
  })

  it('while it waits to be called now keeps its place among those, and gets one there when it becomes so', async () => {
    const sim = await again(0)
    const phone = sim.phone()
    const plain = sim.phone()
    const { id: later } = await sim.lead({ phone: plain })
    const { id } = await sim.lead({ phone, call_now: true })
    const { id: behind } = await sim.lead({ call_now: true })
    await sim.advance('1s')
    await send(sim, { phone, call_now: true })
    expect([await place(sim, id), await place(sim, behind), await place(sim, later)]).toEqual([1, 2, 3])
    await send(sim, { phone: plain, call_now: true })
    expect(await place(sim, later)).toBe(3)
    expect((await sim.readLead(later)).call_now).toBe(true)
  })

  it('while it is finished comes behind those who wait', async () => {
    const sim = await again(1)
    const phone = sim.phone()
    await sim.script(phone, { answer: 'person', outcome: 'not_interested', talk_seconds: 5 })
    const { id } = await sim.lead({ phone })
    const others = [await sim.lead(), await sim.lead()]
    await sim.advance('20s')
    await send(sim, { phone })
    expect([await place(sim, others[1]?.id ?? ''), await place(sim, id)]).toEqual([1, 2])
  })

  it('while it waits for a retry or a callback waits for neither any more', async () => {
    const sim = await again()
    for (const call of [{ answer: 'busy' }, { answer: 'person', callback_at: '2026-10-03T15:00:00Z' }] as const) {
      const phone = sim.phone()
      await sim.script(phone, call)
      const { id } = await sim.lead({ phone })
      await sim.advance('5m')
      await sim.changeCampaign({ lines: 0 })
      expect((await send(sim, { phone })).data).toMatchObject({ status: 'queued' })
      expect(await sim.readLead(id)).toMatchObject({ callback_at: null, next_dial_at: null, scheduled_reason: null })
      await sim.changeCampaign({ lines: 5 })
    }
  })

  it('after a person took it out comes back', async () => {
    const sim = await again(0)
    const phone = sim.phone()
    const { id } = await sim.lead({ phone })
    await sim.control('POST', `/_sim/leads/${id}/take_out`)
    expect((await send(sim, { phone })).data).toMatchObject({ id, requeued: true, status: 'queued' })
    expect((await sim.live.post('/calls', { lead_id: id })).status).toBe(202)
    await sim.changeCampaign({ lines: 1 })
    expect((await sim.readLead(id)).status).toBe('dialing')
  })

  it('is judged like a new one: scheduled in the night, held where its campaign is', async () => {
    const sim = await again(0)
    const phone = sim.phone()
    await sim.lead({ phone })
    await sim.advance('2026-10-02T04:00:00Z')
    expect((await send(sim, { phone })).data).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'outside_calling_hours',
      scheduled_for: '2026-10-02T12:00:00.000Z',
    })
    await sim.live.post(`/campaigns/${sim.campaignId}/pause`)
    expect((await send(sim, { phone })).data).toMatchObject({ status: 'held', held_reason: 'campaign_paused' })
  })

  it('is only told what would be on a dry run', async () => {
    const sim = await again(0)
    const phone = sim.phone()
    const { id } = await sim.lead({ phone, name: 'Ada' })
    const before = await sim.readLead(id)
    const { status, data } = await send(sim, { phone, name: 'Bo', call_now: true, dry_run: true })
    expect([status, data.id, data.dry_run, data.call_now]).toEqual([200, null, true, true])
    expect(await sim.readLead(id)).toEqual(before)
  })
})

it('a requeued lead keeps the cooldown of the number it was called on, and not of the one it has now', async () => {
  const sim = await again()
  const { id: campaign_id } = await sim.campaign()
  const [before, after] = [sim.phone(), sim.phone()]
  await sim.script(before, { answer: 'person', outcome: 'not_interested', talk_seconds: 5 })
  await sim.lead({ phone: before, external_id: 'crm-1' })
  await sim.advance('1m')
  await sim.changeCampaign({ lines: 0 })
  await send(sim, { phone: after, external_id: 'crm-1' })
  expect(await sim.lead({ phone: before, campaign_id })).toMatchObject({
    status: 'scheduled',
    scheduled_reason: 'recent_contact_cooldown',
  })
  expect(await sim.lead({ phone: after, campaign_id })).toMatchObject({ status: 'dialing' })
})
