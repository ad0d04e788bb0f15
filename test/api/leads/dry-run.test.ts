/** Dry runs: every check is made, the answer says what would be, and nothing is changed. */
import { expect, it } from 'vitest'
import type { LeadAccepted, LeadBatchResult } from '../../../src/contract/new-leads.js'
import { contentsOf } from '../../support/contents.js'
import { receiverWith } from '../../support/dispatch.js'
import { simulate } from '../../support/simulate.js'
import { temporaryFile } from '../../support/temporary-folder.js'

// rule A5
it('a dry run leaves every row of the store as it was, and sends nothing', async () => {
  const data = temporaryFile()
  const receiver = await receiverWith()
  const sim = await simulate({ data, allowLocalWebhooks: true })
  await sim.live.post('/webhook_endpoints', {
    url: receiver.url,
    events: ['lead.created', 'lead.queued', 'call.started'],
  })
  const phone = sim.phone()
  await sim.changeCampaign({ duplicate_window_days: 0 })
  await sim.script(phone, { answer: 'person', talk_seconds: 1 })
  const { id } = await sim.lead({ phone })
  await sim.advance('1m')
  const sent = receiver.requests.length
  const before = contentsOf(data)

  const campaign_id = sim.campaignId
  const fresh = await sim.live.post<LeadAccepted>('/leads', {
    campaign_id,
    phone: sim.phone(),
    external_id: 'x',
    dry_run: true,
  })
  expect(fresh.status).toBe(200)
  expect(fresh.data).toMatchObject({ id: null, external_id: 'x', dry_run: true, status: 'dialing', place_in_line: 0 })
  const known = await sim.live.post<LeadAccepted>('/leads', { campaign_id, phone, call_now: true, dry_run: true })
  expect(known.status).toBe(200)
  expect(known.data).toMatchObject({ id: null, dry_run: true, requeued: true })
  expect((await sim.live.post('/leads', { campaign_id, phone: '12', dry_run: true })).error.code).toBe('invalid_phone')
  const batch = await sim.live.post<LeadBatchResult>('/leads/batch', {
    campaign_id,
    dry_run: true,
    leads: [{ phone: sim.phone() }, { phone: '12' }, { phone: sim.phone() }],
  })
  expect(batch.data).toMatchObject({ succeeded: 2, failed: 1, dry_run: true })
  expect(batch.data.results.map((result) => result.ok && result.lead.id)).toEqual([null, false, null])

  expect(contentsOf(data)).toEqual(before)
  await sim.advance('1s')
  expect(receiver.requests).toHaveLength(sent)
  expect((await sim.readLead(id)).attempts).toBe(1)
})

it('a dry run is answered like the real request', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 1 })
  for (let n = 0; n < 3; n++) {
    const words = { campaign_id: sim.campaignId, phone: sim.phone(), call_now: n === 2 }
    const { data: rehearsed } = await sim.live.post<LeadAccepted>('/leads', { ...words, dry_run: true })
    const { data: meant } = await sim.live.post<LeadAccepted>('/leads', words)
    expect({ ...rehearsed, id: meant.id, dry_run: false }).toEqual(meant)
  }
})

it('a dry run of a batch is answered like the real batch', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 1, duplicate_window_days: 0 })
  const [known, fresh] = [sim.phone(), sim.phone()]
  await sim.script(known, { answer: 'person', talk_seconds: 1 })
  const { id } = await sim.lead({ phone: known })
  await sim.advance('1m')
  await sim.changeCampaign({ duplicate_window_days: 30 })
  const words = {
    campaign_id: sim.campaignId,
    leads: [{ phone: fresh }, { phone: known }, { phone: fresh }, { phone: sim.phone() }],
  }
  const { data: rehearsed } = await sim.live.post<LeadBatchResult>('/leads/batch', { ...words, dry_run: true })
  const { data: meant } = await sim.live.post<LeadBatchResult>('/leads/batch', words)
  const told = ({ results }: LeadBatchResult) =>
    results.map((result) => (result.ok ? [result.lead.status, result.lead.place_in_line] : result.error.code))
  expect(told(meant)).toEqual([['dialing', 0], 'duplicate_lead', 'duplicate_lead', ['queued', 1]])
  expect(told(rehearsed)).toEqual(told(meant))
  // A lead that was there is named; one of the dry run itself is not, as it is gone.
  const named = rehearsed.results.map((result) => (result.ok ? result.lead.id : result.error.lead_id))
  expect(named).toEqual([null, id, null, null])
})

it('a dry run does not change the id of a later lead', async () => {
  const [one, other] = [await simulate(), await simulate()]
  await one.live.post('/leads', { campaign_id: one.campaignId, phone: one.phone(), dry_run: true })
  expect((await one.lead({ phone: '+16462019999' })).id).toBe((await other.lead({ phone: '+16462019999' })).id)
})

it('a dry run needs a campaign and a permission like any other', async () => {
  const sim = await simulate()
  const reader = sim.as(await sim.key({ permissions: ['leads:read'] }))
  const { error } = await reader.post('/leads', { campaign_id: sim.campaignId, phone: sim.phone(), dry_run: true })
  expect(error).toMatchObject({ code: 'permission_denied', missing_permission: 'leads:write' })
})
