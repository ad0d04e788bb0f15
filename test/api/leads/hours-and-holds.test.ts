/** What happens to waiting leads while their campaign is kept from calling. */
import { describe, expect, it } from 'vitest'
import { simulate } from '../../support/simulate.js'

const everyDay = (from: string, until: string) =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [[from, until]]]))

/** Thursday, five in the morning in New York. */
const early = '2026-10-01T09:00:00Z'

describe('hours that are changed while a hold lasts', () => {
  it('move the time of those that are scheduled, who stay so until it has come', async () => {
    const sim = await simulate({ now: early })
    const { id } = await sim.lead()
    await sim.changeCampaign({ status: 'paused' })
    await sim.changeCampaign({ calling_hours: everyDay('10:00', '17:00') })
    expect(await sim.readLead(id)).toMatchObject({ status: 'scheduled', scheduled_for: '2026-10-01T14:00:00.000Z' })
    await sim.changeCampaign({ calling_hours: everyDay('09:00', '17:00') })
    expect(await sim.readLead(id)).toMatchObject({ status: 'scheduled', scheduled_for: '2026-10-01T13:00:00.000Z' })
    await sim.advance('2026-10-01T13:00:00Z')
    expect(await sim.readLead(id)).toMatchObject({ status: 'held', held_reason: 'campaign_paused' })
  })

  it('hold those whose time they bring about', async () => {
    const sim = await simulate({ now: early })
    const { id } = await sim.lead()
    await sim.changeCampaign({ status: 'paused' })
    await sim.changeCampaign({ any_hour: true })
    expect((await sim.readLead(id)).status).toBe('held')
  })

  it('are those by which everyone is called when it lifts', async () => {
    const sim = await simulate({ now: early })
    await sim.changeCampaign({ calling_hours: everyDay('10:00', '17:00') })
    const { id } = await sim.lead()
    await sim.changeCampaign({ status: 'paused', calling_hours: everyDay('08:30', '17:00') })
    await sim.changeCampaign({ status: 'running' })
    await sim.advance('2026-10-01T12:30:00Z')
    expect((await sim.readLead(id)).calls).toMatchObject([{ started: '2026-10-01T12:30:00.000Z' }])
  })
})

describe('a lead that is sent again while a hold lasts', () => {
  it('is held, whatever the hour, though it was scheduled', async () => {
    const sim = await simulate({ now: early })
    const { id } = await sim.lead()
    await sim.changeCampaign({ status: 'paused' })
    const { data } = await sim.live.post('/calls', { lead_id: id })
    expect(data).toMatchObject({ status: 'held', held_reason: 'campaign_paused' })
  })
})

describe('hours that open in a campaign on hold', () => {
  it('take nothing from what has just become of the leads of another campaign', async () => {
    const sim = await simulate({ now: '2026-10-01T13:58:00Z' })
    const { id: late } = await sim.campaign({ calling_hours: everyDay('10:00', '17:00') })
    const waiting = await sim.lead({ campaign_id: late })
    await sim.changeCampaign({ status: 'paused' }, late)
    const phone = sim.phone()
    await sim.script(phone, { answer: 'person', ring_seconds: 6, talk_seconds: 113, outcome: 'interested' })
    const called = await sim.lead({ phone })
    await sim.advance('5m')
    expect(await sim.readLead(waiting.id)).toMatchObject({ status: 'held', held_reason: 'campaign_paused' })
    expect(await sim.readLead(called.id)).toMatchObject({ status: 'done', last_outcome: 'interested' })
  })
})
