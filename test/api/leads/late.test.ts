/** `call_now` leads that were queued for too long. */
import { expect, it } from 'vitest'
import type { Event } from '../../../src/contract/events.js'
import type { LeadAccepted } from '../../../src/contract/new-leads.js'
import { simulate, type Simulation } from '../../support/simulate.js'

/** When each lead.late was sent, for whom, and what it says. */
async function lateEvents(sim: Simulation) {
  const late = (await sim.events()).filter(
    (event): event is Extract<Event, { type: 'lead.late' }> => event.type === 'lead.late',
  )
  return late.map(({ created, data }) => [created.slice(11, 19), data.object.id, data.late.waited_seconds])
}

const isLate = async (sim: Simulation, id: string) => (await sim.readLead(id)).late

// rule D10
it('leads to call now are late a quarter of an hour after they came into line, not after they came', async () => {
  const sim = await simulate({ now: '2026-10-01T11:50:00Z' })
  await sim.changeCampaign({ lines: 0, status: 'paused' })
  const { id: other } = await sim.campaign({ lines: 0 })
  const held = await sim.lead({ call_now: true })
  const scheduled = await sim.lead({ call_now: true, campaign_id: other })
  await sim.advance('2026-10-01T12:14:59.999Z')
  expect(await lateEvents(sim)).toEqual([])
  await sim.advance('1ms')
  expect(await lateEvents(sim)).toEqual([['12:15:00', scheduled.id, 900]])
  await sim.live.post(`/campaigns/${sim.campaignId}/start`)
  await sim.advance('14m59.999s')
  expect(await isLate(sim, held.id)).toBe(false)
  await sim.advance('1ms')
  expect((await lateEvents(sim)).at(-1)).toEqual(['12:30:00', held.id, 900])
})

it('leads to call now are called by the default of their campaign or by POST /calls too; ordinary leads are never late', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 0, call_now_default: true })
  const byDefault = await sim.lead()
  const ordinary = await sim.lead({ call_now: false })
  const asked = await sim.lead({ call_now: false })
  await sim.advance('5m')
  await sim.live.post('/calls', { lead_id: asked.id })
  await sim.advance('1h')
  expect(await lateEvents(sim)).toEqual([
    ['15:15:00', byDefault.id, 900],
    ['15:20:00', asked.id, 900],
  ])
  expect(await sim.readLead(ordinary.id)).toMatchObject({ late: false, call_now: false })
})

it('leads to call now are not late when they are dialed in time, and stay late when they are dialed after it', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 1 })
  const [talking, ringing] = [sim.phone(), sim.phone()]
  await sim.script(talking, { answer: 'person', ring_seconds: 0, talk_seconds: 899.999, outcome: 'not_interested' })
  await sim.script(ringing, { answer: 'no_answer', ring_seconds: 600 })
  await sim.lead({ phone: talking })
  const inTime = await sim.lead({ phone: ringing, call_now: true })
  const after = await sim.lead({ call_now: true })
  await sim.advance('1h')
  expect(await isLate(sim, inTime.id)).toBe(false)
  expect(await sim.readLead(after.id)).toMatchObject({ late: true, attempts: 1 })
  expect(await lateEvents(sim)).toEqual([['15:15:00', after.id, 900]])
})

it('leads to call now start a new wait when they leave the line and come back, and are late once for each arrival', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 0 })
  const [, late] = [await sim.lead({ call_now: true }), await sim.lead({ call_now: true })]
  const move = (what: 'pause' | 'start') => sim.live.post(`/campaigns/${sim.campaignId}/${what}`)
  await sim.advance('15m')
  await move('pause')
  await move('start')
  await sim.advance('1h')
  expect(await lateEvents(sim)).toHaveLength(2)
  expect(await isLate(sim, late.id)).toBe(true)

  const third = await sim.lead({ call_now: true })
  await sim.advance('10m')
  await move('pause')
  await move('start')
  await sim.advance('14m')
  expect(await isLate(sim, third.id)).toBe(false)
  await sim.advance('1m')
  expect(await isLate(sim, third.id)).toBe(true)
})

it('leads to call now are late once, also when they wait another day', async () => {
  const sim = await simulate({ now: '2026-10-02T00:40:00Z' })
  await sim.changeCampaign({ lines: 0 })
  const { id } = await sim.lead({ call_now: true })
  await sim.advance('1d')
  expect(await lateEvents(sim)).toEqual([['00:55:00', id, 900]])
})

it.each<[string, (sim: Simulation, id: string) => Promise<unknown>, string]>([
  ['a call is asked for', (sim, id) => sim.live.post('/calls', { lead_id: id }), '15:25:00'],
  [
    'a person puts its call off',
    (sim, id) => sim.control('PATCH', `/_sim/leads/${id}`, { next_dial_at: '2026-10-01T15:12:00Z' }),
    '15:27:00',
  ],
])('leads to call now start a new wait when %s before they are late', async (_what, deed, late) => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 0 })
  const { id } = await sim.lead({ call_now: true })
  await sim.advance('10m')
  await deed(sim, id)
  await sim.advance('1h')
  expect(await lateEvents(sim)).toEqual([[late, id, 900]])
})

it('leads to call now arrive again with POST /calls, with a requeue, and when a person puts them back', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 0, duplicate_window_days: 0 })
  const phone = sim.phone()
  const { id } = await sim.lead({ phone, call_now: true })
  const anew: (() => Promise<unknown>)[] = [
    () => sim.live.post('/calls', { lead_id: id }),
    () => sim.live.post<LeadAccepted>('/leads', { campaign_id: sim.campaignId, phone, call_now: true }),
    async () => {
      await sim.control('POST', `/_sim/leads/${id}/take_out`)
      await sim.control('POST', `/_sim/leads/${id}/put_back`)
    },
  ]
  await sim.advance('20m')
  for (const [times, arrive] of anew.entries()) {
    expect(await lateEvents(sim)).toHaveLength(times + 1)
    expect(await isLate(sim, id)).toBe(true)
    await arrive()
    expect(await isLate(sim, id)).toBe(false)
    await sim.advance('14m59s')
    expect(await isLate(sim, id)).toBe(false)
    await sim.advance('1s')
    expect(await isLate(sim, id)).toBe(true)
  }
  expect(await lateEvents(sim)).toHaveLength(4)
})

it('leads to call now follow the limit of their campaign when it is changed while they wait', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 0 })
  const { id } = await sim.lead({ call_now: true })
  await sim.advance('10m')
  await sim.changeCampaign({ late_after_minutes: 30 })
  await sim.advance('19m59s')
  expect(await isLate(sim, id)).toBe(false)
  const second = await sim.lead({ call_now: true })
  await sim.advance('1s')
  expect(await lateEvents(sim)).toEqual([['15:30:00', id, 1800]])
  await sim.advance('10m')
  await sim.changeCampaign({ late_after_minutes: 5 })
  expect((await lateEvents(sim)).at(-1)).toEqual(['15:40:00', second.id, 601])
})
