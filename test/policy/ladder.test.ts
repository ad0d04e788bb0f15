/** The order of the check table: a request that breaks every row is corrected one row at a time. */
import { describe, expect, it } from 'vitest'
import { admissionChecks } from '../../simulator/dialing/admission.js'
import { sampleCallsPerTestKey, waitingLeadsPerCampaign } from '../../src/contract/limits.js'
import { simulate, type Client, type Reply, type Simulation } from '../support/simulate.js'

const consent = { source: 'web_form', agreed_at: '2026-09-30T10:00:00Z', text: 'Yes, call me.' }
const failing = { answer: 'failed', ring_seconds: 2 } as const

describe('the check table', () => {
  it('has the rows 1 to 8 of POST /leads, in that order', () => {
    const rows = admissionChecks.filter(({ row }) => row !== null).map(({ row, code }) => [row, code])
    expect(rows).toEqual([
      [1, 'not_found'],
      [1, 'campaign_closed'],
      [2, 'invalid_phone'],
      [3, 'number_not_allowed'],
      [4, 'on_dnc_list'],
      [5, 'number_retired'],
      [6, 'duplicate_lead'],
      [7, 'consent_required'],
      [8, 'queue_full'],
    ])
    expect(admissionChecks.filter(({ row, ways }) => row !== null && !ways.includes('add'))).toEqual([])
  })

  it('has what the error list adds after them', () => {
    const added = admissionChecks.filter(({ row }) => row === null).map(({ code }) => code)
    expect(added).toEqual(['lead_taken_out_of_queue', 'lead_busy', 'call_limit_reached', 'test_flows_busy'])
    expect(admissionChecks.slice(0, 9).every(({ row }) => row !== null)).toBe(true)
  })
})

/**
 * A lead that failed four calls, three of them started through the API: its number is retired by the fourth, and the
 * lead has used up its calls of the day.
 */
async function wornOut(
  sim: Simulation,
  client: Client,
  campaign: string,
  phone: string,
  externalId: string,
): Promise<string> {
  await sim.control('POST', '/_sim/scripts', { phone, mode: client.key.mode, calls: [failing] })
  const { id } = await sim.lead({ campaign_id: campaign, phone, external_id: externalId }, client)
  for (let started = 0; started < 3; started++) {
    await sim.advance('5s')
    expect((await client.post('/calls', { lead_id: id })).status).toBe(202)
  }
  await sim.advance('5s')
  return id
}

/** Fills the line of a campaign up to the limit; the answer is one of those who wait. */
async function fillQueue(sim: Simulation, client: Client, campaign: string): Promise<string> {
  let last = ''
  for (let sent = 0; sent < waitingLeadsPerCampaign; sent += 50) {
    const leads = Array.from({ length: 50 }, () => ({ phone: sim.phone(), consent }))
    const reply = await sim.sendUnchecked('POST', `/campaigns/${campaign}/leads/batch`, { leads }, client.key)
    const { data } = reply as { data: { failed: number; results: { lead: { id: string } }[] } }
    expect(data.failed).toBe(0)
    last = data.results[0]?.lead.id ?? ''
  }
  return last
}

/** As many sample calls as a test key may have, ringing; the first of them ends after two seconds. */
async function ringEverywhere(sim: Simulation, client: Client): Promise<void> {
  const { id } = await sim.campaign({ lines: sampleCallsPerTestKey })
  for (let n = 0; n < sampleCallsPerTestKey; n++) {
    const phone = sim.phone()
    const call = n === 0 ? failing : { answer: 'no_answer', ring_seconds: 600 }
    await sim.control('POST', '/_sim/scripts', { phone, mode: 'test', calls: [call] })
    expect((await sim.lead({ campaign_id: id, phone }, client)).status).toBe('dialing')
  }
}

const codeOf = ({ error }: Reply) => error.code

/**
 * Rows that cannot be broken together: a campaign that is not there can be neither closed nor full, hold no duplicate
 * and require no consent; the queue of a completed campaign is empty, so it is filled when row 1 is corrected; a number
 * that is none, and one that is not dialed, are in no campaign, so the duplicate is one by its external id. A lead that
 * is sent is never busy or taken out: those rows are of the other way in.
 */
// rule A1
it('the API answers a new lead with the first row that it breaks', async () => {
  const sim = await simulate()
  const { test } = sim
  const premium = '+19002125555'
  const worn = sim.phone()
  const { id: campaign } = await sim.campaign({ retire_after_failures: 4, consent_required: false })
  const known = await wornOut(sim, test, campaign, worn, 'crm-1')
  const listed = (await test.post<{ id: string }>('/dnc', { phone: worn })).data.id
  await test.post('/dnc', { phone: premium })
  await sim.changeCampaign({ lines: 0, consent_required: true, status: 'completed' }, campaign)

  const lead = {
    campaign_id: 'b7a5d9a3-43f4-4fd1-9d59-6c4d2be0f1d5',
    phone: '12',
    external_id: 'crm-1',
    call_now: true,
  }
  const send = (words: object) => test.post('/leads', Object.assign(lead, words))

  expect(codeOf(await send({}))).toBe('not_found')
  expect(codeOf(await send({ campaign_id: campaign }))).toBe('campaign_closed')
  await sim.changeCampaign({ status: 'running' }, campaign)
  const waiting = await fillQueue(sim, test, campaign)
  await ringEverywhere(sim, test)
  expect(codeOf(await send({}))).toBe('invalid_phone')
  expect((await send({ phone: premium })).error).toMatchObject({ code: 'number_not_allowed', reason: 'premium' })
  expect(codeOf(await send({ phone: worn }))).toBe('on_dnc_list')
  await test.del(`/dnc/${listed}`)
  expect(codeOf(await send({}))).toBe('number_retired')
  expect((await send({ phone: sim.phone() })).error).toMatchObject({ code: 'duplicate_lead', lead_id: known })
  await sim.changeCampaign({ duplicate_window_days: 0 }, campaign)
  expect(codeOf(await send({}))).toBe('consent_required')
  expect(codeOf(await send({ consent }))).toBe('queue_full')
  await test.post(`/leads/${waiting}/opt_out`, {})
  expect(codeOf(await send({}))).toBe('call_limit_reached')
  expect(codeOf(await send({ call_now: false }))).toBe('test_flows_busy')
  await sim.advance('2s')
  const { status, data } = await send({})
  expect(status).toBe(200)
  expect(data).toMatchObject({ id: known, requeued: true, status: 'queued' })
})

/** A lead whose number is of a kind that is not dialed is never taken in, so that row cannot be broken here. */
it('the API answers a call to a lead that is there with the first row that it breaks', async () => {
  const sim = await simulate()
  const { test } = sim
  const worn = sim.phone()
  const { id: campaign } = await sim.campaign({ retire_after_failures: 4 })
  const known = await wornOut(sim, test, campaign, worn, 'crm-1')
  const listed = (await test.post<{ id: string }>('/dnc', { phone: worn })).data.id
  await sim.changeCampaign({ status: 'completed' }, campaign)
  const start = () => test.post('/calls', { lead_id: known })

  expect(codeOf(await start())).toBe('campaign_closed')
  await sim.changeCampaign({ status: 'running' }, campaign)
  expect(codeOf(await start())).toBe('on_dnc_list')
  await test.del(`/dnc/${listed}`)
  expect(codeOf(await start())).toBe('number_retired')
})

/** A number is retired for good, so this is another lead; the call of a lead that is taken out goes on. */
it('the API answers a call with the rows after them in their order', async () => {
  const sim = await simulate()
  const { test } = sim
  const { id: campaign } = await sim.campaign({ retire_after_failures: 9 })
  const known = await wornOut(sim, test, campaign, sim.phone(), 'crm-1')
  await sim.control('POST', `/_sim/leads/${known}/take_out`)
  await sim.changeCampaign({ lines: 0 }, campaign)
  await ringEverywhere(sim, test)
  const start = () => test.post('/calls', { lead_id: known })

  expect(codeOf(await start())).toBe('lead_taken_out_of_queue')
  await sim.control('POST', `/_sim/leads/${known}/put_back`)
  expect(codeOf(await start())).toBe('call_limit_reached')
  const fresh = await sim.lead({ campaign_id: campaign })
  const other = await sim.campaign({ status: 'paused' })
  await sim.advance('2s')
  const { id } = await sim.lead({ campaign_id: other.id }, test)
  const phone = sim.phone()
  await sim.control('POST', '/_sim/scripts', {
    phone,
    mode: 'test',
    calls: [{ answer: 'no_answer', ring_seconds: 600 }],
  })
  const { id: roomy } = await sim.campaign({ lines: 1 })
  const ringing = await sim.lead({ campaign_id: roomy, phone }, test)
  expect(codeOf(await test.post('/calls', { lead_id: id }))).toBe('test_flows_busy')
  expect(codeOf(await test.post('/calls', { lead_id: ringing.id }))).toBe('lead_busy')
  await sim.control('POST', `/_sim/leads/${ringing.id}/take_out`)
  expect(codeOf(await test.post('/calls', { lead_id: ringing.id }))).toBe('lead_taken_out_of_queue')
  expect((await sim.live.post('/calls', { lead_id: fresh.id })).status).toBe(202)
})
