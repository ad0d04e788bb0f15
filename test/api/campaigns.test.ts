/** Campaigns read, listed, started and paused. */
import { describe, expect, it } from 'vitest'
import type { Campaign } from '../../src/contract/campaigns.js'
import { simulate, type Simulation } from '../support/simulate.js'

const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const nowhere = 'b7a5d9a3-43f4-4fd1-9d59-6c4d2be0f1d5'
const read = async (sim: Simulation, id = sim.campaignId) => (await sim.live.get<Campaign>(`/campaigns/${id}`)).data

describe('a campaign', () => {
  it('has the settings it was given, and the usual ones for the rest', async () => {
    const sim = await simulate()
    const usual = {
      object: 'campaign',
      name: 'Another',
      status: 'running',
      lines: 5,
      calling_hours: Object.fromEntries(everyDay.map((day) => [day, [['08:00', '21:00']]])),
      any_hour: false,
      consent_required: true,
      call_now_default: false,
      late_after_minutes: 15,
      duplicate_window_days: 30,
      max_attempts: 6,
      retire_after_failures: 3,
      spend_cap_usd: null,
      spent_usd: 0,
      created: '2026-10-01T15:00:00.000Z',
      updated: '2026-10-01T15:00:00.000Z',
      livemode: true,
    }
    const { id } = await sim.campaign({ consent_required: undefined })
    expect(await read(sim, id)).toEqual({ id, ...usual })
    const given = {
      name: 'Given',
      status: 'paused',
      lines: 2,
      calling_hours: {
        sat: [
          ['10:00', '12:30'],
          ['13:00', '24:00'],
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
    }
    const other = await sim.campaign(given)
    expect(await read(sim, other.id)).toEqual({ ...usual, ...given, id: other.id })
    expect((await sim.test.get(`/campaigns/${id}`)).data).toEqual({ id, ...usual, livemode: false })
  })

  it.each([`/campaigns/${nowhere}`, '/campaigns/x'])('that is not there is 404: %s', async (path) => {
    const sim = await simulate()
    expect((await sim.live.get(path)).error.code).toBe('not_found')
    for (const deed of ['start', 'pause']) expect((await sim.live.post(`${path}/${deed}`)).error.code).toBe('not_found')
  })
})

describe('the list of campaigns', () => {
  it('is newest first, and has a filter by status', async () => {
    const sim = await simulate()
    const ids = [sim.campaignId]
    for (const status of ['paused', 'not_started', 'completed', 'paused'])
      ids.unshift((await sim.campaign({ status })).id)
    const listed = async (query: string) => (await sim.live.all<Campaign>(`/campaigns${query}`)).map(({ id }) => id)
    expect(await listed('')).toEqual(ids)
    expect(await listed('?status=paused')).toEqual([ids[0], ids[3]])
    expect(await listed('?status=running')).toEqual([sim.campaignId])
    expect(await listed('?status=not_started')).toEqual([ids[2]])
    expect(await listed('?status=completed')).toEqual([ids[1]])
    expect((await sim.live.get('/campaigns?status=over')).error).toMatchObject({
      code: 'invalid_request',
      param: 'status',
    })
    expect((await sim.live.get<Campaign[]>(`/campaigns?status=paused&starting_after=${ids[1]}`)).data).toMatchObject([
      { id: ids[3] },
    ])
  })
})

describe('starting and pausing', () => {
  it.each([
    ['start', 'not_started', 'running'],
    ['start', 'paused', 'running'],
    ['pause', 'running', 'paused'],
    ['pause', 'not_started', 'paused'],
  ] as const)('%s one that is %s makes it %s', async (deed, before, after) => {
    const sim = await simulate()
    const { id } = await sim.campaign({ status: before })
    await sim.advance('1m')
    const { status, data } = await sim.live.post<Campaign>(`/campaigns/${id}/${deed}`)
    expect(status).toBe(200)
    expect(data).toMatchObject({ id, status: after, updated: '2026-10-01T15:01:00.000Z' })
    expect(await read(sim, id)).toEqual(data)
  })

  it.each([
    ['start', 'running'],
    ['pause', 'paused'],
  ] as const)('%s one that is %s already changes nothing of it', async (deed, status) => {
    const sim = await simulate()
    const { id } = await sim.campaign({ status })
    const before = await read(sim, id)
    await sim.advance('1m')
    const { status: found, data } = await sim.live.post<Campaign>(`/campaigns/${id}/${deed}`, {})
    expect([found, data]).toEqual([200, before])
  })

  it.each(['start', 'pause'] as const)('a completed one cannot be: %s', async (deed) => {
    const sim = await simulate()
    const { id } = await sim.campaign({ status: 'completed' })
    const { status, error } = await sim.live.post(`/campaigns/${id}/${deed}`)
    expect([status, error.code]).toEqual([409, 'campaign_closed'])
    expect((await read(sim, id)).status).toBe('completed')
  })

  it('one outside of the key is 403 and names it, and takes no settings', async () => {
    const sim = await simulate()
    const { id } = await sim.campaign()
    const client = sim.as(await sim.key({ campaign_ids: [id] }))
    for (const deed of ['start', 'pause']) {
      const { status, error } = await client.post(`/campaigns/${sim.campaignId}/${deed}`)
      expect([status, error.code, error.campaign_id]).toEqual([403, 'permission_denied', sim.campaignId])
      expect((await client.post(`/campaigns/${id}/${deed}`, { any_hour: true })).error).toMatchObject({
        code: 'invalid_request',
        param: 'any_hour',
      })
    }
    expect((await client.post(`/campaigns/${id}/pause`)).status).toBe(200)
  })

  it('by a test key is for both modes: the campaign belongs to the organization', async () => {
    const sim = await simulate()
    const { data } = await sim.test.post(`/campaigns/${sim.campaignId}/pause`)
    expect(data).toMatchObject({ status: 'paused', livemode: false })
    expect(await sim.lead()).toMatchObject({ status: 'held', held_reason: 'campaign_paused' })
  })
})

it('a campaign that gets fewer lines lets its calls go on, and dials nobody above what it has', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 2 })
  const ids: string[] = []
  for (const seconds of [60, 120, 10]) {
    const phone = sim.phone()
    await sim.script(phone, { answer: 'person', ring_seconds: 0, talk_seconds: seconds, outcome: 'not_interested' })
    ids.push((await sim.lead({ phone })).id)
  }
  await sim.changeCampaign({ lines: 1 })
  const statuses = () => Promise.all(ids.map(async (id) => (await sim.readLead(id)).status))
  await sim.advance('60s')
  expect(await statuses()).toEqual(['done', 'on_call', 'queued'])
  await sim.advance('60s')
  expect(await statuses()).toEqual(['done', 'done', 'on_call'])
})

it('a campaign that is completed calls nobody who waits', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 0 })
  const ids = [(await sim.lead()).id, (await sim.lead({ call_now: true })).id]
  await sim.changeCampaign({ status: 'completed', lines: 5 })
  await sim.advance('1d')
  for (const id of ids)
    expect(await sim.readLead(id)).toMatchObject({ status: 'done', attempts: 0, last_outcome: null })
})
