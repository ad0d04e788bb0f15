/** More to send than may be sent: each endpoint at its own pace, nothing dropped, and what waits is in the store. */
import { Database } from '../../../simulator/storage/driver.js'
import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../src/contract/deliveries.js'
import type { Organization } from '../../../src/contract/control/world.js'
import { sending } from '../../../simulator/model/webhooks/delivery.js'
import { crashCopy } from '../../support/crashes/crash-copy.js'
import { receiverWith } from '../../support/dispatch.js'
import { PatientMachine } from '../../support/patient-machine.js'
import type { Answer, Receiver } from '../../support/deliveries/receiver.js'
import { keyOf, simulate, type Client, type Simulation } from '../../support/simulate.js'
import { temporaryFile } from '../../support/temporary-folder.js'

const hang: Answer = () => new Promise(() => undefined)

async function simulation(data = ':memory:') {
  const machine = new PatientMachine()
  const sim = await simulate({ machine, data, limits: true, allowLocalWebhooks: true })
  await sim.changeCampaign({ lines: 0 })
  return { machine, sim }
}

const subscribe = (client: Client, url: string) => client.post('/webhook_endpoints', { url, events: ['lead.created'] })

/** Leads loaded in the app: one event for each at one moment. */
async function load(sim: Simulation, count: number): Promise<void> {
  const leads = Array.from({ length: count }, () => ({ phone: sim.phone() }))
  await sim.control('POST', '/_sim/leads', { campaign_id: sim.campaignId, mode: 'live', leads })
}

/** The most that came within any such while. */
const mostWithin = (times: readonly number[], ms: number) =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + ms).length))

describe('a backlog of one endpoint', () => {
  it('arrives whole and once, at most five at a time and ten in any second as its receiver counts them', async () => {
    const { machine, sim } = await simulation()
    const times: number[] = []
    // At once, after a while, after a long while, and now and then never.
    const delays = [0, 0, 0, 300, 0, 0, 2_000, 0, 0, 900, Infinity]
    const receiver = await receiverWith(() => {
      times.push(machine.monotonic())
      const delay = delays[times.length % delays.length] ?? 0
      if (delay === 0) return {}
      return new Promise((resolve) => {
        if (delay < Infinity) machine.after(delay, () => resolve({}))
      })
    })
    machine.watch(receiver)
    await subscribe(sim.live, receiver.url)
    await load(sim, 330)
    const isTried = () => sim.control<Delivery[]>('GET', '/_sim/deliveries?status=pending&limit=1')
    await machine.through(expect.poll(isTried, { timeout: 20_000 }).toEqual([]))
    const events = (await sim.events()).filter(({ type }) => type === 'lead.created').map(({ id }) => id)
    expect(events).toHaveLength(330)
    expect(receiver.requests.map(({ headers }) => headers['service-event-id']).toSorted()).toEqual(events.toSorted())
    expect(mostWithin(times, 1_000)).toBe(10)
    expect(receiver.mostAtOnce).toBe(5)
    const sent = await sim.control<object[]>('GET', '/_sim/deliveries?status=sent&limit=1000')
    const failed = await sim.control<object[]>('GET', '/_sim/deliveries?status=failed&limit=1000')
    expect([sent.length, failed.length]).toEqual([300, 30])
  })

  it('is in memory no further than a thousand tries ahead; the others are in the file, and none is lost with the program', async () => {
    const data = temporaryFile()
    const { machine, sim } = await simulation(data)
    const receiver = machine.watch(await receiverWith(hang))
    await subscribe(sim.live, receiver.url)
    await load(sim, 1_050)
    machine.pass(0)
    await receiver.waitFor(5)
    const left = crashCopy(data)
    expect(storedStates(crashCopy(left))).toEqual({ underWay: 1_000, waiting: 50 })
    await sim.simulator.close()

    receiver.answer = () => ({})
    const again = await simulate({ machine, data: left, allowLocalWebhooks: true })
    await machine.through(again.advance('0s'))
    expect(new Set(receiver.requests.map(({ headers }) => headers['service-event-id'])).size).toBe(1_050)
    expect(await again.control('GET', '/_sim/deliveries?status=pending')).toEqual([])
    expect(storedStates(crashCopy(left))).toEqual({ underWay: 0, waiting: 0 })
  })

  it('goes when its endpoint is paused, and when it is deleted', async () => {
    for (const end of ['pause', 'delete'] as const) {
      const { machine, sim } = await simulation()
      const receiver = machine.watch(await receiverWith(hang))
      const { data } = await sim.live.post<{ id: string }>('/webhook_endpoints', {
        url: receiver.url,
        events: ['lead.created'],
      })
      await load(sim, 1_100)
      machine.pass(0)
      await receiver.waitFor(5)
      const path = `/webhook_endpoints/${data.id}`
      if (end === 'pause') await sim.live.patch(path, { status: 'paused' })
      else await sim.live.del(path)
      const { appointments } = await sim.control<{ appointments: { kind: string }[] }>('GET', '/_sim/agenda?limit=1000')
      expect(appointments.map(({ kind }) => kind)).not.toContain('delivery.attempt')
      await machine.through(sim.advance('1m'))
      expect(receiver.requests).toHaveLength(5)
    }
  })
})

/** How far due tries are, as the file says. */
function storedStates(path: string) {
  const database = new Database(path)
  const count = database.prepare<[number], { n: number }>('SELECT count(*) AS n FROM deliveries WHERE sending = ?')
  const states = { underWay: count.get(sending.underWay)?.n, waiting: count.get(sending.waits)?.n }
  database.close()
  return states
}

it('twenty endpoints that hang hold up no healthy one beside them: it has all its events before any time passes', async () => {
  const { machine, sim } = await simulation()
  const healthy = await receiverWith()
  const others = await Promise.all(
    ['Second', 'Third'].map((name) => sim.control<Organization>('POST', '/_sim/organizations', { name })),
  )
  const hanging: Receiver[] = []
  const clients = [sim.live, ...others.map((organization) => sim.as(keyOf(organization, 'live')))]
  for (let n = 0; n < 20; n++) {
    const receiver = await receiverWith(hang)
    hanging.push(receiver)
    const { status } = await subscribe(clients[Math.floor(n / 9)] ?? sim.live, receiver.url)
    expect(status).toBe(201)
  }
  await subscribe(sim.live, healthy.url)
  for (const [n, client] of clients.entries()) {
    const campaign_id = n === 0 ? sim.campaignId : (others[n - 1]?.campaigns[0]?.id ?? '')
    await sim.changeCampaign({ lines: 0 }, campaign_id)
    for (let lead = 0; lead < 8; lead++) await sim.lead({ campaign_id }, client)
  }
  machine.pass(0)
  await Promise.all(hanging.map((receiver) => receiver.waitFor(5)))
  await healthy.waitFor(8)
  expect(machine.monotonic()).toBe(0)
  expect(hanging.map(({ requests }) => requests.length)).toEqual(Array(20).fill(5))

  // Nor one that comes when all of them hang already.
  await sim.lead()
  machine.pass(0)
  await healthy.waitFor(9)
  expect(machine.monotonic()).toBe(0)
})
