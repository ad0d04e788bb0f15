/** Leads sent in a batch: each on its own, in the order sent. */
import { expect, it } from 'vitest'
import type { LeadBatchResult } from '../../../src/contract/new-leads.js'
import { simulate } from '../../support/simulate.js'

const nowhere = 'b7a5d9a3-43f4-4fd1-9d59-6c4d2be0f1d5'

// rule A6
it('a batch of leads gives each lead its own result, and a failing one does not stop the others', async () => {
  const sim = await simulate()
  const { id: closed } = await sim.campaign({ status: 'completed' })
  const { id: strict } = await sim.campaign({ consent_required: true })
  const { id: known } = await sim.lead({ phone: '+16462015000' })
  await sim.live.post('/dnc', { phone: '+16462015001' })
  const { status, data } = await sim.live.post<LeadBatchResult>('/leads/batch', {
    campaign_id: sim.campaignId,
    leads: [
      { phone: '+16462015000' },
      { phone: sim.phone(), external_id: 'a' },
      { phone: '+16462015001' },
      { phone: '12' },
      { phone: sim.phone(), external_id: 'a' },
      { phone: sim.phone(), campaign_id: closed },
      { phone: sim.phone(), campaign_id: strict },
      { phone: sim.phone(), campaign_id: nowhere },
      { phone: sim.phone(), call_now: true },
    ],
  })
  expect(status).toBe(200)
  expect(data).toMatchObject({ succeeded: 2, failed: 7, dry_run: false })
  expect(data.results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  const added = data.results[1]
  const addedId = added?.ok === true ? added.lead.id : ''
  expect(
    data.results.map((result) => (result.ok ? result.lead.status : [result.error.code, result.error.param])),
  ).toEqual([
    ['duplicate_lead', 'phone'],
    'dialing',
    ['on_dnc_list', 'phone'],
    ['invalid_phone', 'phone'],
    ['duplicate_lead', 'external_id'],
    ['campaign_closed', 'campaign_id'],
    ['consent_required', 'consent'],
    ['not_found', 'campaign_id'],
    'dialing',
  ])
  const ids = data.results.map((result) => (result.ok ? undefined : result.error.lead_id))
  expect(ids).toEqual([known, undefined, undefined, undefined, addedId, undefined, undefined, undefined, undefined])
  expect(await sim.live.all('/leads')).toHaveLength(3)
  expect(JSON.stringify(data)).not.toContain('+16462015001')
})

// rule L5
it('a batch of leads may have sixty leads and not one more', async () => {
  const sim = await simulate()
  const batch = (count: number) => ({
    campaign_id: sim.campaignId,
    leads: Array.from({ length: count }, () => ({ phone: sim.phone() })),
  })
  expect((await sim.live.post<LeadBatchResult>('/leads/batch', batch(60))).data.succeeded).toBe(60)
  expect((await sim.live.post('/leads/batch', batch(61))).error).toMatchObject({
    code: 'invalid_request',
    param: 'leads',
  })
  expect(await sim.live.all('/leads')).toHaveLength(60)
})

it.each<[string, (sim: { campaignId: string }) => object]>([
  ['leads', () => ({})],
  ['leads', () => ({ leads: 'x' })],
  ['leads[1].phone', () => ({ leads: [{ phone: '+16462011000' }, {}] })],
  ['leads[1].phone', () => ({ leads: [{ phone: '+16462011000' }, { phone: 7 }] })],
  ['leads[0].colour', () => ({ leads: [{ phone: '+16462011000', colour: 'red' }] })],
  ['leads[0].dry_run', () => ({ leads: [{ phone: '+16462011000', dry_run: true }] })],
  [
    'leads[0].fields',
    () => ({
      leads: [{ phone: '+16462011000', fields: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, ''])) }],
    }),
  ],
  ['leads[0].consent.agreed_at', () => ({ leads: [{ phone: '+16462011000', consent: { source: 'x', text: 'x' } }] })],
  ['colour', () => ({ leads: [], colour: 'red' })],
])('a batch of leads is refused whole when it is malformed in %s, case %#', async (param, words) => {
  const sim = await simulate()
  const { error } = await sim.live.post('/leads/batch', { campaign_id: sim.campaignId, ...words(sim) })
  expect(error).toMatchObject({ code: 'invalid_request', param })
  expect(await sim.live.all('/leads')).toEqual([])
})

it('a batch of leads needs a campaign, once for the batch or on each lead', async () => {
  const sim = await simulate()
  const { id: other } = await sim.campaign()
  const leads = [{ phone: sim.phone() }, { phone: sim.phone(), campaign_id: other }]
  expect((await sim.live.post('/leads/batch', { leads })).error).toMatchObject({
    code: 'invalid_request',
    param: 'leads[0].campaign_id',
  })
  await sim.live.post('/leads/batch', { leads, campaign_id: sim.campaignId })
  const campaigns = (await sim.live.all<{ campaign_id: string }>('/leads')).map(({ campaign_id }) => campaign_id)
  expect(campaigns).toEqual([other, sim.campaignId])
})

it('a batch of leads may be sent below its campaign, whose leads then name none', async () => {
  const sim = await simulate()
  const path = `/campaigns/${sim.campaignId}/leads/batch`
  expect((await sim.live.post<LeadBatchResult>(path, { leads: [{ phone: sim.phone() }] })).data.succeeded).toBe(1)
  const { error } = await sim.live.post(path, { leads: [{ phone: sim.phone(), campaign_id: sim.campaignId }] })
  expect(error).toMatchObject({ code: 'invalid_request', param: 'leads[0].campaign_id' })
})

it('a batch of leads takes lines and places in the order sent', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 1 })
  const leads = [{}, {}, { call_now: true }, {}].map((words) => ({ phone: sim.phone(), ...words }))
  const { data } = await sim.live.post<LeadBatchResult>('/leads/batch', { campaign_id: sim.campaignId, leads })
  const ids = data.results.map((result) => (result.ok ? (result.lead.id ?? '') : ''))
  const places = await Promise.all(ids.map(async (id) => (await sim.readLead(id)).place_in_line))
  expect(places).toEqual([0, 2, 1, 3])
})
