/** Simultaneous requests: counts and checks hold as if the requests had arrived one by one. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apiCallsPerLead, sampleCallsPerTestKey, webhookEndpointsPerOrganization } from '../../src/contract/limits.js'
import { ManualMachine } from '../support/manual-machine.js'
import { simulate, type Client, type Reply, type Simulation } from '../support/simulate.js'

interface Id {
  id: string
}

const manyOf = <T>(count: number, one: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => one(n)))

/** How often each status or code came. */
function tally(replies: Reply[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of replies) {
    const name = status < 400 ? String(status) : (body as { error: { code: string } }).error.code
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** Each run sends up to thirty requests over separate sockets. */
const numRuns = 12
const count = fc.integer({ min: 2, max: 30 })

const numberOf = (n: number) => `+1212736${String(1000 + n)}`

describe('at one time', () => {
  it('a request is done once for each Idempotency-Key and each number, and answered the same to all who repeat it', async () => {
    const sim = await simulate()
    let run = 0
    const requests = fc.array(fc.record({ key: fc.nat(3), phone: fc.nat(2) }), { minLength: 2, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(requests, async (all) => {
        const { id: campaign_id } = await sim.campaign({ lines: 0, name: `Run ${run++}` })
        const replies = await manyOf(all.length, (n) => {
          const { key = 0, phone = 0 } = all[n] ?? {}
          const headers = { 'idempotency-key': `${campaign_id}-${key}` }
          return sim.live.post<Id>('/leads', { campaign_id, phone: numberOf(phone) }, headers)
        })
        const added = new Map<string, Set<string>>()
        replies.forEach((reply, n) => {
          if (reply.status !== 201) return
          const name = `${all[n]?.key} ${all[n]?.phone}`
          added.set(name, (added.get(name) ?? new Set()).add(reply.data.id))
        })
        // Each key was used with one number and each number with one key, and all replies name the same lead.
        const names = [...added.keys()].map((name) => name.split(' '))
        expect(new Set(names.map(([key]) => key)).size).toBe(names.length)
        expect(new Set(names.map(([, phone]) => phone)).size).toBe(names.length)
        for (const ids of added.values()) expect(ids.size).toBe(1)
        const leads = await sim.live.all<Id>(`/leads?campaign_id=${campaign_id}`)
        expect(leads.map(({ id }) => id).sort()).toEqual([...added.values()].flatMap((ids) => [...ids]).sort())
      }),
      { numRuns },
    )
  })

  it('a number is added to a campaign and to the Do Not Call list once', async () => {
    const sim = await simulate()
    let run = 0
    await fc.assert(
      fc.asyncProperty(count, async (many) => {
        const phone = numberOf(run++)
        const leads = await manyOf(many, () => sim.live.post('/leads', { campaign_id: sim.campaignId, phone }))
        expect(tally(leads)).toEqual({ 201: 1, duplicate_lead: many - 1 })
        const listed = await manyOf(many, () => sim.live.post('/dnc', { phone }))
        expect(tally(listed)).toEqual({ 201: 1, duplicate_dnc_entry: many - 1 })
      }),
      { numRuns },
    )
  })

  it('no more leads are dialed than a campaign has lines, nor sample calls made than a test key may have', async () => {
    const sim = await simulate()
    await fc.assert(
      fc.asyncProperty(count, fc.integer({ min: 0, max: 12 }), async (many, lines) => {
        const { id: campaign_id } = await sim.campaign({ lines })
        const added = await manyOf(many, () =>
          sim.live.post<{ status: string }>('/leads', { campaign_id, phone: sim.phone() }),
        )
        expect(added.filter(({ data }) => data.status === 'dialing')).toHaveLength(Math.min(many, lines))
        const leads = await sim.live.all<{ status: string }>(`/leads?campaign_id=${campaign_id}`)
        expect(leads.filter(({ status }) => status === 'dialing')).toHaveLength(Math.min(many, lines))
      }),
      { numRuns },
    )
    const { id: campaign_id } = await sim.campaign({ lines: 100 })
    const sampled = await manyOf(30, () => sim.test.post('/leads', { campaign_id, phone: sim.phone() }))
    expect(tally(sampled)).toEqual({ 201: sampleCallsPerTestKey, test_flows_busy: 30 - sampleCallsPerTestKey })
  })

  it('ten webhook endpoints are made and no more, of either mode, whatever is looked up before', async () => {
    const sim = await simulate({ allowLocalWebhooks: true })
    const make = (client: Client) =>
      client.post('/webhook_endpoints', { url: 'http://localhost:1/', events: ['lead.late'] })
    const made = await manyOf(30, (n) => make(n % 2 === 0 ? sim.live : sim.test))
    expect(tally(made)).toEqual({ 201: webhookEndpointsPerOrganization, limit_reached: 20 })
  })

  it('a lead is called for the API three times and no more', async () => {
    const sim = await simulate()
    const { id: campaign_id } = await sim.campaign({ lines: 0 })
    const { id: lead_id } = await sim.lead({ campaign_id })
    const asked = await manyOf(20, () => sim.live.post('/calls', { lead_id }))
    expect(tally(asked)).toEqual({ 202: apiCallsPerLead, call_limit_reached: 20 - apiCallsPerLead })
  })
})

describe('by the machine’s clock standing still, at one time', () => {
  const limited = async (limits: object): Promise<{ sim: Simulation; client: Client }> => {
    const sim = await simulate({ machine: new ManualMachine(), limits: true })
    return { sim, client: sim.as(await sim.key({ limits })) }
  }

  it('a key has as many requests answered as its burst lets through', async () => {
    const { client } = await limited({ burst: 13, concurrent_requests: 50 })
    const replies = await manyOf(40, () => client.get('/campaigns'))
    expect(tally(replies)).toEqual({ 200: 13, rate_limited: 27 })
  })

  it('new leads are taken up to the limit of a minute, whole batches or nothing of them', async () => {
    const { sim, client } = await limited({
      burst: 100,
      requests_per_minute: 1_000,
      concurrent_requests: 50,
      leads_per_minute: 60,
    })
    const leads = () => Array.from({ length: 7 }, () => ({ phone: sim.phone() }))
    const replies = await manyOf(20, () => client.post('/leads/batch', { campaign_id: sim.campaignId, leads: leads() }))
    expect(tally(replies)).toEqual({ 200: 8, lead_rate_limited: 12 })
    expect(await client.all('/leads')).toHaveLength(56)
  })
})

it('every lead that was there is on one page exactly, however many come while the pages are read', async () => {
  const sim = await simulate()
  const { id: campaign_id } = await sim.campaign({ lines: 0 })
  const add = () => sim.lead({ campaign_id })
  const before = await manyOf(40, add)
  const [pages] = await Promise.all([
    manyOf(5, (n) => sim.live.all<Id>(`/leads?campaign_id=${campaign_id}`, 'starting_after', 3 + n)),
    manyOf(60, add),
  ])
  for (const page of pages) {
    const ids = page.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(before.map(({ id }) => id)))
  }
})
