/** POST /calls: which lead it finds, its reply for each status of the lead, what it counts, and what it refuses. */
import { describe, expect, it } from 'vitest'
import type { Call, CallStarted } from '../../../src/contract/calls.js'
import type { ScriptedCall } from '../../../src/contract/control/scripts.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const start = (sim: Simulation, words: object, headers = {}) => sim.live.post<CallStarted>('/calls', words, headers)
const over = { answer: 'person', ring_seconds: 5, talk_seconds: 5, outcome: 'not_interested' } as const
const nowhere = 'b7a5d9a3-43f4-4fd1-9d59-6c4d2be0f1d5'

/** A lead whose first call is over. */
async function called(sim: Simulation, first: ScriptedCall = over, words: object = {}) {
  const phone = sim.phone()
  await sim.script(phone, first, over)
  const { id } = await sim.lead({ phone, ...words })
  await sim.advance('1m')
  return { lead_id: id, phone }
}

describe('a call that is started', () => {
  it.each<[string, ScriptedCall]>([
    ['a lead that is finished', over],
    ['one that waits for a retry', { answer: 'no_answer' }],
    ['one with a booked callback', { ...over, outcome: 'callback', callback_at: '2026-10-03T15:00:00Z' }],
  ])('to %s is made at once, and the lead waits for nothing else any more', async (_which, first) => {
    const sim = await simulate()
    const { lead_id } = await called(sim, first)
    const before = (await sim.events()).length
    const { status, data } = await start(sim, { lead_id })
    expect([status, data.status, data.place_in_line, data.estimated_wait_seconds]).toEqual([202, 'dialing', 0, 0])
    const lead = await sim.readLead(lead_id)
    expect(lead).toMatchObject({ call_now: true, callback_at: null, next_dial_at: null, scheduled_for: null })
    const types = (await sim.events()).slice(before).map(({ type }) => type)
    expect(types).toEqual(['lead.queued', 'call.started'])
    await sim.advance('4d')
    expect((await sim.readLead(lead_id)).attempts).toBe(2)
  })

  it('in the night waits for the morning, before all ordinary leads', async () => {
    const sim = await simulate({ now: '2026-10-02T04:00:00Z' })
    await sim.changeCampaign({ lines: 1 })
    await sim.lead()
    const { id: lead_id } = await sim.lead()
    expect((await start(sim, { lead_id })).data).toMatchObject({
      status: 'scheduled',
      scheduled_for: '2026-10-02T12:00:00.000Z',
      scheduled_reason: 'outside_calling_hours',
      place_in_line: null,
      estimated_wait_seconds: null,
      held_reason: null,
    })
    await sim.advance('2026-10-02T12:00:00Z')
    expect((await sim.live.all<Call>('/calls')).map(({ lead }) => lead?.id)).toEqual([lead_id])
  })

  it('to a number that another campaign reached waits out the day', async () => {
    const sim = await simulate()
    const { id: campaign_id } = await sim.campaign()
    const { lead_id, phone } = await called(sim)
    await sim.advance('1d')
    await sim.lead({ phone, campaign_id })
    await sim.advance('1m')
    expect((await start(sim, { lead_id })).data).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'recent_contact_cooldown',
      scheduled_for: '2026-10-03T15:01:00.000Z',
    })
  })

  it('never goes above the lines of the campaign', async () => {
    const sim = await simulate()
    const { lead_id } = await called(sim)
    await sim.changeCampaign({ lines: 1 })
    await sim.lead()
    expect((await start(sim, { lead_id })).data).toMatchObject({ status: 'queued', place_in_line: 1 })
  })

  it('asks for no consent, and for no room in the line', async () => {
    const sim = await simulate()
    const { lead_id } = await called(sim)
    await sim.changeCampaign({ consent_required: true })
    expect((await start(sim, { lead_id })).status).toBe(202)
  })
})

it('is what the API started; a new lead that is to be called now is the dialer’s, and so is a retry', async () => {
  const sim = await simulate()
  const phone = sim.phone()
  await sim.script(phone, over, { answer: 'busy' }, over)
  const { id: lead_id } = await sim.lead({ phone, call_now: true })
  await sim.advance('1m')
  await start(sim, { lead_id })
  await sim.advance('20m')
  const calls = (await sim.live.all<Call>('/calls')).reverse()
  const { key_id } = sim.live.key
  expect(calls.map(({ started_by }) => started_by)).toEqual([
    { type: 'dialer', api_key_id: null },
    { type: 'api', api_key_id: key_id },
    { type: 'dialer', api_key_id: null },
  ])
})

describe('the calls left today', () => {
  it('are counted when they are asked for, be the lead held, scheduled or in line, whichever key asks', async () => {
    const sim = await simulate()
    const other = sim.as(await sim.key())
    const { lead_id } = await called(sim)
    await sim.changeCampaign({ status: 'paused' })
    expect((await start(sim, { lead_id })).data).toMatchObject({ status: 'held', calls_left_today: 2 })
    expect((await other.post('/calls', { lead_id })).data).toMatchObject({ status: 'held', calls_left_today: 1 })
    expect((await start(sim, { lead_id })).data.calls_left_today).toBe(0)
    expect((await other.post('/calls', { lead_id })).error.code).toBe('call_limit_reached')
    const second = await sim.lead()
    expect((await start(sim, { lead_id: second.id })).data.calls_left_today).toBe(2)
  })

  it('are not used up by what is refused, nor by a repeated request', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, over)
    const { id: lead_id } = await sim.lead({ phone })
    for (let n = 0; n < 4; n++) expect((await start(sim, { lead_id })).error.code).toBe('lead_busy')
    await sim.advance('1m')
    const key = { 'idempotency-key': 'once' }
    for (let n = 0; n < 4; n++) expect((await start(sim, { lead_id }, key)).data.calls_left_today).toBe(2)
    await sim.advance('1m')
    expect((await start(sim, { lead_id })).data.calls_left_today).toBe(1)
    expect((await sim.readLead(lead_id)).attempts).toBe(3)
  })

  it('come back one by one, each a day after it was used', async () => {
    const sim = await simulate()
    const { lead_id } = await called(sim)
    for (const by of ['1h', '1h', '1h']) {
      await start(sim, { lead_id })
      await sim.advance(by)
    }
    await sim.advance('20h59m59.999s')
    expect((await start(sim, { lead_id })).error.code).toBe('call_limit_reached')
    await sim.advance('1ms')
    expect((await start(sim, { lead_id })).data.calls_left_today).toBe(0)
    await sim.advance('59m')
    expect((await start(sim, { lead_id })).headers['retry-after']).toBe('60')
  })
})

describe('a call is refused', () => {
  it.each<[string, (sim: Simulation) => Promise<object>, number, string, string | null]>([
    ['to nobody', () => Promise.resolve({}), 400, 'invalid_request', 'lead_id'],
    [
      'to a campaign alone',
      (sim) => Promise.resolve({ campaign_id: sim.campaignId }),
      400,
      'invalid_request',
      'lead_id',
    ],
    ['to an id that is none', () => Promise.resolve({ lead_id: 'x' }), 400, 'invalid_request', 'lead_id'],
    [
      'with a field that is none',
      () => Promise.resolve({ lead_id: nowhere, now: true }),
      400,
      'invalid_request',
      'now',
    ],
    ['to an unknown lead', () => Promise.resolve({ lead_id: nowhere }), 404, 'not_found', 'lead_id'],
    ['to an unknown external id', () => Promise.resolve({ external_id: 'x' }), 404, 'not_found', 'external_id'],
    [
      'in an unknown campaign',
      () => Promise.resolve({ external_id: 'x', campaign_id: nowhere }),
      404,
      'not_found',
      'campaign_id',
    ],
    [
      'in a completed campaign',
      async (sim) => {
        const { lead_id } = await called(sim)
        await sim.changeCampaign({ status: 'completed' })
        return { lead_id }
      },
      409,
      'campaign_closed',
      'campaign_id',
    ],
    [
      'to a listed number',
      async (sim) => {
        const { lead_id, phone } = await called(sim)
        await sim.live.post('/dnc', { phone })
        return { lead_id }
      },
      422,
      'on_dnc_list',
      'phone',
    ],
    [
      'to a retired number',
      async (sim) => {
        await sim.changeCampaign({ retire_after_failures: 1 })
        const { lead_id } = await called(sim, { answer: 'failed' })
        return { lead_id }
      },
      422,
      'number_retired',
      'phone',
    ],
    ['to a lead that is on the telephone', async (sim) => ({ lead_id: (await sim.lead()).id }), 409, 'lead_busy', null],
    [
      'to a lead that a person took out',
      async (sim) => {
        const { lead_id } = await called(sim)
        await sim.control('POST', `/_sim/leads/${lead_id}/take_out`)
        return { lead_id }
      },
      409,
      'lead_taken_out_of_queue',
      null,
    ],
  ])('%s', async (_what, prepare, status, code, param) => {
    const sim = await simulate()
    const words = await prepare(sim)
    const calls = (await sim.live.all('/calls')).length
    const refused = await start(sim, words)
    expect([refused.status, refused.error.code, refused.error.param]).toEqual([status, code, param])
    expect(await sim.live.all('/calls')).toHaveLength(calls)
  })
})
