import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../../../src/contract/control/clock.js'
import type { Key } from '../../../src/contract/control/keys.js'
import type { World } from '../../../src/contract/control/world.js'
import type { SimulatorOptions } from '../../../simulator/index.js'
import { ManualMachine } from '../../support/manual-machine.js'
import { simulate, type Simulation } from '../../support/simulate.js'
import { temporaryFile } from '../../support/temporary-folder.js'

const start = '2026-10-01T15:00:00.000Z'

const reset = (sim: Simulation, words: object = {}) => sim.control<Clock>('POST', '/_sim/reset', words)
const worldOf = (sim: Simulation) => sim.control<World>('GET', '/_sim/world')

/** Closes a world that is kept in a file and starts it again, perhaps with other words. */
async function again(sim: Simulation, options: SimulatorOptions): Promise<Simulation> {
  await sim.simulator.close()
  return await simulate(options)
}

/** Sends a request whose body comes when the service has its headers and `meanwhile` is over; null where it is cut off. */
function sendSlowly({ url, key, headers = {} }: Slow, body: object, meanwhile: () => Promise<unknown>) {
  const json = { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json', expect: '100-continue' }
  return new Promise<number | null>((resolve) => {
    const sent = request(url, { method: 'POST', headers: { ...json, ...headers } })
    sent.once('continue', () => void meanwhile().then(() => sent.end(JSON.stringify(body))))
    sent.once('response', (reply) => resolve(reply.resume().statusCode ?? null))
    sent.once('error', () => resolve(null))
    sent.flushHeaders()
  })
}

interface Slow {
  url: string
  key: Key
  headers?: Record<string, string>
}

describe('a reset', () => {
  it.each<[string, Record<string, string>]>([
    ['a request', {}],
    ['one with an Idempotency-Key', { 'idempotency-key': 'a' }],
  ])('cuts off %s that came before it', async (_what, headers) => {
    const sim = await simulate()
    const slow = { url: `${sim.baseUrl}/dnc`, key: sim.live.key, headers }
    const phone = sim.phone()
    expect(await sendSlowly(slow, { phone }, () => Promise.resolve())).toBe(201)
    expect(await sendSlowly(slow, { phone }, () => reset(sim, { seed: 2 }))).toBeNull()
    await sim.look()
    expect((await sim.live.get('/dnc')).data).toEqual([])
  })

  it('brings the starting world back: people, campaigns, keys, the time, and nothing else', async () => {
    const sim = await simulate()
    const before = await worldOf(sim)
    await sim.lead()
    await sim.control('POST', '/_sim/organizations', { name: 'Other' })
    await sim.changeCampaign({ status: 'paused', lines: 1 })
    await sim.control('PATCH', `/_sim/keys/${sim.live.key.key_id}`, { status: 'revoked' })
    await sim.control('POST', '/_sim/dnc', { phones: [sim.phone()], source: 'manual' })
    await sim.advance('3d')
    expect(await reset(sim)).toEqual({ now: start, speed: 1, paused: true })
    expect(await worldOf(sim)).toEqual(before)
    for (const path of ['/leads', '/calls', '/events', '/dnc']) expect((await sim.live.get(path)).data).toEqual([])
    expect((await sim.live.get('/usage')).data).toMatchObject({ totals: { leads_added: 0, calls: 0, requests: 0 } })
    expect(await sim.control('GET', '/_sim/deliveries')).toEqual([])
    expect(await sim.control('GET', '/_sim/notifications')).toEqual([])
  })

  it('takes no body at all, or an empty one', async () => {
    const sim = await simulate()
    for (const body of [undefined, {}]) expect((await sim.ask('POST', '/_sim/reset', body)).status).toBe(200)
  })

  it('plays the same again: the same requests give the same ids, calls and times', async () => {
    const sim = await simulate({ seed: 5 })
    const played = async () => {
      for (const phone of ['+16462010001', '+16462010002', '+16462010003']) await sim.lead({ phone })
      await sim.advance('2d')
      return await sim.events()
    }
    const first = await played()
    await reset(sim)
    expect(await played()).toEqual(first)
    await reset(sim, { seed: 6 })
    await sim.look()
    expect(await played()).not.toEqual(first)
  })

  it('begins from another seed and at another time where they are named, and only that once', async () => {
    const sim = await simulate({ seed: 5 })
    const first = await worldOf(sim)
    expect(await reset(sim, { seed: 6, now: '2020-02-29T12:00:00+01:00' })).toMatchObject({
      now: '2020-02-29T11:00:00.000Z',
    })
    const other = await worldOf(sim)
    expect(other.organizations[0]?.keys[0]?.secret).not.toBe(first.organizations[0]?.keys[0]?.secret)
    expect(other).toEqual(await worldOf(await simulate({ seed: 6, now: '2020-02-29T11:00:00Z' })))
    expect((await reset(sim)).now).toBe(start)
    expect(await worldOf(sim)).toEqual(first)
  })

  it('begins at the time of the machine where the first start named none', async () => {
    const machine = new ManualMachine(Date.parse('2026-12-24T18:00:00Z'))
    const sim = await simulate({ machine, now: undefined })
    expect(sim.now).toBe('2026-12-24T18:00:00.000Z')
    machine.pass(60_000)
    expect((await reset(sim)).now).toBe('2026-12-24T18:01:00.000Z')
  })

  it('brings the first start back, whatever a later one on the same file was told', async () => {
    const data = temporaryFile()
    const first = await simulate({ data, seed: 5, speed: 60 })
    const world = await worldOf(first)
    const later = await again(first, { data, seed: 6, now: '2030-01-01T00:00:00Z', paused: undefined })
    await reset(later, { seed: 7, now: '2031-01-01T00:00:00Z' })
    expect(await reset(later)).toEqual({ now: start, speed: 60, paused: true })
    expect(await worldOf(later)).toEqual(world)
    const last = await again(later, { data, speed: 2 })
    expect(await reset(last)).toMatchObject({ now: start, speed: 2, paused: true })
  })

  it('sets speed and pause back to the start', async () => {
    const machine = new ManualMachine(Date.parse(start))
    const sim = await simulate({ machine, speed: 10, paused: false })
    await sim.control('PATCH', '/_sim/clock', { speed: 3, paused: true })
    expect(await reset(sim)).toEqual({ now: start, speed: 10, paused: false })
  })

  it('forgets limits that were used up and requests that were logged', async () => {
    const sim = await simulate({ limits: true })
    await sim.control('PATCH', `/_sim/keys/${sim.live.key.key_id}`, { limits: { leads_per_minute: 1 } })
    await sim.lead()
    const words = { campaign_id: sim.campaignId, phone: sim.phone() }
    expect((await sim.live.post('/leads', words)).error.code).toBe('lead_rate_limited')
    await reset(sim)
    expect(await sim.control('GET', '/_sim/requests')).toEqual([])
    await sim.control('PATCH', `/_sim/keys/${sim.live.key.key_id}`, { limits: { leads_per_minute: 1 } })
    expect((await sim.live.post('/leads', words)).status).toBe(201)
  })

  it.each([
    [{ seed: 1.5 }, 'seed'],
    [{ seed: 'x' }, 'seed'],
    [{ now: 'yesterday' }, 'now'],
    [{ world: {} }, 'world'],
  ])('by %j is refused, and everything stays', async (words, param) => {
    const sim = await simulate()
    const { id } = await sim.lead()
    expect((await sim.ask('POST', '/_sim/reset', words)).error).toMatchObject({ code: 'invalid_request', param })
    expect(await sim.readLead(id)).toMatchObject({ id })
  })
})
