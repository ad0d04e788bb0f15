/** Changes to a lead. */
import { describe, expect, it } from 'vitest'
import type { Lead } from '../../../src/contract/leads.js'
import { simulate } from '../../support/simulate.js'

const consent = { source: 'web_form', agreed_at: '2026-09-30T10:00:00Z', text: 'Yes.', ip: '203.0.113.9' }

// rule A7
it('PATCH /leads/{id} changes only what is sent, and answers the lead as it is then', async () => {
  const sim = await simulate()
  const { id } = await sim.lead({ name: 'Ada', email: 'ada@example.com' })
  const before = await sim.readLead(id)
  await sim.advance('1s')
  const { status, data } = await sim.live.patch<Lead>(`/leads/${id}`, { address: '1 Main St' })
  expect(status).toBe(200)
  expect(data).toEqual({ ...before, address: '1 Main St', updated: '2026-10-01T15:00:01.000Z' })
  expect(await sim.readLead(id)).toEqual(data)
})

it.each(['name', 'email', 'address'])('clears the %s with null and with an empty text', async (field) => {
  const sim = await simulate()
  const { id } = await sim.lead({ [field]: 'x' })
  expect((await sim.live.patch(`/leads/${id}`, { [field]: null })).data).toMatchObject({ [field]: null })
  await sim.live.patch(`/leads/${id}`, { [field]: 'y' })
  expect((await sim.live.patch(`/leads/${id}`, { [field]: '' })).data).toMatchObject({ [field]: null })
})

it.each([
  ['name', 200],
  ['email', 254],
  ['address', 500],
  ['external_id', 200],
])('PATCH /leads/{id} takes a %s of at most %i characters', async (field, most) => {
  const sim = await simulate()
  const { id } = await sim.lead()
  expect((await sim.live.patch(`/leads/${id}`, { [field]: 'x'.repeat(most + 1) })).error).toMatchObject({
    code: 'invalid_request',
    param: field,
  })
  expect((await sim.live.patch(`/leads/${id}`, { [field]: 'x'.repeat(most) })).status).toBe(200)
})

describe('custom fields', () => {
  it('are merged, and one sent empty is removed', async () => {
    const sim = await simulate()
    const { id } = await sim.lead({ fields: { a: '1', b: '2', c: '3' } })
    const { data } = await sim.live.patch<Lead>(`/leads/${id}`, { fields: { b: '', c: '4', d: '5', e: '' } })
    expect(data.fields).toEqual({ a: '1', c: '4', d: '5' })
  })

  it('are at most fifty after the merge', async () => {
    const sim = await simulate()
    const fields = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, 'x']))
    const { id } = await sim.lead({ fields })
    expect((await sim.live.patch(`/leads/${id}`, { fields: { one: 'more' } })).error).toMatchObject({
      code: 'invalid_request',
      param: 'fields',
    })
    expect((await sim.readLead(id)).fields).toEqual(fields)
    const swapped = await sim.live.patch<Lead>(`/leads/${id}`, { fields: { one: 'more', f0: '' } })
    expect(Object.keys(swapped.data.fields)).toHaveLength(50)
  })
})

it('replaces consent as a whole', async () => {
  const sim = await simulate()
  const { id } = await sim.lead({ consent })
  const other = { source: 'crm', agreed_at: '2026-10-01T10:00:00Z', url: 'https://example.com' }
  expect((await sim.live.patch<Lead>(`/leads/${id}`, { consent: other })).data.consent).toEqual(other)
  expect((await sim.live.patch(`/leads/${id}`, { consent: { source: 'crm' } })).error.code).toBe('invalid_request')
})

describe('the external id', () => {
  it('is taken only while the lead has none', async () => {
    const sim = await simulate()
    const { id } = await sim.lead()
    expect((await sim.live.patch<Lead>(`/leads/${id}`, { external_id: 'a' })).data.external_id).toBe('a')
    expect((await sim.live.patch<Lead>(`/leads/${id}`, { external_id: 'a' })).status).toBe(200)
    expect((await sim.live.patch(`/leads/${id}`, { external_id: 'b' })).error).toMatchObject({
      code: 'invalid_request',
      param: 'external_id',
    })
    expect((await sim.live.get<Lead>('/leads?external_id=a')).data.id).toBe(id)
  })

  it('of another lead of the campaign is a duplicate, whatever its age', async () => {
    const sim = await simulate()
    const { id: known } = await sim.lead({ external_id: 'a' })
    await sim.advance('40d')
    const { id } = await sim.lead()
    const { error } = await sim.live.patch(`/leads/${id}`, { external_id: 'a' })
    expect(error).toMatchObject({ code: 'duplicate_lead', param: 'external_id', lead_id: known })
    const { id: campaign_id } = await sim.campaign()
    const elsewhere = await sim.lead({ campaign_id })
    expect((await sim.live.patch(`/leads/${elsewhere.id}`, { external_id: 'a' })).status).toBe(200)
  })
})

it.each(['+16462019999', '', 7, null])('PATCH /leads/{id} never changes the phone, also not to %j', async (phone) => {
  const sim = await simulate()
  const { id } = await sim.lead()
  const { error } = await sim.live.patch(`/leads/${id}`, { phone, name: 'Ada' })
  expect(error).toMatchObject({ code: 'phone_cannot_change', param: 'phone' })
  expect((await sim.readLead(id)).name).toBeNull()
})

it.each([
  ['call_now', { call_now: true }],
  ['status', { status: 'done' }],
  ['campaign_id', { campaign_id: 'b7a5d9a3-43f4-4fd1-9d59-6c4d2be0f1d5' }],
  ['fields', { fields: null }],
])('PATCH /leads/{id} does not take %s', async (param, patch) => {
  const sim = await simulate()
  const { id } = await sim.lead()
  expect((await sim.live.patch(`/leads/${id}`, patch)).error).toMatchObject({ code: 'invalid_request', param })
})

it('PATCH /leads/{id} drops the priority of a lead that waits: it is dialed among the others and never late', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 0 })
  const plain = await sim.lead()
  const urgent = await sim.lead({ call_now: true })
  expect((await sim.readLead(urgent.id)).place_in_line).toBe(1)
  const { data } = await sim.live.patch<Lead>(`/leads/${urgent.id}`, { call_now: false })
  expect(data).toMatchObject({ call_now: false, status: 'queued', place_in_line: 2 })
  expect((await sim.readLead(plain.id)).place_in_line).toBe(1)
  await sim.advance('1h')
  expect(await sim.readLead(urgent.id)).toMatchObject({ late: false })
  expect((await sim.events()).map(({ type }) => type)).not.toContain('lead.late')
})
