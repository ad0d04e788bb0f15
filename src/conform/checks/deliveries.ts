/** Checks of what arrives at a receiver: headers, signatures, attempts and resends (rules W2 to W12, E1 and E3). */
import type { Delivery } from '../../contract/deliveries.js'
import type { Event } from '../../contract/events.js'
import { deliveryResponseBytes, webhookSimultaneous, webhookTriesMinutes } from '../../contract/limits.js'
import type { WebhookEndpointResumed, WebhookEndpointWithSecret } from '../../contract/webhook-endpoints.js'
import { deliveryHeaders, webhookHeaders } from '../../webhooks/headers.js'
import { withExtras, type Check } from '../check.js'
import { accepted, cannotAsk, contains, equals, expects, page } from '../expect.js'
import { listReserved } from '../fixtures/leads.js'
import { dialedLead, heldLead } from '../fixtures/leads.js'
import { arrival, attempted, createReceiving, headerOf, receivingEndpoint, sendSample } from '../fixtures/endpoints.js'
import { failedDelivery, firstSample, ofDelivery, sampleArrival, signed } from '../fixtures/samples.js'
import type { Received } from '../requests/receiver.js'
import type { Reply } from '../requests/reply.js'
import type { Session } from '../session.js'

const samples: readonly Check[] = [
  {
    rule: 'W2',
    group: 'webhooks',
    title: 'A webhook is a POST of the envelope with the Service headers',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { sample, reply, received } = await firstSample(session)
      equals(reply, 'method of the webhook', received.method, 'POST')
      const expected = deliveryHeaders({
        eventId: sample.event.id,
        eventType: sample.event_type,
        deliveryId: sample.id,
        attempt: 1,
      })
      for (const [name, value] of Object.entries(expected)) {
        const found = headerOf(received, name)
        equals(reply, `${name} of the webhook`, name === 'Content-Type' ? found.split(';')[0] : found, value)
      }
      equals(reply, 'body of the webhook', JSON.parse(received.body.toString()), sample.event)
    },
  },
  {
    rule: 'W3',
    group: 'webhooks',
    title: 'A webhook is signed with the secret of its endpoint',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { to, reply, received } = await firstSample(session)
      signed(reply, received, [to.endpoint.secret])
    },
  },
  {
    rule: 'W11',
    group: 'webhooks',
    title: 'A test event is a sample with a new event id that is not listed',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { to, sample, reply } = await firstSample(session)
      contains(reply, sample.event, { type: 'call.completed', sample: true, livemode: false })
      contains(reply, sample, { event_id: sample.event.id, endpoint_id: to.endpoint.id, resent_from: null })
      const list = await session.get('/events?limit=100')
      expects(
        list,
        page<Event>(list).items.every(({ id }) => id !== sample.event.id),
        'a list without the sample',
      )
    },
  },
  {
    rule: 'W12',
    group: 'webhooks',
    title: "The first 4,096 bytes of a receiver's answer are kept",
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { to, sample } = await firstSample(session)
      const { delivery, reply } = await attempted(session, to.endpoint.id, sample.id)
      contains(reply, delivery, { status: 'sent', attempts: 1, response_status: 200, next_attempt_at: null })
      equals(reply, 'length of response_body', delivery.response_body?.length, deliveryResponseBytes)
      expects(
        reply,
        delivery.last_attempt_at !== null && delivery.duration_ms !== null,
        'last_attempt_at and duration_ms',
      )
    },
  },
]

const failures: readonly Check[] = [
  {
    rule: 'W2',
    group: 'webhooks',
    title: 'Any 2xx is a success, and a redirect is a failure that is not followed',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const to = await createReceiving(session, ['lead.late'])
      to.receiver.answer(to.token, { status: 299 })
      const { sample: good } = await sampleArrival(session, to)
      const { delivery: sent, reply } = await attempted(session, to.endpoint.id, good.id)
      contains(reply, sent, { status: 'sent', response_status: 299 })
      const elsewhere = session.madeUp.name('elsewhere')
      to.receiver.answer(to.token, { status: 302, headers: { Location: to.endpoint.url.replace(to.token, elsewhere) } })
      const { sample: bad } = await sampleArrival(session, to)
      const { delivery: failed, reply: after } = await attempted(session, to.endpoint.id, bad.id)
      contains(after, failed, { status: 'failed', response_status: 302, attempts: 1 })
      expects(
        after,
        to.receiver.received.every(({ token }) => token !== elsewhere),
        'no request to the address of the redirect',
      )
    },
  },
  {
    rule: 'W6',
    group: 'webhooks',
    title: 'A failed attempt is repeated 1 minute after the first',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { delivery, reply } = await failedDelivery(session)
      contains(reply, delivery, { status: 'failed', attempts: 1, response_status: 500 })
      const wait = Date.parse(delivery.next_attempt_at ?? '') - Date.parse(delivery.last_attempt_at ?? '')
      expects(
        reply,
        Math.abs(wait - (webhookTriesMinutes[1] ?? 0) * 60_000) <= 1_000,
        'next_attempt_at 1 minute after last_attempt_at',
      )
    },
  },
  {
    rule: 'W8',
    group: 'webhooks',
    title: 'An endpoint says since when it fails',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { to } = await failedDelivery(session)
      const reply = await session.get(`/webhook_endpoints/${to.endpoint.id}`)
      const { failing_since, status } = accepted<WebhookEndpointWithSecret>(reply)
      equals(reply, 'status', status, 'active')
      expects(reply, failing_since !== null, 'a failing_since time')
    },
  },
  {
    rule: 'W10',
    group: 'webhooks',
    title: 'A resend is a new delivery of the same event id and bytes, with attempts from 1',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { to, sample, received: first } = await firstSample(session)
      const reply = await session.post(`/webhook_endpoints/${to.endpoint.id}/deliveries/${sample.id}/resend`)
      const again = accepted<Delivery>(reply, 202)
      expects(reply, again.id !== sample.id, 'a new id')
      contains(reply, again, { event_id: sample.event.id, event_type: sample.event_type, resent_from: sample.id })
      const received = await arrival(session, to, ofDelivery(again.id))
      expects(reply, received !== undefined, 'a webhook at the receiver within 15 seconds')
      expects(reply, received.body.equals(first.body), 'the same bytes')
      equals(reply, `${webhookHeaders.attempt} of the webhook`, headerOf(received, webhookHeaders.attempt), '1')
      equals(
        reply,
        `${webhookHeaders.eventId} of the webhook`,
        headerOf(received, webhookHeaders.eventId),
        sample.event.id,
      )
      signed(reply, received, [to.endpoint.secret])
    },
  },
]

const rolls: readonly Check[] = [
  {
    rule: 'W4',
    group: 'webhooks',
    title: 'During a roll both secrets sign, the newest first, and never more than two',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const to = await createReceiving(session, ['lead.late'])
      const secrets = [to.endpoint.secret]
      for (const grace_hours of [24, 1, 0]) {
        const rolled = accepted<WebhookEndpointWithSecret>(
          await session.post(`/webhook_endpoints/${to.endpoint.id}/roll_secret`, { grace_hours }),
        )
        session.options.addSecret(rolled.secret)
        secrets.unshift(rolled.secret)
        const { reply, received } = await sampleArrival(session, to)
        signed(reply, received, secrets.slice(0, grace_hours === 0 ? 1 : 2))
      }
    },
  },
]

const simultaneous: readonly Check[] = [
  {
    rule: 'W7',
    group: 'webhooks',
    title: 'At most 5 attempts at a time go to one endpoint, and the rest follows',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const to = await createReceiving(session, ['lead.late'])
      let release = (): void => {}
      to.receiver.answer(to.token, { status: 200, until: new Promise<void>((resolve) => (release = resolve)) })
      const count = webhookSimultaneous + 2
      const open = () => to.receiver.received.filter(({ token }) => token === to.token).length
      try {
        let last: Reply | undefined
        for (let number = 0; number < count; number++) last = (await sendSample(session, to.endpoint.id)).reply
        const { stop } = session.options.requester.options
        await to.receiver.wait(() => open() >= webhookSimultaneous, 10_000, stop.signal)
        // A sixth would come at once.
        await to.receiver.wait(() => open() > webhookSimultaneous, 400, stop.signal)
        if (last)
          expects(
            last,
            open() <= webhookSimultaneous,
            `at most ${webhookSimultaneous} webhooks at a time, not ${open()}`,
          )
        release()
        const all = await to.receiver.wait(() => open() >= count, 10_000, session.options.requester.options.stop.signal)
        if (last) expects(last, all !== undefined, `all ${count} webhooks`)
      } finally {
        release()
      }
    },
  },
]

/** Makes a `lead.opted_out` event: lists the number of a saved lead, and takes it off again. */
async function optOutEvent(session: Session): Promise<Reply> {
  // Without a pause of the campaign there is only the first lead, and its number may be listed.
  const lead = await heldLead(session).catch(() => null)
  if (lead === null) {
    await dialedLead(session)
    cannotAsk('no saved lead has a number that can be listed')
  }
  const listed = await listReserved(session)
  await listed.remove()
  return listed.reply
}

const events: readonly Check[] = [
  {
    rule: 'E3',
    group: 'webhooks',
    title: 'An endpoint gets the events of its types, with the envelope that GET /events lists',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read', 'leads:write', 'dnc:write'],
    run: async (session) => {
      const to = await receivingEndpoint(session)
      const reply = await optOutEvent(session)
      const isEvent = (one: Received) =>
        one.token === to.token && headerOf(one, webhookHeaders.eventType) === 'lead.opted_out'
      const received = await arrival(session, to, isEvent)
      expects(reply, received !== undefined, 'a lead.opted_out webhook within 15 seconds')
      signed(reply, received, [to.endpoint.secret])
      const list = await session.get('/events?type=lead.opted_out&limit=100')
      const listed = page<Event>(list).items.find(({ id }) => id === headerOf(received, webhookHeaders.eventId))
      equals(list, 'the event', listed, JSON.parse(received.body.toString()))
      const types = to.receiver.received
        .filter(({ token }) => token === to.token)
        .map((one) => headerOf(one, webhookHeaders.eventType))
      expects(
        reply,
        types.every((type) => type === 'lead.opted_out' || type === 'call.completed'),
        'only subscribed types and samples',
      )
    },
  },
  {
    rule: 'W9',
    group: 'webhooks',
    title: 'Deliveries of a paused endpoint are skipped, and sent when it resumes on request',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read', 'leads:write', 'dnc:write'],
    run: async (session) => {
      const to = await receivingEndpoint(session)
      const path = `/webhook_endpoints/${to.endpoint.id}`
      accepted(await session.patch(path, { status: 'paused' }))
      await optOutEvent(session)
      const list = await session.get(`${path}/deliveries?status=skipped_paused`)
      const { items } = page<Delivery>(list)
      for (const { status } of items) equals(list, 'status', status, 'skipped_paused')
      const [skipped] = items
      expects(list, skipped !== undefined, 'a skipped delivery')
      equals(list, 'attempts', skipped.attempts, 0)
      const reply = await session.post(`${path}/resume`, { resend_skipped: true })
      contains(reply, accepted<WebhookEndpointResumed>(reply), { status: 'active', resent: items.length })
      const received = await arrival(session, to, ofDelivery(skipped.id))
      expects(reply, received !== undefined, 'the skipped webhook within 15 seconds')
    },
  },
]

export const deliveryChecks: readonly Check[] = withExtras(
  [...samples, ...failures, ...rolls, ...simultaneous],
  'At most 5 attempts',
  'Any 2xx is a success',
  'During a roll both secrets sign',
)
/** Need a saved lead. */
export const eventDeliveryChecks: readonly Check[] = events
