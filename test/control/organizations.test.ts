import { describe, expect, it } from 'vitest'
import { permissions } from '../../src/contract/permissions.js'
import type { Health } from '../../src/contract/control/health.js'
import type { Organization, World } from '../../src/contract/control/world.js'
import { version } from '../../simulator/index.js'
import { keyOf, simulate, type Simulation } from '../support/simulate.js'

const create = (sim: Simulation, words: object) => sim.ask<Organization>('POST', '/_sim/organizations', words)
const change = (sim: Simulation, id: string, words: object) =>
  sim.ask<Organization>('PATCH', `/_sim/organizations/${id}`, words)
const worldOf = (sim: Simulation) => sim.control<World>('GET', '/_sim/world')

describe('the health of a simulator', () => {
  it('is ready when it answers, and says which it is, what time it is and where the API is', async () => {
    const sim = await simulate()
    await sim.advance('1h')
    expect(await sim.control<Health>('GET', '/_sim/health')).toEqual({
      status: 'ok',
      version,
      now: '2026-10-01T16:00:00.000Z',
      base_url: `${sim.url}/api/v1/external`,
      local_webhooks: false,
    })
    const local = await simulate({ allowLocalWebhooks: true })
    expect(await local.control<Health>('GET', '/_sim/health')).toMatchObject({ local_webhooks: true })
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
  })
})

describe('the world', () => {
  it('holds one organization with an SDR, a closer, a running campaign and a key of either mode', async () => {
    const sim = await simulate()
    const { organizations } = await worldOf(sim)
    expect(organizations).toHaveLength(1)
    const [organization] = organizations
    expect(organization).toMatchObject({
      name: 'Acme Home Services',
      time_zone: 'America/New_York',
      recording: true,
      admins: [expect.stringMatching(/^\S+@\S+$/)],
      members: [{ role: 'sdr' }, { role: 'closer' }],
      campaigns: [{ status: 'running', lines: 5, consent_required: false }],
    })
    const usual = {
      permissions: [...permissions],
      campaign_ids: null,
      status: 'active',
      expires_at: null,
      limits: { concurrent_requests: 20, requests_per_minute: 120, burst: 20, leads_per_minute: 60 },
    }
    expect(organization?.keys).toMatchObject([
      {
        mode: 'live',
        key_id: expect.stringMatching(/^ck_live_/),
        secret: expect.stringMatching(/^cs_live_/),
        ...usual,
      },
      {
        mode: 'test',
        key_id: expect.stringMatching(/^ck_test_/),
        secret: expect.stringMatching(/^cs_test_/),
        ...usual,
      },
    ])
  })

  it('has its ids and secrets from the seed, those of what is made later too', async () => {
    const made = async (seed: number) => {
      const sim = await simulate({ seed })
      await create(sim, { name: 'Other' })
      await sim.campaign()
      await sim.key()
      return await worldOf(sim)
    }
    const first = await made(1)
    expect(await made(1)).toEqual(first)
    expect(JSON.stringify(await made(2))).not.toContain(first.organizations[0]?.keys[0]?.secret)
  })
})

describe('an organization that is made', () => {
  it('is ready: people, a running campaign, and a key of either mode, all its own', async () => {
    const sim = await simulate()
    const { status, data } = await create(sim, { name: 'Other' })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      name: 'Other',
      campaigns: [{ status: 'running' }],
      members: [{ role: 'sdr' }, { role: 'closer' }],
      keys: [{ mode: 'live' }, { mode: 'test' }],
    })
    expect((await worldOf(sim)).organizations).toEqual([sim.organization, data])
    const words = { campaign_id: data.campaigns[0]?.id, phone: sim.phone() }
    for (const mode of ['live', 'test'] as const)
      expect((await sim.as(keyOf(data, mode)).post('/leads', words)).status).toBe(201)
    expect(await sim.live.all('/leads')).toEqual([])
    const ids = [data, sim.organization].flatMap(({ id, members, campaigns, keys }) => [
      id,
      ...members.map((member) => member.id),
      ...campaigns.map((campaign) => campaign.id),
      ...keys.flatMap(({ key_id, secret }) => [key_id, secret]),
    ])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('is as it was asked for, and as it is changed to', async () => {
    const sim = await simulate()
    const words = {
      name: 'Other',
      time_zone: 'America/Los_Angeles',
      requests_per_minute: 7,
      rate_usd_per_minute: 0.5,
      recording: false,
    }
    const { data } = await create(sim, words)
    expect(data).toMatchObject(words)
    for (const [name, value] of Object.entries({
      name: 'Another',
      time_zone: 'Europe/Berlin',
      requests_per_minute: 8,
      rate_usd_per_minute: 0,
      recording: true,
    })) {
      const changed = await change(sim, data.id, { [name]: value })
      expect(changed.status).toBe(200)
      expect(changed.data).toMatchObject({ id: data.id, [name]: value })
    }
    const unchanged = await change(sim, data.id, {})
    expect(unchanged.data).toMatchObject({ name: 'Another', time_zone: 'Europe/Berlin', recording: true })
  })

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'X', time_zone: 'Mars/Base' }, 'time_zone'],
    [{ name: 'X', requests_per_minute: 0 }, 'requests_per_minute'],
    [{ name: 'X', rate_usd_per_minute: -1 }, 'rate_usd_per_minute'],
    [{ name: 'X', recording: 'yes' }, 'recording'],
    [{ name: 'X', admins: [] }, 'admins'],
  ])('is refused as %j, and none is made', async (words, param) => {
    const sim = await simulate()
    expect((await create(sim, words)).error).toMatchObject({ code: 'invalid_request', param })
    expect((await worldOf(sim)).organizations).toHaveLength(1)
  })

  it('must be there to be changed', async () => {
    const sim = await simulate()
    expect((await change(sim, 'nobody', { name: 'X' })).error.code).toBe('not_found')
    expect((await change(sim, sim.organization.id, { time_zone: 'Mars/Base' })).error.param).toBe('time_zone')
  })
})

describe('what a route is about when it does not say', () => {
  it('is live, and the first organization', async () => {
    const sim = await simulate()
    const other = (await create(sim, { name: 'Other' })).data
    const phone = sim.phone()
    const client = { live: sim.as(keyOf(other, 'live')), test: sim.as(keyOf(other, 'test')) }
    const listed = async (key: typeof client.live) =>
      (await key.all<{ phone: string }>('/dnc', 'cursor')).map((entry) => entry.phone)
    await sim.control('POST', '/_sim/dnc', { phones: [phone], source: 'manual' })
    expect([await listed(sim.live), await listed(sim.test), await listed(client.live)]).toEqual([[phone], [], []])
    await sim.control('POST', '/_sim/dnc', { phones: [phone], source: 'bulk', mode: 'test', organization_id: other.id })
    expect([await listed(client.test), await listed(client.live), await listed(sim.test)]).toEqual([[phone], [], []])
    expect((await sim.key({ mode: undefined })).mode).toBe('live')
    expect((await sim.campaign({ organization_id: other.id })).id).toBeDefined()
    expect((await client.live.get<object[]>('/campaigns')).data).toHaveLength(2)
  })

  it.each([
    ['/_sim/keys', { mode: 'live' }],
    ['/_sim/campaigns', { name: 'X' }],
    ['/_sim/texts', { from: '+16462010000', body: 'STOP' }],
    ['/_sim/dnc', { phones: ['+16462010000'], source: 'manual' }],
    ['/_sim/scripts', { phone: '+16462010000', calls: [{ answer: 'busy' }] }],
  ])('must be there where it is named: POST %s', async (path, words) => {
    const sim = await simulate()
    const { error } = await sim.ask('POST', path, { ...words, organization_id: 'nobody' })
    expect(error).toMatchObject({ code: 'not_found', param: 'organization_id' })
  })
})
