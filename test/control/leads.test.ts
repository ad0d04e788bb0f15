import { describe, expect, it } from 'vitest'
import type { Lead } from '../../src/contract/leads.js'
import { simulate, type Reply, type Simulation } from '../support/simulate.js'

const load = (sim: Simulation, leads: object[], words: object = {}): Promise<Reply<{ ids: string[] }>> =>
  sim.ask('POST', '/_sim/leads', { campaign_id: sim.campaignId, leads, ...words })

/** One lead, loaded in the app. */
async function loaded(sim: Simulation, words: object = {}): Promise<string> {
  const [id = ''] = (await load(sim, [{ phone: sim.phone(), ...words }])).data.ids
  return id
}

const act = (sim: Simulation, id: string, deed: 'take_out' | 'put_back') =>
  sim.ask<Lead>('POST', `/_sim/leads/${id}/${deed}`)
const dialAt = (sim: Simulation, id: string, next_dial_at: string) =>
  sim.ask<Lead>('PATCH', `/_sim/leads/${id}`, { next_dial_at })

describe('leads loaded in the app', () => {
  it('are there as they were sent, and are called', async () => {
    const sim = await simulate()
    const { data } = await load(sim, [
      { phone: '(212) 555-7812', name: 'Ann', external_id: 'a-1', lead_source: 'fair', fields: { size: '3' } },
      { phone: '+13105557812' },
    ])
    const [first = '', second = ''] = data.ids
    expect(await sim.readLead(first)).toMatchObject({
      phone: '+12125557812',
      name: 'Ann',
      external_id: 'a-1',
      lead_source: 'fair',
      fields: { size: '3' },
      consent: null,
      status: 'dialing',
    })
    expect(await sim.readLead(second)).toMatchObject({ lead_source: null, status: 'dialing' })
  })

  it('send lead.created and lead.queued, and show where they stand before a line is taken', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 1 })
    await load(sim, [{ phone: sim.phone() }, { phone: sim.phone() }, { phone: sim.phone(), call_now: true }])
    const events = await sim.events()
    expect(events.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 3 }, () => ['lead.created', 'lead.queued']).flat(),
      'call.started',
    ])
    const places = events
      .filter(({ type }) => type === 'lead.created')
      .map(({ data }) => (data.object as Lead).place_in_line)
    expect(places).toEqual([2, 3, 1])
  })

  it('are asked for no consent, where an API lead is', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ consent_required: true })
    expect((await load(sim, [{ phone: sim.phone() }])).status).toBe(201)
    const { error } = await sim.live.post('/leads', { campaign_id: sim.campaignId, phone: sim.phone() })
    expect(error.code).toBe('consent_required')
  })

  it('may be many more in one request than the API takes bytes, and do not count as API leads that wait', async () => {
    const sim = await simulate({ limits: true })
    const phones = Array.from({ length: 12_000 }, (_, i) => `+1917${String(2_010_000 + i)}`)
    const { status, data } = await load(
      sim,
      phones.map((phone) => ({
        phone,
        name: 'A name that makes the body longer than a megabyte',
        fields: { note: 'so it is' },
      })),
    )
    expect([status, new Set(data.ids).size]).toEqual([201, 12_000])
    expect((await sim.lead()).status).toBe('queued')
  })

  it.each([
    ['a number that is none', { phone: '123' }, 400, 'invalid_phone', 'leads[1].phone'],
    ['a number of another country', { phone: '+442079460958' }, 422, 'number_not_allowed', 'leads[1].phone'],
    ['a listed number', { phone: '+12125550999' }, 422, 'on_dnc_list', 'leads[1].phone'],
    ['the number of the one before', { phone: '+16465557812' }, 409, 'duplicate_lead', 'leads[1].phone'],
    [
      'the external id of the one before',
      { phone: '+16465557813', external_id: 'x' },
      409,
      'duplicate_lead',
      'leads[1].external_id',
    ],
    ['a field that is none', { phone: '+16465557813', colour: 'red' }, 400, 'invalid_request', 'leads[1].colour'],
  ])('are refused all together for %s', async (_what, wrong, status, code, param) => {
    const sim = await simulate()
    await sim.control('POST', '/_sim/dnc', { phones: ['+12125550999'], source: 'manual' })
    const reply = await load(sim, [{ phone: '+16465557812', external_id: 'x' }, wrong])
    expect(reply.status).toBe(status)
    expect(reply.error).toMatchObject({ code, param })
    expect(await sim.live.all('/leads')).toEqual([])
    expect(await sim.events()).toEqual([])
  })

  it('belong to the mode and the organization that are named', async () => {
    const sim = await simulate()
    const other = await sim.control<{ id: string; campaigns: [{ id: string }] }>('POST', '/_sim/organizations', {
      name: 'Other',
    })
    expect((await load(sim, [{ phone: sim.phone() }], { mode: 'test' })).data.ids).toHaveLength(1)
    expect(await sim.test.all('/leads')).toHaveLength(1)
    expect(await sim.live.all('/leads')).toHaveLength(0)
    const words = { campaign_id: other.campaigns[0].id, leads: [{ phone: sim.phone() }] }
    expect((await sim.ask('POST', '/_sim/leads', words)).status).toBe(201)
    const { error } = await sim.ask('POST', '/_sim/leads', { ...words, organization_id: sim.organization.id })
    expect(error).toMatchObject({ code: 'not_found', param: 'campaign_id' })
  })

  it('that were in the campaign before its duplicate window come back to the queue', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { answer: 'person', outcome: 'not_interested' })
    const id = await loaded(sim, { phone })
    await sim.advance('31d')
    const again = await load(sim, [{ phone, name: 'Bo' }])
    expect(again.data.ids).toEqual([id])
    expect(await sim.readLead(id)).toMatchObject({ name: 'Bo', status: 'dialing', attempts: 2 })
  })

  it('are not taken by a completed campaign', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ status: 'completed' })
    expect((await load(sim, [{ phone: sim.phone() }])).error).toMatchObject({
      code: 'campaign_closed',
      param: 'campaign_id',
    })
  })
})

describe('a lead taken out of the queue', () => {
  it('is not called, and the API does not overrule that', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ status: 'paused' })
    const id = await loaded(sim)
    expect((await act(sim, id, 'take_out')).data.status).toBe('out_of_queue')
    await sim.changeCampaign({ status: 'running' })
    await sim.advance('1h')
    expect(await sim.readLead(id)).toMatchObject({ status: 'out_of_queue', attempts: 0 })
    expect((await sim.live.post('/calls', { lead_id: id })).error.code).toBe('lead_taken_out_of_queue')
  })

  it('comes back judged afresh, with lead.queued', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ status: 'paused' })
    const id = await loaded(sim)
    await act(sim, id, 'take_out')
    expect((await act(sim, id, 'put_back')).data).toMatchObject({ status: 'held', held_reason: 'campaign_paused' })
    await act(sim, id, 'take_out')
    await sim.changeCampaign({ status: 'running' })
    const before = (await sim.events()).length
    expect((await act(sim, id, 'put_back')).data.status).toBe('dialing')
    expect((await sim.events()).slice(before).map(({ type }) => type)).toEqual(['lead.queued', 'call.started'])
  })

  it('does not come back while its number is listed', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    const id = await loaded(sim, { phone })
    await sim.control('POST', '/_sim/texts', { from: phone, body: 'STOP' })
    const { status, error } = await act(sim, id, 'put_back')
    expect([status, error.code]).toEqual([422, 'on_dnc_list'])
  })

  it('is not put back, and gets no next dial time, while it is on the telephone', async () => {
    const sim = await simulate()
    const id = await loaded(sim)
    for (let turn = 0; turn < 2; turn++) {
      expect((await act(sim, id, 'put_back')).error.code).toBe('lead_busy')
      expect((await dialAt(sim, id, '2026-10-02T15:00:00Z')).error.code).toBe('lead_busy')
      expect((await act(sim, id, 'take_out')).data.status).toBe('out_of_queue')
    }
  })

  it('is found by its id alone, in either mode; another id names nothing', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ status: 'paused' })
    const { data } = await load(sim, [{ phone: sim.phone() }], { mode: 'test' })
    expect((await act(sim, data.ids[0] ?? '', 'take_out')).data).toMatchObject({
      status: 'out_of_queue',
      livemode: false,
    })
    expect((await act(sim, '00000000-0000-4000-8000-000000000000', 'take_out')).status).toBe(404)
  })
})

// rule D16
describe('the next dial time', () => {
  it('schedules the lead, and it is called then', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ status: 'paused' })
    const id = await loaded(sim)
    const { data } = await dialAt(sim, id, '2026-10-02T18:30:00+02:00')
    const at = '2026-10-02T16:30:00.000Z'
    expect(data).toMatchObject({
      status: 'scheduled',
      scheduled_for: at,
      scheduled_reason: 'next_dial_time',
      next_dial_at: at,
    })
    await sim.changeCampaign({ status: 'running' })
    await sim.advance('2026-10-02T16:29:59Z')
    expect(await sim.readLead(id)).toMatchObject({ status: 'scheduled', attempts: 0 })
    await sim.advance('1s')
    expect(await sim.readLead(id)).toMatchObject({ status: 'dialing', attempts: 1 })
  })

  it('waits for the calling hours, and a time gone by is now', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ status: 'paused' })
    const id = await loaded(sim)
    const night = await dialAt(sim, id, '2026-10-02T06:00:00Z')
    expect(night.data).toMatchObject({
      scheduled_for: '2026-10-02T12:00:00.000Z',
      scheduled_reason: 'outside_calling_hours',
      next_dial_at: '2026-10-02T06:00:00.000Z',
    })
    await sim.changeCampaign({ status: 'running' })
    expect((await dialAt(sim, id, '2026-09-30T12:00:00Z')).data).toMatchObject({
      status: 'dialing',
      next_dial_at: null,
    })
  })
})
