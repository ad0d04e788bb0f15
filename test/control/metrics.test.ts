import { request } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { startSimulator } from '../../simulator/index.js'
import { formatMetrics } from '../../simulator/http/control/metrics/exposition.js'
import type { Lead } from '../../src/contract/leads.js'
import { readPrometheus } from '../support/prometheus.js'
import { Receiver } from '../support/deliveries/receiver.js'
import { simulate, type Simulation } from '../support/simulate.js'

const receivers: Receiver[] = []
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})

const names = [
  'svc_requests_total',
  'svc_refusals_total',
  'svc_request_duration_seconds',
  'svc_calls_total',
  'svc_deliveries_total',
  'svc_lines_busy',
  'svc_lines',
  'svc_leads',
  'svc_simulated_time_seconds',
  'svc_simulated_lag_seconds',
]

async function scrape({ url }: Pick<Simulation, 'url'>, headers: Record<string, string> = {}) {
  const { statusCode, headers: answered, body } = await request(`${url}/_sim/metrics`, { headers })
  return { statusCode, type: answered['content-type'], text: await body.text() }
}

/** All samples that are not zero, by name and labels. */
async function samplesOf(sim: Simulation): Promise<Record<string, number>> {
  const families = [...readPrometheus((await scrape(sim)).text).values()]
  const all = families.flatMap(({ samples }) => [...samples])
  return Object.fromEntries(all.filter(([name, value]) => value !== 0 && !name.includes('duration')))
}

/** The leads by status, as the API lists them. */
async function listedLeads(sim: Simulation): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const client of [sim.live, sim.test])
    for (const { status } of await client.all<Lead>('/leads'))
      counts[`svc_leads{status="${status}"}`] = (counts[`svc_leads{status="${status}"}`] ?? 0) + 1
  return counts
}

const leadsIn = (samples: Record<string, number>) =>
  Object.fromEntries(Object.entries(samples).filter(([name]) => name.startsWith('svc_leads')))

describe('GET /_sim/metrics', () => {
  it('is well-formed text of the Prometheus format, with every name from the start', async () => {
    const sim = await simulate()
    const { statusCode, type, text } = await scrape(sim)
    expect({ statusCode, type }).toEqual({ statusCode: 200, type: 'text/plain; version=0.0.4; charset=utf-8' })
    const families = readPrometheus(text)
    expect([...families.keys()]).toEqual(names)
    for (const { type: kind, help } of families.values())
      if (kind !== 'gauge') expect(help).toContain('since the process started')
    expect(await samplesOf(sim)).toEqual({
      svc_lines: 10,
      svc_simulated_time_seconds: Date.parse(sim.now) / 1_000,
    })
  })

  it('counts requests by path template, and refusals by code', async () => {
    const sim = await simulate()
    const { id } = await sim.lead()
    await sim.live.get(`/leads/${id}?limit=2`)
    await sim.live.get('/leads/nobody')
    await sim.live.get('/nowhere/1')
    await sim.live.get('/nowhere/2')
    await sim.live.post('/leads', { phone: 'x' }, { 'idempotency-key': 'same' })
    await sim.live.post('/leads', { phone: 'x' }, { 'idempotency-key': 'same' })
    await sim.send('GET', '/leads', { headers: { authorization: 'Bearer cs_live_wrong' } })
    expect(await samplesOf(sim)).toMatchObject({
      'svc_requests_total{route="POST /leads",status="201"}': 1,
      'svc_requests_total{route="GET /leads/{id}",status="200"}': 1,
      'svc_requests_total{route="GET /leads/{id}",status="404"}': 1,
      'svc_requests_total{route="unknown",status="404"}': 2,
      'svc_requests_total{route="POST /leads",status="400"}': 2,
      'svc_requests_total{route="GET /leads",status="401"}': 1,
      'svc_refusals_total{code="not_found"}': 3,
      'svc_refusals_total{code="invalid_request"}': 2,
      'svc_refusals_total{code="authentication_failed"}': 1,
    })
    const durations = readPrometheus((await scrape(sim)).text).get('svc_request_duration_seconds')?.samples
    expect(durations?.get('svc_request_duration_seconds_count')).toBe(8)
    expect(durations?.get('svc_request_duration_seconds_sum')).toBeGreaterThan(0)
  })

  it('counts a request whose connection was cut', async () => {
    const sim = await simulate()
    await sim.control('POST', '/_sim/faults', { drop: true })
    await expect(sim.live.get('/leads')).rejects.toThrow()
    expect(await samplesOf(sim)).toHaveProperty(['svc_requests_total{route="GET /leads",status="none"}'], 1)
  })

  it('counts calls by outcome, and lines while they are busy', async () => {
    const sim = await simulate()
    await sim.scripted(sim.phone(), { answer: 'person', talk_seconds: 600, outcome: 'not_interested' })
    await sim.scripted(sim.phone(), { answer: 'busy' })
    await sim.advance('5m')
    expect(await samplesOf(sim)).toMatchObject({
      'svc_calls_total{outcome="busy"}': 1,
      svc_lines_busy: 1,
      svc_simulated_time_seconds: Date.parse(sim.now) / 1_000,
    })
    await sim.advance('6m')
    const ended = await samplesOf(sim)
    expect(ended).toMatchObject({ 'svc_calls_total{outcome="not_interested"}': 1 })
    expect(ended).not.toHaveProperty('svc_lines_busy')
  })

  it('counts webhook attempts by result', async () => {
    const sim = await simulate({ allowLocalWebhooks: true })
    for (const status of [200, 500]) {
      const receiver = await Receiver.start(() => ({ status }))
      receivers.push(receiver)
      await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    }
    await sim.lead()
    await sim.advance('26h')
    const { 'svc_deliveries_total{result="failed"}': failed, ...others } = await samplesOf(sim)
    expect(others).toMatchObject({
      'svc_deliveries_total{result="sent"}': 1,
      'svc_deliveries_total{result="gave_up"}': 1,
    })
    expect(failed).toBeGreaterThan(1)
  })

  it('counts leads by status as the API lists them, at each point of their way', async () => {
    const sim = await simulate()
    const check = async () => expect(leadsIn(await samplesOf(sim))).toEqual(await listedLeads(sim))
    await check()
    for (let n = 0; n < 12; n++) await sim.lead({}, n % 4 === 0 ? sim.test : sim.live)
    await check()
    const { id } = await sim.lead()
    await sim.advance('90s')
    await check()
    await sim.live.post('/leads', { campaign_id: sim.campaignId, phone: 'x' }, { 'idempotency-key': 'refused' })
    await sim.live.post('/leads', { campaign_id: sim.campaignId, phone: sim.phone(), dry_run: true })
    await check()
    await sim.control('POST', `/_sim/leads/${id}/take_out`)
    await check()
    await sim.control('POST', '/_sim/snapshots', { name: 'here' })
    await sim.changeCampaign({ status: 'paused' })
    await check()
    await sim.advance('12h')
    await check()
    await sim.changeCampaign({ status: 'running' })
    await check()
    await sim.advance('24h')
    await check()
    await sim.control('POST', '/_sim/snapshots/here/restore')
    await check()
    await sim.control('POST', '/_sim/reset', {})
    expect(leadsIn(await samplesOf(sim))).toEqual({})
  })

  it('reads the line capacity of running campaigns, for both modes', async () => {
    const sim = await simulate()
    await sim.campaign({ lines: 3 })
    await sim.campaign({ lines: 7, status: 'paused' })
    expect(await samplesOf(sim)).toHaveProperty('svc_lines', 16)
  })

  it('is refused to pages of other origins, and without the token', async () => {
    const sim = await simulate()
    expect(await scrape(sim, { origin: 'http://example.com' })).toMatchObject({ statusCode: 403 })
    const open = await startSimulator({ host: '0.0.0.0', controlToken: 'the-token', paused: true })
    try {
      expect(await scrape(open)).toMatchObject({ statusCode: 401 })
      expect(await scrape(open, { authorization: 'Bearer the-token' })).toMatchObject({ statusCode: 200 })
    } finally {
      await open.close()
    }
  })
})

describe('the Prometheus text format', () => {
  it('escapes help and labels', () => {
    const text = formatMetrics([
      { name: 'a', type: 'gauge', help: 'one\\two\nthree "four"', samples: [{ labels: { b: 'x\\y\n"z"' }, value: 1 }] },
    ])
    expect(text).toBe('# HELP a one\\\\two\\nthree "four"\n# TYPE a gauge\na{b="x\\\\y\\n\\"z\\""} 1\n')
    expect(() => readPrometheus(text)).not.toThrow()
  })
})
