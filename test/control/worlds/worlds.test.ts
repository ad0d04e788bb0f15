/** Isolated worlds of one simulator: created, used, listed and deleted, and kept apart from each other. */
import { beforeAll, describe, expect, it } from 'vitest'
import { Receiver } from '../../support/deliveries/receiver.js'
import { ManualMachine } from '../../support/manual-machine.js'
import { enter, WorldHost } from '../../support/world-host.js'

let host: WorldHost
beforeAll(async () => {
  host = await WorldHost.start({ seed: 7 })
})

describe('POST /_sim/worlds', () => {
  it('creates a world as the simulator was started: seed, time, campaigns and keys', async () => {
    const { status, data } = await host.create({ name: 'checkout' })
    expect(status).toBe(201)
    expect(data).toMatchObject({ name: 'checkout', now: '2026-10-01T15:00:00.000Z', seed: 7, from: 'start' })
    expect(data.base_url).toBe(`${host.main.url}/w/${data.id}/api/v1/external`)
    expect(data.control_url).toBe(`${host.main.url}/w/${data.id}/_sim`)
    expect(data.campaigns).toEqual(host.main.organization.campaigns)
    expect(data.keys).toEqual(host.main.organization.keys)
    const { sim } = await host.createAndEnter()
    expect(sim.organization).toEqual(host.main.organization)
  })

  it('takes the time of the start even after the main world went on', async () => {
    const at = await WorldHost.start()
    await at.main.advance('3d')
    expect((await at.create()).data.now).toBe('2026-10-01T15:00:00.000Z')
  })

  it('takes a seed, a start time and the content of a world file', async () => {
    const world = { organizations: [{ name: 'Beta', campaigns: ['Autumn'] }] }
    const { sim, now, seed } = await host.createAndEnter({ seed: 3, now: '2027-01-04T17:00:00Z', world })
    expect([now, seed]).toEqual(['2027-01-04T17:00:00.000Z', 3])
    expect(sim.organization).toMatchObject({ name: 'Beta', campaigns: [{ name: 'Autumn' }] })
    const same = await host.create({ seed: 3, now: '2027-01-04T17:00:00Z', world })
    expect(same.data.keys).toEqual(sim.organization.keys)
  })

  it('refuses a world file with mistakes, and names them', async () => {
    const { error } = await host.create({ world: { organizations: [{ name: '' }] } })
    expect(error).toMatchObject({ code: 'invalid_request', param: 'world' })
    expect(error.message).toContain('organizations[0].name')
  })

  it('stands still unless paused is false', async () => {
    const { sim } = await host.createAndEnter()
    expect(await sim.control('GET', '/_sim/clock')).toMatchObject({ paused: true })
    const running = await host.createAndEnter({ paused: false, speed: 60 })
    expect(await running.sim.control('GET', '/_sim/clock')).toMatchObject({ paused: false, speed: 60 })
  })

  it('goes at the speed that the simulator was started with, unless one is named', async () => {
    const at = await WorldHost.start({ speed: 60 })
    const speedOf = async (body: object) => {
      const { sim } = await at.createAndEnter(body)
      return (await sim.control<{ speed: number }>('GET', '/_sim/clock')).speed
    }
    expect([await speedOf({}), await speedOf({ paused: false }), await speedOf({ speed: 5 })]).toEqual([60, 60, 5])
  })

  it('refuses one world more than the limit with 429 limit_reached', async () => {
    const at = await WorldHost.start({ worldsMax: 2 })
    const { id } = (await at.create()).data
    await at.create()
    const { status, error } = await at.create()
    expect([status, error.code]).toEqual([429, 'limit_reached'])
    await at.remove(id)
    expect((await at.create()).status).toBe(201)
  })
})

describe('a world', () => {
  it('shares no data with the others', async () => {
    const [one, other] = [await host.createAndEnter(), await host.createAndEnter()]
    await one.sim.lead({ external_id: 'canary', phone: '+12125557812' })
    await one.sim.live.post('/dnc', { phone: '+12125557899' })
    await one.sim.control('POST', '/_sim/faults', { status: 503 })
    await one.sim.advance('2d')
    for (const sim of [other.sim, host.main]) {
      expect(JSON.stringify(await sim.control('GET', '/_sim/requests'))).not.toContain('canary')
      expect((await sim.live.get('/leads?external_id=canary')).status).toBe(404)
      expect((await sim.live.get('/dnc')).data).toEqual([])
      expect(await sim.events()).toEqual([])
      expect(await sim.control('GET', '/_sim/clock')).toMatchObject({ now: '2026-10-01T15:00:00.000Z' })
    }
  })

  it('has limits of its own', async () => {
    const at = await WorldHost.start({ limits: true })
    const [one, other] = [await at.createAndEnter(), await at.createAndEnter()]
    const left = async ({ sim }: typeof one) => Number((await sim.live.get('/leads')).headers['ratelimit-remaining'])
    const first = await left(one)
    expect([await left(one), await left(other)]).toEqual([first - 1, first])
  })

  it('signs links that lead into itself', async () => {
    const { sim, id } = await host.createAndEnter()
    const phone = sim.phone()
    await sim.scripted(phone, { answer: 'person', talk_seconds: 30, outcome: 'interested' })
    await sim.advance('10m')
    const [call] = await sim.live.all<{ id: string }>('/calls')
    const { data } = await sim.live.get<{ url: string }>(`/calls/${call?.id}/recording`)
    expect(data.url).toMatch(`${host.main.url}/w/${id}/storage/`)
    expect((await fetch(data.url)).status).toBe(200)
    expect((await fetch(data.url.replace(`/w/${id}`, ''))).status).not.toBe(200)
  })

  it('that does not exist is a 404 that names it', async () => {
    const url = `${host.main.url}/w/nowhere/_sim/clock`
    const got = await fetch(url)
    expect([got.status, await got.json()]).toMatchObject([404, { error: { message: 'There is no world nowhere.' } }])
  })

  it('called main is the one that was started', async () => {
    const got = (await (await fetch(`${host.main.url}/w/main/_sim/world`)).json()) as { data: unknown }
    expect(got.data).toEqual(await host.main.control('GET', '/_sim/world'))
    const refused = await host.remove('main')
    expect(refused.status).toBe(409)
  })

  it('manages no worlds itself', async () => {
    const { sim } = await host.createAndEnter()
    expect((await sim.ask('GET', '/_sim/worlds')).status).toBe(404)
    expect((await sim.ask('POST', '/_sim/worlds', {})).status).toBe(404)
  })

  it('goes back to its own beginning by a reset', async () => {
    const { sim } = await host.createAndEnter({ seed: 11, now: '2027-03-01T15:00:00Z' })
    const before = sim.organization
    await sim.lead()
    await sim.advance('1d')
    await sim.control('POST', '/_sim/reset', {})
    await sim.look()
    expect(sim.organization).toEqual(before)
    expect(await sim.live.all('/leads')).toEqual([])
    expect(await sim.control('GET', '/_sim/clock')).toMatchObject({ now: '2027-03-01T15:00:00.000Z' })
  })

  it('keeps its snapshots to itself; a new one can begin with a snapshot of the main world', async () => {
    const at = await WorldHost.start()
    const { id } = await at.main.lead({ external_id: 'saved' })
    await at.main.control('POST', '/_sim/snapshots', { name: 'with lead' })
    const copy = await at.createAndEnter({ from: { snapshot: 'with lead' } })
    expect(await copy.sim.control('GET', '/_sim/snapshots')).toEqual([])
    expect((await copy.sim.readLead(id)).external_id).toBe('saved')
    expect((await at.create({ from: { snapshot: 'none' } })).status).toBe(404)
  })

  it('makes no attempt of its pending deliveries after it is deleted', async () => {
    const [failing, healthy] = [await Receiver.start(() => ({ status: 500 })), await Receiver.start()]
    const at = await WorldHost.start({ paused: false, speed: 100_000 })
    const { sim, id } = await at.createAndEnter({ paused: false, speed: 100_000 })
    for (const { url } of [failing, healthy])
      await sim.live.post('/webhook_endpoints', { url, events: ['lead.created', 'call.completed'] })
    await sim.lead()
    await failing.next()
    await at.remove(id)
    const before = failing.requests.length
    // The main world's time goes on, for longer than the retries of the deleted world would take.
    await at.main.advance('3d')
    expect(failing.requests.length).toBe(before)
  })

  it('ends with its streams when it is deleted', async () => {
    const { sim, id } = await host.createAndEnter()
    const stream = await fetch(`${sim.url}/_sim/stream`)
    expect((await host.remove(id)).status).toBe(200)
    for await (const _part of stream.body ?? []) {
      // Reads until the stream ends.
    }
    expect((await fetch(`${sim.url}/_sim/clock`)).status).toBe(404)
    expect((await host.remove(id)).status).toBe(404)
  })

  it('ends during an advance of its time', async () => {
    const { sim, id } = await host.createAndEnter()
    await sim.control('POST', '/_sim/leads', {
      campaign_id: sim.campaignId,
      mode: 'live',
      leads: Array.from({ length: 2_000 }, (_, i) => ({ phone: `+1212${String(2_000_000 + i)}` })),
    })
    const advancing = fetch(`${sim.url}/_sim/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: '60d' }),
    }).then(
      ({ status }) => status,
      () => 'cut off',
    )
    expect((await host.remove(id)).status).toBe(200)
    expect([503, 404, 'cut off']).toContain(await advancing)
  })
})

describe('GET /_sim/worlds', () => {
  it('lists every world, the main one first, with what it holds', async () => {
    const at = await WorldHost.start()
    const { sim, id } = await at.createAndEnter({ name: 'first' })
    await sim.lead()
    await sim.advance('10m')
    await at.create({ name: 'second', idle_ttl_seconds: null })
    const worlds = await at.list()
    expect(worlds.map(({ name }) => name)).toEqual([null, 'first', 'second'])
    expect(worlds[0]).toMatchObject({ id: 'main', leads: 0, calls: 0, expires_at: null })
    expect(worlds[1]).toMatchObject({ id, leads: 1, calls: 1 })
    expect(worlds[1]?.memory_bytes).toBeGreaterThan(10_000)
    expect(worlds[2]).toMatchObject({ leads: 0, expires_at: null })
  })
})

describe('an idle world', () => {
  it('is deleted after its time without a request, by the system clock', async () => {
    const machine = new ManualMachine()
    const at = await WorldHost.start({ machine })
    const ids = async () => (await at.list()).slice(1).map(({ id }) => id)
    const short = (await at.create({ idle_ttl_seconds: 60, name: 'same' })).data
    const long = (await at.create({ idle_ttl_seconds: 600, name: 'same' })).data
    const forever = (await at.create({ idle_ttl_seconds: null })).data
    expect(Date.parse(short.expires_at ?? '') - machine.now()).toBe(60_000)
    machine.pass(50_000)
    await enter(short)
    machine.pass(50_000)
    expect(await ids()).toEqual([short.id, long.id, forever.id])
    machine.pass(61_000)
    expect(await ids()).toEqual([long.id, forever.id])
    machine.pass(3_600_000)
    expect(await ids()).toEqual([forever.id])
  })

  it('stays while its time is pushed', async () => {
    const machine = new ManualMachine()
    const at = await WorldHost.start({ machine })
    const { id, sim } = await at.createAndEnter({ idle_ttl_seconds: 60 })
    let answer = () => {}
    const receiver = await Receiver.start(() => new Promise((resolve) => (answer = () => resolve({}))))
    await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['call.completed'] })
    await sim.lead()
    // The push waits for the receiver.
    const push = sim.control('POST', '/_sim/clock/advance', { by: '1d' })
    await receiver.waitFor(1)
    machine.pass(61_000)
    expect((await at.list()).map((world) => world.id)).toContain(id)
    receiver.answer = () => ({})
    answer()
    await push
    await receiver.close()
  })

  it('stays while a stream is open', async () => {
    const machine = new ManualMachine()
    const at = await WorldHost.start({ machine })
    const { id, sim } = await at.createAndEnter({ idle_ttl_seconds: 60 })
    const stop = new AbortController()
    await fetch(`${sim.url}/_sim/stream`, { signal: stop.signal })
    for (let i = 0; i < 5; i++) machine.pass(30_000)
    expect((await at.list()).map((world) => world.id)).toContain(id)
    stop.abort()
  })
})

describe('many worlds at once', () => {
  it('answer requests to one while time is pushed in another', async () => {
    const [pushed, asked] = [await host.createAndEnter(), await host.createAndEnter()]
    await pushed.sim.control('POST', '/_sim/leads', {
      campaign_id: pushed.sim.campaignId,
      mode: 'live',
      leads: Array.from({ length: 3_000 }, (_, i) => ({ phone: `+1212${String(2_000_000 + i)}` })),
    })
    let isOver = false
    const push = pushed.sim.advance('10d').finally(() => (isOver = true))
    for (let i = 0; i < 10; i++) await asked.sim.lead()
    expect(isOver).toBe(false)
    await push
  })

  it('do not mix: each has its own leads, calls and time after all were pushed together', async () => {
    const worlds = await Promise.all(Array.from({ length: 16 }, (_, i) => host.createAndEnter({ name: `worker ${i}` })))
    await Promise.all(
      worlds.map(async ({ sim }, i) => {
        for (let k = 0; k <= i % 4; k++) await sim.lead({ external_id: `of ${i}/${k}` })
        await sim.advance(`${20 + i}d`)
      }),
    )
    for (const [i, { sim }] of worlds.entries()) {
      const leads = await sim.live.all<{ external_id: string }>('/leads')
      expect(leads.map((lead) => lead.external_id)).toEqual(
        Array.from({ length: (i % 4) + 1 }, (_, k) => `of ${i}/${k}`).reverse(),
      )
      const now = Date.parse('2026-10-01T15:00:00Z') + (20 + i) * 86_400_000
      expect(await sim.control('GET', '/_sim/clock')).toMatchObject({ now: new Date(now).toISOString() })
    }
  })
})
