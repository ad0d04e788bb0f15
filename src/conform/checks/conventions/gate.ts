/** Checks of authentication, permissions and the order of the gate (rules C1, K1 to K7). */
import { contract } from '../../../contract/index.js'
import type { Endpoint } from '../../../contract/base/endpoint.js'
import type { Permission } from '../../../contract/permissions.js'
import { permissions } from '../../../contract/permissions.js'
import { withExtras, type Check } from '../../check.js'
import { cannotAsk, equals, expects, refused } from '../../expect.js'
import { isNotPermitted, permissionProbes } from '../../permissions.js'
import type { Reply } from '../../requests/reply.js'
import type { Method } from '../../requests/requester.js'
import type { Session } from '../../session.js'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Credentials that no key has, with the reason of each 401. */
const badCredentials: readonly (readonly [what: string, authorization: string | null, reason: string])[] = [
  ['no credentials', null, 'missing_credentials'],
  ['an unknown scheme', 'Digest abc', 'malformed_credentials'],
  ['a scheme without credentials', 'Bearer', 'malformed_credentials'],
  ['Basic credentials that are not base64', 'Basic ***', 'malformed_credentials'],
  ['Basic credentials without a colon', `Basic ${base64('ck_test_0')}`, 'malformed_credentials'],
  ['an unknown key id', `Basic ${base64('ck_test_svcconform:cs_test_svcconform')}`, 'unknown_key'],
  ['an unknown secret', 'Bearer cs_test_svcconformunknown', 'unknown_key'],
]

function unauthenticated(reply: Reply, reason?: string): void {
  refused(reply, 'authentication_failed', reason === undefined ? {} : { reason })
  const schemes = reply.headers['www-authenticate'] ?? ''
  expects(reply, /\bBasic\b/i.test(schemes) && /\bBearer\b/i.test(schemes), 'WWW-Authenticate with Basic and Bearer')
}

const authentication: readonly Check[] = badCredentials.map(([what, authorization, reason]) => ({
  rule: 'K1',
  group: 'gate',
  title: `A request with ${what} is refused with reason ${reason}`,
  run: async (session) => unauthenticated(await session.get('/leads?limit=1', { authorization }), reason),
}))

const schemes: readonly Check[] = [
  {
    rule: 'K1',
    group: 'gate',
    title: 'The secret is accepted as a Bearer token, in any case of the scheme',
    run: async (session) => {
      const { key } = session.options.requester.options
      const reply = await session.get('/leads?limit=1', { authorization: `bearer ${key.secret}` })
      expects(reply, reply.status !== 401, 'a reply other than 401')
    },
  },
  {
    rule: 'K1',
    group: 'gate',
    title: 'Key id and secret are accepted by HTTP Basic',
    run: async (session) => {
      const { key } = session.options.requester.options
      if (key.id === undefined) cannotAsk('the id of the key is not known')
      const basic = await session.get('/leads?limit=1', { authorization: `Basic ${base64(`${key.id}:${key.secret}`)}` })
      expects(basic, basic.status !== 401, 'a reply other than 401')
    },
  },
  {
    rule: 'K1',
    group: 'gate',
    title: 'A wrong secret of a known key is refused with reason wrong_secret',
    run: async (session) => {
      const { key } = session.options.requester.options
      if (key.id === undefined) cannotAsk('the id of the key is not known')
      const authorization = `Basic ${base64(`${key.id}:${key.secret}x`)}`
      unauthenticated(await session.get('/leads?limit=1', { authorization }), 'wrong_secret')
    },
  },
  {
    rule: 'K1',
    group: 'gate',
    title: 'The secret of a key is compared as a whole',
    run: async (session) => {
      const { key } = session.options.requester.options
      const others = [key.secret.slice(0, -1), otherCase(key.secret)].filter((secret) => secret !== key.secret)
      for (const secret of others)
        unauthenticated(await session.get('/leads?limit=1', { authorization: `Bearer ${secret}` }))
    },
  },
]

/** The text with its last letter in the other case. */
const otherCase = (secret: string): string =>
  secret.replace(/[a-z](?=[^a-z]*$)/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

const order: readonly Check[] = [
  {
    rule: 'K7',
    group: 'gate',
    title: 'Authentication comes before validation',
    run: async (session) => {
      unauthenticated(await session.send('POST', '/leads', { raw: '{', authorization: null }))
    },
  },
  {
    rule: 'K7',
    group: 'gate',
    title: 'Authentication comes before the path is looked up',
    run: async (session) => {
      unauthenticated(await session.get('/svc-conform', { authorization: null }))
    },
  },
  {
    rule: 'K7',
    group: 'gate',
    title: 'Permission comes before validation',
    run: async (session) => {
      const lacked = await lackedPermissions(session)
      const endpoint = everyEndpoint().find(({ endpoint }) => lacked.includes(endpoint.permissions[0] as Permission))
      if (!endpoint) cannotAsk('the key has every permission')
      const reply = await askInvalid(session, endpoint.endpoint)
      refused(reply, 'permission_denied')
    },
  },
  {
    rule: 'K7',
    group: 'gate',
    title: 'Validation comes before idempotency',
    needs: ['dnc:write'],
    run: async (session) => {
      const ask = { idempotencyKey: session.madeUp.name('order') }
      refused(await session.post('/dnc', { phone: 'svc-conform' }, ask), 'invalid_phone')
      refused(await session.post('/dnc', { phone: 1 }, ask), 'invalid_request')
    },
  },
  {
    rule: 'C1',
    group: 'gate',
    title: 'An unknown path gives 404',
    run: async (session) => {
      refused(await session.get('/svc-conform'), 'not_found')
    },
  },
  ...(['DELETE /leads', 'PUT /leads', 'POST /events', 'PATCH /dnc'] as const).map((line): Check => {
    const [method, path] = line.split(' ') as [Method, string]
    return {
      rule: 'C1',
      group: 'gate',
      title: `A wrong method gives 404: ${line}`,
      run: async (session) => {
        refused(await session.send(method, path, method === 'DELETE' ? {} : { body: {} }), 'not_found')
      },
    }
  }),
]

function everyEndpoint(): { name: string; endpoint: Endpoint }[] {
  return Object.entries(contract).map(([name, endpoint]) => ({ name, endpoint }))
}

async function lackedPermissions(session: Session): Promise<Permission[]> {
  const lacked: Permission[] = []
  for (const permission of permissions) if (!(await session.can(permission))) lacked.push(permission)
  return lacked
}

/** Asks an endpoint with parameters that validation refuses, so that nothing happens if the permission is not checked. */
function askInvalid(session: Session, { method, path }: Endpoint): Promise<Reply> {
  const filled = path.replaceAll(/\{\w+\}/g, () => session.madeUp.uuid())
  if (method === 'GET') return session.get(`${filled}?limit=x&period=x&format=x`)
  return session.send(method, filled, method === 'DELETE' ? {} : { body: { svc_conform: true } })
}

const permissionChecks: readonly Check[] = [
  {
    rule: 'K3',
    group: 'gate',
    title: 'Each endpoint that needs a permission the key lacks names it',
    run: async (session) => {
      const lacked = await lackedPermissions(session)
      if (lacked.length === 0) cannotAsk('the key has every permission; run again with a key that has few')
      for (const { endpoint } of everyEndpoint()) {
        const missing = endpoint.permissions.find((one) => lacked.includes(one))
        if (missing === undefined) continue
        const reply = await askInvalid(session, endpoint)
        const error = refused(reply, 'permission_denied')
        equals(reply, 'missing_permission', error['missing_permission'], missing)
      }
    },
  },
  {
    rule: 'K3',
    group: 'gate',
    title: 'A valid request needs the permission as well',
    run: async (session) => {
      const lacked = await lackedPermissions(session)
      if (lacked.length === 0) cannotAsk('the key has every permission; run again with a key that has few')
      for (const permission of lacked) {
        const [method, path, body] = permissionProbes[permission]
        const reply = await session.send(method, path, { body })
        expects(reply, isNotPermitted(reply), `403 permission_denied, missing_permission ${permission}`)
      }
    },
  },
  {
    rule: 'K3',
    group: 'gate',
    title: 'A subscription needs the permission to read its events',
    needs: ['webhooks:write'],
    run: async (session) => {
      const missing = !(await session.can('calls:read'))
        ? 'calls:read'
        : !(await session.can('leads:read'))
          ? 'leads:read'
          : null
      if (missing === null) cannotAsk('the key may read leads and calls')
      const type = missing === 'calls:read' ? 'voicemail.left' : 'lead.late'
      const reply = await session.post('/webhook_endpoints', { url: 'https://example.com/svc-conform', events: [type] })
      const error = refused(reply, 'permission_denied')
      equals(reply, 'missing_permission', error['missing_permission'], missing)
    },
  },
]

/** Endpoints that address one object by its id. */
const addressed: readonly (readonly [Method, string, Permission, object?])[] = [
  ['GET', '/leads/{id}', 'leads:read'],
  ['PATCH', '/leads/{id}', 'leads:write', { name: 'x' }],
  ['POST', '/leads/{id}/opt_out', 'leads:write', {}],
  ['GET', '/calls/{id}', 'calls:read'],
  ['GET', '/calls/{id}/recording', 'calls:read'],
  ['GET', '/calls/{id}/transcript', 'calls:read'],
  ['POST', '/calls', 'calls:write', { lead_id: '{id}' }],
  ['DELETE', '/dnc/{id}', 'dnc:write'],
  ['GET', '/campaigns/{id}', 'campaigns:read'],
  ['POST', '/campaigns/{id}/pause', 'campaigns:write'],
  ['POST', '/campaigns/{id}/leads', 'leads:write', { phone: '+12125557812', dry_run: true }],
  ['GET', '/webhook_endpoints/{id}', 'webhooks:read'],
  ['PATCH', '/webhook_endpoints/{id}', 'webhooks:write', { status: 'paused' }],
  ['DELETE', '/webhook_endpoints/{id}', 'webhooks:write'],
  ['GET', '/webhook_endpoints/{id}/deliveries', 'webhooks:read'],
  ['POST', '/webhook_endpoints/{id}/roll_secret', 'webhooks:write', {}],
]

const unknownObjects: readonly Check[] = addressed.map(([method, path, permission, body]) => ({
  rule: 'K6',
  group: 'gate',
  title: `An object that the key does not have is 404: ${method} ${path}`,
  needs: [permission],
  run: async (session) => {
    const id = session.madeUp.uuid()
    const filled = body && (JSON.parse(JSON.stringify(body).replace('{id}', id)) as object)
    refused(await session.send(method, path.replace('{id}', id), { body: filled }), 'not_found')
  },
}))

const malformedIds: readonly Check[] = [
  {
    rule: 'C5',
    group: 'gate',
    title: 'An id in a path that is not a UUID gives 404',
    needs: ['leads:read'],
    run: async (session) => {
      refused(await session.get('/leads/svc-conform'), 'not_found')
    },
  },
  {
    rule: 'C5',
    group: 'gate',
    title: 'An id in a query that is not a UUID gives 400',
    needs: ['leads:read'],
    run: async (session) => {
      refused(await session.get('/leads?campaign_id=svc-conform'), 'invalid_request', { param: 'campaign_id' })
    },
  },
]

export const gateChecks: readonly Check[] = withExtras(
  [...authentication, ...schemes, ...order, ...permissionChecks, ...unknownObjects, ...malformedIds],
  'Permission comes before validation',
  'a scheme without credentials',
  'that are not base64',
  'without a colon',
  'accepted by HTTP Basic',
  '404: PUT',
  '404: POST /events',
  '404: PATCH /dnc',
  '/opt_out',
  '/recording',
  '/transcript',
  '404: POST /calls',
  '/pause',
  '404: PATCH /webhook_endpoints',
  '404: DELETE /webhook_endpoints',
  '/deliveries',
  '/roll_secret',
  '404: GET /campaigns',
  '404: PATCH /leads',
)
