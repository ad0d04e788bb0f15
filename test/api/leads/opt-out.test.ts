/** Leads that are never to be called again. */
import { describe, expect, it } from 'vitest'
import type { Event } from '../../../src/contract/events.js'
import type { LeadOptOut } from '../../../src/contract/leads.js'
import { contentsOf } from '../../support/contents.js'
import { simulate, type Simulation } from '../../support/simulate.js'
import { temporaryFile } from '../../support/temporary-folder.js'

const optOut = (sim: Simulation, id: string, body?: object) => sim.live.post<LeadOptOut>(`/leads/${id}/opt_out`, body)

const optOuts = async (sim: Simulation) =>
  (await sim.events()).filter(
    (event): event is Extract<Event, { type: 'lead.opted_out' }> => event.type === 'lead.opted_out',
  )

// rule D6
it('an opt-out lists the number, takes the lead out and reports every lead with the number', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 0 })
  const { id: other } = await sim.campaign({ lines: 0 })
  const phone = sim.phone()
  const { id } = await sim.lead({ phone })
  const { id: twin } = await sim.lead({ phone, campaign_id: other })
  const { status, data } = await optOut(sim, id, { reason: 'asked by mail' })
  expect(status).toBe(200)
  expect(data).toMatchObject({
    id,
    status: 'out_of_queue',
    last_outcome: 'dnc',
    call_in_progress: false,
    place_in_line: null,
  })
  expect(await sim.readLead(twin)).toMatchObject({ status: 'out_of_queue', last_outcome: null })
  expect(
    (await sim.live.all<{ phone: string; source: string }>('/dnc', 'cursor')).map(({ phone, source }) => [
      phone,
      source,
    ]),
  ).toEqual([[phone, 'api']])
  const events = await optOuts(sim)
  expect(events.map(({ data }) => data.object.id)).toEqual([id, twin])
  for (const { data } of events) {
    expect(data.opt_out).toEqual({ source: 'api', reason: 'asked by mail' })
    expect(data.object.status).toBe('out_of_queue')
  }
})

it('an opt-out changes nothing when it is repeated', async () => {
  const sim = await simulate()
  const { id } = await sim.lead()
  await sim.advance('1h')
  const first = (await optOut(sim, id)).data
  await sim.advance('1h')
  expect((await optOut(sim, id, { reason: 'again' })).data).toEqual(first)
  expect(await sim.live.all('/dnc', 'cursor')).toHaveLength(1)
  expect(await optOuts(sim)).toHaveLength(1)
})

it('an opt-out of a number that is listed already gives the lead the outcome, and reports and lists nothing again', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 0 })
  const phone = sim.phone()
  const { id } = await sim.lead({ phone })
  await sim.live.post('/dnc', { phone })
  expect((await optOut(sim, id)).data).toMatchObject({ status: 'out_of_queue', last_outcome: 'dnc' })
  expect(await sim.live.all('/dnc', 'cursor')).toHaveLength(1)
  expect(await optOuts(sim)).toHaveLength(1)
})

// rule S5
it('an opt-out does not cut a call that is going on, and the call keeps its outcome', async () => {
  const sim = await simulate()
  const phone = sim.phone()
  await sim.script(phone, { answer: 'person', outcome: 'interested', talk_seconds: 100, ring_seconds: 5 })
  const { id } = await sim.lead({ phone })
  await sim.advance('20s')
  const { data } = await optOut(sim, id)
  expect(data).toMatchObject({ call_in_progress: true, status: 'out_of_queue', last_outcome: 'dnc' })
  const call = data.calls[0]?.id ?? ''
  expect((await sim.readCall(call)).status).toBe('in_progress')
  await sim.advance('5m')
  expect(await sim.readCall(call)).toMatchObject({ status: 'ended', outcome: 'interested', duration_seconds: 100 })
  expect(await sim.readLead(id)).toMatchObject({ status: 'out_of_queue', last_outcome: 'dnc' })
  expect(await optOuts(sim)).toHaveLength(1)
})

it('an opt-out closes a booked callback: nobody calls at its time', async () => {
  const sim = await simulate()
  const phone = sim.phone()
  await sim.script(phone, { answer: 'person', callback_at: '2026-10-02T18:00:00Z', talk_seconds: 30 })
  const { id } = await sim.lead({ phone })
  await sim.advance('1m')
  expect(await sim.readLead(id)).toMatchObject({
    status: 'callback_scheduled',
    callback_at: '2026-10-02T18:00:00.000Z',
  })
  expect((await optOut(sim, id)).data).toMatchObject({ status: 'out_of_queue', callback_at: null })
  await sim.advance('3d')
  expect((await sim.readLead(id)).attempts).toBe(1)
})

it('an opt-out is final: the lead is not called and not taken in again until the number is off the list', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ duplicate_window_days: 0 })
  const phone = sim.phone()
  const { id } = await sim.lead({ phone })
  await sim.advance('1h')
  await optOut(sim, id)
  expect((await sim.live.post('/leads', { campaign_id: sim.campaignId, phone })).error.code).toBe('on_dnc_list')
  expect((await sim.live.post('/calls', { lead_id: id })).error.code).toBe('on_dnc_list')
  const [entry] = await sim.live.all<{ id: string }>('/dnc', 'cursor')
  await sim.live.del(`/dnc/${entry?.id}`)
  expect((await sim.readLead(id)).status).toBe('out_of_queue')
  expect(await sim.lead({ phone })).toMatchObject({ id, requeued: true, status: 'dialing' })
})

it('an opt-out keeps its reason in the audit log, once', async () => {
  const data = temporaryFile()
  const sim = await simulate({ data })
  const { id } = await sim.lead()
  await optOut(sim, id, { reason: 'asked by mail' })
  await optOut(sim, id, { reason: 'asked again' })
  expect(contentsOf(data).audit).toMatchObject([{ what: 'opt_out', reason: 'asked by mail' }])
})

it('an opt-out takes a reason of at most 500 characters', async () => {
  const sim = await simulate()
  const { id } = await sim.lead()
  expect((await optOut(sim, id, { reason: 'x'.repeat(501) })).error).toMatchObject({
    code: 'invalid_request',
    param: 'reason',
  })
  expect((await optOut(sim, id, { why: 'x' })).error).toMatchObject({ code: 'invalid_request', param: 'why' })
  expect((await optOut(sim, id, { reason: 'x'.repeat(500) })).status).toBe(200)
})

describe('on a call', () => {
  it.each(['ai', 'outcome'] as const)('asked for, it lists the number with the source %s', async (dnc_by) => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { answer: 'person', dnc_by, talk_seconds: 50, ring_seconds: 5 })
    const { id } = await sim.lead({ phone })
    await sim.advance('2m')
    expect(await sim.readLead(id)).toMatchObject({
      status: 'out_of_queue',
      last_outcome: 'dnc',
      last_outcome_label: 'Do not call',
    })
    expect((await optOuts(sim)).map(({ data }) => data.opt_out.source)).toEqual([dnc_by])
    expect((await sim.live.all<{ source: string }>('/dnc', 'cursor'))[0]?.source).toBe(dnc_by)
  })
})
