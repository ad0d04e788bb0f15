import { describe, expect, it } from 'vitest'
import type { CampaignInWorld } from '../../src/contract/control/campaigns.js'
import type { Campaign } from '../../src/contract/campaigns.js'
import { simulate, type Simulation } from '../support/simulate.js'

const create = (sim: Simulation, words: object) => sim.ask<CampaignInWorld>('POST', '/_sim/campaigns', words)
const change = (sim: Simulation, words: object, id = sim.campaignId) =>
  sim.ask<CampaignInWorld>('PATCH', `/_sim/campaigns/${id}`, words)

const settings = {
  name: 'Renamed',
  status: 'paused',
  lines: 2,
  calling_hours: {
    mon: [['09:00', '12:00']],
    sat: [
      ['10:00', '11:00'],
      ['12:00', '13:00'],
    ],
  },
  any_hour: true,
  consent_required: false,
  call_now_default: true,
  late_after_minutes: 3,
  duplicate_window_days: 7,
  max_attempts: 2,
  retire_after_failures: 1,
  spend_cap_usd: 12.5,
} as const

describe('a campaign that is made', () => {
  it('runs, asks for consent, has five lines and the usual numbers unless told otherwise', async () => {
    const sim = await simulate()
    const { status, data } = await create(sim, { name: 'Autumn' })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      object: 'campaign',
      name: 'Autumn',
      status: 'running',
      lines: 5,
      any_hour: false,
      consent_required: true,
      call_now_default: false,
      late_after_minutes: 15,
      duplicate_window_days: 30,
      max_attempts: 6,
      retire_after_failures: 3,
      spend_cap_usd: null,
      spent_usd: 0,
      created: sim.now,
      updated: sim.now,
    })
    expect((await sim.live.get<Campaign>(`/campaigns/${data.id}`)).data).toEqual({ ...data, livemode: true })
    expect((await sim.test.get<Campaign>(`/campaigns/${data.id}`)).data).toEqual({ ...data, livemode: false })
  })

  it('is as it was asked for', async () => {
    const sim = await simulate()
    expect((await create(sim, settings)).data).toMatchObject(settings)
  })

  it.each([
    [{}, 'name'],
    [{ name: 'X', status: 'resting' }, 'status'],
    [{ name: 'X', lines: -1 }, 'lines'],
    [{ name: 'X', calling_hours: { mon: [['17:00', '09:00']] } }, 'calling_hours.mon[0]'],
    [{ name: 'X', calling_hours: { someday: [] } }, 'calling_hours.someday'],
    [{ name: 'X', max_attempts: 0 }, 'max_attempts'],
    [{ name: 'X', spend_cap_usd: -1 }, 'spend_cap_usd'],
    [{ name: 'X', spent_usd: 3 }, 'spent_usd'],
  ])('is refused as %j, and none is made', async (words, param) => {
    const sim = await simulate()
    expect((await create(sim, words)).error).toMatchObject({ code: 'invalid_request', param })
    expect((await sim.live.get<object[]>('/campaigns')).data).toHaveLength(1)
  })
})

describe('a campaign that is changed', () => {
  it.each(Object.entries(settings))('has another %s, and everything else as it was', async (name, value) => {
    const sim = await simulate()
    await sim.advance('1m')
    const [before] = sim.organization.campaigns
    const { status, data } = await change(sim, { [name]: value })
    expect([status, data]).toEqual([200, { ...before, [name]: value, updated: sim.now }])
  })

  it('must be there', async () => {
    const sim = await simulate()
    expect((await change(sim, { lines: 1 }, 'nothing')).error.code).toBe('not_found')
  })

  it('holds its leads once it has spent what it may, and calls them when the cap is raised or lifted', async () => {
    const sim = await simulate()
    await sim.control('PATCH', `/_sim/organizations/${sim.organization.id}`, { rate_usd_per_minute: 1 })
    const phone = sim.phone()
    await sim.script(phone, { answer: 'person', ring_seconds: 1, talk_seconds: 61 })
    await change(sim, { lines: 1, spend_cap_usd: 2 })
    await sim.lead({ phone })
    const second = await sim.lead()
    expect(second.status).toBe('queued')
    await sim.advance('62s')
    expect((await change(sim, {})).data.spent_usd).toBe(2)
    expect(await sim.readLead(second.id)).toMatchObject({ status: 'held', held_reason: 'spend_cap_reached' })
    await change(sim, { spend_cap_usd: 1.5 })
    expect(await sim.readLead(second.id)).toMatchObject({ status: 'held', held_reason: 'spend_cap_reached' })
    await change(sim, { spend_cap_usd: 2.5 })
    expect(await sim.readLead(second.id)).toMatchObject({ status: 'dialing' })
    await change(sim, { spend_cap_usd: 1 })
    const third = await sim.lead()
    expect(third).toMatchObject({ status: 'held', held_reason: 'spend_cap_reached' })
    await change(sim, { spend_cap_usd: null, lines: 2 })
    expect(await sim.readLead(third.id)).toMatchObject({ status: 'dialing' })
  })

  it('gives its leads their new hours when they changed while it was held', async () => {
    const sim = await simulate()
    await change(sim, { calling_hours: { fri: [['09:00', '10:00']] } })
    const { id, scheduled_for } = await sim.lead()
    expect(scheduled_for).toBe('2026-10-02T13:00:00.000Z')
    await change(sim, { status: 'paused' })
    expect(await sim.readLead(id)).toMatchObject({ status: 'scheduled' })
    await change(sim, { calling_hours: { thu: [['14:00', '15:00']], sun: [['12:00', '13:00']] } })
    await change(sim, { status: 'running' })
    expect(await sim.readLead(id)).toMatchObject({ status: 'scheduled', scheduled_for: '2026-10-01T18:00:00.000Z' })
    await sim.advance('2026-10-01T18:00:00Z')
    expect(await sim.readLead(id)).toMatchObject({ status: 'dialing' })
  })

  it('tells that a lead is late by the limit that holds then', async () => {
    const sim = await simulate()
    await change(sim, { lines: 0 })
    const [sooner, later] = [await sim.lead({ call_now: true }), await sim.campaign({ lines: 0 })]
    const { id } = await sim.lead({ call_now: true, campaign_id: later.id })
    await sim.advance('2m')
    await change(sim, { late_after_minutes: 5 })
    await change(sim, { late_after_minutes: 60 }, later.id)
    await sim.advance('2h')
    const late = (await sim.events()).filter(({ type }) => type === 'lead.late')
    expect(
      late.map(({ created, data }) => [created, (data.object as { id: string }).id, 'late' in data && data.late]),
    ).toEqual([
      ['2026-10-01T15:05:00.000Z', sooner.id, { waited_seconds: 300, limit_minutes: 5 }],
      ['2026-10-01T16:00:00.000Z', id, { waited_seconds: 3_600, limit_minutes: 60 }],
    ])
  })

  it('tells at once of a lead that has waited longer than a new limit already', async () => {
    const sim = await simulate()
    await change(sim, { lines: 0 })
    await sim.lead({ call_now: true })
    await sim.advance('10m')
    await change(sim, { late_after_minutes: 5 })
    const late = (await sim.events()).filter(({ type }) => type === 'lead.late')
    expect(late).toMatchObject([
      { created: '2026-10-01T15:10:00.000Z', data: { late: { waited_seconds: 600, limit_minutes: 5 } } },
    ])
  })

  it.each(['not_started', 'paused'] as const)(
    'to %s holds its leads, live and test, and lets those on the telephone talk on',
    async (status) => {
      const sim = await simulate()
      await change(sim, { lines: 1 })
      const [talking, waiting] = [await sim.lead(), await sim.lead()]
      const sample = [await sim.lead({}, sim.test), await sim.lead({}, sim.test)]
      await change(sim, { status })
      expect((await sim.readLead(talking.id)).status).toBe('dialing')
      const held = { status: 'held', held_reason: `campaign_${status}` }
      expect(await sim.readLead(waiting.id)).toMatchObject(held)
      expect(await sim.readLead(sample[1]?.id ?? '', sim.test)).toMatchObject(held)
    },
  )
})
