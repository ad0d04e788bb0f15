/** Checks of webhook endpoints (rules W1, W4 and W9). */
import { webhookEndpointsPerOrganization, webhookUrlLength } from '../../contract/limits.js'
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '../../contract/webhook-endpoints.js'
import { withExtras, type Check } from '../check.js'
import { accepted, cannotAsk, contains, equals, expects, page, refused } from '../expect.js'
import { createEndpoint, deleteAtEnd, loopbackIsAccepted, ownEndpoint, unusedUrl } from '../fixtures/endpoints.js'
import type { Session } from '../session.js'

/** Addresses that no deployment may accept, with or without local webhooks. */
const forbidden: readonly (readonly [what: string, url: string])[] = [
  ['a private address', 'https://10.0.0.1/hook'],
  ['a link-local address', 'https://169.254.169.254/latest/meta-data'],
  ['a private address in another form', 'https://0xc0a80101/hook'],
  ['a private address mapped into IPv6', 'https://[::ffff:10.0.0.1]/hook'],
  ['a private IPv6 address', 'https://[fd00::1]/hook'],
  ['a name of a private network', 'https://service.internal/hook'],
  ['a user name', 'https://user:password@example.com/hook'],
  ['another scheme', 'ftp://example.com/hook'],
  ['a text that is not a URL', 'svc-conform'],
]

const addresses: readonly Check[] = [
  ...forbidden.map(([what, url]): Check => ({
    rule: 'W1',
    group: 'webhooks',
    title: `An endpoint with ${what} is refused`,
    needs: ['webhooks:write', 'leads:read'],
    run: async (session) => {
      refused(await session.post('/webhook_endpoints', await newEndpoint(session, { url })), 'invalid_request', {
        param: 'url',
      })
    },
  })),
  {
    rule: 'W1',
    group: 'webhooks',
    title: 'An endpoint on this machine, or without TLS, is refused',
    needs: ['webhooks:write', 'leads:read'],
    run: async (session) => {
      if (await loopbackIsAccepted(session)) cannotAsk('this simulator allows local webhooks')
      for (const url of ['https://127.0.0.1/hook', 'http://example.com/hook'])
        refused(await session.post('/webhook_endpoints', await newEndpoint(session, { url })), 'invalid_request', {
          param: 'url',
        })
    },
  },
  {
    rule: 'L6',
    group: 'webhooks',
    title: `The URL of an endpoint has at most ${webhookUrlLength} characters`,
    needs: ['webhooks:write', 'leads:read'],
    run: async (session) => {
      const url = `https://example.com/${'x'.repeat(webhookUrlLength)}`.slice(0, webhookUrlLength + 1)
      refused(await session.post('/webhook_endpoints', await newEndpoint(session, { url })), 'invalid_request', {
        param: 'url',
      })
    },
  },
  {
    rule: 'W1',
    group: 'webhooks',
    title: 'A changed address is checked like a new one',
    needs: ['webhooks:write', 'leads:read'],
    run: async (session) => {
      const { id } = await ownEndpoint(session)
      refused(await session.patch(`/webhook_endpoints/${id}`, { url: 'https://10.0.0.1/hook' }), 'invalid_request', {
        param: 'url',
      })
    },
  },
]

/** The body of a new endpoint that gets no events. */
async function newEndpoint(session: Session, fields: object): Promise<object> {
  const campaign_ids = (await session.coversEveryCampaign()) ? null : [(await session.campaign()).id]
  return { url: unusedUrl(session), events: ['lead.late'], campaign_ids, ...fields }
}

const subscriptions: readonly Check[] = [
  {
    rule: 'E3',
    group: 'webhooks',
    title: 'An endpoint names at least one known event type and known campaigns',
    needs: ['webhooks:write', 'leads:read'],
    run: async (session) => {
      const send = async (fields: object) => session.post('/webhook_endpoints', await newEndpoint(session, fields))
      refused(await send({ events: [] }), 'invalid_request', { param: 'events' })
      refused(await send({ events: ['lead.svc'] }), 'invalid_request', { param: 'events[0]' })
      if (!(await session.coversEveryCampaign())) return
      refused(await send({ campaign_ids: [session.madeUp.uuid()] }), 'not_found', { param: 'campaign_ids' })
    },
  },
  {
    rule: 'E3',
    group: 'webhooks',
    title: 'A new endpoint is active, has the mode of the key, and can be deleted',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const url = unusedUrl(session)
      const { endpoint, reply, remove } = await createEndpoint(session, url, ['lead.late', 'lead.late'])
      const mode = session.isLive ? 'live' : 'test'
      contains(reply, endpoint, {
        url,
        events: ['lead.late'],
        mode,
        status: 'active',
        failing_since: null,
        paused_at: null,
      })
      expects(reply, /^whsec_.{16,}/.test(endpoint.secret), 'a secret that begins with whsec_')
      const list = await session.get('/webhook_endpoints')
      const { items } = page<WebhookEndpoint>(list)
      expects(
        list,
        items.some(({ id }) => id === endpoint.id),
        'the new endpoint in the list',
      )
      const removed = await remove()
      contains(removed, accepted<object>(removed), { id: endpoint.id, object: 'webhook_endpoint', deleted: true })
      refused(await session.get(`/webhook_endpoints/${endpoint.id}`), 'not_found')
    },
  },
  {
    rule: 'E3',
    group: 'webhooks',
    title: 'PATCH changes what an endpoint gets, and keeps the rest',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { endpoint, remove } = await createEndpoint(session, unusedUrl(session), ['lead.late'])
      const path = `/webhook_endpoints/${endpoint.id}`
      const url = unusedUrl(session)
      const changed = await session.patch(path, { url, events: ['callback.booked'] })
      const { status, campaign_ids, created } = endpoint
      contains(changed, accepted<object>(changed), { url, events: ['callback.booked'], status, campaign_ids, created })
      const read = await session.get(path)
      contains(read, accepted<object>(read), { url, events: ['callback.booked'] })
      await remove()
    },
  },
  {
    rule: 'W13',
    group: 'webhooks',
    title: 'An endpoint shows its secret neither when it is read nor when it is changed',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { id } = await ownEndpoint(session)
      const read = await session.get(`/webhook_endpoints/${id}`)
      expects(read, !('secret' in accepted<object>(read)), 'no secret')
      const changed = await session.patch(`/webhook_endpoints/${id}`, {})
      expects(changed, !('secret' in accepted<object>(changed)), 'no secret')
      const list = await session.get('/webhook_endpoints')
      expects(
        list,
        page<object>(list).items.every((one) => !('secret' in one)),
        'no secret',
      )
    },
  },
  {
    rule: 'W1',
    group: 'webhooks',
    title: 'An organization has at most 10 endpoints',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { items } = page<WebhookEndpoint>(await session.get('/webhook_endpoints'))
      const removals: (() => Promise<unknown>)[] = []
      const room = webhookEndpointsPerOrganization - items.length
      // Endpoints of the other mode count too, so the limit may come earlier.
      for (let number = 0; number <= room; number++) {
        const reply = await session.post('/webhook_endpoints', await newEndpoint(session, {}))
        if (reply.code === 'limit_reached') {
          refused(reply, 'limit_reached')
          break
        }
        const { id } = accepted<WebhookEndpointWithSecret>(reply, 201)
        const done = deleteAtEnd(session, id)
        removals.push(async () => {
          accepted(await session.del(`/webhook_endpoints/${id}`))
          done()
        })
        expects(reply, number < room, '403 limit_reached for the endpoint after the tenth')
      }
      for (const remove of removals) await remove()
    },
  },
]

const pauses: readonly Check[] = [
  {
    rule: 'W9',
    group: 'webhooks',
    title: 'A paused endpoint refuses test events and resends',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { id } = await ownEndpoint(session)
      const reply = await session.patch(`/webhook_endpoints/${id}`, { status: 'paused' })
      const paused = accepted<WebhookEndpoint>(reply)
      equals(reply, 'status', paused.status, 'paused')
      expects(reply, paused.paused_at !== null, 'a paused_at time')
      refused(await session.post(`/webhook_endpoints/${id}/test`, { type: 'lead.late' }), 'endpoint_paused')
      const resumed = await session.post(`/webhook_endpoints/${id}/resume`, {})
      contains(resumed, accepted<object>(resumed), { status: 'active', paused_at: null, resent: 0 })
    },
  },
  {
    rule: 'W9',
    group: 'webhooks',
    title: 'PATCH with status active resumes an endpoint; another status is refused',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { id } = await ownEndpoint(session)
      accepted(await session.patch(`/webhook_endpoints/${id}`, { status: 'paused' }))
      const reply = await session.patch(`/webhook_endpoints/${id}`, { status: 'active' })
      contains(reply, accepted<object>(reply), { status: 'active', paused_at: null })
      refused(await session.patch(`/webhook_endpoints/${id}`, { status: 'svc' }), 'invalid_request', {
        param: 'status',
      })
    },
  },
  {
    rule: 'W11',
    group: 'webhooks',
    title: 'A test event needs a known type',
    needs: ['webhooks:write', 'leads:read'],
    run: async (session) => {
      const { id } = await ownEndpoint(session)
      refused(await session.post(`/webhook_endpoints/${id}/test`, { type: 'svc' }), 'invalid_request', {
        param: 'type',
      })
    },
  },
]

const hourMs = 3_600_000

const secrets: readonly Check[] = [
  {
    rule: 'W4',
    group: 'webhooks',
    title: 'Rolling a secret shows a new one and says when the old one stops',
    needs: ['webhooks:write', 'leads:read'],
    run: async (session) => {
      const { endpoint, remove } = await createEndpoint(session, unusedUrl(session), ['lead.late'])
      const path = `/webhook_endpoints/${endpoint.id}/roll_secret`
      const graces: readonly (readonly [body: object, hours: number | null])[] = [
        [{}, 24],
        [{ grace_hours: 0 }, null],
      ]
      let previous = endpoint.secret
      for (const [body, hours] of graces) {
        const reply = await session.post(path, body)
        const rolled = accepted<WebhookEndpointWithSecret>(reply)
        session.options.addSecret(rolled.secret)
        expects(reply, /^whsec_/.test(rolled.secret) && rolled.secret !== previous, 'a new secret')
        previous = rolled.secret
        const expires = rolled.previous_secret_expires_at
        if (hours === null) equals(reply, 'previous_secret_expires_at', expires, null)
        else {
          const grace = Date.parse(expires ?? '') - Date.parse(rolled.updated)
          expects(
            reply,
            Math.abs(grace - hours * hourMs) < 60_000,
            `previous_secret_expires_at ${hours} hours after updated`,
          )
        }
      }
      refused(await session.post(path, { grace_hours: 169 }), 'invalid_request', { param: 'grace_hours' })
      await remove()
    },
  },
]

export const webhookChecks: readonly Check[] = withExtras(
  [...addresses, ...subscriptions, ...pauses, ...secrets],
  'in another form',
  'with a user name',
  'mapped into IPv6',
  'private IPv6',
  'a name of a private network',
  'another scheme',
  'not a URL',
  'names at least one known',
  'PATCH changes what',
  'A changed address',
  'The URL of an endpoint',
  'at most 10 endpoints',
  'PATCH with status active',
  'needs a known type',
)
