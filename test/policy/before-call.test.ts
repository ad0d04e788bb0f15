/** The moment of dialing: what was checked when a lead was accepted is checked again when a line is taken. */
import { describe, expect, it } from 'vitest'
import { instant } from '../../simulator/kernel/instant.js'
import { startOutboundCall } from '../../simulator/dialing/calls.js'
import { dialFreeLines } from '../../simulator/dialing/dialer.js'
import { addLead } from '../../simulator/dialing/leads.js'
import { NewLeadAdmission } from '../../simulator/dialing/admission-request.js'
import { seedWorld } from '../../simulator/setup/reset.js'
import { scheduledReason } from '../../simulator/model/lead.js'
import { inMemory, Store } from '../../simulator/storage/store.js'
import { World, type Carrier } from '../../simulator/model/world.js'
import type { Call } from '../../src/contract/calls.js'
import { simulate, type Simulation } from '../support/simulate.js'
import { sql } from '../../simulator/storage/sql.js'
import { tables } from '../../simulator/storage/tables.js'

const silent: Carrier = {
  startCall: () => undefined,
  eventAt: () => ({ what: 'interested' }),
  playStep: () => ({ what: 'interested' }),
  transcript: () => [],
}
const noon = instant(Date.UTC(2026, 9, 1, 16))
const night = instant(Date.UTC(2026, 9, 2, 4))

/** A lead in the line of a campaign without lines, and all that a call can be forbidden by put in its way behind its back. */
function barred() {
  const store = Store.open(inMemory)
  const world = new World(store, silent)
  seedWorld(world, { seed: 1, now: noon, speed: 1, secretsFollowSeed: false, paused: true }, noon)
  const tenant = world.tenant(2)
  const [campaign] = world.campaigns.listByOrganization(tenant.organizationNumber)
  if (!campaign) throw new Error('the usual world has no campaign')
  world.campaigns.change(campaign, { lines: 0 })
  const phone = '+16462011000'
  const lead = addLead(tenant, campaign, new NewLeadAdmission(tenant, null, campaign, { phone }))
  const { n: _n, ...settings } = campaign
  const other = world.campaigns.add({ ...settings, id: 'other' })
  const elsewhere = addLead(tenant, other, new NewLeadAdmission(tenant, null, other, { phone }))

  startOutboundCall(tenant, other, elsewhere)
  tenant.numbers.recordFailure(campaign.n, phone, 1)
  const entry = tenant.dnc.add(phone, 'manual', noon)
  world.campaigns.change(campaign, { lines: 1, status: 'paused' })
  world.now = night
  return { store, world, tenant, campaign, lead, entry, phone }
}

describe('the checks before a call', () => {
  /** What becomes of the lead when it is its turn. */
  function turnOf({ tenant, campaign, lead }: ReturnType<typeof barred>) {
    const { leads, queues } = tenant
    leads.change(lead, { status: 'queued', held_reason: null, scheduled_for: null, scheduled_reason: null })
    dialFreeLines(tenant, campaign.n)
    const judged = leads.get(lead.n)
    const { status, held_reason, scheduled_for } = judged
    expect(queues.of(campaign.n).busy).toBe(status === 'dialing' ? 1 : 0)
    return [status, held_reason ?? scheduledReason(judged), scheduled_for && new Date(scheduled_for).toISOString()]
  }

  it('Do Not Call list: a lead whose number was listed while it waited leaves the queue', () => {
    const world = barred()
    try {
      expect(turnOf(world)).toEqual(['out_of_queue', null, null])
    } finally {
      world.store.close()
    }
  })

  it('let a lead go where the first that forbids the call sends it, and call it when none does', () => {
    const made = barred()
    const { store, world, tenant, campaign, entry, phone } = made
    const turn = () => turnOf(made)
    try {
      tenant.dnc.remove(entry)
      expect(turn()).toEqual(['done', null, null])
      store.run(sql`DELETE FROM ${tables.numbers} WHERE phone = ?`, phone)
      tenant.numbers.invalidate()
      expect(turn()).toEqual(['held', 'campaign_paused', null])
      world.campaigns.change(campaign, { status: 'running', spend_cap_usd: 0 })
      expect(turn()).toEqual(['held', 'spend_cap_reached', null])
      world.campaigns.change(campaign, { spend_cap_usd: null })
      // No lead is called at midnight, and the cooldown of the other campaign's call lasts until noon.
      expect(turn()).toEqual(['scheduled', 'recent_contact_cooldown', '2026-10-02T16:00:00.000Z'])
      store.run(sql`DELETE FROM ${tables.calls}`)
      tenant.calls.invalidate()
      expect(turn()).toEqual(['scheduled', 'outside_calling_hours', '2026-10-02T12:00:00.000Z'])
      world.now = instant(Date.UTC(2026, 9, 2, 12))
      expect(turn()).toEqual(['dialing', null, null])
    } finally {
      store.close()
    }
  })
})

const minute = { answer: 'person', ring_seconds: 5, talk_seconds: 55, outcome: 'not_interested' } as const

const dialed = async (sim: Simulation) =>
  (await sim.live.all<Call>('/calls')).reverse().map(({ lead, started }) => [lead?.id, started])

describe('a line that is free at the very moment', () => {
  it('the hours close is not taken', async () => {
    const sim = await simulate({ now: '2026-10-02T00:59:00Z' })
    await sim.changeCampaign({ lines: 1 })
    const [first, second] = [sim.phone(), sim.phone()]
    await sim.script(first, minute)
    const { id } = await sim.lead({ phone: first })
    const waiting = await sim.lead({ phone: second })
    await sim.advance('60s')
    expect((await sim.readLead(id)).status).toBe('done')
    expect(await sim.readLead(waiting.id)).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'outside_calling_hours',
      scheduled_for: '2026-10-02T12:00:00.000Z',
      attempts: 0,
    })
  })

  it('the hours open is taken by one campaign where two wait with the same number; the other waits a day', async () => {
    const sim = await simulate({ now: '2026-10-01T10:00:00Z' })
    const { id: campaign_id } = await sim.campaign()
    const phone = sim.phone()
    const ids = [(await sim.lead({ phone })).id, (await sim.lead({ phone, campaign_id })).id]
    await sim.advance('2026-10-01T12:00:00Z')
    const leads = await Promise.all(ids.map((id) => sim.readLead(id)))
    expect(leads.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['dialing', 1],
      ['scheduled', 0],
    ])
    expect(leads[1]).toMatchObject({
      scheduled_reason: 'recent_contact_cooldown',
      scheduled_for: '2026-10-02T12:00:00.000Z',
    })
  })

  it('the spend cap is reached is not taken', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 1, spend_cap_usd: 0.12 })
    const phone = sim.phone()
    await sim.script(phone, minute)
    await sim.lead({ phone })
    const waiting = await sim.lead()
    await sim.advance('60s')
    expect(await sim.readLead(waiting.id)).toMatchObject({
      status: 'held',
      held_reason: 'spend_cap_reached',
      attempts: 0,
    })
  })

  it('a number is listed by the call that ends is not taken by its lead in another campaign', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.changeCampaign({ lines: 1 })
    await sim.script(phone, { ...minute, outcome: 'dnc' })
    const { id: campaign_id } = await sim.campaign({ lines: 0 })
    await sim.lead({ phone })
    const twin = await sim.lead({ phone, campaign_id })
    await sim.changeCampaign({ lines: 1 }, campaign_id)
    await sim.advance('3d')
    expect(await sim.readLead(twin.id)).toMatchObject({ status: 'out_of_queue', attempts: 0 })
  })

  it.each<[string, string]>([
    ['of other time zones that open then too', '+14162011000'],
    ['of the same time zone', '+12122011000'],
  ])('the hours open goes to a call_now lead %s', async (_which, urgentPhone) => {
    const sim = await simulate({ now: '2026-10-01T10:00:00Z' })
    await sim.changeCampaign({ lines: 1 })
    const plain = await sim.lead({ phone: '+16462011000' })
    const urgent = await sim.lead({ phone: urgentPhone, call_now: true })
    await sim.script(urgentPhone, minute)
    await sim.advance('2026-10-01T12:01:00Z')
    expect(await dialed(sim)).toEqual([
      [urgent.id, '2026-10-01T12:00:00.000Z'],
      [plain.id, '2026-10-01T12:01:00.000Z'],
    ])
  })

  it('a call ends goes to a call_now lead whose retry is due then, before an ordinary one that waited', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 2 })
    const lead = async (words: object, ...calls: Parameters<Simulation['script']>[1][]) => {
      const phone = sim.phone()
      await sim.script(phone, ...calls)
      return (await sim.lead({ phone, ...words })).id
    }
    const talker = await lead({}, { answer: 'person', ring_seconds: 10, talk_seconds: 1800, outcome: 'not_interested' })
    await sim.advance('15m')
    const urgent = await lead({ call_now: true }, { answer: 'busy', ring_seconds: 10 }, minute)
    const silent = await lead({}, { answer: 'no_answer', ring_seconds: 6000 })
    const plain = await lead({}, minute)
    // Both the busy number's retry and the end of the first call are at 15:30:10.
    await sim.advance('16m')
    expect((await dialed(sim)).map(([id]) => id)).toEqual([talker, urgent, silent, urgent])
    expect(await sim.readLead(plain)).toMatchObject({ status: 'queued', place_in_line: 1 })
  })

  it('the hours open is given out the same in one push of time and in many', async () => {
    const logs = []
    for (const steps of [1, 90]) {
      const sim = await simulate({ now: '2026-10-01T11:45:00Z' })
      await sim.changeCampaign({ lines: 2 })
      const { id: campaign_id } = await sim.campaign({ lines: 1 })
      for (const [n, areaCode] of ['646', '416', '312', '888', '212', '905'].entries()) {
        const phone = `+1${areaCode}2011000`
        await sim.lead({ phone, call_now: n % 3 === 1 })
        await sim.lead({ phone, campaign_id })
      }
      for (let step = 0; step < steps; step++) await sim.advance(`${(90 * 60) / steps}s`)
      logs.push(await sim.events())
    }
    expect(logs[0]?.length).toBeGreaterThan(30)
    expect(logs[1]).toEqual(logs[0])
  })
})
