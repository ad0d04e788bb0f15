/** Attempts on a running clock: their times count from when the first one was sent, and none is made after a day. */
import { expect, it } from 'vitest'
import type { Delivery } from '../../../src/contract/deliveries.js'
import type { WebhookEndpoint } from '../../../src/contract/webhook-endpoints.js'
import { receiverWith } from '../../support/dispatch.js'
import { ManualMachine } from '../../support/manual-machine.js'
import type { Answer } from '../../support/deliveries/receiver.js'
import { simulate, type Simulation } from '../../support/simulate.js'
import { temporaryFile } from '../../support/temporary-folder.js'

const hang: Answer = () => new Promise(() => undefined)
const refuse: Answer = () => ({ status: 500 })
const at = (seconds: number) => new Date(Date.UTC(2026, 9, 1, 15) + seconds * 1_000).toISOString()

async function running(answer: Answer) {
  const [receiver, machine, data] = [await receiverWith(answer), new ManualMachine(), temporaryFile()]
  const sim = await simulate({ machine, data, paused: false, allowLocalWebhooks: true })
  await sim.changeCampaign({ lines: 0 })
  const { data: endpoint } = await sim.live.post<WebhookEndpoint>('/webhook_endpoints', {
    url: receiver.url,
    events: ['lead.created'],
  })
  /** The program ends, stays down for so long and starts again on its file. */
  const restart = async (downMs: number) => {
    await sim.simulator.close()
    machine.pass(downMs)
    return simulate({ machine, data, paused: false, allowLocalWebhooks: true })
  }
  const deliveries = async (of = sim) =>
    (await of.live.all<Delivery>(`/webhook_endpoints/${endpoint.id}/deliveries`)).reverse()
  return { receiver, machine, sim, deliveries, restart }
}

const tried = (deliveries: () => Promise<Delivery[]>, attempts: number) =>
  expect.poll(async () => (await deliveries()).map((one) => one.attempts)).toEqual([attempts])

it('a delivery that waited its turn behind others has its schedule from when it was sent', async () => {
  const { receiver, machine, sim, deliveries } = await running(hang)
  for (let n = 0; n < 7; n++) await sim.lead()
  machine.pass(0)
  await receiver.waitFor(5)
  machine.pass(10_000)
  await receiver.waitFor(7)
  machine.pass(10_000)
  await expect.poll(async () => (await deliveries()).every(({ status }) => status === 'failed')).toBe(true)
  const times = (await deliveries()).map((one) => [one.last_attempt_at, one.next_attempt_at])
  expect(times).toEqual([
    ...Array.from({ length: 5 }, () => [at(0), at(60)]),
    ...Array.from({ length: 2 }, () => [at(10), at(70)]),
  ])
})

it('tries missed while the program was down are not made up for one upon the other', async () => {
  const { receiver, machine, sim, deliveries, restart } = await running(refuse)
  await sim.lead()
  machine.pass(0)
  await tried(deliveries, 1)
  const again = await restart(3_600_000)
  machine.pass(0)
  await tried(() => deliveries(again), 2)
  // The next one is as long after as the schedule has between the second and the third.
  expect((await deliveries(again))[0]).toMatchObject({ last_attempt_at: at(3_600), next_attempt_at: at(3_840) })
  expect(receiver.requests).toHaveLength(2)
})

it('no try is made a day after the first, though the program was down: the delivery is given up', async () => {
  const { receiver, machine, sim, deliveries, restart } = await running(refuse)
  await sim.lead()
  machine.pass(0)
  await tried(deliveries, 1)
  const again = await restart(24 * 3_600_000)
  machine.pass(0)
  const [delivery] = await deliveries(again)
  expect(delivery).toMatchObject({ status: 'gave_up', attempts: 1, next_attempt_at: null, last_attempt_at: at(0) })
  expect(receiver.requests).toHaveLength(1)
})

it('a retry that is late by less than a day is made, and is the last', async () => {
  const { receiver, machine, sim, deliveries, restart } = await running(refuse)
  await sim.lead()
  machine.pass(0)
  await tried(deliveries, 1)
  const again = await restart(24 * 3_600_000 - 1)
  machine.pass(0)
  await tried(() => deliveries(again), 2)
  expect((await deliveries(again))[0]).toMatchObject({ status: 'gave_up', next_attempt_at: null })
  expect(receiver.requests).toHaveLength(2)
})

it('a first try cut off by the end of the program is made after however long, and is where the schedule begins', async () => {
  const { receiver, machine, sim, deliveries, restart } = await running(hang)
  await sim.lead()
  machine.pass(0)
  await receiver.waitFor(1)
  receiver.answer = refuse
  const again: Simulation = await restart(48 * 3_600_000)
  machine.pass(0)
  await tried(() => deliveries(again), 1)
  const day = 24 * 3_600
  expect((await deliveries(again))[0]).toMatchObject({
    status: 'failed',
    last_attempt_at: at(2 * day),
    next_attempt_at: at(2 * day + 60),
  })
  expect(receiver.requests.map(({ headers }) => headers['service-delivery-attempt'])).toEqual(['1', '1'])
})
