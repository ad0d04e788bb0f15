/** Deliveries while time is advanced: their rate in simulated seconds, and receivers that hang. */
import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../src/contract/deliveries.js'
import type { WebhookEndpoint } from '../../../src/contract/webhook-endpoints.js'
import { receiverWith } from '../../support/dispatch.js'
import { ManualMachine } from '../../support/manual-machine.js'
import type { Answer } from '../../support/deliveries/receiver.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const hang: Answer = () => new Promise(() => undefined)
const at = (seconds: number) => new Date(Date.UTC(2026, 9, 1, 15) + seconds * 1_000).toISOString()

const subscribe = async (sim: Simulation, url: string, ...events: string[]) =>
  (await sim.live.post<WebhookEndpoint>('/webhook_endpoints', { url, events })).data

/** Leads that come to the campaign at the same moment. */
async function load(sim: Simulation, count: number): Promise<void> {
  const leads = Array.from({ length: count }, () => ({ phone: sim.phone() }))
  await sim.control('POST', '/_sim/leads', { campaign_id: sim.campaignId, mode: 'live', leads })
}

/** How many last attempts there were at each time. */
async function startsOf(sim: Simulation): Promise<Record<string, number>> {
  const deliveries = await sim.control<Delivery[]>('GET', '/_sim/deliveries?limit=1000')
  const starts: Record<string, number> = {}
  for (const { last_attempt_at: last } of deliveries.reverse()) {
    if (last !== null) starts[last] = (starts[last] ?? 0) + 1
  }
  return starts
}

describe('the limit of ten a second', () => {
  /** A world with a stopped system clock, so that its limit has room for ten. */
  async function loaded(limits: boolean, count: number, answer?: Answer) {
    const receiver = await receiverWith(answer)
    const sim = await simulate({ machine: new ManualMachine(), limits, allowLocalWebhooks: true })
    await sim.changeCampaign({ lines: 0 })
    const endpoint = await subscribe(sim, receiver.url, 'lead.created')
    await load(sim, count)
    return { sim, receiver, path: `/webhook_endpoints/${endpoint.id}` }
  }

  it('is one of simulated seconds: the eleventh of a push starts exactly a second after the first', async () => {
    const { sim } = await loaded(true, 45)
    await sim.advance('1h')
    // The first ten start before the advance and do not count toward its first second.
    expect(await startsOf(sim)).toEqual({ [at(0)]: 20, [at(1)]: 10, [at(2)]: 10, [at(3)]: 5 })
  })

  it('leaves what waits for a later second when the push ends: it has its time and waits for the clock', async () => {
    const { sim, receiver } = await loaded(true, 45)
    await sim.advance('1.5s')
    expect(receiver.requests).toHaveLength(30)
    const waiting = await sim.control<Delivery[]>('GET', '/_sim/deliveries?status=pending')
    expect(waiting.map(({ next_attempt_at: next }) => next).reverse()).toEqual([
      ...Array.from({ length: 10 }, () => at(2)),
      ...Array.from({ length: 5 }, () => at(3)),
    ])
    await sim.advance('0.5s')
    expect(receiver.requests).toHaveLength(40)
    await sim.advance('1s')
    expect(await startsOf(sim)).toEqual({ [at(0)]: 20, [at(1)]: 10, [at(2)]: 10, [at(3)]: 5 })
  })

  it('counts retries, in the order in which they fall due', async () => {
    const { sim } = await loaded(true, 25, () => ({ status: 500 }))
    await sim.advance('30s')
    await load(sim, 1)
    await sim.advance('35s')
    const deliveries = await sim.control<Delivery[]>('GET', '/_sim/deliveries?limit=1000')
    expect(deliveries.reverse().map(({ attempts, last_attempt_at: last }) => [attempts, last])).toEqual([
      ...Array.from({ length: 10 }, () => [2, at(60)]),
      ...Array.from({ length: 10 }, () => [2, at(61)]),
      ...Array.from({ length: 5 }, () => [2, at(62)]),
      [1, at(30)],
    ])
  })

  it('frees the starts that were reserved when the endpoint is paused', async () => {
    const { sim, receiver, path } = await loaded(true, 100)
    await sim.advance('0s')
    await sim.live.patch(path, { status: 'paused' })
    expect(await sim.control('GET', '/_sim/deliveries?status=pending')).toEqual([])
    await sim.advance('1s')
    expect(receiver.requests).toHaveLength(20)
    await sim.live.post(`${path}/resume`, { resend_skipped: true })
    await sim.advance('8s')
    expect(receiver.requests).toHaveLength(100)
  })

  it('is lifted by --no-limits; five at a time stays', async () => {
    const { sim, receiver } = await loaded(false, 45)
    await sim.advance('0s')
    expect(await startsOf(sim)).toEqual({ [at(0)]: 45 })
    expect(receiver.mostAtOnce).toBeLessThanOrEqual(5)
  })
})

describe('a receiver that hangs', () => {
  it('holds up neither time nor the deliveries of another endpoint, and its outcome has the time of its attempt', async () => {
    const machine = new ManualMachine()
    const [hanging, healthy] = [await receiverWith(hang), await receiverWith()]
    const sim = await simulate({ machine, allowLocalWebhooks: true })
    const slow = await subscribe(sim, hanging.url, 'lead.created')
    await subscribe(sim, healthy.url, 'call.completed')
    await sim.lead()
    const pushed = sim.advance('10h')
    await hanging.waitFor(1)
    // The system clock shows that the receiver is slow, and not that its time is over.
    await expect.poll(() => machine.timersOf(1_000)).toBe(1)
    machine.pass(1_000)
    await healthy.waitFor(1)
    expect([hanging.requests.length, hanging.unanswered]).toEqual([1, 1])

    hanging.answer = () => ({ status: 500 })
    machine.pass(9_000)
    await pushed
    const path = `/webhook_endpoints/${slow.id}`
    const [delivery] = (await sim.live.get<Delivery[]>(`${path}/deliveries`)).data
    expect(delivery).toMatchObject({ attempts: 6, last_attempt_at: at(6 * 3_600), next_attempt_at: at(12 * 3_600) })
    expect((await sim.live.get<WebhookEndpoint>(path)).data).toMatchObject({ failing_since: at(0) })
  })

  it('pauses its endpoint at the right time, and what comes later is skipped', async () => {
    const machine = new ManualMachine()
    const hanging = await receiverWith(hang)
    const sim = await simulate({ machine, allowLocalWebhooks: true })
    await sim.changeCampaign({ lines: 0 })
    const endpoint = await subscribe(sim, hanging.url, 'lead.created')
    await sim.lead()
    hanging.answer = () => ({ status: 500 })
    await sim.advance('23h59m')
    hanging.answer = hang
    await sim.lead()
    let done = false
    const pushed = sim.advance('2d').finally(() => (done = true))
    while (!done) {
      await machine.turn()
      if (hanging.unanswered === machine.timersOf(10_000)) machine.passToNext()
    }
    await pushed
    const path = `/webhook_endpoints/${endpoint.id}`
    expect((await sim.live.get<WebhookEndpoint>(path)).data).toMatchObject({
      status: 'paused',
      paused_at: at(24 * 3_600),
    })
    const statuses = (await sim.live.get<Delivery[]>(`${path}/deliveries`)).data.map((one) => [
      one.status,
      one.attempts,
    ])
    expect(statuses).toEqual([
      ['skipped_paused', 2],
      ['gave_up', 7],
    ])
  })
})
