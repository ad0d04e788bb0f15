/** A program killed at each step of a delivery: what was acknowledged arrives, and a retry comes at its time. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Delivery } from '../../../src/contract/deliveries.js'
import { KillableService } from '../../support/crashes/killable-service.js'
import { Receiver, type Answer } from '../../support/deliveries/receiver.js'
import { simulate, type Simulation } from '../../support/simulate.js'
import { temporaryFile } from '../../support/temporary-folder.js'

const hang: Answer = () => new Promise(() => undefined)
const refuse: Answer = () => ({ status: 500 })
const take: Answer = () => ({ status: 204 })
const at = (seconds: number) => new Date(Date.UTC(2026, 9, 1, 15) + seconds * 1_000).toISOString()

let receiver: Receiver
let data: string
beforeEach(async () => {
  receiver = await Receiver.start()
  data = temporaryFile()
})
afterEach(() => receiver.close())

/** A program that has acknowledged a lead, whose event is for a receiver with this manner. */
async function acknowledged(answer: Answer, how: { standing?: boolean } = {}) {
  receiver.answer = answer
  const killed = await KillableService.start({ data, ...how })
  const endpoint = await killed.post<{ id: string }>('/webhook_endpoints', {
    url: receiver.url,
    events: ['lead.created'],
  })
  const path = `/webhook_endpoints/${endpoint.data.id}/deliveries`
  const lead = await killed.post('/leads', { campaign_id: killed.campaign, phone: '+12125560001' })
  expect(lead.status).toBe(201)
  const isIn = (status: string) =>
    expect.poll(async () => (await killed.get<Delivery[]>(path))[0]?.status, { timeout: 10_000 }).toBe(status)
  return { killed, path, isIn }
}

const again = () => simulate({ data, allowLocalWebhooks: true })
const delivery = async (sim: Simulation, path: string) => (await sim.live.get<Delivery[]>(path)).data[0]
const attempts = () => receiver.requests.map(({ headers }) => headers['service-delivery-attempt'])

/** Every try so far was of the same event and delivery, byte for byte. */
function expectSame(): void {
  for (const name of ['service-event-id', 'service-delivery-id', 'service-event-type']) {
    expect(new Set(receiver.requests.map(({ headers }) => headers[name])).size).toBe(1)
  }
  expect(new Set(receiver.requests.map(({ rawBody }) => rawBody.toString())).size).toBe(1)
}

it('before the try was begun: it is made at the next start', async () => {
  const { killed, path } = await acknowledged(take, { standing: true })
  await killed.kill()
  expect(receiver.requests).toHaveLength(0)
  const sim = await again()
  await sim.advance('0s')
  expect(attempts()).toEqual(['1'])
  expect(await delivery(sim, path)).toMatchObject({ status: 'sent', attempts: 1 })
})

it('after the request was sent, before its outcome was stored: the same try is made again', async () => {
  const { killed, path } = await acknowledged(hang)
  await receiver.waitFor(1)
  await killed.kill()
  receiver.answer = take
  const sim = await again()
  await sim.advance('0s')
  expect(attempts()).toEqual(['1', '1'])
  expectSame()
  expect(await delivery(sim, path)).toMatchObject({ status: 'sent', attempts: 1, last_attempt_at: at(0) })
})

it('as it was answered: the event has arrived, once or twice, and is sent', async () => {
  let kill: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (kill = resolve))
  const { killed, path } = await acknowledged(() => {
    kill()
    return {}
  })
  await answered
  await killed.kill()
  const sim = await again()
  await sim.advance('1d')
  expect(attempts()).toEqual(receiver.requests.length === 1 ? ['1'] : ['1', '1'])
  expectSame()
  expect(await delivery(sim, path)).toMatchObject({ status: 'sent', attempts: 1 })
})

it('after the outcome was stored: it is not sent again', async () => {
  const { killed, path, isIn } = await acknowledged(take)
  await isIn('sent')
  await killed.kill()
  const sim = await again()
  await sim.advance('1d')
  expect(attempts()).toEqual(['1'])
  expect(await delivery(sim, path)).toMatchObject({ status: 'sent', attempts: 1 })
})

it('while a retry is scheduled: it comes at its time, not before', async () => {
  const { killed, path, isIn } = await acknowledged(refuse)
  await isIn('failed')
  await killed.kill()
  const sim = await again()
  expect(await delivery(sim, path)).toMatchObject({ status: 'failed', attempts: 1, next_attempt_at: at(60) })
  await sim.advance('59.999s')
  expect(attempts()).toEqual(['1'])
  await sim.advance('1ms')
  expect(attempts()).toEqual(['1', '2'])
  expectSame()
  expect(await delivery(sim, path)).toMatchObject({ attempts: 2, next_attempt_at: at(300) })
})

it('during a retry, while time is pushed: the retry is made again, and the next keeps its time from the first', async () => {
  const { killed, path, isIn } = await acknowledged(refuse)
  await isIn('failed')
  receiver.answer = hang
  const cut = killed.advance('1h').catch(() => 'cut')
  await receiver.waitFor(2)
  await killed.kill()
  expect(await cut).toBe('cut')
  receiver.answer = refuse
  const sim = await again()
  expect(sim.now).toBe(at(60))
  await sim.advance('0s')
  expect(attempts()).toEqual(['1', '2', '2'])
  expectSame()
  expect(await delivery(sim, path)).toMatchObject({ status: 'failed', attempts: 2, next_attempt_at: at(300) })
})
