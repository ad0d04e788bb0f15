/** Webhook faults: what a receiver sees, while time is advanced and while it passes by itself. */
import { describe, expect, it } from 'vitest'
import type { SimulatedDelivery } from '../../../src/contract/control/records.js'
import { webhookHeaders } from '../../../src/webhooks/headers.js'
import { verify } from '../../../src/webhooks/sign.js'
import { receiverWith } from '../../support/dispatch.js'
import { HeldMachine } from '../../support/held-machine.js'
import type { Answer, Received, Reply } from '../../support/deliveries/receiver.js'
import { simulate, type Simulation } from '../../support/simulate.js'

interface NewEndpoint {
  id: string
  secret: string
}

const at = (seconds: number) => new Date(Date.UTC(2026, 9, 1, 15) + seconds * 1_000).toISOString()

/** How long advanced time waits for an answer before it goes on. */
const promptWithinMs = 1_000

/** A world that makes no calls, with an endpoint for new leads. */
async function withReceiver(answer?: Answer) {
  const receiver = await receiverWith(answer)
  const sim = await simulate({ allowLocalWebhooks: true })
  await sim.changeCampaign({ lines: 0 })
  const subscribe = async (path: string) => {
    const body = { url: receiver.url + path, events: ['lead.created'] }
    return (await sim.live.post<NewEndpoint>('/webhook_endpoints', body)).data
  }
  return { sim, receiver, endpoint: await subscribe('/'), subscribe }
}

const fault = (sim: Simulation, words: object) => sim.ask('POST', '/_sim/faults', { to: 'webhooks', ...words })
const refused = (param?: string) => ({
  status: 400,
  error: { code: 'invalid_request', ...(param !== undefined && { param }) },
})

/** Oldest first. */
const deliveries = async (sim: Simulation) =>
  (await sim.control<SimulatedDelivery[]>('GET', '/_sim/deliveries')).reverse()

/** Waits until the attempts of all deliveries are recorded: no clock has to move for it. */
const recorded = (sim: Simulation, count: number) =>
  expect.poll(async () => (await deliveries(sim)).filter(({ attempts }) => attempts > 0).length).toBe(count)

const deliveryIds = (requests: readonly Received[]) =>
  requests.map(({ headers }) => headers[webhookHeaders.deliveryId.toLowerCase()])

const verdict = ({ headers, rawBody: body }: Received, { secret }: NewEndpoint) => {
  const header = headers[webhookHeaders.signature.toLowerCase()] as string
  return verify({ header, body, secrets: [secret], now: Date.now() / 1000 })
}

/** The two ways to make attempts: advancing the clock, or waiting while it is stopped. */
const ways = [
  ['pushed time', (sim: Simulation) => sim.advance('1s')],
  ['live time', (sim: Simulation, count: number) => recorded(sim, count)],
] as const

describe.each(ways)('webhook faults in %s', (_way, settle) => {
  it('duplicate: sends the same bytes again, and records one attempt', async () => {
    const { sim, receiver } = await withReceiver()
    expect((await fault(sim, { duplicate: 2 })).status).toBe(201)
    await sim.lead()
    await settle(sim, 1)
    const requests = await receiver.waitFor(3)
    expect(requests).toHaveLength(3)
    for (const { headers, rawBody } of requests) {
      const { host: _host, ...rest } = requests[0]!.headers
      expect(headers).toMatchObject(rest)
      expect(rawBody).toEqual(requests[0]!.rawBody)
      expect(JSON.stringify(headers) + rawBody.toString()).not.toMatch(/duplicate|fault/i)
    }
    expect(receiver.mostAtOnce).toBe(1)
    expect(await deliveries(sim)).toMatchObject([{ status: 'sent', attempts: 1, fault: 'duplicate', error: null }])
  })

  it('drop: the receiver sees nothing, and the retry arrives', async () => {
    const { sim, receiver, endpoint } = await withReceiver()
    await fault(sim, { drop: true })
    await sim.lead()
    await settle(sim, 1)
    expect(receiver.requests).toHaveLength(0)
    const failed = { status: 'failed', attempts: 1, response_status: null, error: 'network_error', fault: 'drop' }
    const [delivery] = await deliveries(sim)
    expect(delivery).toMatchObject(failed)
    const [inApi] = (await sim.live.get<object[]>(`/webhook_endpoints/${endpoint.id}/deliveries`)).data
    const { error: _error, fault: _fault, ...rest } = delivery!
    expect(inApi).toEqual(rest)
    await sim.advance('1m')
    expect(receiver.requests).toHaveLength(1)
    expect(await deliveries(sim)).toMatchObject([{ status: 'sent', attempts: 2, error: null, fault: null }])
  })

  it('corrupt_signature: the signature does not fit', async () => {
    const { sim, receiver, endpoint } = await withReceiver()
    await fault(sim, { corrupt_signature: true })
    await sim.lead()
    await settle(sim, 1)
    expect(verdict(await receiver.next(), endpoint)).toEqual({ ok: false, reason: 'no_match' })
    expect(await deliveries(sim)).toMatchObject([{ fault: 'corrupt_signature' }])
  })

  it('stale: the signature fits and is too old', async () => {
    const { sim, receiver, endpoint } = await withReceiver()
    await fault(sim, { stale: '10m' })
    await sim.lead()
    await settle(sim, 1)
    expect(verdict(await receiver.next(), endpoint)).toEqual({ ok: false, reason: 'too_old' })
    expect(await deliveries(sim)).toMatchObject([{ fault: 'stale' }])
  })

  it('count, event and endpoint_id say which attempts it meets', async () => {
    const { sim, endpoint, subscribe } = await withReceiver()
    const other = await subscribe('/other')
    await fault(sim, { drop: true, event: 'call.*' })
    await fault(sim, { drop: true, event: 'lead.*', endpoint_id: other.id, count: 2 })
    for (let n = 0; n < 3; n++) await sim.lead()
    await settle(sim, 6)
    const faultsOf = async (id: string) =>
      (await deliveries(sim)).filter(({ endpoint_id }) => endpoint_id === id).map(({ fault: name }) => name)
    expect(await faultsOf(endpoint.id)).toEqual([null, null, null])
    expect(await faultsOf(other.id)).toEqual(['drop', 'drop', null])
  })
})

describe.each([
  ['pushed time', (sim: Simulation) => sim.advance('0s')],
  ['live time', () => Promise.resolve(0)],
] as const)('webhooks held back in %s', (_way, begin) => {
  it('delay: is sent after that simulated time, and recorded then', async () => {
    const { sim, receiver } = await withReceiver()
    await fault(sim, { delay: '5m' })
    await sim.lead()
    await begin(sim)
    await expect.poll(async () => (await deliveries(sim))[0]?.next_attempt_at).toBe(at(300))
    expect(await deliveries(sim)).toMatchObject([{ status: 'pending', attempts: 0, fault: null }])
    await sim.advance('299s')
    expect(receiver.requests).toHaveLength(0)
    await sim.advance('1s')
    expect(receiver.requests).toHaveLength(1)
    const sent = { status: 'sent', attempts: 1, last_attempt_at: at(300), fault: 'delay' }
    expect(await deliveries(sim)).toMatchObject([sent])
  })

  it('reorder: is sent after the next delivery, with no time passing', async () => {
    const { sim, receiver } = await withReceiver()
    await fault(sim, { reorder: true })
    await sim.lead()
    await begin(sim)
    await expect.poll(async () => (await deliveries(sim))[0]?.next_attempt_at).toBe(at(60))
    await sim.lead()
    await begin(sim)
    await recorded(sim, 2)
    const [first, second] = await deliveries(sim)
    expect(deliveryIds(receiver.requests)).toEqual([second?.id, first?.id])
    expect([first, second]).toMatchObject([
      { fault: 'reorder', last_attempt_at: at(0) },
      { fault: null, last_attempt_at: at(0) },
    ])
  })

  it('reorder: is sent after a simulated minute when no other delivery comes', async () => {
    const { sim, receiver } = await withReceiver()
    await fault(sim, { reorder: true })
    await sim.lead()
    await begin(sim)
    await sim.advance('59s')
    expect(receiver.requests).toHaveLength(0)
    await sim.advance('1s')
    expect(await deliveries(sim)).toMatchObject([{ status: 'sent', fault: 'reorder', last_attempt_at: at(60) }])
  })

  it.each([{ delay: '5d' }, { reorder: true }])('%j: is sent when faults are removed', async (words) => {
    const { sim, receiver } = await withReceiver()
    await fault(sim, { ...words, count: 2 })
    await sim.lead()
    await begin(sim)
    await expect.poll(async () => (await deliveries(sim))[0]?.next_attempt_at).not.toBe(at(0))
    expect((await sim.ask('DELETE', '/_sim/faults')).data).toEqual({ removed: 1 })
    await begin(sim)
    await recorded(sim, 1)
    await sim.lead()
    await begin(sim)
    await recorded(sim, 2)
    expect(receiver.requests).toHaveLength(2)
    expect((await deliveries(sim)).map(({ fault: name }) => name)).toEqual([Object.keys(words)[0], null])
  })

  it('a delayed delivery skipped by a pause is no longer delayed when it is sent after all', async () => {
    const { sim, endpoint } = await withReceiver()
    await fault(sim, { delay: '5m' })
    await sim.lead()
    await begin(sim)
    await expect.poll(async () => (await deliveries(sim))[0]?.next_attempt_at).toBe(at(300))
    const path = `/webhook_endpoints/${endpoint.id}`
    await sim.live.patch(path, { status: 'paused' })
    await sim.live.post(`${path}/resume`, { resend_skipped: true })
    await begin(sim)
    await recorded(sim, 1)
    expect(await deliveries(sim)).toMatchObject([{ status: 'sent', fault: null, last_attempt_at: at(0) }])
  })
})

describe('webhook faults', () => {
  it('reorder: changes the order among deliveries of one moment, the same in every run', async () => {
    const run = async () => {
      const { sim, receiver } = await withReceiver()
      await fault(sim, { reorder: true, count: 2 })
      const leads = Array.from({ length: 12 }, () => ({ phone: sim.phone() }))
      const paced = { campaign_id: sim.campaignId, mode: 'live', leads }
      await sim.advance('1s')
      await sim.control('POST', '/_sim/leads', paced)
      await sim.advance('1h')
      const all = await deliveries(sim)
      expect(receiver.requests).toHaveLength(12)
      return all.map(({ fault: name, last_attempt_at, status }) => [name, last_attempt_at, status])
    }
    const first = await run()
    expect(first.filter(([name]) => name === 'reorder')).toHaveLength(2)
    expect(await run()).toEqual(first)
  })

  it('delay and reorder meet the same attempts at the same times if the receiver answers late', async () => {
    const run = async (isLate: boolean) => {
      const machine = new HeldMachine(promptWithinMs)
      let answerFirst: (reply: Reply) => void = () => undefined
      const late = new Promise<Reply>((resolve) => (answerFirst = resolve))
      let requests = 0
      const receiver = await receiverWith(() => (isLate && requests++ === 0 ? late : {}))
      const sim = await simulate({ allowLocalWebhooks: true, machine })
      const events = ['call.started', 'call.answered', 'call.completed']
      await sim.live.post('/webhook_endpoints', { url: receiver.url, events })
      await fault(sim, { event: 'call.answered', delay: '10m', count: 2 })
      await fault(sim, { event: 'call.completed', reorder: true, count: 3 })
      const leads = Array.from({ length: 12 }, (_, n) => ({ phone: `+1212555${2_000 + n}` }))
      await sim.control('POST', '/_sim/leads', { campaign_id: sim.campaignId, mode: 'live', leads })
      const advanced = sim.advance('4h')
      if (isLate) {
        await receiver.waitFor(1)
        machine.release()
        // The world goes on without the answer.
        await expect
          .poll(async () => (await sim.control<{ now: string }>('GET', '/_sim/clock')).now > at(600))
          .toBe(true)
        answerFirst({})
      }
      await advanced
      const all = await deliveries(sim)
      const order = deliveryIds(receiver.requests).map((id) => all.findIndex((one) => one.id === id))
      const facts = all.map(({ event_type, fault: name, created, last_attempt_at, status, attempts }) => {
        return { event_type, name, created, last_attempt_at, status, attempts }
      })
      return { order, facts }
    }
    const prompt = await run(false)
    expect(prompt.facts.filter(({ name }) => name === 'delay')).toHaveLength(2)
    expect(prompt.facts.filter(({ name }) => name === 'reorder')).toHaveLength(3)
    expect(await run(true)).toEqual(prompt)
  })

  it('are forgotten at a reset', async () => {
    const { sim } = await withReceiver()
    await fault(sim, { drop: true })
    await sim.control('POST', '/_sim/reset', {})
    expect((await sim.ask('DELETE', '/_sim/faults')).data).toEqual({ removed: 0 })
  })

  it('are refused when they cannot be meant', async () => {
    const { sim, endpoint } = await withReceiver()
    expect(await fault(sim, {})).toMatchObject(refused())
    expect(await fault(sim, { drop: true, reorder: true })).toMatchObject(refused())
    expect(await fault(sim, { drop: false })).toMatchObject(refused('drop'))
    expect(await fault(sim, { duplicate: 0 })).toMatchObject(refused('duplicate'))
    expect(await fault(sim, { duplicate: 11 })).toMatchObject(refused('duplicate'))
    expect(await fault(sim, { delay: 'soon' })).toMatchObject(refused('delay'))
    expect(await fault(sim, { delay: '0s' })).toMatchObject(refused('delay'))
    expect(await fault(sim, { stale: '32d' })).toMatchObject(refused('stale'))
    expect(await fault(sim, { drop: true, count: 0 })).toMatchObject(refused('count'))
    expect(await fault(sim, { drop: true, event: 'lead.exploded' })).toMatchObject(refused('event'))
    expect(await fault(sim, { drop: true, event: 'x'.repeat(201) })).toMatchObject(refused('event'))
    expect(await fault(sim, { drop: true, path: '/leads' })).toMatchObject(refused('path'))
    expect(await sim.ask('POST', '/_sim/faults', { to: 'nobody', drop: true })).toMatchObject(refused('to'))
    expect(await sim.ask('POST', '/_sim/faults', { drop: true, duplicate: 1 })).toMatchObject(refused('duplicate'))
    const unknown = await fault(sim, { drop: true, endpoint_id: '0b6f3c1e-4d5a-4e6f-8a9b-0c1d2e3f4a5b' })
    expect(unknown).toMatchObject({ status: 404, error: { code: 'not_found' } })
    expect((await fault(sim, { drop: true, endpoint_id: endpoint.id })).status).toBe(201)
    expect((await sim.ask('DELETE', '/_sim/faults')).data).toEqual({ removed: 1 })
  })
})
