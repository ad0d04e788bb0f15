/** The calls of a test key: played out like real ones, twenty at once, never billed. */
import { expect, it } from 'vitest'
import type { Campaign } from '../../../src/contract/campaigns.js'
import type { ScriptedCall } from '../../../src/contract/control/scripts.js'
import type { LeadBatchResult } from '../../../src/contract/new-leads.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const minute = { answer: 'person', ring_seconds: 5, talk_seconds: 55, outcome: 'not_interested' } as const

/** A number whose test calls go so. */
async function phoneThat(sim: Simulation, ...calls: ScriptedCall[]): Promise<string> {
  const phone = sim.phone()
  await sim.control('POST', '/_sim/scripts', { phone, mode: 'test', calls })
  return phone
}

/** As many calls of the test key as it may have, in a campaign that has the lines for more. */
async function busy(sim: Simulation, campaign_id: string, client = sim.test): Promise<void> {
  await sim.changeCampaign({ lines: 50 }, campaign_id)
  for (let n = 0; n < 20; n++) {
    const { status } = await sim.lead({ campaign_id, phone: await phoneThat(sim, minute) }, client)
    expect(status).toBe('dialing')
  }
}

// rule T3
it('sample calls are refused past twenty at once, on every way to ask for one, until one ends', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ status: 'paused' })
  const { id: held } = await sim.lead({}, sim.test)
  const { id: campaign_id } = await sim.campaign()
  await busy(sim, campaign_id)
  const words = { campaign_id, phone: await phoneThat(sim, minute) }
  const refused = [
    await sim.test.post('/leads', words),
    await sim.test.post('/leads', { ...words, dry_run: true }),
    await sim.test.post(`/campaigns/${campaign_id}/leads`, { phone: words.phone }),
    await sim.test.post('/calls', { lead_id: held }),
  ]
  for (const { status, error } of refused)
    expect([status, error.code, error.type]).toEqual([429, 'test_flows_busy', 'rate_limit_error'])
  const { data } = await sim.test.post<LeadBatchResult>('/leads/batch', { leads: [words] })
  expect(data.results).toMatchObject([{ ok: false, error: { code: 'test_flows_busy' } }])
  expect((await sim.lead()).status).toBe('held')
  await sim.advance('1m')
  expect((await sim.test.post('/leads', words)).status).toBe(201)
})

it('sample calls are counted for each test key of its own', async () => {
  const sim = await simulate()
  await busy(sim, sim.campaignId)
  const other = sim.as(await sim.key({ mode: 'test' }))
  expect((await sim.lead({ phone: await phoneThat(sim, minute) }, other)).status).toBe('dialing')
  expect((await sim.test.post('/leads', { campaign_id: sim.campaignId, phone: sim.phone() })).error.code).toBe(
    'test_flows_busy',
  )
})

it('sample calls that end make room for the key’s leads in its other campaigns, also when their own is paused', async () => {
  const sim = await simulate()
  const { id: other } = await sim.campaign({ status: 'paused' })
  const { id: waiting } = await sim.lead({ campaign_id: other, phone: await phoneThat(sim, minute) }, sim.test)
  await busy(sim, sim.campaignId)
  await sim.changeCampaign({ status: 'running' }, other)
  expect((await sim.readLead(waiting, sim.test)).status).toBe('queued')
  await sim.changeCampaign({ status: 'paused' })
  await sim.advance('1m')
  expect((await sim.readLead(waiting, sim.test)).status).toBe('dialing')
})

it('sample calls go as any call does: ring, are answered and end, and their lead is tried again', async () => {
  const sim = await simulate()
  const phone = await phoneThat(sim, { answer: 'busy', ring_seconds: 2 }, { ...minute, outcome: 'interested' })
  const { id } = await sim.lead({ phone }, sim.test)
  await sim.advance('16m')
  expect(await sim.readLead(id, sim.test)).toMatchObject({ status: 'on_call', attempts: 2, last_outcome: 'busy' })
  await sim.advance('1m')
  const lead = await sim.readLead(id, sim.test)
  expect(lead).toMatchObject({ status: 'done', last_outcome: 'interested' })
  expect(await sim.readCall(lead.calls[0]?.id ?? '', sim.test)).toMatchObject({
    livemode: false,
    duration_seconds: 55,
    started_by: { type: 'dialer', api_key_id: null },
  })
})

// rule T4
it('sample calls cost a campaign nothing', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ spend_cap_usd: 0.01 })
  await sim.lead({ phone: await phoneThat(sim, minute) }, sim.test)
  await sim.advance('2m')
  const { data } = await sim.test.get<Campaign>(`/campaigns/${sim.campaignId}`)
  expect(data.spent_usd).toBe(0)
  expect((await sim.lead({ phone: await phoneThat(sim, minute) }, sim.test)).status).toBe('dialing')
})
