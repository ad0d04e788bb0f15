import { describe, expect, it } from 'vitest'
import type { Key } from '../../src/contract/control/keys.js'
import { permissions } from '../../src/contract/permissions.js'
import { simulate, type Simulation } from '../support/simulate.js'

const create = (sim: Simulation, words: object) => sim.ask<Key>('POST', '/_sim/keys', words)
const change = (sim: Simulation, key: Key, words: object) => sim.ask<Key>('PATCH', `/_sim/keys/${key.key_id}`, words)

/** The status of a key's request for leads, with the reason of a refusal. */
async function asked(sim: Simulation, key: Key) {
  const reply = await sim.as(key).get('/leads')
  return reply.status === 200 ? 200 : (reply.error.reason ?? reply.error.code)
}

describe('a key that is made', () => {
  it('has every permission, every campaign and the usual limits unless told otherwise', async () => {
    const sim = await simulate()
    const { status, data } = await create(sim, { mode: 'test' })
    expect(status).toBe(201)
    expect(data).toEqual({
      key_id: expect.stringMatching(/^ck_test_\w{20}$/) as string,
      secret: expect.stringMatching(/^cs_test_\w{32}$/) as string,
      name: 'test key',
      mode: 'test',
      permissions: [...permissions],
      campaign_ids: null,
      status: 'active',
      expires_at: null,
      limits: { concurrent_requests: 20, requests_per_minute: 120, burst: 20, leads_per_minute: 60 },
    })
    expect(await asked(sim, data)).toBe(200)
    await sim.look()
    expect(sim.organization.keys).toContainEqual(data)
  })

  it('is as it was asked for', async () => {
    const sim = await simulate()
    const words = {
      name: 'Reader',
      mode: 'live',
      permissions: ['leads:read'],
      campaign_ids: [sim.campaignId],
      limits: { leads_per_minute: 3 },
      expires_at: '2026-10-02T15:00:00.000Z',
    }
    const { data } = await create(sim, { ...words, expires_at: '2026-10-02T17:00:00+02:00' })
    expect(data).toMatchObject({
      ...words,
      limits: { concurrent_requests: 20, requests_per_minute: 120, burst: 20, leads_per_minute: 3 },
    })
    expect(await asked(sim, data)).toBe(200)
    expect((await sim.as(data).get('/calls')).error).toMatchObject({ missing_permission: 'calls:read' })
  })

  it.each([
    [{ permissions: ['leads:fly'] }, 400, 'permissions[0]'],
    [{ campaign_ids: ['nothing'] }, 400, 'campaign_ids[0]'],
    [{ campaign_ids: ['0b6f3c1e-4d5a-4e6f-8a9b-0c1d2e3f4a5b'] }, 404, 'campaign_ids'],
    [{ mode: 'real' }, 400, 'mode'],
    [{ limits: { concurrent_requests: 51 } }, 400, 'limits.concurrent_requests'],
    [{ limits: { concurrent_requests: 0 } }, 400, 'limits.concurrent_requests'],
    [{ limits: { calls: 1 } }, 400, 'limits.calls'],
    [{ expires_at: 'soon' }, 400, 'expires_at'],
    [{ status: 'revoked' }, 400, 'status'],
  ])('is refused as %j, and none is made', async (words, status, param) => {
    const sim = await simulate()
    const reply = await create(sim, words)
    expect([reply.status, reply.error.param]).toEqual([status, param])
    await sim.look()
    expect(sim.organization.keys).toHaveLength(2)
  })

  it('cannot be for a campaign of another organization', async () => {
    const sim = await simulate()
    const other = await sim.control<{ id: string }>('POST', '/_sim/organizations', { name: 'Other' })
    const words = { organization_id: other.id, campaign_ids: [sim.campaignId] }
    expect((await create(sim, words)).error).toMatchObject({ code: 'not_found', param: 'campaign_ids' })
  })
})

describe('a key that is changed', () => {
  it.each(['revoked', 'disabled'] as const)(
    'to %s is refused from then on, and works again when it is active',
    async (status) => {
      const sim = await simulate()
      const key = await sim.key()
      expect((await change(sim, key, { status })).data).toEqual({ ...key, status })
      expect(await asked(sim, key)).toBe(status)
      await change(sim, key, { status: 'active' })
      expect(await asked(sim, key)).toBe(200)
    },
  )

  it('expires by the simulated clock, at once with a time that is past, and not at all with null', async () => {
    const sim = await simulate()
    const key = await sim.key()
    await change(sim, key, { expires_at: '2026-10-02T15:00:00Z' })
    await sim.advance('2026-10-02T14:59:59.999Z')
    expect(await asked(sim, key)).toBe(200)
    await sim.advance('1ms')
    expect(await asked(sim, key)).toBe('expired')
    expect((await change(sim, key, { expires_at: null })).data.expires_at).toBeNull()
    expect(await asked(sim, key)).toBe(200)
    await change(sim, key, { expires_at: '2000-01-01T00:00:00Z' })
    expect(await asked(sim, key)).toBe('expired')
  })

  it('has other permissions and campaigns from the next request on', async () => {
    const sim = await simulate()
    const key = await sim.key()
    const other = await sim.campaign()
    const { id } = await sim.lead()
    await change(sim, key, { permissions: ['calls:read'] })
    expect(await asked(sim, key)).toBe('permission_denied')
    await change(sim, key, { permissions: ['leads:read'], campaign_ids: [other.id] })
    expect((await sim.as(key).get(`/leads/${id}`)).status).toBe(404)
    await change(sim, key, { campaign_ids: null })
    expect((await sim.as(key).get(`/leads/${id}`)).status).toBe(200)
  })

  it('keeps the limits that are not named, and is held to those that are', async () => {
    const sim = await simulate({ limits: true })
    const key = await sim.key({ limits: { burst: 7 } })
    const { limits } = (await change(sim, key, { limits: { requests_per_minute: 2 } })).data
    expect(limits).toEqual({ concurrent_requests: 20, requests_per_minute: 2, burst: 7, leads_per_minute: 60 })
    const answers = [await asked(sim, key), await asked(sim, key), await asked(sim, key)]
    expect(answers).toEqual([200, 200, 'rate_limited'])
  })

  it('must be there, and stays itself', async () => {
    const sim = await simulate()
    const { key } = sim.live
    expect((await change(sim, { ...key, key_id: 'ck_live_nobody' }, { status: 'revoked' })).status).toBe(404)
    for (const [words, param] of [
      [{ mode: 'test' }, 'mode'],
      [{ secret: 'cs_live_mine' }, 'secret'],
      [{ name: 'X' }, 'name'],
      [{ status: 'asleep' }, 'status'],
    ] as const)
      expect((await change(sim, key, words)).error).toMatchObject({ code: 'invalid_request', param })
    await sim.look()
    expect(sim.live.key).toEqual(key)
  })
})
