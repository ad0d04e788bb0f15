/** Who may ask: both schemes, every reason to be refused, and the permission of every endpoint. */
import { describe, expect, it } from 'vitest'
import { contract } from '../../src/contract/index.js'
import type { Endpoint } from '../../src/contract/base/endpoint.js'
import { permissions } from '../../src/contract/permissions.js'
import { simulate, type Simulation } from '../support/simulate.js'

const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
const ask = (sim: Simulation, authorization?: string) =>
  sim.send('GET', '/leads', { headers: authorization === undefined ? {} : { authorization } })

describe('a key', () => {
  // rule K1
  it('is taken by Basic and by Bearer, in either spelling of the scheme', async () => {
    const sim = await simulate()
    const { key_id, secret } = sim.live.key
    expect([key_id, secret]).toEqual([expect.stringMatching(/^ck_live_/), expect.stringMatching(/^cs_live_/)])
    for (const authorization of [
      basic(key_id, secret),
      `Bearer ${secret}`,
      `bearer ${secret}`,
      basic(key_id, secret).replace('Basic', 'BASIC'),
    ]) {
      expect((await ask(sim, authorization)).status).toBe(200)
    }
  })

  it.each<[string, (sim: Simulation) => string | undefined, string]>([
    ['is missing', () => undefined, 'missing_credentials'],
    ['is empty', () => '', 'missing_credentials'],
    ['has no scheme', (sim) => sim.live.key.secret, 'malformed_credentials'],
    ['has another scheme', (sim) => `Digest ${sim.live.key.secret}`, 'malformed_credentials'],
    ['is no base64', () => 'Basic !!!', 'malformed_credentials'],
    ['has no colon', () => `Basic ${Buffer.from('x').toString('base64')}`, 'malformed_credentials'],
    ['has a secret with a blank', (sim) => `Bearer ${sim.live.key.secret} x`, 'malformed_credentials'],
    ['is unknown', () => 'Bearer cs_live_nothing', 'unknown_key'],
    ['is a key id where the secret belongs', (sim) => `Bearer ${sim.live.key.key_id}`, 'unknown_key'],
    ['has an unknown id', (sim) => basic('ck_live_nothing', sim.live.key.secret), 'unknown_key'],
    ['has the secret of another key', (sim) => basic(sim.live.key.key_id, sim.test.key.secret), 'wrong_secret'],
    ['has half its secret', (sim) => basic(sim.live.key.key_id, sim.live.key.secret.slice(0, -1)), 'wrong_secret'],
    ['has no secret', (sim) => basic(sim.live.key.key_id, ''), 'wrong_secret'],
  ])('that %s is refused', async (_what, authorization, reason) => {
    const sim = await simulate()
    const reply = await ask(sim, authorization(sim))
    expect(reply.error).toMatchObject({ code: 'authentication_failed', type: 'authentication_error', reason })
    expect(reply.headers['www-authenticate']).toBeDefined()
    expect(JSON.stringify(reply.body)).not.toContain(sim.live.key.secret.slice(0, -1))
  })

  it.each(['revoked', 'disabled'] as const)('that is %s is refused', async (status) => {
    const sim = await simulate()
    const key = await sim.key()
    await sim.control('PATCH', `/_sim/keys/${key.key_id}`, { status })
    expect((await sim.as(key).get('/leads')).error).toMatchObject({ code: 'authentication_failed', reason: status })
    await sim.control('PATCH', `/_sim/keys/${key.key_id}`, { status: 'active' })
    expect((await sim.as(key).get('/leads')).status).toBe(200)
  })

  it('expires at its moment, by the simulated clock', async () => {
    const sim = await simulate()
    const key = sim.as(await sim.key({ expires_at: '2026-10-01T16:00:00Z' }))
    await sim.advance('2026-10-01T15:59:59.999Z')
    expect((await key.get('/leads')).status).toBe(200)
    await sim.advance('1ms')
    expect((await key.get('/leads')).error).toMatchObject({ code: 'authentication_failed', reason: 'expired' })
  })

  // rule K7
  it('comes before everything else: path, body and limits', async () => {
    const sim = await simulate()
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['POST', '/leads'],
      ['GET', '/leads?limit=x'],
    ] as const) {
      const reply = await sim.send(
        method,
        path,
        method === 'POST' ? { raw: '{', headers: { 'content-type': 'application/json' } } : {},
      )
      expect(reply.error.code).toBe('authentication_failed')
    }
  })
})

// rule K3
describe('a permission', () => {
  const gated = Object.entries(contract as Record<string, Endpoint>).filter(
    ([, endpoint]) => endpoint.permissions.length > 0,
  )
  const anId = 'b7a5d9a3-43f4-4fd1-9d59-6c4d2be0f1d5'

  it('is asked for by every endpoint', () => {
    expect(gated).toHaveLength(Object.keys(contract).length)
  })

  it.each(gated)('that is missing is named: %s', async (_name, { method, path, permissions: needed }) => {
    const sim = await simulate()
    for (const missing of needed) {
      const key = sim.as(await sim.key({ permissions: permissions.filter((one) => one !== missing) }))
      const { error } = await key.send(method, path.replaceAll(/\{\w+\}/g, anId))
      expect(error).toMatchObject({ code: 'permission_denied', type: 'permission_error', missing_permission: missing })
    }
  })

  it('comes before the reading of the body', async () => {
    const sim = await simulate()
    const key = sim.as(await sim.key({ permissions: [] }))
    const raw = { raw: '{', headers: { 'content-type': 'application/json' } }
    expect((await key.send('POST', '/leads', raw)).error.code).toBe('permission_denied')
    expect((await key.get('/leads?limit=x')).error.code).toBe('permission_denied')
  })

  it.each([
    ['lead.created', 'leads:read'],
    ['lead.queued', 'leads:read'],
    ['lead.opted_out', 'leads:read'],
    ['lead.late', 'leads:read'],
    ['callback.booked', 'leads:read'],
    ['call.started', 'calls:read'],
    ['call.answered', 'calls:read'],
    ['call.completed', 'calls:read'],
    ['lead.interested', 'calls:read'],
    ['handover.accepted', 'calls:read'],
    ['voicemail.left', 'calls:read'],
  ])('to subscribe to %s also needs %s', async (type, missing_permission) => {
    const sim = await simulate()
    const words = { url: 'https://203.0.114.1', events: [type] }
    const without = sim.as(await sim.key({ permissions: permissions.filter((one) => one !== missing_permission) }))
    expect((await without.post('/webhook_endpoints', words)).error).toMatchObject({
      code: 'permission_denied',
      missing_permission,
    })
    const enough = sim.as(await sim.key({ permissions: ['webhooks:write', missing_permission] }))
    expect((await enough.post('/webhook_endpoints', words)).status).toBe(201)
  })
})
