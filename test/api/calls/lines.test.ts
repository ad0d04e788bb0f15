/** Who is dialed when: the lines of a campaign, the order of those who wait, and calls started through the API. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Call, CallStarted } from '../../../src/contract/calls.js'
import type { Event } from '../../../src/contract/events.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const start = (sim: Simulation, words: object) => sim.live.post<CallStarted>('/calls', words)

/** The leads in the order in which they were dialed. */
async function dialed(sim: Simulation): Promise<string[]> {
  const calls = (await sim.live.all<Call>('/calls')).reverse()
  return calls.map(({ lead }) => lead?.id ?? '')
}

/** A lead whose calls take a minute. */
async function minuteLead(sim: Simulation, words: object = {}): Promise<string> {
  const phone = sim.phone()
  await sim.script(phone, { answer: 'person', ring_seconds: 5, talk_seconds: 55, outcome: 'not_interested' })
  return (await sim.lead({ phone, ...words })).id
}

describe('the lines of a campaign', () => {
  it('are never exceeded, and the next lead is dialed the moment one is free', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 2 })
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push(await minuteLead(sim))
    expect(await dialed(sim)).toEqual(ids.slice(0, 2))
    await sim.advance('59.999s')
    expect(await dialed(sim)).toHaveLength(2)
    await sim.advance('1ms')
    expect(await dialed(sim)).toEqual(ids.slice(0, 4))
    await sim.advance('5m')
    expect(await dialed(sim)).toEqual(ids)
  })

  it('bound the calls at any moment, whatever the calls are like', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 100 }), async (lines, seed) => {
        const sim = await simulate({ seed })
        await sim.changeCampaign({ lines })
        for (let n = 0; n < 10; n++) await sim.lead({ call_now: n % 3 === 0 })
        await sim.advance('3h')
        const calls = await sim.live.all<Call>('/calls')
        const turns = calls.flatMap(({ started, ended }) => [[started, 1] as const, [ended ?? '9', -1] as const])
        // A line that is freed at a moment is taken again at the same moment.
        turns.sort(([a, x], [b, y]) => (a === b ? x - y : a < b ? -1 : 1))
        let busy = 0
        for (const [, by] of turns) expect((busy += by)).toBeLessThanOrEqual(lines)
        expect(calls.length).toBeGreaterThanOrEqual(10)
      }),
      { numRuns: 8 },
    )
  })

  it('are taken when there are more of them', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const ids = [await minuteLead(sim), await minuteLead(sim)]
    await sim.changeCampaign({ lines: 2 })
    expect(await dialed(sim)).toEqual(ids)
  })
})

describe('the line', () => {
  // rule D8
  it('has call_now leads first, the oldest first, then the others by age', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const plain = await minuteLead(sim)
    const urgent = await minuteLead(sim, { call_now: true })
    await sim.advance('1s')
    const laterPlain = await minuteLead(sim)
    const laterUrgent = await minuteLead(sim, { call_now: true })
    const order = [urgent, laterUrgent, plain, laterPlain]
    const places = await Promise.all(order.map(async (id) => (await sim.readLead(id)).place_in_line))
    expect(places).toEqual([1, 2, 3, 4])
    await sim.changeCampaign({ lines: 1 })
    await sim.advance('5m')
    expect(await dialed(sim)).toEqual(order)
  })

  it('estimates the wait by the calls there were', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 2 })
    for (let n = 0; n < 2; n++) await minuteLead(sim)
    expect((await sim.lead()).estimated_wait_seconds).toBe(60)
    await sim.advance('10m')
    await sim.changeCampaign({ lines: 0 })
    await minuteLead(sim)
    await sim.changeCampaign({ lines: 4 })
    await sim.changeCampaign({ lines: 0 })
    const { id } = await sim.lead()
    const { place_in_line, estimated_wait_seconds } = await sim.readLead(id)
    expect(place_in_line).toBe(1)
    expect(estimated_wait_seconds).toBeGreaterThan(0)
  })
})

// rule S4
describe('a call that is started', () => {
  it('puts a lead before all ordinary ones, and behind call_now leads that wait', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const first = await minuteLead(sim)
    const second = await minuteLead(sim, { external_id: 'b' })
    const urgent = await minuteLead(sim, { call_now: true })
    const { status, data } = await start(sim, { lead_id: second })
    expect(status).toBe(202)
    expect(data).toEqual({
      lead_id: second,
      external_id: 'b',
      campaign_id: sim.campaignId,
      status: 'queued',
      place_in_line: 2,
      estimated_wait_seconds: expect.any(Number),
      scheduled_for: null,
      scheduled_reason: null,
      held_reason: null,
      calls_left_today: 2,
      livemode: true,
    })
    await sim.changeCampaign({ lines: 1 })
    await sim.advance('5m')
    expect(await dialed(sim)).toEqual([urgent, second, first])
  })

  it('dials at once on a free line, and says who asked', async () => {
    const sim = await simulate()
    const id = await minuteLead(sim)
    await sim.advance('2m')
    expect((await start(sim, { lead_id: id })).data).toMatchObject({ status: 'dialing', place_in_line: 0 })
    const [call] = (await sim.readLead(id)).calls
    expect((await sim.readCall(call?.id ?? '')).started_by).toEqual({ type: 'api', api_key_id: sim.live.key.key_id })
  })

  it('finds the lead by its external id, which may need the campaign', async () => {
    const sim = await simulate()
    const { id: campaign_id } = await sim.campaign({ lines: 0 })
    await sim.changeCampaign({ lines: 0 })
    const one = await minuteLead(sim, { external_id: 'a' })
    expect((await start(sim, { external_id: 'a' })).data.lead_id).toBe(one)
    const two = await minuteLead(sim, { external_id: 'a', campaign_id })
    const { error } = await start(sim, { external_id: 'a' })
    expect(error.code).toBe('ambiguous_external_id')
    expect(error.candidates?.map(({ id }) => id)).toEqual([one, two])
    expect((await start(sim, { external_id: 'a', campaign_id })).data.lead_id).toBe(two)
    expect((await start(sim, { external_id: 'none' })).error.code).toBe('not_found')
    expect((await start(sim, { lead_id: one, campaign_id })).error.code).toBe('not_found')
    expect((await start(sim, { lead_id: one, external_id: 'b' })).error.code).toBe('not_found')
    expect((await start(sim, {})).error).toMatchObject({ code: 'invalid_request', param: 'lead_id' })
  })

  it('is refused while the lead is on the telephone', async () => {
    const sim = await simulate()
    const id = await minuteLead(sim)
    expect((await start(sim, { lead_id: id })).error.code).toBe('lead_busy')
    await sim.advance('10s')
    expect((await start(sim, { lead_id: id })).error.code).toBe('lead_busy')
  })

  it('happens three times in twenty-four hours, and the refusal says when the next is free', async () => {
    const sim = await simulate()
    const id = await minuteLead(sim)
    for (let left = 2; left >= 0; left--) {
      await sim.advance('2m')
      expect((await start(sim, { lead_id: id })).data.calls_left_today).toBe(left)
    }
    await sim.advance('2m')
    const refused = await start(sim, { lead_id: id })
    expect(refused.error).toMatchObject({ code: 'call_limit_reached', type: 'rate_limit_error' })
    expect(refused.headers['retry-after']).toBe(String(24 * 3600 - 6 * 60))
    await sim.advance(`${24 * 3600 - 6 * 60}s`)
    expect((await start(sim, { lead_id: id })).data.calls_left_today).toBe(0)
  })

  it('is held where its campaign is, and made when the hold lifts', async () => {
    const sim = await simulate()
    const id = await minuteLead(sim)
    await sim.advance('2m')
    await sim.live.post(`/campaigns/${sim.campaignId}/pause`)
    expect((await start(sim, { lead_id: id })).data).toMatchObject({ status: 'held', held_reason: 'campaign_paused' })
    await sim.live.post(`/campaigns/${sim.campaignId}/start`)
    expect((await sim.readLead(id)).status).toBe('dialing')
  })
})

describe('a call_now lead', () => {
  const lateEvents = async (sim: Simulation) =>
    (await sim.events()).filter((event): event is Extract<Event, { type: 'lead.late' }> => event.type === 'lead.late')

  it('is late after a quarter of an hour in line, once, and is still called', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const id = await minuteLead(sim, { call_now: true })
    await minuteLead(sim)
    await sim.advance('14m59.999s')
    expect((await sim.readLead(id)).late).toBe(false)
    await sim.advance('1ms')
    expect(await sim.readLead(id)).toMatchObject({ late: true, status: 'queued', place_in_line: 1 })
    await sim.advance('1h')
    const [event, ...more] = await lateEvents(sim)
    expect(more).toEqual([])
    expect(event?.created).toBe('2026-10-01T15:15:00.000Z')
    expect(event?.data).toMatchObject({ object: { id, late: true }, late: { waited_seconds: 900, limit_minutes: 15 } })
    await sim.changeCampaign({ lines: 1 })
    expect(await dialed(sim)).toEqual([id])
  })

  it('has the limit that its campaign sets', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0, late_after_minutes: 2 })
    const id = await minuteLead(sim, { call_now: true })
    await sim.advance('2m')
    expect((await sim.readLead(id)).late).toBe(true)
  })

  it('is not late while it is scheduled or held', async () => {
    const sim = await simulate({ now: '2026-10-01T10:00:00Z' })
    await sim.changeCampaign({ lines: 0 })
    const { id: paused } = await sim.campaign({ status: 'paused' })
    const scheduled = await minuteLead(sim, { call_now: true })
    const held = await minuteLead(sim, { call_now: true, campaign_id: paused })
    await sim.advance('2h14m')
    expect((await sim.readLead(scheduled)).late).toBe(false)
    await sim.advance('1m')
    expect((await sim.readLead(scheduled)).late).toBe(true)
    expect((await sim.readLead(held)).late).toBe(false)
  })
})

describe('after a call', () => {
  it.each([
    ['busy', '2026-10-01T15:15:03.000Z'],
    ['no_answer', '2026-10-01T17:00:03.000Z'],
    ['failed', '2026-10-01T16:00:03.000Z'],
  ] as const)('%s, the lead is tried again at its time', async (answer, scheduled_for) => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { answer, ring_seconds: 3 })
    const { id } = await sim.lead({ phone })
    await sim.advance('10s')
    expect(await sim.readLead(id)).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'retry_after_outcome',
      scheduled_for,
      next_dial_at: scheduled_for,
      last_outcome: answer,
    })
    await sim.advance(scheduled_for)
    expect(await sim.readLead(id)).toMatchObject({ status: 'dialing', attempts: 2 })
  })

  it('is tried as often as its campaign allows', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ max_attempts: 3 })
    const phone = sim.phone()
    await sim.script(phone, { answer: 'busy' })
    const { id } = await sim.lead({ phone })
    await sim.advance('1d')
    expect(await sim.readLead(id)).toMatchObject({ status: 'done', attempts: 3, last_outcome: 'busy' })
  })

  it('a number that failed three times in a row is retired in the campaign', async () => {
    const sim = await simulate()
    const { id: other } = await sim.campaign()
    await sim.changeCampaign({ duplicate_window_days: 0 })
    const phone = sim.phone()
    await sim.script(phone, { answer: 'failed' })
    const { id } = await sim.lead({ phone })
    await sim.advance('1d')
    expect(await sim.readLead(id)).toMatchObject({ status: 'done', attempts: 3 })
    expect((await sim.live.post('/leads', { campaign_id: sim.campaignId, phone })).error.code).toBe('number_retired')
    expect((await start(sim, { lead_id: id })).error.code).toBe('number_retired')
    expect((await sim.lead({ phone, campaign_id: other })).status).toBe('scheduled')
  })

  it('a booked callback is made at its time', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(
      phone,
      { answer: 'person', callback_at: '2026-10-02T14:30:00-04:00', talk_seconds: 30, ring_seconds: 5 },
      { answer: 'busy' },
    )
    const { id } = await sim.lead({ phone })
    await sim.advance('1m')
    const callback_at = '2026-10-02T18:30:00.000Z'
    expect(await sim.readLead(id)).toMatchObject({
      status: 'callback_scheduled',
      callback_at,
      next_dial_at: callback_at,
      last_outcome: 'callback',
    })
    const [booked] = (await sim.events()).filter(({ type }) => type === 'callback.booked')
    expect(booked?.data).toMatchObject({
      object: { id },
      callback: { callback_at, booked_by: { role: 'ai', id: null } },
    })
    await sim.advance('2026-10-02T18:30:00Z')
    expect(await sim.readLead(id)).toMatchObject({ status: 'dialing', attempts: 2, callback_at: null })
  })

  it('a callback whose time is past when it is asked for is booked for the next day', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, {
      answer: 'person',
      callback_at: '2026-10-01T15:30:00Z',
      talk_seconds: 30,
      ring_seconds: 5,
    })
    const { id } = await sim.lead({ phone })
    await sim.advance('31m')
    expect(await sim.readLead(id)).toMatchObject({
      status: 'callback_scheduled',
      attempts: 2,
      callback_at: '2026-10-02T15:30:00.000Z',
    })
  })
})

describe('the sample calls of a test key', () => {
  it('are 20 at once at most, even when a campaign with more lines is started', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 50, status: 'paused' })
    for (let n = 0; n < 30; n++) {
      const phone = sim.phone()
      await sim.control('POST', '/_sim/scripts', {
        phone,
        mode: 'test',
        calls: [{ answer: 'person', ring_seconds: 5, talk_seconds: 55, outcome: 'not_interested' }],
      })
      await sim.lead({ phone }, sim.test)
    }
    await sim.changeCampaign({ status: 'running' })
    const inStatus = async (status: string) => (await sim.test.all(`/leads?status=${status}`)).length
    expect([await inStatus('dialing'), await inStatus('queued')]).toEqual([20, 10])
    await sim.advance('1m')
    expect([await inStatus('dialing'), await inStatus('queued'), await inStatus('done')]).toEqual([10, 0, 20])
  })
})
