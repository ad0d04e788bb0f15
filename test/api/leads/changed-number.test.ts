/** A lead that is sent again under another number: its calls were made to the old one. */
import { describe, expect, it } from 'vitest'
import { simulate } from '../../support/simulate.js'

/** A world with a second campaign, and a lead that was called under its first number and then got another one. */
async function renumbered() {
  const sim = await simulate()
  await sim.changeCampaign({ duplicate_window_days: 0 })
  const [first, second] = [sim.phone(), sim.phone()]
  await sim.script(first, { answer: 'person', ring_seconds: 0, talk_seconds: 60, outcome: 'not_interested' })
  await sim.lead({ phone: first, external_id: 'a' })
  await sim.advance('2m')
  const other = await sim.campaign({ lines: 5 })
  await sim.changeCampaign({ lines: 0 })
  await sim.lead({ phone: second, external_id: 'a' })
  return { sim, first, second, other: other.id }
}

describe('a lead that was called under another number', () => {
  it('leaves that number its rest of 24 hours', async () => {
    const { sim, first, other } = await renumbered()
    expect(await sim.lead({ phone: first, campaign_id: other })).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'recent_contact_cooldown',
      scheduled_for: '2026-10-02T15:00:00.000Z',
    })
  })

  it('brings none on its new number', async () => {
    const { sim, second, other } = await renumbered()
    expect((await sim.lead({ phone: second, campaign_id: other })).status).toBe('dialing')
  })

  it('by which it called in leaves that number its rest too', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0, duplicate_window_days: 0 })
    const [first, second] = [sim.phone(), sim.phone()]
    const { id } = await sim.lead({ phone: first, external_id: 'a' })
    await sim.control('POST', '/_sim/inbound_calls', { from: first, campaign_id: sim.campaignId, outcome: 'busy' })
    await sim.advance('1m')
    await sim.lead({ phone: second, external_id: 'a' })
    expect((await sim.readLead(id)).status).toBe('queued')
    expect(await sim.lead({ phone: first })).toMatchObject({ scheduled_reason: 'recent_contact_cooldown' })
  })

  it('waits out the rest of its new number, which another campaign called', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0, duplicate_window_days: 0 })
    const [first, second] = [sim.phone(), sim.phone()]
    const other = await sim.campaign({ lines: 5 })
    await sim.script(second, { answer: 'person', ring_seconds: 0, talk_seconds: 60, outcome: 'not_interested' })
    await sim.lead({ phone: first, external_id: 'a' })
    await sim.lead({ phone: second, campaign_id: other.id })
    await sim.advance('2m')
    expect(await sim.lead({ phone: second, external_id: 'a' })).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'recent_contact_cooldown',
      scheduled_for: '2026-10-02T15:00:00.000Z',
    })
  })
})
