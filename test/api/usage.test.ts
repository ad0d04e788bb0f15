import { describe, expect, it } from 'vitest'
import type { Key } from '../../src/contract/control/keys.js'
import type { Usage, UsageGrouping } from '../../src/contract/usage.js'
import { Service } from '../support/service.js'
import { temporaryFile } from '../support/temporary-folder.js'

interface Question {
  period?: string
  group_by?: UsageGrouping
  key?: Key
}

async function usage(service: Service, { key, ...query }: Question = {}): Promise<Usage> {
  const { data } = await service.api<Usage>('GET', `/usage?${new URLSearchParams(query).toString()}`, {
    key: key ?? service.key(),
  })
  return data
}

const nothing = { requests: 0, leads_added: 0, calls: 0, calls_connected: 0, minutes: 0, cost_usd: 0 }
const talk = (seconds: number) => ({
  answer: 'person',
  ring_seconds: 5,
  talk_seconds: seconds,
  outcome: 'not_interested',
})

const to = (service: Service, moment: string) => service.control('POST', '/_sim/clock/advance', { to: moment })

/** A second campaign, and a key limited to it. */
async function secondCampaign(service: Service) {
  const words = { name: 'Second', consent_required: false }
  const { data: campaign } = await service.control<{ id: string }>('POST', '/_sim/campaigns', words)
  return { campaign: campaign.id, key: await service.newKey({ name: 'scoped', campaign_ids: [campaign.id] }) }
}

describe('usage', () => {
  it('counts leads, calls, those a person answered, and minutes rounded up per call', async () => {
    const service = await Service.start()
    await service.lead('+12125557812', talk(61))
    await service.lead('+12125557813', talk(60))
    await service.lead('+12125557814', { answer: 'voicemail', talk_seconds: 20 })
    await service.lead('+12125557815', { answer: 'no_answer' })
    await service.simulator.advance('5m')
    expect(await usage(service)).toEqual({
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

  it('is counted every five minutes: what came since is not in it yet', async () => {
    const service = await Service.start({ now: '2026-10-01T15:02:30Z' })
    await service.lead('+12125557812', talk(149))
    expect(await usage(service)).toMatchObject({ totals: nothing, updated: '2026-10-01T15:00:00.000Z' })
    await service.simulator.advance('149s')
    expect((await usage(service)).totals).toEqual(nothing)
    await service.simulator.advance('1s')
    // The call is still going on; the two requests that asked for usage are counted.
    const { totals, updated } = await usage(service)
    expect([totals, updated]).toEqual([{ ...nothing, requests: 3, leads_added: 1 }, '2026-10-01T15:05:00.000Z'])
    await service.simulator.advance('5m')
    expect((await usage(service)).totals).toMatchObject({ requests: 4, calls: 1, calls_connected: 1, minutes: 3 })
  })

  it('costs the minutes at the rate of the organization', async () => {
    const service = await Service.start()
    await service.control('PATCH', `/_sim/organizations/${service.organization.id}`, { rate_usd_per_minute: 0.1 })
    await service.lead('+12125557812', talk(179))
    await service.simulator.advance('5m')
    expect((await usage(service)).totals).toMatchObject({ minutes: 3, cost_usd: 0.3 })
  })

  it('has no lead that was refused, rehearsed or put back in the queue', async () => {
    const service = await Service.start()
    const lead = { campaign_id: service.campaign, phone: '+12125557812' }
    await service.api('POST', '/leads', { body: { ...lead, dry_run: true } })
    await service.api('POST', '/leads', { body: { ...lead, phone: '1' } })
    await service.lead(lead.phone, talk(10))
    await service.simulator.advance('31d')
    expect((await service.api('POST', '/leads', { body: lead })).status).toBe(200)
    await service.simulator.advance('5m')
    const totals = ['2026-10', '2026-11'].map(async (period) => (await usage(service, { period })).totals)
    expect(await Promise.all(totals)).toMatchObject([{ leads_added: 1 }, { leads_added: 0, requests: 1 }])
  })

  it('has every request of a key that is known, whatever became of it, and no other', async () => {
    const service = await Service.start()
    const poor = await service.newKey({ permissions: [] })
    await service.api('GET', '/leads', { key: poor })
    await service.api('GET', '/nowhere')
    await service.api('POST', '/leads', { body: { nonsense: 1 } })
    await service.api('GET', '/leads', { key: { ...poor, secret: 'cs_live_wrong' } })
    await service.control('GET', '/_sim/world')
    await service.simulator.advance('5m')
    expect((await usage(service)).totals.requests).toBe(3)
  })

  it('has the requests that were refused for coming too fast', async () => {
    const service = await Service.start({ limits: true })
    const key = await service.newKey({ limits: { burst: 1, requests_per_minute: 1 } })
    const replies = [await service.api('GET', '/leads', { key }), await service.api('GET', '/leads', { key })]
    expect(replies.map(({ status }) => status)).toEqual([200, 429])
    await service.simulator.advance('5m')
    expect((await usage(service, { group_by: 'key' })).groups).toMatchObject([{ key_id: key.key_id, requests: 2 }])
  })

  it('of a test key is that of test data, and costs nothing', async () => {
    const service = await Service.start()
    const key = service.key('test')
    await service.lead('+15550100001', null, {}, key)
    await service.simulator.advance('10m')
    const { livemode, totals } = await usage(service, { key })
    expect([livemode, totals]).toEqual([
      false,
      { requests: 1, leads_added: 1, calls: 1, calls_connected: 1, minutes: 4, cost_usd: 0 },
    ])
    expect((await usage(service)).totals).toEqual(nothing)
  })

  it('is the same after a restart, and gone after a reset', async () => {
    const data = temporaryFile()
    const before = await Service.start({ data })
    await before.lead('+12125557812', talk(61))
    await before.api('GET', '/leads')
    await before.simulator.close()
    const after = await Service.start({ data })
    await after.api('GET', '/leads')
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
    const service = await Service.start()
    expect(await usage(service, { period: '2031-02' })).toMatchObject({
      period: '2031-02',
      totals: nothing,
      groups: [],
    })
    expect(await usage(service, { period: '0000-01', group_by: 'day' })).toMatchObject({ totals: nothing, groups: [] })
    const refused = (param: string) => ({ status: 400, error: { code: 'invalid_request', param } })
    expect(await service.api('GET', '/usage?period=2026-13')).toMatchObject(refused('period'))
    expect(await service.api('GET', '/usage?period=2026-10-01')).toMatchObject(refused('period'))
    expect(await service.api('GET', '/usage?group_by=lead')).toMatchObject(refused('group_by'))
    const key = await service.newKey({ permissions: ['leads:read'] })
    expect(await service.api('GET', '/usage', { key })).toMatchObject({
      status: 403,
      error: { missing_permission: 'usage:read' },
    })
  })
})

describe('a month', () => {
  it('is that of the organization, also where daylight saving begins or ends in it', async () => {
    const service = await Service.start({ now: '2026-11-01T03:55:00Z' })
    await service.api('GET', '/leads')
    await to(service, '2026-11-01T04:00:00Z')
    expect(await usage(service)).toMatchObject({ period: '2026-11', totals: nothing })
    expect(await usage(service, { period: '2026-10' })).toMatchObject({ totals: { requests: 1 } })
    // New York has no daylight saving any more at the end of November: the month is over at five.
    await to(service, '2026-12-01T04:55:00Z')
    await service.api('GET', '/leads')
    await to(service, '2026-12-01T05:00:00Z')
    expect(await usage(service)).toMatchObject({ period: '2026-12', totals: nothing })
    expect(await usage(service, { period: '2026-11' })).toMatchObject({ totals: { requests: 3 } })
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
    const service = await Service.start({ now: early(from) })
    await service.control('PATCH', `/_sim/organizations/${service.organization.id}`, { time_zone })
    for (const moment of [early(from), from, early(until), until]) {
      await to(service, moment)
      await service.api('GET', '/leads')
    }
    await service.simulator.advance('5m')
    const { totals, groups } = await usage(service, { period, group_by: 'day' })
    expect(totals).toMatchObject({ requests: 2 })
    const last = new Date(Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5)), 0)).getUTCDate()
    expect(groups).toMatchObject([
      { day: `${period}-01`, requests: 1 },
      { day: `${period}-${last}`, requests: 1 },
    ])
  })

  it('follows the time zone when the organization changes it', async () => {
    const service = await Service.start({ now: '2026-10-31T20:00:00Z' })
    await service.api('GET', '/leads')
    await service.simulator.advance('5m')
    expect(await usage(service)).toMatchObject({ period: '2026-10', totals: { requests: 1 } })
    await service.control('PATCH', `/_sim/organizations/${service.organization.id}`, { time_zone: 'Asia/Kathmandu' })
    expect(await usage(service)).toMatchObject({
      period: '2026-11',
      timezone: 'Asia/Kathmandu',
      totals: { requests: 1 },
    })
  })

  it('has a call, with all its minutes, where it ended', async () => {
    const service = await Service.start({ now: '2026-10-31T23:55:00-04:00' })
    await service.control('PATCH', `/_sim/campaigns/${service.campaign}`, { any_hour: true })
    await service.lead('+12125557812', talk(600))
    await service.simulator.advance('30m')
    expect((await usage(service, { period: '2026-10' })).totals).toEqual({ ...nothing, requests: 1, leads_added: 1 })
    expect((await usage(service)).totals).toMatchObject({ leads_added: 0, calls: 1, minutes: 10 })
  })
})

describe('usage in groups', () => {
  /** Leads and calls of two keys in two campaigns, over two days. */
  async function busy() {
    const service = await Service.start()
    const second = await secondCampaign(service)
    await service.lead('+12125557812', talk(61))
    await service.lead('+12125557813', talk(10), { campaign_id: second.campaign })
    await service.simulator.advance('1d')
    await service.lead('+12125557814', talk(130), { campaign_id: second.campaign }, second.key)
    await service.simulator.advance('10m')
    return { service, second }
  }

  it.each(['key', 'day'] as const)('by %s adds up to the totals', async (group_by) => {
    const { service } = await busy()
    const { totals, groups } = await usage(service, { group_by })
    expect(groups).toHaveLength(2)
    const sum = (name: keyof typeof nothing) => groups.reduce((all, group) => all + group[name], 0)
    for (const [name, total] of Object.entries(totals))
      expect([name, sum(name as keyof typeof nothing)]).toEqual([name, expect.closeTo(total)])
  })

  it('has the requests, leads and calls of each key', async () => {
    const { service, second } = await busy()
    const { key_id } = service.key()
    expect((await usage(service, { group_by: 'key' })).groups).toEqual([
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
    const { service, second } = await busy()
    expect((await usage(service, { group_by: 'campaign' })).groups).toEqual([
      {
        ...nothing,
        campaign_id: service.campaign,
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
    const service = await Service.start({ now: '2026-11-01T03:50:00Z' })
    for (const moment of [
      '2026-11-01T04:00:00Z',
      '2026-11-02T04:55:00Z',
      '2026-11-02T05:00:00Z',
      '2026-11-05T12:00:00Z',
    ]) {
      await service.api('GET', '/leads')
      await to(service, moment)
    }
    await service.api('GET', '/leads')
    await service.simulator.advance('5m')
    const days = (one: Usage) => one.groups.map((group) => ['day' in group && group.day, group.requests])
    expect(days(await usage(service, { group_by: 'day', period: '2026-10' }))).toEqual([['2026-10-31', 1]])
    expect(days(await usage(service, { group_by: 'day' }))).toEqual([
      ['2026-11-01', 2],
      ['2026-11-02', 1],
      ['2026-11-05', 1],
    ])
  })

  it('shows a key its own campaigns and its own requests', async () => {
    const { service, second } = await busy()
    const { totals } = await usage(service, { key: second.key })
    expect(totals).toEqual({ requests: 1, leads_added: 2, calls: 2, calls_connected: 2, minutes: 4, cost_usd: 0.48 })
    const byCampaign = await usage(service, { key: second.key, group_by: 'campaign' })
    expect(byCampaign.groups).toMatchObject([{ campaign_id: second.campaign, leads_added: 2 }])
    const byKey = await usage(service, { key: second.key, group_by: 'key' })
    expect(byKey.groups).toMatchObject([
      { key_id: service.key().key_id, requests: 0, leads_added: 1 },
      { key_id: second.key.key_id, requests: 1, leads_added: 1 },
    ])
    const blind = await service.newKey({ campaign_ids: [] })
    await service.api('GET', '/leads', { key: blind })
    await service.simulator.advance('5m')
    expect((await usage(service, { key: blind })).totals).toEqual({ ...nothing, requests: 1 })
  })

  it('has what a call owes to the key that asked for it', async () => {
    const service = await Service.start()
    const caller = await service.newKey({ name: 'caller' })
    const lead_id = await service.lead('+12125557812', talk(10))
    await service.simulator.advance('10m')
    expect((await service.api('POST', '/calls', { key: caller, body: { lead_id } })).status).toBe(202)
    await service.simulator.advance('10m')
    expect((await usage(service, { group_by: 'key' })).groups).toMatchObject([
      { key_name: 'live key', leads_added: 1, calls: 1 },
      { key_name: 'caller', leads_added: 0, calls: 1 },
    ])
  })
})
