/** A lead never has two calls at once, even if it left the queue during the first. */
import { describe, expect, it } from 'vitest'
import type { DncEntry } from '../../../src/contract/dnc.js'
import { simulate, type Simulation } from '../../support/simulate.js'

/** A lead that opted out on a call of ten minutes, and whose number is not listed any more. */
async function optedOutAndBack(): Promise<{ sim: Simulation; id: string; phone: string }> {
  const sim = await simulate()
  await sim.changeCampaign({ duplicate_window_days: 0 })
  const phone = sim.phone()
  await sim.script(phone, { answer: 'person', ring_seconds: 5, talk_seconds: 600, outcome: 'not_interested' })
  const { id } = await sim.lead({ phone })
  await sim.advance('1m')
  await sim.live.post(`/leads/${id}/opt_out`)
  const [entry] = await sim.live.all<DncEntry>('/dnc', 'cursor')
  await sim.live.del(`/dnc/${entry?.id}`)
  expect(await sim.readLead(id)).toMatchObject({ status: 'out_of_queue', last_outcome: 'dnc' })
  return { sim, id, phone }
}

describe('a lead that opted out on a call that goes on', () => {
  it.each([
    ['called', (sim: Simulation, id: string) => sim.live.post('/calls', { lead_id: id }), 'lead_busy'],
    ['put back', (sim: Simulation, id: string) => sim.ask('POST', `/_sim/leads/${id}/put_back`), 'lead_busy'],
    [
      'given a time to be called',
      (sim: Simulation, id: string) => sim.ask('PATCH', `/_sim/leads/${id}`, { next_dial_at: '2026-10-01T18:00:00Z' }),
      'lead_busy',
    ],
    [
      'sent again',
      (sim: Simulation, _id: string, phone: string) => sim.live.post('/leads', { campaign_id: sim.campaignId, phone }),
      'duplicate_lead',
    ],
    [
      'heard as a caller',
      (sim: Simulation, _id: string, from: string) =>
        sim.ask('POST', '/_sim/inbound_calls', { from, campaign_id: sim.campaignId }),
      'lead_busy',
    ],
  ])('cannot be %s until its end', async (_how, attempt, code) => {
    const { sim, id, phone } = await optedOutAndBack()
    expect((await attempt(sim, id, phone)).error.code).toBe(code)
    expect((await sim.readLead(id)).calls).toHaveLength(1)
    await sim.advance('10m')
    expect((await attempt(sim, id, phone)).status).toBeLessThan(300)
  })
})

describe('somebody unknown who is on the telephone', () => {
  it('cannot call a second time meanwhile', async () => {
    const sim = await simulate()
    const from = sim.phone()
    const call = () => sim.ask('POST', '/_sim/inbound_calls', { from, campaign_id: sim.campaignId, outcome: 'other' })
    expect((await call()).status).toBe(201)
    expect((await call()).error.code).toBe('lead_busy')
    await sim.advance('1h')
    expect((await call()).status).toBe(201)
  })
})
