/** Holds of a campaign: not started, paused, spent; what begins with them, what goes on, and what follows when they lift. */
import { describe, expect, it } from 'vitest'
import type { Campaign } from '../../../src/contract/campaigns.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const talk = (talk_seconds: number) =>
  ({ answer: 'person', ring_seconds: 5, talk_seconds, outcome: 'not_interested' }) as const

/** A lead whose calls last so long. */
async function talker(sim: Simulation, seconds: number, words: object = {}): Promise<string> {
  const phone = sim.phone()
  await sim.script(phone, talk(seconds))
  return (await sim.lead({ phone, ...words })).id
}

const spent = async (sim: Simulation) => (await sim.live.get<Campaign>(`/campaigns/${sim.campaignId}`)).data.spent_usd

const pause = (sim: Simulation) => sim.live.post(`/campaigns/${sim.campaignId}/pause`)
const start = (sim: Simulation) => sim.live.post(`/campaigns/${sim.campaignId}/start`)

describe('when a hold begins', () => {
  it('those in line are held, live and test, and calls go on', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 1 })
    const talking = await talker(sim, 60)
    const leads = [await sim.lead(), await sim.lead({ call_now: true })]
    await sim.lead({}, sim.test)
    const inTest = await sim.lead({}, sim.test)
    await pause(sim)
    const held = { status: 'held', held_reason: 'campaign_paused', place_in_line: null, estimated_wait_seconds: null }
    for (const { id } of leads) expect(await sim.readLead(id)).toMatchObject(held)
    expect(await sim.readLead(inTest.id, sim.test)).toMatchObject(held)
    await sim.advance('1h')
    expect(await sim.readLead(talking)).toMatchObject({ status: 'done', last_outcome: 'not_interested' })
    for (const { id } of leads) expect(await sim.readLead(id)).toMatchObject({ ...held, attempts: 0 })
  })

  it.each<[string, string, (sim: Simulation) => Promise<string>]>([
    [
      'the hours',
      '2026-10-02T12:00:00.000Z',
      async (sim) => {
        await sim.advance('2026-10-02T02:00:00Z')
        return (await sim.lead()).id
      },
    ],
    [
      'the cooldown',
      '2026-10-02T15:00:00.000Z',
      async (sim) => {
        const phone = sim.phone()
        await sim.script(phone, talk(10))
        const { id: other } = await sim.campaign()
        await sim.lead({ phone, campaign_id: other })
        return (await sim.lead({ phone })).id
      },
    ],
    [
      'a retry',
      '2026-10-01T15:15:03.000Z',
      async (sim) => {
        const phone = sim.phone()
        await sim.script(phone, { answer: 'busy', ring_seconds: 3 })
        const { id } = await sim.lead({ phone })
        await sim.advance('1m')
        return id
      },
    ],
  ])(
    'a lead that waits for %s stays scheduled, is held when it is due, and called when the hold lifts',
    async (...row) => {
      const [, due, make] = row
      const sim = await simulate()
      const id = await make(sim)
      const before = await sim.readLead(id)
      expect(before).toMatchObject({ status: 'scheduled', scheduled_for: due })
      await pause(sim)
      await sim.changeCampaign({ lines: 0 })
      expect(await sim.readLead(id)).toEqual(before)
      await sim.advance(new Date(Date.parse(due) - 1).toISOString())
      expect((await sim.readLead(id)).status).toBe('scheduled')
      await sim.advance('1ms')
      expect(await sim.readLead(id)).toMatchObject({
        status: 'held',
        held_reason: 'campaign_paused',
        scheduled_for: null,
        scheduled_reason: null,
      })
      await sim.advance('3m')
      await sim.changeCampaign({ lines: 5 })
      await start(sim)
      expect(await sim.readLead(id)).toMatchObject({ status: 'dialing', held_reason: null })
    },
  )

  it('a call that goes on is followed by its retry, which is scheduled until it is due and held then', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { answer: 'busy', ring_seconds: 10 })
    const { id } = await sim.lead({ phone })
    await pause(sim)
    await sim.advance('10s')
    expect(await sim.readLead(id)).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'retry_after_outcome',
      scheduled_for: '2026-10-01T15:15:10.000Z',
    })
    await sim.advance('15m')
    expect(await sim.readLead(id)).toMatchObject({ status: 'held', held_reason: 'campaign_paused', attempts: 1 })
  })

  it('a callback stays booked, is held when it is due, and made when the hold lifts', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { ...talk(30), outcome: 'callback', callback_at: '2026-10-01T18:00:00Z' })
    const { id } = await sim.lead({ phone })
    await sim.advance('1m')
    await pause(sim)
    expect((await sim.readLead(id)).status).toBe('callback_scheduled')
    await sim.advance('2026-10-01T18:00:00Z')
    expect(await sim.readLead(id)).toMatchObject({ status: 'held', callback_at: null })
    await start(sim)
    expect(await sim.readLead(id)).toMatchObject({ status: 'dialing', attempts: 2 })
  })

  it('a scheduled lead stays so though its number rings elsewhere, or the hours change, and its time follows both', async () => {
    const sim = await simulate({ now: '2026-10-01T10:00:00Z' })
    const { id: other } = await sim.campaign({ any_hour: true })
    const phone = sim.phone()
    const { id } = await sim.lead({ phone })
    await pause(sim)
    await sim.changeCampaign({ calling_hours: { thu: [['10:00', '12:00']] } })
    expect(await sim.readLead(id)).toMatchObject({ status: 'scheduled', scheduled_for: '2026-10-01T14:00:00.000Z' })
    await sim.changeCampaign({ any_hour: true })
    expect(await sim.readLead(id)).toMatchObject({ status: 'held', held_reason: 'campaign_paused' })

    await sim.changeCampaign({ any_hour: false, status: 'running' })
    await pause(sim)
    await sim.lead({ phone, campaign_id: other })
    expect(await sim.readLead(id)).toMatchObject({
      status: 'scheduled',
      scheduled_for: '2026-10-08T14:00:00.000Z',
      scheduled_reason: 'outside_calling_hours',
    })
  })
})

describe('when a hold lifts', () => {
  it('each lead is judged afresh: on a line, in line in its old order, or scheduled', async () => {
    const sim = await simulate({ now: '2026-10-01T14:30:00Z' })
    await sim.changeCampaign({ lines: 1, status: 'not_started' })
    const { id: other } = await sim.campaign()
    const cooling = sim.phone()
    const ordinary = [await sim.lead(), await sim.lead()]
    const asleep = await sim.lead({ phone: '+12132011000' })
    const cool = await sim.lead({ phone: cooling })
    const urgent = await sim.lead({ call_now: true })
    await sim.lead({ phone: cooling, campaign_id: other })
    for (const { id } of [...ordinary, asleep, cool, urgent])
      expect((await sim.readLead(id)).held_reason).toBe('campaign_not_started')
    await start(sim)
    const places = await Promise.all(
      [urgent, ...ordinary].map(async ({ id }) => (await sim.readLead(id)).place_in_line),
    )
    expect(places).toEqual([0, 1, 2])
    expect(await sim.readLead(asleep.id)).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'outside_calling_hours',
      scheduled_for: '2026-10-01T15:00:00.000Z',
    })
    expect(await sim.readLead(cool.id)).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'recent_contact_cooldown',
      scheduled_for: '2026-10-02T14:30:00.000Z',
    })
  })

  it('another may hold on: the reason is then that one', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ status: 'not_started', spend_cap_usd: 0 })
    const { id } = await sim.lead()
    const reason = async () => (await sim.readLead(id)).held_reason
    expect(await reason()).toBe('campaign_not_started')
    await pause(sim)
    expect(await reason()).toBe('campaign_paused')
    await start(sim)
    expect(await reason()).toBe('spend_cap_reached')
    await sim.changeCampaign({ spend_cap_usd: 1 })
    expect((await sim.readLead(id)).status).toBe('dialing')
  })
})

describe('the spend cap', () => {
  // rule X3
  it('counts each call in whole minutes, rounded up, at the organization’s rate', async () => {
    const sim = await simulate()
    for (const [seconds, usd] of [
      [60, 0.12],
      [60.001, 0.36],
      [1, 0.48],
    ] as const) {
      await talker(sim, seconds)
      await sim.advance('2m')
      expect(await spent(sim)).toBe(usd)
    }
    const phone = sim.phone()
    await sim.script(phone, { answer: 'no_answer' })
    await sim.lead({ phone })
    await sim.advance('2m')
    expect(await spent(sim)).toBe(0.48)
  })

  it('holds when it is reached by the end of a call, not before, and lifts when it is raised', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 1, spend_cap_usd: 0.36 })
    await talker(sim, 61)
    const next = await talker(sim, 10)
    const last = await sim.lead()
    await sim.lead({ phone: '+15550100001' }, sim.test)
    const inTest = await sim.lead({}, sim.test)
    await sim.advance('66s')
    expect((await sim.readLead(next)).status).toBe('dialing')
    await sim.advance('14.999s')
    expect((await sim.readLead(last.id)).status).toBe('queued')
    await sim.advance('1ms')
    expect(await spent(sim)).toBe(0.36)
    expect(await sim.readLead(last.id)).toMatchObject({ status: 'held', held_reason: 'spend_cap_reached' })
    expect(await sim.lead()).toMatchObject({ status: 'held', held_reason: 'spend_cap_reached' })
    expect(await sim.readLead(inTest.id, sim.test)).toMatchObject({ held_reason: 'spend_cap_reached' })
    await sim.changeCampaign({ spend_cap_usd: 0.37 })
    expect((await sim.readLead(last.id)).status).toBe('dialing')
  })

  it('is lifted when there is none any more, and begins when it is set below what is spent', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 1 })
    await talker(sim, 10)
    await sim.advance('1m')
    await talker(sim, 600)
    const { id } = await sim.lead()
    await sim.changeCampaign({ spend_cap_usd: 0.12 })
    expect((await sim.readLead(id)).status).toBe('held')
    await sim.changeCampaign({ spend_cap_usd: null })
    expect((await sim.readLead(id)).status).toBe('queued')
  })
})
