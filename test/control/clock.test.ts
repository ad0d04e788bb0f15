import { request as rawRequest } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Clock, ClockAdvanced } from '../../src/contract/control/clock.js'
import type { Delivery } from '../../src/contract/deliveries.js'
import { ManualMachine } from '../support/manual-machine.js'
import { Receiver, type Answer } from '../support/deliveries/receiver.js'
import { simulate, type Simulation } from '../support/simulate.js'

const start = '2026-10-01T15:00:00.000Z'
const at = (ms: number) => new Date(Date.parse(start) + ms).toISOString()
const minute = 60_000
const hour = 60 * minute

const clock = (sim: Simulation) => sim.control<Clock>('GET', '/_sim/clock')
const change = (sim: Simulation, how: object) => sim.ask<Clock>('PATCH', '/_sim/clock', how)
const advance = (sim: Simulation, how: object) => sim.ask<ClockAdvanced>('POST', '/_sim/clock/advance', how)

async function receiving(answer?: Answer): Promise<Receiver> {
  const receiver = await Receiver.start(answer)
  onTestFinished(() => receiver.close())
  return receiver
}

/** A world whose every lead.created goes to a receiver of this machine. */
async function withReceiver(answer?: Answer): Promise<{ sim: Simulation; receiver: Receiver }> {
  const receiver = await receiving(answer)
  const sim = await simulate({ allowLocalWebhooks: true })
  await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
  return { sim, receiver }
}

describe('the clock', () => {
  it('says what it shows, how fast it goes, and whether it stands', async () => {
    const sim = await simulate({ speed: 3 })
    expect(await clock(sim)).toEqual({ now: start, speed: 3, paused: true })
  })

  it('stands while it is paused, and what is due at that moment happens all the same', async () => {
    const machine = new ManualMachine(Date.parse(start))
    const sim = await simulate({ machine })
    const { id } = await sim.lead()
    machine.pass(10 * minute)
    expect((await clock(sim)).now).toBe(start)
    expect(await sim.readLead(id)).toMatchObject({ status: 'dialing' })
  })

  it('goes with the machine once it is let go on, as many times faster as it is told, and stands again', async () => {
    const machine = new ManualMachine(Date.parse(start))
    const sim = await simulate({ machine })
    expect((await change(sim, { paused: false })).data).toEqual({ now: start, speed: 1, paused: false })
    machine.pass(1_000)
    expect((await clock(sim)).now).toBe(at(1_000))
    expect((await change(sim, { speed: 60 })).data).toEqual({ now: at(1_000), speed: 60, paused: false })
    machine.pass(1_000)
    expect((await clock(sim)).now).toBe(at(61_000))
    expect((await change(sim, { paused: true, speed: 0.5 })).data).toEqual({
      now: at(61_000),
      speed: 0.5,
      paused: true,
    })
    machine.pass(hour)
    expect((await clock(sim)).now).toBe(at(61_000))
  })

  it.each([
    [{ speed: 0 }, 'speed'],
    [{ speed: -1 }, 'speed'],
    [{ speed: '2' }, 'speed'],
    [{ paused: 'yes' }, 'paused'],
    [{ now: '2027-01-01T00:00:00Z' }, 'now'],
  ])('is not set to %j', async (how, param) => {
    const sim = await simulate()
    const { status, error } = await change(sim, how)
    expect([status, error.code, error.param]).toEqual([400, 'invalid_request', param])
    expect(await clock(sim)).toEqual({ now: start, speed: 1, paused: true })
  })
})

describe('pushing time', () => {
  it.each([
    [{ by: '90s' }, 90_000],
    [{ by: '4m' }, 4 * minute],
    [{ by: '24h' }, 24 * hour],
    [{ by: '31d' }, 31 * 24 * hour],
    [{ by: '1h30m' }, 90 * minute],
    [{ by: 90 }, 90_000],
    [{ by: 0.25 }, 250],
    [{ by: '90' }, 90_000],
    [{ by: 0 }, 0],
    [{ to: '2026-10-01T15:00:00Z' }, 0],
    [{ to: '2026-10-02T00:00:00+07:00' }, 2 * hour],
  ])('by %j comes to that very moment', async (how, ms) => {
    const sim = await simulate()
    const { status, data } = await advance(sim, how)
    expect([status, data]).toEqual([200, { now: at(ms), speed: 1, paused: true, events: 0 }])
  })

  it.each([
    [{ to: '2026-10-01T14:59:59Z' }, 'to', 'The clock shows 2026-10-01T15:00:00.000Z; time does not go back.'],
    [{ by: -1 }, 'by', 'by: send a length of time such as 90s, 4m, 24h or 31d, or a number of seconds.'],
    [{ by: '-1h' }, 'by', 'by: send a length of time such as 90s, 4m, 24h or 31d, or a number of seconds.'],
    [{ by: 'soon' }, 'by', 'by: send a length of time such as 90s, 4m, 24h or 31d, or a number of seconds.'],
    [{ by: '' }, 'by', 'by: send a length of time such as 90s, 4m, 24h or 31d, or a number of seconds.'],
    [{ by: 1e20 }, 'by', 'Time ends at 9999-12-31T00:00:00.000Z; that is further.'],
    [{ by: '9999999d' }, 'by', 'Time ends at 9999-12-31T00:00:00.000Z; that is further.'],
    [{ to: 'noon' }, 'to', 'to: send an ISO 8601 date-time with its zone, such as 2026-10-01T09:30:00Z.'],
    [
      { to: '2026-10-02T15:00:00' },
      'to',
      'to: send an ISO 8601 date-time with its zone, such as 2026-10-01T09:30:00Z.',
    ],
    [{ by: 1, to: '2026-10-02T15:00:00Z' }, 'by', 'by: send one of by, to and until.'],
    [{}, 'by', 'by: send one of by, to and until.'],
    [{ by: 1, speed: 2 }, 'speed', 'speed: there is no such field.'],
  ])('by %j is refused, and no time passes', async (how, param, message) => {
    const sim = await simulate()
    const { status, error } = await advance(sim, how)
    expect([status, error.code, error.param, error.message]).toEqual([400, 'invalid_request', param, message])
    expect((await clock(sim)).now).toBe(start)
  })

  it('answers with the number of events on the way, once everything due has happened', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(
      phone,
      { answer: 'busy', ring_seconds: 5 },
      { answer: 'person', ring_seconds: 5, talk_seconds: 60 },
    )
    const { id } = await sim.lead({ phone })
    expect((await advance(sim, { by: '5s' })).data.events).toBe(1)
    expect((await advance(sim, { by: '14m' })).data.events).toBe(0)
    // Started, answered, completed.
    expect((await advance(sim, { by: '1h' })).data.events).toBe(3)
    expect(await sim.readLead(id)).toMatchObject({ status: 'done', attempts: 2 })
  })

  it('sends every webhook that is due on the way, at its time, and awaits the answers', async () => {
    const { sim, receiver } = await withReceiver(() => ({ status: 500 }))
    await sim.lead()
    await advance(sim, { by: '24h' })
    expect(receiver.requests.map(({ headers }) => headers['service-delivery-attempt'])).toEqual([...'1234567'])
    const [delivery] = await sim.control<Delivery[]>('GET', '/_sim/deliveries')
    expect(delivery).toMatchObject({ status: 'gave_up', attempts: 7, response_status: 500 })
  })

  it('keeps its order over receivers that answer slowly: nothing later happens before an answer', async () => {
    let answer = () => {}
    const { sim, receiver } = await withReceiver(
      () => new Promise((resolve) => (answer = () => resolve({ status: 204 }))),
    )
    const { id } = await sim.lead()
    const advancing = advance(sim, { by: '1h' })
    await receiver.waitFor(1)
    expect([sim.now, (await sim.readLead(id)).status]).toEqual([start, 'dialing'])
    answer()
    expect((await advancing).data.now).toBe(at(hour))
    expect(await sim.control('GET', '/_sim/deliveries')).toMatchObject([
      { status: 'sent', created: start, last_attempt_at: start },
    ])
  })

  it('lets a receiver call back into the API, which answers at the moment time has come to', async () => {
    const seen: unknown[] = []
    const { sim, receiver } = await withReceiver(async ({ rawBody }) => {
      const { data } = JSON.parse(rawBody.toString()) as { data: { object: { id: string } } }
      const lead = await sim.readLead(data.object.id)
      const { now } = await clock(sim)
      const { status } = await sim.live.patch(`/leads/${lead.id}`, { fields: { seen: now } })
      seen.push([lead.id, now, status])
      return { status: 204 }
    })
    const later = await sim.campaign({ calling_hours: { fri: [['10:00', '11:00']] } })
    const first = await sim.lead({ campaign_id: later.id })
    await receiver.waitFor(1)
    await advance(sim, { by: '20h' })
    const second = await sim.lead()
    await advance(sim, { by: '1m' })
    expect(seen).toEqual([
      [first.id, start, 200],
      [second.id, at(20 * hour), 200],
    ])
    expect(await sim.readLead(second.id)).toMatchObject({ fields: { seen: at(20 * hour) } })
    expect(await sim.control('GET', '/_sim/deliveries')).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
  })

  it('adds up when it is asked for from several sides at once', async () => {
    const sim = await simulate()
    await Promise.all(Array.from({ length: 5 }, () => advance(sim, { by: '10m' })))
    expect((await clock(sim)).now).toBe(at(50 * minute))
  })

  it('goes through ten years of a world in which nothing happens', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { answer: 'person', outcome: 'callback', callback_at: '2036-09-30T15:00:00Z' })
    const { id } = await sim.lead({ phone })
    await advance(sim, { by: '3650d' })
    expect((await clock(sim)).now).toBe('2036-09-28T15:00:00.000Z')
    expect(await sim.readLead(id)).toMatchObject({ status: 'callback_scheduled', attempts: 1 })
  })

  it('goes on answering, and stops where it has come to when whoever asked for it hangs up', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    // Called every quarter of an hour for centuries.
    await sim.changeCampaign({ max_attempts: 1e9, any_hour: true })
    await sim.script(phone, { answer: 'busy' })
    const { id } = await sim.lead({ phone })
    const sent = rawRequest(`${sim.url}/_sim/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    sent.on('error', () => undefined)
    sent.end('{"by":"360000d"}')
    while ((await sim.readLead(id)).attempts < 50) await clock(sim)
    const closed = new Promise((resolve) => sent.once('close', resolve))
    sent.destroy()
    await closed
    // Its turn comes when the one before it is over.
    await advance(sim, { by: 0 })
    const { now } = await clock(sim)
    expect(Date.parse(now)).toBeLessThan(Date.parse('2900-01-01'))
    const { attempts } = await sim.readLead(id)
    await sim.live.get('/leads')
    expect([(await clock(sim)).now, (await sim.readLead(id)).attempts]).toEqual([now, attempts])
  })
})

describe('a clock that is faster than the world can be', () => {
  it('stands at once when it is paused, and goes on from there as slowly as it is told', async () => {
    const sim = await simulate()
    await sim.lead()
    await change(sim, { speed: 1e9, paused: false })
    while (Date.parse((await clock(sim)).now) < Date.parse('2027-01-01')) await sim.live.get('/leads')
    const { now } = (await change(sim, { paused: true })).data
    expect((await clock(sim)).now).toBe(now)
    const saved = await sim.control('POST', '/_sim/snapshots', { name: 'fast' })
    expect(saved).toMatchObject({ name: 'fast', now })
    expect((await advance(sim, { by: '1h' })).data.now).toBe(new Date(Date.parse(now) + hour).toISOString())
  })

  it('shows in a snapshot what the world shows, though it runs', async () => {
    const sim = await simulate({ speed: 1e12, paused: false })
    const before = await clock(sim)
    const saved = await sim.control<{ now: string }>('POST', '/_sim/snapshots', { name: 'running' })
    const after = await clock(sim)
    expect([before.now, saved.now, after.now]).toEqual([before.now, saved.now, after.now].sort())
    expect(Date.parse(after.now)).toBeLessThan(Date.parse('9000-01-01'))
  })

  it('comes to the end of time and no further', async () => {
    const machine = new ManualMachine(Date.parse(start))
    const sim = await simulate({ machine, now: '9999-12-30T00:00:00Z' })
    await change(sim, { paused: false, speed: 1e308 })
    machine.pass(10)
    while ((await clock(sim)).now !== '9999-12-31T00:00:00.000Z') machine.pass(10)
    machine.pass(minute)
    expect((await sim.lead()).status).toBe('dialing')
    expect(await clock(sim)).toMatchObject({ now: '9999-12-31T00:00:00.000Z' })
    expect((await sim.ask('GET', '/_sim/agenda')).status).toBe(200)
  })
})

describe('nothing that may be set makes a moment that no calendar has', () => {
  it.each([
    [
      '/_sim/scripts',
      { phone: '+12125557812', calls: [{ answer: 'person', talk_seconds: 1e300 }] },
      'calls[0].talk_seconds',
    ],
    [
      '/_sim/scripts',
      { phone: '+12125557812', calls: [{ answer: 'busy', ring_seconds: 86_401 }] },
      'calls[0].ring_seconds',
    ],
    ['/_sim/campaigns', { name: 'X', late_after_minutes: 9e15 }, 'late_after_minutes'],
    ['/_sim/campaigns', { name: 'X', duplicate_window_days: 9e15 }, 'duplicate_window_days'],
    ['/_sim/organizations', { name: 'X', rate_usd_per_minute: 1e308 }, 'rate_usd_per_minute'],
    ['/_sim/faults', { latency_ms: 9e15 }, 'latency_ms'],
  ])('%s %j', async (path, body, param) => {
    const sim = await simulate()
    const { status, error } = await sim.ask('POST', path, body)
    expect([status, error.code, error.param]).toEqual([400, 'invalid_request', param])
  })
})
