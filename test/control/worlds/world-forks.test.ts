/** Forks of worlds, comparisons, and worlds of a program that started the simulator. */
import { beforeAll, describe, expect, it } from 'vitest'
import { Receiver } from '../../support/deliveries/receiver.js'
import { lookAt, WorldHost } from '../../support/world-host.js'

let host: WorldHost
beforeAll(async () => {
  host = await WorldHost.start({ seed: 7 })
})

describe('a fork', () => {
  it('continues exactly as its source, and stays apart from it', async () => {
    const source = await host.createAndEnter()
    for (let i = 0; i < 5; i++) await source.sim.lead()
    await source.sim.advance('2h')
    const fork = await host.createAndEnter({ from: source.id })
    expect([fork.seed, fork.from]).toEqual([source.seed, source.id])
    expect(await host.diff(source.id, fork.id)).toMatchObject({ identical: true, first_event: null })
    await source.sim.advance('5d')
    expect(await host.diff(source.id, fork.id)).toMatchObject({ identical: false })
    await fork.sim.advance('5d')
    expect(await host.diff(source.id, fork.id)).toMatchObject({ identical: true })
    expect(await fork.sim.events()).toEqual(await source.sim.events())
  })

  it('with another seed keeps the ids that exist and draws other outcomes', async () => {
    const source = await host.createAndEnter()
    const ids: string[] = []
    for (let i = 0; i < 12; i++) ids.push((await source.sim.lead()).id)
    const fork = await host.createAndEnter({ from: source.id, seed: 99 })
    await source.sim.advance('5d')
    await fork.sim.advance('5d')
    for (const id of ids) expect((await fork.sim.readLead(id)).id).toBe(id)
    const found = await host.diff(source.id, fork.id)
    expect(found.identical).toBe(false)
    expect(found.calls.length).toBeGreaterThan(0)
  })

  it('keeps the time and the world of its source', async () => {
    const { id } = (await host.create()).data
    for (const body of [{ now: '2027-01-01T00:00:00Z' }, { world: { organizations: [{ name: 'Beta' }] } }]) {
      const { status, error } = await host.create({ from: id, ...body })
      expect([status, error.param]).toEqual([400, Object.keys(body)[0]])
    }
    expect((await host.create({ from: 'nowhere' })).status).toBe(404)
  })

  it('goes at the speed of its source unless one is named', async () => {
    const source = await host.createAndEnter({ speed: 30 })
    const speedOf = async (body: object) => {
      const { sim } = await host.createAndEnter({ from: source.id, ...body })
      return (await sim.control<{ speed: number }>('GET', '/_sim/clock')).speed
    }
    expect([await speedOf({}), await speedOf({ speed: 5 })]).toEqual([30, 5])
  })

  it('goes back to the moment of the fork by a reset', async () => {
    const source = await host.createAndEnter()
    const { id } = await source.sim.lead()
    await source.sim.advance('1d')
    const fork = await host.createAndEnter({ from: source.id })
    await fork.sim.lead({ phone: '+12125557813' })
    await fork.sim.advance('1d')
    await fork.sim.control('POST', '/_sim/reset', {})
    expect(await host.diff(source.id, fork.id)).toMatchObject({ identical: true })
    expect((await fork.sim.readLead(id)).id).toBe(id)
    expect((await fork.sim.ask('POST', '/_sim/reset', { now: '2027-01-01T00:00:00Z' })).status).toBe(400)
  })

  it('delivers nothing that its source delivers', async () => {
    const receiver = await Receiver.start(() => ({ status: 500 }))
    const source = await host.createAndEnter()
    const words = { url: receiver.url, events: ['call.completed'] }
    const { data: endpoint } = await source.sim.live.post<{ id: string }>('/webhook_endpoints', words)
    const script = { answer: 'person', talk_seconds: 30, outcome: 'interested' } as const
    await source.sim.scripted(source.sim.phone(), script)
    await source.sim.advance('3m')
    const pausing = await host.createAndEnter({ from: source.id })
    const keeping = await host.createAndEnter({ from: source.id, endpoints: 'keep' })
    const deliveries = async ({ sim }: typeof source) =>
      (await sim.live.all<{ status: string }>(`/webhook_endpoints/${endpoint.id}/deliveries`)).map((one) => one.status)
    expect(await deliveries(pausing)).toEqual(['skipped_paused'])
    expect(await deliveries(keeping)).toEqual(['skipped_paused'])
    const statusOf = async ({ sim }: typeof source) =>
      (await sim.live.get<{ status: string }>(`/webhook_endpoints/${endpoint.id}`)).data.status
    expect([await statusOf(pausing), await statusOf(keeping)]).toEqual(['paused', 'active'])
    const before = receiver.requests.length
    await pausing.sim.advance('1d')
    await keeping.sim.advance('1d')
    expect(receiver.requests.length).toBe(before)
    await keeping.sim.scripted('+12125557813', script)
    await keeping.sim.advance('10m')
    expect(receiver.requests.length).toBeGreaterThan(before)
  })
})

describe('the comparison of two worlds', () => {
  it('shows the first event and the fields that differ, by the external id of the lead', async () => {
    const [one, other] = [await host.createAndEnter(), await host.createAndEnter()]
    for (const { sim } of [one, other]) {
      const outcome = sim === one.sim ? 'interested' : 'not_interested'
      await sim.scripted('+12125557812', { answer: 'person', talk_seconds: 30, outcome }, { external_id: 'crm-1' })
      await sim.advance('10m')
    }
    const found = await host.diff(one.id, other.id)
    expect(found.identical).toBe(false)
    expect(found.first_event).toMatchObject({ a: { type: expect.any(String) as string } })
    expect(found.leads).toMatchObject([
      { key: 'live Web leads crm-1', a: { last_outcome: 'interested' }, b: { last_outcome: 'not_interested' } },
    ])
    expect(found.calls).toMatchObject([{ a: { outcome: 'interested' }, b: { outcome: 'not_interested' } }])
  })

  it('takes ids that follow from different seeds as equal', async () => {
    const [one, other] = [await host.createAndEnter({ seed: 1 }), await host.createAndEnter({ seed: 2 })]
    for (const { sim } of [one, other]) {
      const script = { answer: 'person', talk_seconds: 30, ring_seconds: 5, outcome: 'interested' } as const
      await sim.scripted('+12125557812', script, { external_id: 'crm-1' })
      await sim.advance('1h')
    }
    expect(await host.diff(one.id, other.id)).toEqual({
      identical: true,
      first_event: null,
      leads: [],
      calls: [],
      deliveries: [],
    })
  })
})

describe('createWorld of a program that started the simulator', () => {
  it('gives a world with keys, time and a fork, which ends with its block', async () => {
    const { simulator } = host
    const world = await simulator.createWorld({ name: 'node', seed: 5 })
    const sim = await lookAt(world)
    expect(world.keys).toEqual(sim.organization.keys)
    const { id } = await sim.lead()
    expect(await world.advanceUntil({ event: 'call.completed', lead_id: id })).toMatchObject({ reached: true })
    const fork = await world.fork({ seed: 6 })
    expect(fork.now()).toBe(world.now())
    await fork.advance('1d')
    await fork[Symbol.asyncDispose]()
    await world.close()
    await world.close()
    expect((await fetch(`${world.controlUrl}/clock`)).status).toBe(404)
    await expect(world.advance('1h')).rejects.toThrow('was deleted')
    await expect(simulator.createWorld({ from: 'nowhere' })).rejects.toThrow(RangeError)
  })
})
