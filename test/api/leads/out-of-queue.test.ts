/** Leads that leave the queue, from any status: taken out by a person, on the Do Not Call list, or opted out. */
import { describe, expect, it } from 'vitest'
import type { ScriptedCall } from '../../../src/contract/control/scripts.js'
import type { Lead } from '../../../src/contract/leads.js'
import type { DncEntry } from '../../../src/contract/dnc.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const talk = { answer: 'person', ring_seconds: 10, talk_seconds: 60, outcome: 'not_interested' } as const

/** A lead in each status, at 15:01 in a campaign with lines. */
const leads: Record<string, (sim: Simulation, phone: string) => Promise<string>> = {
  queued: async (sim, phone) => {
    await sim.changeCampaign({ lines: 0 })
    return (await sim.lead({ phone })).id
  },
  scheduled: (sim, phone) => after(sim, phone, { answer: 'busy' }, '10s'),
  held: async (sim, phone) => {
    await sim.changeCampaign({ status: 'paused' })
    return (await sim.lead({ phone })).id
  },
  dialing: (sim, phone) => after(sim, phone, talk, '5s'),
  on_call: (sim, phone) => after(sim, phone, talk, '15s'),
  callback_scheduled: (sim, phone) =>
    after(sim, phone, { ...talk, callback_at: '2026-10-02T18:00:00Z', outcome: 'callback' }, '71s'),
  done: (sim, phone) => after(sim, phone, talk, '71s'),
}

async function after(sim: Simulation, phone: string, call: ScriptedCall, time: string): Promise<string> {
  await sim.script(phone, call)
  const { id } = await sim.lead({ phone })
  await sim.advance(time)
  return id
}

const out = { status: 'out_of_queue', callback_at: null, scheduled_for: null, held_reason: null, next_dial_at: null }

/** Lets everything free that could bring the lead back, and time pass. */
async function letGo(sim: Simulation): Promise<void> {
  await sim.changeCampaign({ lines: 5, status: 'running' })
  await sim.advance('3d')
}

// rule S1
describe.each(Object.entries(leads))('a lead that is %s', (status, make) => {
  const onTelephone = status === 'dialing' || status === 'on_call'

  // rule D16
  it('is taken out by a person, and the API does not overrule that', async () => {
    const sim = await simulate()
    const id = await make(sim, sim.phone())
    const { attempts, ...before } = await sim.readLead(id)
    expect(before.status).toBe(status)
    const taken = await sim.control<Lead>('POST', `/_sim/leads/${id}/take_out`)
    expect(taken).toMatchObject(out)
    expect((await sim.live.post('/calls', { lead_id: id })).error.code).toBe('lead_taken_out_of_queue')
    await letGo(sim)
    expect(await sim.readLead(id)).toMatchObject({ ...out, attempts })
    // A call that was going on was not cut, and is written down.
    const { calls, last_outcome } = await sim.readLead(id)
    if (onTelephone) expect([calls[0]?.outcome, last_outcome]).toEqual(['not_interested', 'not_interested'])
    expect((await sim.live.post('/calls', { lead_id: id })).error.code).toBe('lead_taken_out_of_queue')
  })

  it('is out when its number is listed, and has the outcome it had unless it is on the telephone', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    const id = await make(sim, phone)
    const { attempts, last_outcome } = await sim.readLead(id)
    await sim.live.post('/dnc', { phone })
    const expected = { ...out, attempts, last_outcome: onTelephone ? 'dnc' : last_outcome }
    expect(await sim.readLead(id)).toMatchObject(expected)
    await letGo(sim)
    expect(await sim.readLead(id)).toMatchObject(expected)
    expect((await sim.events()).filter(({ type }) => type === 'lead.opted_out')).toMatchObject([
      { data: { object: { id, status: 'out_of_queue' }, opt_out: { source: 'api', reason: null } } },
    ])
  })

  it('is out with the outcome dnc when it opts out', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    const id = await make(sim, phone)
    const { attempts } = await sim.readLead(id)
    const { data } = await sim.live.post(`/leads/${id}/opt_out`, { reason: 'asked' })
    const expected = { ...out, attempts, last_outcome: 'dnc', last_outcome_label: 'Do not call' }
    expect(data).toMatchObject({ ...expected, call_in_progress: onTelephone })
    await letGo(sim)
    expect(await sim.readLead(id)).toMatchObject(expected)
    expect(await sim.live.all<DncEntry>('/dnc', 'cursor')).toMatchObject([{ phone, source: 'api' }])
  })
})

it('a lead out of the queue keeps the outcome dnc when a person took it out on the same call before it opted out', async () => {
  const sim = await simulate()
  const id = await after(sim, sim.phone(), talk, '15s')
  await sim.control('POST', `/_sim/leads/${id}/take_out`)
  await sim.live.post(`/leads/${id}/opt_out`)
  await sim.advance('1h')
  expect(await sim.readLead(id)).toMatchObject({ status: 'out_of_queue', last_outcome: 'dnc' })
})

it('a lead out of the queue is on the telephone until the call ends, though it is out and its number is off the list again', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ duplicate_window_days: 0 })
  const phone = sim.phone()
  const id = await after(sim, phone, talk, '15s')
  await sim.live.post(`/leads/${id}/opt_out`)
  const [entry] = await sim.live.all<DncEntry>('/dnc', 'cursor')
  await sim.live.del(`/dnc/${entry?.id}`)
  expect((await sim.live.post('/calls', { lead_id: id })).error.code).toBe('lead_busy')
  expect((await sim.live.post('/leads', { campaign_id: sim.campaignId, phone })).error.code).toBe('duplicate_lead')
  expect((await sim.ask('POST', `/_sim/leads/${id}/put_back`)).error.code).toBe('lead_busy')
  const inbound = await sim.ask('POST', '/_sim/inbound_calls', { from: phone, campaign_id: sim.campaignId })
  expect(inbound.error.code).toBe('lead_busy')
  await sim.advance('1m')
  expect((await sim.live.post('/calls', { lead_id: id })).data).toMatchObject({ status: 'dialing' })
})
