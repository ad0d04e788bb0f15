/** Endpoints paused and resumed while tries are on their way: each delivery has one try at a time, on one schedule. */
import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../src/contract/deliveries.js'
import type { WebhookEndpoint } from '../../../src/contract/webhook-endpoints.js'
import { receiverWith } from '../../support/dispatch.js'
import type { Receiver, Reply } from '../../support/deliveries/receiver.js'
import { simulate, type Simulation } from '../../support/simulate.js'

interface Held {
  sim: Simulation
  receiver: Receiver
  path: string
  /** Answers the request that was held first. */
  release: (reply: Reply) => void
}

/** A lead whose event is at a receiver that does not answer until the test says so. */
async function held(): Promise<Held> {
  const waiting: ((reply: Reply) => void)[] = []
  const receiver = await receiverWith(() => new Promise((resolve) => waiting.push(resolve)))
  const sim = await simulate({ allowLocalWebhooks: true })
  await sim.changeCampaign({ lines: 0 })
  const { data } = await sim.live.post<WebhookEndpoint>('/webhook_endpoints', {
    url: receiver.url,
    events: ['lead.created'],
  })
  await sim.lead()
  await receiver.waitFor(1)
  return { sim, receiver, path: `/webhook_endpoints/${data.id}`, release: (reply) => waiting.shift()?.(reply) }
}

const delivery = async ({ sim, path }: Held) => (await sim.live.get<Delivery[]>(`${path}/deliveries`)).data[0]

describe('a try that is on its way when its endpoint is paused', () => {
  it('counts as the first of the new schedule when the endpoint is resumed meanwhile, and is not made twice', async () => {
    const all = await held()
    const { sim, receiver, path, release } = all
    await sim.live.patch(path, { status: 'paused' })
    expect((await sim.live.post(`${path}/resume`, { resend_skipped: true })).data).toMatchObject({ resent: 1 })
    release({ status: 500 })
    await sim.advance('59.999s')
    expect(await delivery(all)).toMatchObject({
      status: 'failed',
      attempts: 1,
      next_attempt_at: '2026-10-01T15:01:00.000Z',
    })
    expect(receiver.requests).toHaveLength(1)
    receiver.answer = () => ({})
    await sim.advance('1ms')
    expect(await delivery(all)).toMatchObject({ status: 'sent', attempts: 2 })
    expect(receiver.requests.map(({ headers }) => headers['service-delivery-attempt'])).toEqual(['1', '2'])
  })

  it('makes the delivery sent when it is taken, though it was skipped', async () => {
    const all = await held()
    await all.sim.live.patch(all.path, { status: 'paused' })
    expect(await delivery(all)).toMatchObject({ status: 'skipped_paused', attempts: 0, next_attempt_at: null })
    all.release({ status: 204 })
    await all.sim.advance('0s')
    expect(await delivery(all)).toMatchObject({ status: 'sent', attempts: 1, response_status: 204 })
    expect((await all.sim.live.post(`${all.path}/resume`, { resend_skipped: true })).data).toMatchObject({ resent: 0 })
  })

  it('is written down when it fails, and the delivery stays skipped', async () => {
    const all = await held()
    await all.sim.live.patch(all.path, { status: 'paused' })
    all.release({ status: 503, body: 'away' })
    await all.sim.advance('1d')
    expect(await delivery(all)).toMatchObject({
      status: 'skipped_paused',
      attempts: 1,
      response_status: 503,
      response_body: 'away',
      next_attempt_at: null,
    })
    expect(all.receiver.requests).toHaveLength(1)
  })

  it('brings nothing back when its endpoint is deleted meanwhile', async () => {
    const all = await held()
    await all.sim.live.del(all.path)
    all.release({ status: 500 })
    await all.sim.advance('1d')
    expect(all.receiver.requests).toHaveLength(1)
    expect(await all.sim.control('GET', '/_sim/deliveries')).toEqual([])
  })
})
