/** Advancing until something happens: where time stops, what counts, and what is refused. */
import { describe, expect, it } from 'vitest'
import type { ClockAdvanced } from '../../src/contract/control/clock.js'
import { simulate, type Simulation } from '../support/simulate.js'

const start = '2026-10-01T15:00:00.000Z'
const at = (ms: number) => new Date(Date.parse(start) + ms).toISOString()
const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const nobody = '00000000-0000-4000-8000-000000000000'

const until = (sim: Simulation, wanted: object, within?: string | number) =>
  sim.ask<ClockAdvanced>('POST', '/_sim/clock/advance', { until: wanted, ...(within !== undefined && { within }) })

/** Rings for five seconds, is answered, and ends after a minute. */
const talk = { answer: 'person', ring_seconds: 5, talk_seconds: 60, outcome: 'not_interested' } as const
const busy = { answer: 'busy', ring_seconds: 5 } as const

describe('advance until', () => {
  it('an event: stops at the task that makes it, and gives its envelope', async () => {
    const sim = await simulate()
    const id = await sim.scripted(sim.phone(), talk)
    const { status, data } = await until(sim, { event: 'call.answered' })
    expect([status, data]).toMatchObject([200, { now: at(5 * second), reached: true, events: 1 }])
    expect(data.event).toMatchObject({
      type: 'call.answered',
      created: at(5 * second),
      data: { object: { lead: { id } } },
    })
    expect((await sim.events()).at(-1)).toEqual(data.event)
    expect(await sim.readLead(id)).toMatchObject({ status: 'on_call' })
  })

  it('an event of a glob: events that have happened already do not count', async () => {
    const sim = await simulate()
    await sim.scripted(sim.phone(), talk)
    expect((await until(sim, { event: 'lead.*' }, '1h')).data).toMatchObject({ reached: false, now: at(hour) })
    await sim.scripted(sim.phone(), talk)
    const seen = []
    for (let i = 0; i < 2; i++) seen.push((await until(sim, { event: 'call.*' })).data)
    expect(seen.map(({ now, event }) => [now, event?.type])).toEqual([
      [at(hour + 5 * second), 'call.answered'],
      [at(hour + 65 * second), 'call.completed'],
    ])
  })

  it('an event of one lead, among others', async () => {
    const sim = await simulate()
    await sim.scripted(sim.phone(), { ...talk, talk_seconds: 10 })
    const id = await sim.scripted(sim.phone(), talk)
    const { data } = await until(sim, { event: 'call.completed', lead_id: id })
    expect(data).toMatchObject({ now: at(65 * second), reached: true, event: { data: { object: { lead: { id } } } } })
  })

  it('a status or an outcome: of one lead, and of any', async () => {
    const sim = await simulate()
    const id = await sim.scripted(sim.phone(), talk)
    expect((await until(sim, { lead_id: id, status: 'on_call' })).data).toEqual({
      now: at(5 * second),
      speed: 1,
      paused: true,
      events: 1,
      reached: true,
    })
    expect((await until(sim, { outcome: 'not_interested' })).data).toMatchObject({
      now: at(65 * second),
      reached: true,
    })
  })

  it('what holds already is reached at once, with no time gone', async () => {
    const sim = await simulate()
    const id = await sim.scripted(sim.phone(), busy)
    const there = { now: start, reached: true, events: 0 }
    expect((await until(sim, { status: 'dialing' })).data).toMatchObject(there)
    expect((await until(sim, { status: 'dialing', lead_id: id })).data).toMatchObject(there)
    await sim.advance('10s')
    const later = { now: at(10 * second), reached: true, events: 0 }
    expect((await until(sim, { outcome: 'busy', status: 'scheduled' })).data).toMatchObject(later)
    expect((await until(sim, { outcome: 'busy', lead_id: id })).data).toMatchObject(later)
  })

  it('all that is given: the event may come before the status it is joined with', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, busy, { ...talk, outcome: 'interested' })
    const id = (await sim.lead({ phone })).id
    const { data } = await until(sim, { event: 'call.answered', lead_id: id, status: 'done', outcome: 'interested' })
    expect(data).toMatchObject({ reached: true, now: at(15 * minute + 70 * second), event: { type: 'call.answered' } })
    // An outcome of another lead is not that of the lead whose event it was.
    await sim.scripted(sim.phone(), talk)
    expect((await until(sim, { event: 'call.completed', outcome: 'interested' }, '1h')).data.reached).toBe(false)
  })

  it('leads that hours move together', async () => {
    const sim = await simulate({ now: '2026-10-01T02:00:00Z' })
    const { id: campaign_id } = await sim.campaign({ lines: 0 })
    const [one, two] = [await sim.lead({ campaign_id }), await sim.lead({ campaign_id })]
    expect([one.status, two.status]).toEqual(['scheduled', 'scheduled'])
    const opens = '2026-10-01T12:00:00.000Z'
    expect((await until(sim, { status: 'queued' })).data).toMatchObject({ reached: true, now: opens })
    expect((await until(sim, { status: 'scheduled', lead_id: two.id })).data).toMatchObject({
      reached: true,
      now: '2026-10-02T01:00:00.000Z',
    })
    await sim.changeCampaign({ status: 'paused' }, campaign_id)
    expect((await until(sim, { status: 'held', lead_id: one.id })).data).toMatchObject({
      reached: true,
      now: '2026-10-02T12:00:00.000Z',
    })
  })

  it('an outcome that a person corrects while time is pushed', async () => {
    const sim = await simulate()
    const id = await sim.scripted(sim.phone(), talk)
    await sim.advance('2m')
    const [call] = (await sim.live.get<{ id: string }[]>('/calls')).data
    const [, { data }] = await Promise.all([
      sim.control('PATCH', `/_sim/calls/${call?.id}`, { outcome: 'interested' }),
      until(sim, { lead_id: id, outcome: 'interested' }),
    ])
    expect(data).toMatchObject({ reached: true })
    expect(Date.parse(data.now)).toBeLessThan(Date.parse(at(31 * day)))
  })

  it('what does not happen: time stands at the end of within, 31 days when left out', async () => {
    const sim = await simulate()
    const id = await sim.scripted(sim.phone(), talk)
    expect((await until(sim, { event: 'voicemail.left', lead_id: id }, '90s')).data).toEqual({
      now: at(90 * second),
      speed: 1,
      paused: true,
      events: 2,
      reached: false,
    })
    expect((await until(sim, { outcome: 'voicemail' })).data).toMatchObject({
      reached: false,
      now: at(90 * second + 31 * day),
    })
    expect((await until(sim, { outcome: 'voicemail' }, 0)).data).toMatchObject({
      reached: false,
      now: at(90 * second + 31 * day),
    })
  })

  it('pushed in parts, the same things happen at the same times as in one push', async () => {
    const run = async (push: (sim: Simulation) => Promise<unknown>) => {
      const sim = await simulate({ seed: 5 })
      for (let i = 0; i < 20; i++) await sim.lead()
      await push(sim)
      await sim.control('POST', '/_sim/clock/advance', { to: at(3 * day) })
      return await sim.events()
    }
    const inParts = await run(async (sim) => {
      for (let i = 0; i < 40; i++) await until(sim, { event: 'call.completed' }, '1d')
    })
    expect(inParts).toEqual(await run(() => Promise.resolve()))
  })

  it('Node: advanceUntil tells what it came to', async () => {
    const sim = await simulate()
    const id = await sim.scripted(sim.phone(), talk)
    const { simulator } = sim
    expect(await simulator.advanceUntil({ event: 'call.completed', lead_id: id })).toMatchObject({
      reached: true,
      now: at(65 * second),
      events: 2,
      event: { type: 'call.completed' },
    })
    expect(await simulator.advanceUntil({ status: 'held' }, '1m')).toEqual({
      reached: false,
      now: at(125 * second),
      events: 0,
    })
    await expect(simulator.advanceUntil({})).rejects.toThrow('event: send an event, a status or an outcome')
    await expect(simulator.advanceUntil({ status: 'done' }, 'soon')).rejects.toThrow(RangeError)
  })

  it.each([
    [{ until: {} }, 400, 'until.event', 'until.event: send an event, a status or an outcome.'],
    [{ until: { lead_id: nobody } }, 400, 'until.event', 'until.event: send an event, a status or an outcome.'],
    [{ until: { event: 'call.ended' } }, 400, 'until.event', /^until\.event: no event is called call\.ended\./],
    [{ until: { event: 'sms.*' } }, 400, 'until.event', /^until\.event: no event is called sms\.\*\./],
    [{ until: { status: 'asleep' } }, 400, 'until.status', /^until\.status: /],
    [{ until: { outcome: 'sold' } }, 400, 'until.outcome', /^until\.outcome: /],
    [{ until: { lead_id: 'me', status: 'done' } }, 400, 'until.lead_id', /^until\.lead_id: /],
    [{ until: { phone: '1', status: 'done' } }, 400, 'until.phone', /^until\.phone: /],
    [{ until: { lead_id: nobody, status: 'done' } }, 404, null, 'There is no such lead.'],
    [{ until: { status: 'done' }, within: 'soon' }, 400, 'within', /^within: /],
    [{ until: { status: 'done' }, within: '9999999d' }, 400, 'within', /^Time ends at /],
    [{ until: { status: 'done' }, by: '1h' }, 400, 'by', 'by: send one of by, to and until.'],
    [{ by: '1h', within: '1d' }, 400, 'within', 'within: send it with until only.'],
  ])('%j is refused, and no time passes', async (body, expected, param, message) => {
    const sim = await simulate()
    const { status, error } = await sim.ask('POST', '/_sim/clock/advance', body)
    expect([status, error.param, error.message]).toEqual([
      expected,
      param,
      typeof message === 'string' ? message : (expect.stringMatching(message) as string),
    ])
    expect(sim.now).toBe(start)
  })
})
