/** Deliveries asked for by hand: samples, resends, and what was skipped, sent after all. */
import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../src/contract/deliveries.js'
import { Event, eventSubjects } from '../../../src/contract/events.js'
import type { WebhookEndpoint } from '../../../src/contract/webhook-endpoints.js'
import { eventTypes } from '../../../src/contract/enums.js'
import { receiverWith } from '../../support/dispatch.js'
import type { Answer, Receiver } from '../../support/deliveries/receiver.js'
import { simulate, type Client, type Simulation } from '../../support/simulate.js'

interface Hooked {
  sim: Simulation
  receiver: Receiver
  path: string
}

type Sample = Delivery & { event: Event }

async function hooked(answer?: Answer, mode: 'live' | 'test' = 'live'): Promise<Hooked> {
  const receiver = await receiverWith(answer)
  const sim = await simulate({ allowLocalWebhooks: true })
  await sim.changeCampaign({ lines: 0 })
  return { sim, receiver, path: await subscribe(sim[mode], receiver.url) }
}

async function subscribe(client: Client, url: string): Promise<string> {
  const { data } = await client.post<WebhookEndpoint>('/webhook_endpoints', { url, events: ['lead.created'] })
  return `/webhook_endpoints/${data.id}`
}

const deliveries = async ({ sim, path }: Hooked, client = sim.live) => client.all<Delivery>(`${path}/deliveries`)
const endpoint = async ({ sim, path }: Hooked) => (await sim.live.get<WebhookEndpoint>(path)).data
const failing: Answer = () => ({ status: 500 })

describe('a sample', () => {
  it.each(eventTypes)('of %s is a whole envelope of that type, as real ones are', async (type) => {
    const { sim, receiver, path } = await hooked()
    const { data } = await sim.live.post<Sample>(`${path}/test`, { type })
    const { rawBody, headers } = await receiver.next()
    const sent = JSON.parse(rawBody.toString()) as Event
    expect(sent).toEqual(Event.parse(sent))
    expect(sent).toEqual(data.event)
    expect(sent).toMatchObject({ type, livemode: false, sample: true, api_version: '2026-10-01', created: sim.now })
    expect(sent.data.object).toMatchObject({ livemode: false })
    expect('direction' in sent.data.object ? 'call' : 'lead').toBe(eventSubjects[type])
    expect(headers).toMatchObject({ 'service-event-type': type, 'service-event-id': data.event.id })
  })

  it('has an id of its own each time, of the form of every event', async () => {
    const { sim, path } = await hooked()
    const ids = new Set<string>()
    for (let n = 0; n < 3; n++) {
      const { data } = await sim.live.post<Sample>(`${path}/test`, { type: 'lead.late' })
      expect(data.event.id).toMatch(/^evt_[0-9a-f]{32}$/)
      expect(data.event_id).toBe(data.event.id)
      ids.add(data.event.id)
    }
    expect(ids.size).toBe(3)
  })

  it('is retried on the schedule like a real delivery, with the same bytes', async () => {
    const hook = await hooked(failing)
    await hook.sim.live.post(`${hook.path}/test`, { type: 'call.started' })
    await hook.sim.advance('5m')
    const [delivery] = await deliveries(hook)
    expect(delivery).toMatchObject({ status: 'failed', attempts: 3, next_attempt_at: '2026-10-01T15:30:00.000Z' })
    const bodies = new Set(hook.receiver.requests.map(({ rawBody }) => rawBody.toString()))
    expect([hook.receiver.requests.length, bodies.size]).toEqual([3, 1])
  })

  it('can be sent again like a real delivery, and stays a sample', async () => {
    const hook = await hooked()
    const { data } = await hook.sim.live.post<Sample>(`${hook.path}/test`, { type: 'lead.created' })
    const again = await hook.sim.live.post<Delivery>(`${hook.path}/deliveries/${data.id}/resend`)
    expect(again.data).toMatchObject({ event_id: data.event.id, resent_from: data.id, livemode: false })
    await hook.sim.advance('40d')
    const late = await hook.sim.live.post<Delivery>(`${hook.path}/deliveries/${again.data.id}/resend`)
    expect([late.status, late.data.resent_from]).toEqual([202, again.data.id])
    await hook.sim.advance('0s')
    const [first, ...others] = hook.receiver.requests.map(({ rawBody }) => rawBody.toString())
    expect(others).toEqual([first, first])
  })

  it.each([
    [{}, 'type'],
    [{ type: 'lead.lost' }, 'type'],
    [{ type: 'lead.late', event: {} }, 'event'],
  ])('is not made of %j', async (body, param) => {
    const { sim, path } = await hooked()
    expect((await sim.live.post(`${path}/test`, body)).error).toMatchObject({ code: 'invalid_request', param })
    expect(await sim.live.all(`${path}/deliveries`)).toEqual([])
  })

  it('counts as a try: failing for a day it pauses the endpoint, taken it ends the failures', async () => {
    const hook = await hooked(failing)
    const { sim, receiver, path } = hook
    const trySample = async () => {
      await sim.live.post(`${path}/test`, { type: 'lead.late' })
      await sim.advance('0s')
    }
    await trySample()
    expect(await endpoint(hook)).toMatchObject({ failing_since: '2026-10-01T15:00:00.000Z', last_success_at: null })
    await sim.advance('12h')
    receiver.answer = () => ({})
    await trySample()
    expect(await endpoint(hook)).toMatchObject({ failing_since: null, last_success_at: '2026-10-02T03:00:00.000Z' })
    receiver.answer = failing
    await trySample()
    await sim.advance('23h')
    await trySample()
    expect(await endpoint(hook)).toMatchObject({ status: 'active', failing_since: '2026-10-02T03:00:00.000Z' })
    await sim.advance('1h')
    await trySample()
    expect(await endpoint(hook)).toMatchObject({ status: 'paused', paused_at: '2026-10-03T03:00:00.000Z' })
  })
})

describe('a resend', () => {
  it('is retried on a schedule of its own, and the first delivery stays as it is', async () => {
    const hook = await hooked(failing)
    await hook.sim.lead()
    await hook.sim.advance('13h')
    const [first] = await deliveries(hook)
    expect(first).toMatchObject({ status: 'gave_up', attempts: 7 })
    await hook.sim.live.post(`${hook.path}/deliveries/${first?.id}/resend`)
    await hook.sim.advance('1m')
    const [again, ...others] = await deliveries(hook)
    expect(again).toMatchObject({ status: 'failed', attempts: 2, next_attempt_at: '2026-10-02T04:05:00.000Z' })
    expect(others).toEqual([first])
    expect(hook.receiver.requests.slice(-2).map(({ headers }) => headers['service-delivery-attempt'])).toEqual([
      '1',
      '2',
    ])
  })

  it('has the mode of its event', async () => {
    const hook = await hooked(undefined, 'test')
    const { test } = hook.sim
    await hook.sim.lead({}, test)
    await hook.sim.advance('0s')
    const [first] = await deliveries(hook, test)
    const again = await test.post<Delivery>(`${hook.path}/deliveries/${first?.id}/resend`)
    expect([first?.livemode, again.data.livemode]).toEqual([false, false])
  })

  it('is of a delivery of that endpoint, and of an event that is kept', async () => {
    const hook = await hooked()
    const { sim, path } = hook
    const other = await subscribe(sim.live, hook.receiver.url)
    await sim.lead()
    await sim.advance('0s')
    const [delivery] = await deliveries(hook)
    const resend = (from: string) => sim.live.post(`${from}/deliveries/${delivery?.id}/resend`)
    expect((await resend(other)).error.code).toBe('not_found')
    expect((await sim.live.get(`${other}/deliveries?starting_after=${delivery?.id}`)).error).toMatchObject({
      code: 'invalid_request',
      param: 'starting_after',
    })
    await sim.advance('30d')
    expect((await resend(path)).status).toBe(202)
    await sim.advance('1ms')
    // It is listed no more, though nothing has swept it yet.
    expect(await sim.events()).toEqual([])
    expect((await resend(path)).error.code).toBe('not_found')
  })
})

describe('what was skipped', () => {
  it('is sent up to a thousand at a time, oldest first; the rest stays skipped until it is asked for again', async () => {
    const hook = await hooked()
    const { sim, path } = hook
    await sim.live.patch(path, { status: 'paused' })
    const leads = Array.from({ length: 1_001 }, () => ({ phone: sim.phone() }))
    await sim.control('POST', '/_sim/leads', { campaign_id: sim.campaignId, mode: 'live', leads })
    const [newest] = await deliveries(hook)
    const resume = () => sim.live.post(`${path}/resume`, { resend_skipped: true })
    expect((await resume()).data).toMatchObject({ status: 'active', resent: 1_000 })
    expect(await sim.live.all(`${path}/deliveries?status=skipped_paused`)).toEqual([newest])
    expect((await resume()).data).toMatchObject({ status: 'active', resent: 1 })
    expect((await resume()).data).toMatchObject({ status: 'active', resent: 0 })
  })

  it('was never tried, has no next try, and belongs to the mode of its event', async () => {
    const hook = await hooked()
    await hook.sim.live.patch(hook.path, { status: 'paused' })
    await hook.sim.lead()
    await hook.sim.advance('2d')
    expect(await deliveries(hook)).toMatchObject([
      {
        status: 'skipped_paused',
        attempts: 0,
        next_attempt_at: null,
        last_attempt_at: null,
        response_status: null,
        response_body: null,
        duration_ms: null,
        resent_from: null,
        livemode: true,
      },
    ])
  })

  it('can be sent when its event is listed no more', async () => {
    const hook = await hooked()
    const { sim, path, receiver } = hook
    await sim.live.patch(path, { status: 'paused' })
    await sim.lead()
    await sim.advance('40d')
    expect((await sim.live.post(`${path}/resume`, { resend_skipped: true })).data).toMatchObject({ resent: 1 })
    await sim.advance('0s')
    expect(receiver.requests).toHaveLength(1)
    expect(await deliveries(hook)).toMatchObject([{ status: 'sent', attempts: 1 }])
  })

  it('is not resumed for an endpoint that is not there, nor by words that are not known', async () => {
    const { sim, path } = await hooked()
    expect((await sim.live.post(`${path}/resume`, { resend: true })).error).toMatchObject({
      code: 'invalid_request',
      param: 'resend',
    })
    await sim.live.del(path)
    expect((await sim.live.post(`${path}/resume`)).error.code).toBe('not_found')
    expect((await sim.live.post(`${path}/roll_secret`)).error.code).toBe('not_found')
    expect((await sim.live.post(`${path}/test`, { type: 'lead.late' })).error.code).toBe('not_found')
  })
})
