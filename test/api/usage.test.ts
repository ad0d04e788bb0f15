import { describe, expect, it } from 'vitest'
import type { Key } from '../../src/contract/control/keys.js'
import type { ScriptedCall } from '../../src/contract/control/scripts.js'
import type { Usage, UsageGrouping } from '../../src/contract/usage.js'
import { simulate, type Simulation } from '../support/simulate.js'
import { temporaryFile } from '../support/temporary-folder.js'

interface Question {
  period?: string
  group_by?: UsageGrouping
  key?: Key
}

async function usage(sim: Simulation, { key, ...query }: Question = {}): Promise<Usage> {
  const { data } = await sim.as(key ?? sim.live.key).get<Usage>(`/usage?${new URLSearchParams(query).toString()}`)
  return data
}

const nothing = { requests: 0, leads_added: 0, calls: 0, calls_connected: 0, minutes: 0, cost_usd: 0 }
const talk = (seconds: number): ScriptedCall => ({
  answer: 'person',
  ring_seconds: 5,
  talk_seconds: seconds,
  outcome: 'not_interested',
})

/** A second campaign, and a key limited to it. */
async function secondCampaign(sim: Simulation) {
  const campaign = await sim.campaign({ name: 'Second' })
  return { campaign: campaign.id, key: await sim.key({ name: 'scoped', campaign_ids: [campaign.id] }) }
}

describe('usage', () => {
  it('counts leads, calls, those a person answered, and minutes rounded up per call', async () => {
    const sim = await simulate()
    await sim.scripted('+12125557812', talk(61))
    await sim.scripted('+12125557813', talk(60))
    await sim.scripted('+12125557814', { answer: 'voicemail', talk_seconds: 20 })
    await sim.scripted('+12125557815', { answer: 'no_answer' })
    await sim.advance('5m')
    expect(await usage(sim)).toEqual({
      object: 'usage',
      period: '2026-10',
      timezone: 'America/New_York',
      livemode: true,
      totals: { requests: 4, leads_added: 4, calls: 4, calls_connected: 2, minutes: 4, cost_usd: 0.48 },
      group_by: null,
      groups: [],
      updated: '2026-10-01T15:05:00.000Z',
    })
  })

  // rule X4
  it('is counted every five minutes: what came since is not in it yet', async () => {
    const sim = await simulate({ now: '2026-10-01T15:02:30Z' })
    await sim.scripted('+12125557812', talk(149))
    expect(await usage(sim)).toMatchObject({ totals: nothing, updated: '2026-10-01T15:00:00.000Z' })
    await sim.advance('149s')
    expect((await usage(sim)).totals).toEqual(nothing)
    await sim.advance('1s')
    // The call is still going on; the two requests that asked for usage are counted.
    const { totals, updated } = await usage(sim)
    expect([totals, updated]).toEqual([{ ...nothing, requests: 3, leads_added: 1 }, '2026-10-01T15:05:00.000Z'])
    await sim.advance('5m')
    expect((await usage(sim)).totals).toMatchObject({ requests: 4, calls: 1, calls_connected: 1, minutes: 3 })
  })

  it('costs the minutes at the rate of the organization', async () => {
    const sim = await simulate()
    await sim.control('PATCH', `/_sim/organizations/${sim.organization.id}`, { rate_usd_per_minute: 0.1 })
    await sim.scripted('+12125557812', talk(179))
    await sim.advance('5m')
    expect((await usage(sim)).totals).toMatchObject({ minutes: 3, cost_usd: 0.3 })
  })

  it('has no lead that was refused, rehearsed or put back in the queue', async () => {
    const sim = await simulate()
    const lead = { campaign_id: sim.campaignId, phone: '+12125557812' }
    await sim.live.post('/leads', { ...lead, dry_run: true })
    await sim.live.post('/leads', { ...lead, phone: '1' })
    await sim.scripted(lead.phone, talk(10))
    await sim.advance('31d')
    expect((await sim.live.post('/leads', lead)).status).toBe(200)
    await sim.advance('5m')
    const totals = ['2026-10', '2026-11'].map(async (period) => (await usage(sim, { period })).totals)
    expect(await Promise.all(totals)).toMatchObject([{ leads_added: 1 }, { leads_added: 0, requests: 1 }])
  })

  it('has every request of a key that is known, whatever became of it, and no other', async () => {
    const sim = await simulate()
    const poor = await sim.key({ permissions: [] })
    await sim.as(poor).get('/leads')
    await sim.live.get('/nowhere')
    await sim.live.post('/leads', { nonsense: 1 })
    await sim.as({ ...poor, secret: 'cs_live_wrong' }).get('/leads')
    await sim.control('GET', '/_sim/world')
    await sim.advance('5m')
    expect((await usage(sim)).totals.requests).toBe(3)
  })

  it('has the requests that were refused for coming too fast', async () => {
    const sim = await simulate({ limits: true })
    const key = await sim.key({ limits: { burst: 1, requests_per_minute: 1 } })
    const replies = [await sim.as(key).get('/leads'), await sim.as(key).get('/leads')]
    expect(replies.map(({ status }) => status)).toEqual([200, 429])
    await sim.advance('5m')
    expect((await usage(sim, { group_by: 'key' })).groups).toMatchObject([{ key_id: key.key_id, requests: 2 }])
  })

  it('of a test key is that of test data, and costs nothing', async () => {
    const sim = await simulate()
    const key = sim.test.key
    await sim.lead({ phone: '+15550100001' }, sim.test)
    await sim.advance('10m')
    const { livemode, totals } = await usage(sim, { key })
    expect([livemode, totals]).toEqual([
      false,
      { requests: 1, leads_added: 1, calls: 1, calls_connected: 1, minutes: 4, cost_usd: 0 },
    ])
    expect((await usage(sim)).totals).toEqual(nothing)
  })

  it('is the same after a restart, and gone after a reset', async () => {
    const data = temporaryFile()
    const before = await simulate({ data })
    await before.scripted('+12125557812', talk(61))
    await before.live.get('/leads')
    await before.simulator.close()
    const after = await simulate({ data })
    await after.live.get('/leads')
    await after.simulator.advance('5m')
    expect((await usage(after)).totals).toEqual({
      requests: 3,
      leads_added: 1,
      calls: 1,
      calls_connected: 1,
      minutes: 2,
      cost_usd: 0.24,
    })
    await after.control('POST', '/_sim/reset', {})
    await after.look()
    await after.simulator.advance('1d')
    expect((await usage(after)).totals).toEqual(nothing)
  })

  it('takes a month or the word current, and a known grouping', async () => {
    const sim = await simulate()
    expect(await usage(sim, { period: '2031-02' })).toMatchObject({
      period: '2031-02',
      totals: nothing,
      groups: [],
    })
    expect(await usage(sim, { period: '0000-01', group_by: 'day' })).toMatchObject({ totals: nothing, groups: [] })
    const refused = (param: string) => ({ status: 400, error: { code: 'invalid_request', param } })
    expect(await sim.live.get('/usage?period=2026-13')).toMatchObject(refused('period'))
    expect(await sim.live.get('/usage?period=2026-10-01')).toMatchObject(refused('period'))
    expect(await sim.live.get('/usage?group_by=lead')).toMatchObject(refused('group_by'))
    const key = await sim.key({ permissions: ['leads:read'] })
    expect(await sim.as(key).get('/usage')).toMatchObject({
      status: 403,
      error: { missing_permission: 'usage:read' },
    })
  })
})

describe('a month', () => {
  it('is that of the organization, also where daylight saving begins or ends in it', async () => {
    const sim = await simulate({ now: '2026-11-01T03:55:00Z' })
    await sim.live.get('/leads')
    await sim.advance('2026-11-01T04:00:00Z')
    expect(await usage(sim)).toMatchObject({ period: '2026-11', totals: nothing })
    expect(await usage(sim, { period: '2026-10' })).toMatchObject({ totals: { requests: 1 } })
    // New York is on standard time at the end of November: the month ends at five.
    await sim.advance('2026-12-01T04:55:00Z')
    await sim.live.get('/leads')
    await sim.advance('2026-12-01T05:00:00Z')
    expect(await usage(sim)).toMatchObject({ period: '2026-12', totals: nothing })
    expect(await usage(sim, { period: '2026-11' })).toMatchObject({ totals: { requests: 3 } })
  })

  it.each([
    ['America/New_York', '2027-03', '2027-03-01T05:00:00Z', '2027-04-01T04:00:00Z'],
    ['America/New_York', '2026-11', '2026-11-01T04:00:00Z', '2026-12-01T05:00:00Z'],
    ['America/St_Johns', '2027-03', '2027-03-01T03:30:00Z', '2027-04-01T02:30:00Z'],
    ['Asia/Kolkata', '2026-11', '2026-10-31T18:30:00Z', '2026-11-30T18:30:00Z'],
    ['Australia/Lord_Howe', '2026-10', '2026-09-30T13:30:00Z', '2026-10-31T13:00:00Z'],
    ['Australia/Lord_Howe', '2027-04', '2027-03-31T13:00:00Z', '2027-04-30T13:30:00Z'],
  ])('in %s, %s begins and ends with its first and last five minutes there', async (time_zone, period, from, until) => {
    const early = (moment: string) => new Date(Date.parse(moment) - 300_000).toISOString()
    const sim = await simulate({ now: early(from) })
    await sim.control('PATCH', `/_sim/organizations/${sim.organization.id}`, { time_zone })
    for (const moment of [early(from), from, early(until), until]) {
      await sim.advance(moment)
      await sim.live.get('/leads')
    }
    await sim.advance('5m')
    const { totals, groups } = await usage(sim, { period, group_by: 'day' })
    expect(totals).toMatchObject({ requests: 2 })
    const last = new Date(Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5)), 0)).getUTCDate()
    expect(groups).toMatchObject([
      { day: `${period}-01`, requests: 1 },
      { day: `${period}-${last}`, requests: 1 },
    ])
  })

  it('follows the time zone when the organization changes it', async () => {
    const sim = await simulate({ now: '2026-10-31T20:00:00Z' })
    await sim.live.get('/leads')
    await sim.advance('5m')
    expect(await usage(sim)).toMatchObject({ period: '2026-10', totals: { requests: 1 } })
    await sim.control('PATCH', `/_sim/organizations/${sim.organization.id}`, { time_zone: 'Asia/Kathmandu' })
    expect(await usage(sim)).toMatchObject({
      period: '2026-11',
      timezone: 'Asia/Kathmandu',
      totals: { requests: 1 },
    })
  })

  it('has a call, with all its minutes, where it ended', async () => {
    const sim = await simulate({ now: '2026-10-31T23:55:00-04:00' })
    await sim.control('PATCH', `/_sim/campaigns/${sim.campaignId}`, { any_hour: true })
    await sim.scripted('+12125557812', talk(600))
    await sim.advance('30m')
    expect((await usage(sim, { period: '2026-10' })).totals).toEqual({ ...nothing, requests: 1, leads_added: 1 })
    expect((await usage(sim)).totals).toMatchObject({ leads_added: 0, calls: 1, minutes: 10 })
  })
})

describe('usage in groups', () => {
  /** Leads and calls of two keys in two campaigns, over two days. */
  async function busy() {
    const sim = await simulate()
    const second = await secondCampaign(sim)
    await sim.scripted('+12125557812', talk(61))
    await sim.scripted('+12125557813', talk(10), { campaign_id: second.campaign })
    await sim.advance('1d')
    await sim.scripted('+12125557814', talk(130), { campaign_id: second.campaign }, sim.as(second.key))
    await sim.advance('10m')
    return { sim, second }
  }

  it.each(['key', 'day'] as const)('by %s adds up to the totals', async (group_by) => {
    const { sim } = await busy()
    const { totals, groups } = await usage(sim, { group_by })
    expect(groups).toHaveLength(2)
    const sum = (name: keyof typeof nothing) => groups.reduce((all, group) => all + group[name], 0)
    for (const [name, total] of Object.entries(totals))
      expect([name, sum(name as keyof typeof nothing)]).toEqual([name, expect.closeTo(total)])
  })

  it('has the requests, leads and calls of each key', async () => {
    const { sim, second } = await busy()
    const { key_id } = sim.live.key
    expect((await usage(sim, { group_by: 'key' })).groups).toEqual([
      {
        key_id,
        key_name: 'live key',
        requests: 2,
        leads_added: 2,
        calls: 2,
        calls_connected: 2,
        minutes: 3,
        cost_usd: 0.36,
      },
      {
        key_id: second.key.key_id,
        key_name: 'scoped',
        requests: 1,
        leads_added: 1,
        calls: 1,
        calls_connected: 1,
        minutes: 3,
        cost_usd: 0.36,
      },
    ])
  })

  it('has the leads and calls of each campaign; requests belong to none', async () => {
    const { sim, second } = await busy()
    expect((await usage(sim, { group_by: 'campaign' })).groups).toEqual([
      {
        ...nothing,
        campaign_id: sim.campaignId,
        campaign_name: 'Web leads',
        leads_added: 1,
        calls: 1,
        calls_connected: 1,
        minutes: 2,
        cost_usd: 0.24,
      },
      {
        ...nothing,
        campaign_id: second.campaign,
        campaign_name: 'Second',
        leads_added: 2,
        calls: 2,
        calls_connected: 2,
        minutes: 4,
        cost_usd: 0.48,
      },
    ])
  })

  it('has each day of the organization on which there was anything', async () => {
    const sim = await simulate({ now: '2026-11-01T03:50:00Z' })
    for (const moment of [
      '2026-11-01T04:00:00Z',
      '2026-11-02T04:55:00Z',
      '2026-11-02T05:00:00Z',
      '2026-11-05T12:00:00Z',
    ]) {
      await sim.live.get('/leads')
      await sim.advance(moment)
    }
    await sim.live.get('/leads')
    await sim.advance('5m')
    const days = (one: Usage) => one.groups.map((group) => ['day' in group && group.day, group.requests])
    expect(days(await usage(sim, { group_by: 'day', period: '2026-10' }))).toEqual([['2026-10-31', 1]])
    expect(days(await usage(sim, { group_by: 'day' }))).toEqual([
      ['2026-11-01', 2],
      ['2026-11-02', 1],
      ['2026-11-05', 1],
    ])
  })

  it('shows a key its own campaigns and its own requests', async () => {
    const { sim, second } = await busy()
    const { totals } = await usage(sim, { key: second.key })
    expect(totals).toEqual({ requests: 1, leads_added: 2, calls: 2, calls_connected: 2, minutes: 4, cost_usd: 0.48 })
    const byCampaign = await usage(sim, { key: second.key, group_by: 'campaign' })
    expect(byCampaign.groups).toMatchObject([{ campaign_id: second.campaign, leads_added: 2 }])
    const byKey = await usage(sim, { key: second.key, group_by: 'key' })
    expect(byKey.groups).toMatchObject([
      { key_id: sim.live.key.key_id, requests: 0, leads_added: 1 },
      { key_id: second.key.key_id, requests: 1, leads_added: 1 },
    ])
    const blind = await sim.key({ campaign_ids: [] })
    await sim.as(blind).get('/leads')
    await sim.advance('5m')
    expect((await usage(sim, { key: blind })).totals).toEqual({ ...nothing, requests: 1 })
  })

  it('has what a call owes to the key that asked for it', async () => {
    const sim = await simulate()
    const caller = await sim.key({ name: 'caller' })
    const lead_id = await sim.scripted('+12125557812', talk(10))
    await sim.advance('10m')
    expect((await sim.as(caller).post('/calls', { lead_id })).status).toBe(202)
    await sim.advance('10m')
    expect((await usage(sim, { group_by: 'key' })).groups).toMatchObject([
      { key_name: 'live key', leads_added: 1, calls: 1 },
      { key_name: 'caller', leads_added: 0, calls: 1 },
    ])
  })
})
