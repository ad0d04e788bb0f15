/** Unanswered inbound calls: the lead returns to its earlier status and waits for the cooldown. */
import { expect, it } from 'vitest'
import type { Call } from '../../../src/contract/calls.js'
import type { ScriptedCall } from '../../../src/contract/control/scripts.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const talk = { answer: 'person', ring_seconds: 5, talk_seconds: 5, outcome: 'not_interested' } as const
const tomorrow = '2026-10-02T15:05:00.000Z'
const cooling = { status: 'scheduled', scheduled_reason: 'recent_contact_cooldown', scheduled_for: tomorrow }

/** A lead called once, at 15:00; null: not called. */
async function lead(sim: Simulation, phone: string, call: ScriptedCall | null): Promise<string> {
  if (call) await sim.script(phone, call)
  else await sim.changeCampaign({ lines: 0 })
  return (await sim.lead({ phone })).id
}

it.each<[string, ScriptedCall | null, object, object]>([
  ['finished', talk, { status: 'done' }, { status: 'done', last_outcome: 'not_interested' }],
  ['in line', null, { status: 'queued' }, { ...cooling, last_outcome: null, attempts: 0 }],
  ['waiting for a retry', { answer: 'no_answer' }, { status: 'scheduled' }, { ...cooling, last_outcome: 'no_answer' }],
  [
    'to be called back',
    { ...talk, outcome: 'callback', callback_at: '2026-10-05T15:00:00Z' },
    { status: 'callback_scheduled' },
    { status: 'callback_scheduled', callback_at: '2026-10-05T15:00:00.000Z', last_outcome: 'callback' },
  ],
])('a lead that is %s', async (_where, call, before, after) => {
  const sim = await simulate()
  const phone = sim.phone()
  const id = await lead(sim, phone, call)
  await sim.advance('5m')
  expect(await sim.readLead(id)).toMatchObject(before)
  await sim.ask('POST', '/_sim/inbound_calls', { from: phone, campaign_id: sim.campaignId, outcome: 'no_answer' })
  expect(await sim.readLead(id)).toMatchObject({ status: 'on_call' })
  await sim.advance('5m')
  expect(await sim.readLead(id)).toMatchObject(after)
  const [latest] = await sim.live.all<Call>('/calls')
  expect(latest).toMatchObject({ direction: 'inbound', outcome: 'no_answer', started_by: { type: 'person' } })
  expect((await sim.readLead(id)).calls[0]).toMatchObject({ id: latest?.id, outcome: 'no_answer' })
})

it('a scheduled lead whose campaign was paused meanwhile stays scheduled', async () => {
  const sim = await simulate()
  const phone = sim.phone()
  const id = await lead(sim, phone, { answer: 'busy' })
  await sim.advance('5m')
  await sim.live.post(`/campaigns/${sim.campaignId}/pause`)
  await sim.ask('POST', '/_sim/inbound_calls', { from: phone, campaign_id: sim.campaignId, outcome: 'no_answer' })
  await sim.advance('20m')
  expect(await sim.readLead(id)).toMatchObject(cooling)
  await sim.advance(tomorrow)
  expect(await sim.readLead(id)).toMatchObject({ status: 'held', held_reason: 'campaign_paused' })
})
