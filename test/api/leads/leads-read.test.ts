/** Leads read back: one, by its external id, and in lists. */
import { describe, expect, it } from 'vitest'
import type { Lead } from '../../../src/contract/leads.js'
import { simulate } from '../../support/simulate.js'

it('GET /leads/{id} shows the place in line, which a list does not show', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 1 })
  const dialed = await sim.lead()
  const next = await sim.lead()
  const after = await sim.lead()
  expect(await sim.readLead(dialed.id)).toMatchObject({ status: 'dialing', place_in_line: 0 })
  expect(await sim.readLead(next.id)).toMatchObject({ status: 'queued', place_in_line: 1, estimated_wait_seconds: 120 })
  expect(await sim.readLead(after.id)).toMatchObject({
    status: 'queued',
    place_in_line: 2,
    estimated_wait_seconds: 240,
  })
  for (const lead of await sim.live.all<Lead>('/leads')) {
    expect(lead).toMatchObject({ place_in_line: null, estimated_wait_seconds: null })
  }
})

// rule S8
it('GET /leads/{id} shows the last ten calls, newest first', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ max_attempts: 20, retire_after_failures: 20 })
  const phone = sim.phone()
  await sim.script(phone, { answer: 'busy', ring_seconds: 3 })
  const { id } = await sim.lead({ phone })
  for (let n = 0; n < 11; n++) await sim.advance('15m3s')
  const { attempts, calls } = await sim.readLead(id)
  expect(attempts).toBe(12)
  expect(calls).toHaveLength(10)
  const moments = calls.map(({ started }) => started)
  expect(moments).toEqual([...moments].sort().reverse())
  expect(calls[0]).toMatchObject({
    started: '2026-10-01T17:45:33.000Z',
    outcome: null,
    outcome_label: null,
    duration_seconds: null,
  })
  expect(calls[1]).toMatchObject({ outcome: 'busy', outcome_label: 'Busy', duration_seconds: 0 })
})

it('GET /leads/{id} shows no owner until the lead is called, then the person its latest call was dialed for', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 0 })
  const { id } = await sim.lead()
  expect((await sim.readLead(id)).owner).toBeNull()
  await sim.changeCampaign({ lines: 1 })
  const { owner, calls } = await sim.readLead(id)
  const [sdr] = sim.organization.members.filter(({ role }) => role === 'sdr')
  expect(owner).toEqual({ id: sdr?.id, name: sdr?.name })
  expect((await sim.readCall(calls[0]?.id ?? '')).owner).toEqual(owner)
})

describe('by its external id', () => {
  it('is one lead and no list', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const { id } = await sim.lead({ external_id: 'crm 1/é' })
    await sim.lead()
    const { data } = await sim.live.get<Lead>(`/leads?external_id=${encodeURIComponent('crm 1/é')}&limit=1`)
    expect(data).toMatchObject({ id, place_in_line: 1 })
  })

  it('is 404 when there is none', async () => {
    const sim = await simulate()
    await sim.lead({ external_id: 'crm-1' })
    expect((await sim.live.get('/leads?external_id=CRM-1')).error.code).toBe('not_found')
  })

  it('is ambiguous in two campaigns until one is named', async () => {
    const sim = await simulate()
    const { id: other } = await sim.campaign()
    const one = await sim.lead({ external_id: 'same' })
    const two = await sim.lead({ external_id: 'same', campaign_id: other })
    const { error } = await sim.live.get('/leads?external_id=same')
    expect(error).toMatchObject({
      code: 'ambiguous_external_id',
      candidates: [
        { id: one.id, campaign_id: sim.campaignId },
        { id: two.id, campaign_id: other },
      ],
    })
    expect((await sim.live.get<Lead>(`/leads?external_id=same&campaign_id=${other}`)).data.id).toBe(two.id)
  })
})

describe('a list of leads', () => {
  it('has filters for campaign, status and time', async () => {
    const sim = await simulate()
    const { id: paused } = await sim.campaign({ status: 'paused' })
    const held = await sim.lead({ campaign_id: paused })
    await sim.advance('10s')
    const later = await sim.lead()
    const ids = async (query: string) => (await sim.live.all<Lead>(`/leads?${query}`)).map(({ id }) => id)
    expect(await ids('')).toEqual([later.id, held.id])
    expect(await ids(`campaign_id=${paused}`)).toEqual([held.id])
    expect(await ids('status=dialing')).toEqual([later.id])
    expect(await ids('status=held')).toEqual([held.id])
    expect(await ids('status=done')).toEqual([])
    expect(await ids('created[gte]=2026-10-01T15:00:10Z')).toEqual([later.id])
    expect(await ids('created[gte]=2026-10-01T11:00:10-04:00')).toEqual([later.id])
    expect(await ids(`created[gte]=${Date.UTC(2026, 9, 1, 15) / 1000}`)).toEqual([later.id, held.id])
    expect(await ids(`created%5Bgte%5D=${Date.UTC(2026, 9, 1, 15) / 1000 + 1}&status=held`)).toEqual([])
  })

  it('has those with a status in order of age, whatever campaign and zone they wait in, page by page', async () => {
    const sim = await simulate({ now: '2026-10-01T15:00:00Z' })
    const { id: other } = await sim.campaign({ lines: 1 })
    await sim.changeCampaign({ lines: 1 })
    // New York is open, Honolulu is not.
    for (let i = 0; i < 24; i++) {
      const phone = `+1${['646', '808', '212'][i % 3]}56${String(10_000 + i)}`
      await sim.lead({ phone, ...(i % 2 === 1 && { campaign_id: other }) })
    }
    const all = await sim.live.all<Lead>('/leads')
    const check = async () => {
      const leads = await sim.live.all<Lead>('/leads')
      for (const status of ['queued', 'scheduled', 'held', 'dialing'] as const) {
        for (const campaign of ['', sim.campaignId, other]) {
          const wanted = leads.filter((lead) => lead.status === status && [lead.campaign_id, ''].includes(campaign))
          const path = `/leads?status=${status}${campaign && `&campaign_id=${campaign}`}`
          const found = await sim.live.all<Lead>(path, 'starting_after', 3)
          expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
        }
      }
      return leads.map(({ status }) => status)
    }
    expect(new Set(await check())).toEqual(new Set(['dialing', 'queued', 'scheduled']))
    // Some leave the line one by one, then all of them; hours open and close; a hold takes those in line.
    await sim.live.post(`/leads/${all.find(({ status }) => status === 'queued')?.id}/opt_out`)
    await check()
    await sim.advance('2m')
    await sim.changeCampaign({ status: 'paused' })
    expect(await check()).toContain('held')
    // Honolulu opens in both campaigns, one of them on hold; then all hours close.
    await sim.advance('4h')
    await check()
    await sim.changeCampaign({ status: 'running' })
    expect(await check()).toContain('queued')
    await sim.advance('14h')
    await check()
  })

  it('keeps a lead in its place when it changes or comes again', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ duplicate_window_days: 0, lines: 0 })
    const phone = sim.phone()
    const first = await sim.lead({ phone })
    const second = await sim.lead()
    await sim.advance('1h')
    expect(await sim.lead({ phone })).toMatchObject({ id: first.id, requeued: true })
    await sim.live.patch(`/leads/${first.id}`, { name: 'Ada' })
    expect((await sim.live.all<Lead>('/leads')).map(({ id }) => id)).toEqual([second.id, first.id])
  })
})
