/**
 * Every endpoint of the contract, asked about what belongs to another world, another organization, the other mode or a
 * campaign outside the key's scope: the reply is the same as for an unknown name, and nothing changes for the owner.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Organization } from '../../src/contract/control/world.js'
import { isWrite } from '../../src/contract/base/endpoint.js'
import type { Event } from '../../src/contract/events.js'
import { contract, type EndpointName } from '../../src/contract/index.js'
import { startSimulator } from '../../simulator/index.js'
import { endpointAt } from '../support/check-reply.js'
import { Follower } from '../support/programs/follower.js'
import { freshPhone, nobody, receiver, rows, type Ask, type Names } from '../support/named-to.js'
import { keyOf, Simulation, type Client } from '../support/simulate.js'
import { lookAt } from '../support/world-host.js'

const tenants = [
  'live of one',
  'second campaign of one',
  'test of one',
  'live of the other',
  'live of another world',
] as const
type Tenant = (typeof tenants)[number]
const watchers = [
  'live of one',
  'first campaign of one',
  'test of one',
  'live of the other',
  'live of another world',
] as const
type Watcher = (typeof watchers)[number]
type Border = 'world' | 'organization' | 'mode' | 'campaign'

/** Whom each key must not meet, and what is between them. */
const borders: Readonly<Record<Watcher, Partial<Record<Tenant, Border>>>> = {
  'live of one': {
    'test of one': 'mode',
    'live of the other': 'organization',
    'live of another world': 'world',
  },
  'first campaign of one': {
    'second campaign of one': 'campaign',
    'test of one': 'mode',
    'live of the other': 'organization',
  },
  'test of one': { 'live of one': 'mode', 'second campaign of one': 'mode', 'live of the other': 'organization' },
  'live of the other': {
    'live of one': 'organization',
    'second campaign of one': 'organization',
    'test of one': 'organization',
  },
  'live of another world': { 'live of one': 'world', 'test of one': 'world', 'live of the other': 'world' },
}

/** What both sides of a border share: the numbers and the list of an organization, the campaigns of its modes. */
const shared: Readonly<Record<Border, readonly (keyof Names)[]>> = {
  world: [],
  organization: [],
  mode: ['campaign'],
  campaign: ['phone', 'dnc'],
}

let sim: Simulation
let otherWorld: Simulation
const clients = {} as Record<Watcher, Client>
const owners = {} as Record<Tenant, Client>
const things = {} as Record<Tenant, Names>

/** A campaign's lead that was called, its call, its number on the list, its endpoint with a delivery. */
async function furnish(client: Client, campaign: string, n: number): Promise<Names> {
  const sim = client.simulation
  const [phone, external] = [`+1212736${4000 + n}`, `crm-${n}`]
  const script = { answer: 'person', talk_seconds: 60, outcome: 'interested' }
  const { mode } = client.key
  const { organizations } = await sim.control<{ organizations: Organization[] }>('GET', '/_sim/world')
  const organization = organizations.find(({ keys }) => keys.some((key) => key.key_id === client.key.key_id))
  await sim.control('POST', '/_sim/scripts', { phone, mode, organization_id: organization?.id, calls: [script] })
  const { id: lead } = await sim.lead({ campaign_id: campaign, phone, external_id: external, name: 'Mine' }, client)
  const words = { url: `${receiver}${n}`, events: ['lead.late'], campaign_ids: [campaign] }
  const { data: endpoint } = await client.post<{ id: string }>('/webhook_endpoints', words)
  const test = await client.post<{ id: string }>(`/webhook_endpoints/${endpoint.id}/test`, { type: 'lead.late' })
  const { data: listed } = await client.post<{ id: string }>('/dnc', { phone: `+1212736${5000 + n}` })
  const { calls } = await sim.readLead(lead, client)
  const [event] = await client.all<Event>('/events')
  return {
    ...{ campaign, lead, call: calls[0]?.id ?? '', dnc: listed.id, endpoint: endpoint.id, delivery: test.data.id },
    ...{ event: event?.id ?? '', external, phone },
  }
}

beforeAll(async () => {
  const simulator = await startSimulator({ now: '2026-10-01T15:00:00Z', paused: true, limits: false })
  sim = new Simulation(simulator, [])
  await sim.look()
  otherWorld = await lookAt(await simulator.createWorld({ seed: 2 }))
  const second = await sim.campaign()
  const other = await sim.control<Organization>('POST', '/_sim/organizations', { name: 'Other' })
  const scoped = await sim.key({ campaign_ids: [sim.campaignId] })
  const ofOther = sim.as(keyOf(other, 'live'))
  Object.assign(clients, {
    ...{ 'live of one': sim.live, 'first campaign of one': sim.as(scoped) },
    ...{ 'test of one': sim.test, 'live of the other': ofOther, 'live of another world': otherWorld.live },
  })
  Object.assign(owners, {
    ...{ 'live of one': sim.live, 'second campaign of one': sim.live },
    ...{ 'test of one': sim.test, 'live of the other': ofOther, 'live of another world': otherWorld.live },
  })
  const campaigns: Record<Tenant, string> = {
    ...{ 'live of one': sim.campaignId, 'second campaign of one': second.id, 'test of one': sim.campaignId },
    'live of the other': other.campaigns[0]?.id ?? '',
    'live of another world': otherWorld.campaignId,
  }
  for (const [n, tenant] of tenants.entries()) things[tenant] = await furnish(owners[tenant], campaigns[tenant], n)
  await sim.advance('10m')
  await otherWorld.advance('10m')
})
afterAll(() => sim.simulator.close())

/** Whose things a key may name as its own. */
const ownOf: Readonly<Record<Watcher, Tenant>> = {
  'live of one': 'live of one',
  'first campaign of one': 'live of one',
  'test of one': 'test of one',
  'live of the other': 'live of the other',
  'live of another world': 'live of another world',
}

/** The watcher with the same borders as a tenant. */
const ownWatcher: Readonly<Record<Tenant, Watcher>> = {
  ...{ 'live of one': 'live of one', 'second campaign of one': 'live of one' },
  ...{ 'test of one': 'test of one', 'live of the other': 'live of the other' },
  'live of another world': 'live of another world',
}
let phones = 0

/** Finds the names in a request that was built with unknown names. */
function namesIn(ask: Ask | undefined): (keyof Names)[] {
  const text = JSON.stringify(ask ?? null)
  return (Object.keys(nobody) as (keyof Names)[]).filter((name) => text.includes(nobody[name].replace(/^\+1/, '')))
}

/** The answer, its own ids and the names that were sent left out of it. */
async function answer(
  client: Client,
  name: EndpointName,
  { path, body }: Ask,
  sent: readonly string[],
): Promise<string> {
  const { method } = contract[name]
  const reply = await client.send(method, path, { body })
  let text = JSON.stringify([reply.status, reply.headers['retry-after'], reply.body])
  for (const one of sent) text = text.replaceAll(one, '<sent>')
  return text.replaceAll(/"(request_id|id|createdAt)":"[^"]*"/g, '"$1"')
}

/** What the owner sees of it all. */
async function seen(tenant: Tenant): Promise<unknown[]> {
  const { lead, call, endpoint, campaign } = things[tenant]
  const paths = [`/leads/${lead}`, `/calls/${call}`, `/campaigns/${campaign}`, `/webhook_endpoints/${endpoint}`]
  const read = async (path: string) => (await owners[tenant].get(path)).body
  const lists = [`/webhook_endpoints/${endpoint}/deliveries`, '/events', '/leads', '/calls']
  return Promise.all([...paths, ...lists].map(read))
}

/** Takes numbers off the list again that it was asked to put there. */
async function forget(client: Client, phones: readonly string[]): Promise<void> {
  const listed = await client.all<{ id: string; phone: string }>('/dnc', 'cursor')
  for (const { id, phone } of listed) if (phones.includes(phone)) await client.del(`/dnc/${id}`)
}

const pairs = watchers.flatMap((watcher) =>
  (Object.entries(borders[watcher]) as [Tenant, Border][]).map(([tenant, border]) => ({ watcher, tenant, border })),
)

describe.each(pairs)('to the key of $watcher, the things of $tenant', ({ watcher, tenant, border }) => {
  it('are as those of nobody, whatever it asks', async () => {
    const [client, others, own] = [clients[watcher], things[tenant], things[ownOf[watcher]]]
    const before = await seen(tenant)
    for (const name of Object.keys(contract) as EndpointName[]) {
      for (const [n, ask] of rows[name](others, own).entries()) {
        const absent = rows[name](nobody, own)[n]
        const names = namesIn(absent)
        if (!absent || names.some((one) => shared[border].includes(one))) continue
        expect(endpointAt(contract, contract[name].method, ask.path), ask.path).toBe(contract[name])
        const told = (of: Names, what: Ask) =>
          answer(
            client,
            name,
            what,
            names.map((one) => of[one]),
          )
        const got = await told(others, ask)
        // A key may learn that it does not cover a campaign of its organization.
        const isOutside = border === 'campaign' && isWrite(contract[name]) && names.includes('campaign')
        if (isOutside) expect(got, `${name} ${ask.path}`).toMatch(/permission_denied/)
        else expect(got, `${name} ${ask.path}`).toBe(await told(nobody, absent))
        await forget(client, [others.phone, nobody.phone])
      }
    }
    expect(await seen(tenant)).toEqual(before)
  })

  it('are in no list it reads', async () => {
    const [client, others] = [clients[watcher], things[tenant]]
    const hidden = (Object.keys(others) as (keyof Names)[]).filter((name) => !shared[border].includes(name))
    for (const path of [
      '/leads',
      '/calls',
      '/events',
      '/dnc',
      '/webhook_endpoints',
      '/campaigns',
      '/usage?group_by=campaign',
    ]) {
      const text = JSON.stringify((await client.get(path)).body)
      for (const name of hidden) expect(text, `${path} shows ${name}`).not.toContain(others[name])
    }
  })

  it('are not replayed, however an Idempotency-Key of theirs is used', async () => {
    const key = { 'idempotency-key': `${watcher} and ${tenant}`.replaceAll(' ', '-') }
    const post = (client: Client) => client.post('/dnc/batch', { phones: [freshPhone] }, key)
    await post(owners[tenant])
    const { status, headers } = await post(clients[watcher])
    expect([status, headers['idempotent-replayed']]).toEqual([200, undefined])
    expect((await post(clients[watcher])).headers['idempotent-replayed']).toBe('true')
  })
})

/** Globs for everything, and for what all tenants have. */
const globs = ['*', '**', '/**', '/leads/**', '/*/*', '/calls/*']

describe('the control plane, asked with globs about one side only', () => {
  it.each(globs)('the request log of one key has no requests of another key: %s', async (path) => {
    for (const watcher of watchers) {
      const { key_id } = clients[watcher].key
      await clients[watcher].get(`/leads/${things[ownOf[watcher]].lead}`)
      const query = new URLSearchParams({ path, key_id, limit: '1000' }).toString()
      const logged = await clients[watcher].simulation.control<{ key_id: string }[]>('GET', `/_sim/requests?${query}`)
      expect(new Set([key_id, ...logged.map((request) => request.key_id)])).toEqual(new Set([key_id]))
    }
  })

  it.each(['*', '**', 'lead.*', '*.created,transition.*,*', 'lead.created'])(
    'the stream of one mode or organization has no events of another: %s',
    async (types) => {
      const followers = await Promise.all(
        tenants.map(async (tenant) => {
          const { mode, key_id } = owners[tenant].key
          const { simulation } = owners[tenant]
          const { organizations } = await simulation.control<{ organizations: Organization[] }>('GET', '/_sim/world')
          const own = organizations.find(({ keys }) => keys.some((key) => key.key_id === key_id))
          const query = new URLSearchParams({ types, mode, organization_id: own?.id ?? '' }).toString()
          return { tenant, follower: await Follower.open(simulation, `?${query}`) }
        }),
      )
      const added: Partial<Record<Tenant, string>> = {}
      for (const tenant of tenants) {
        const words = { campaign_id: things[tenant].campaign, phone: `+1212738${String(++phones).padStart(4, '0')}` }
        added[tenant] = (await owners[tenant].simulation.lead(words, owners[tenant])).id
      }
      for (const { tenant, follower } of followers) {
        const text = () => JSON.stringify(follower.messages)
        await follower.until(() => text().includes(added[tenant] ?? ''))
        const own = Object.entries(borders[ownWatcher[tenant]]).map(([other]) => added[other as Tenant])
        for (const id of own.filter((id) => id !== added['second campaign of one'])) expect(text()).not.toContain(id)
      }
    },
  )
})

describe('a page of another origin, with the key of its victim', () => {
  it.each<[string, Record<string, string>]>([
    ['a name that was made to lead here', { host: 'attacker.example' }],
    ['another origin', { origin: 'http://attacker.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ])('is refused by every endpoint, and changes nothing: %s', async (_what, headers) => {
    const tenant = 'live of one'
    const before = await seen(tenant)
    for (const name of Object.keys(contract) as EndpointName[])
      for (const { path, body } of rows[name](things[tenant], things[tenant])) {
        const reply = await owners[tenant].send(contract[name].method, path, { body, headers })
        expect([name, reply.status, reply.body]).toMatchObject([name, 403, { error: { code: 'permission_denied' } }])
      }
    expect(await seen(tenant)).toEqual(before)
  })
})
