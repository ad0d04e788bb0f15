/** The Do Not Call list. */
import { describe, expect, it } from 'vitest'
import type { DncBatchResult, DncCheck, DncEntry } from '../../../src/contract/dnc.js'
import type { Lead } from '../../../src/contract/leads.js'
import { simulate } from '../../support/simulate.js'

describe('a number that is added', () => {
  it('is stored as E.164, with where it came from and when', async () => {
    const sim = await simulate()
    const { status, data } = await sim.live.post('/dnc', { phone: '(646) 201-1000' })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.any(String),
      phone: '+16462011000',
      source: 'api',
      createdAt: '2026-10-01T15:00:00.000Z',
      livemode: true,
    })
  })

  it('takes its leads out of every campaign and reports each', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const { id: other } = await sim.campaign({ status: 'paused' })
    const phone = sim.phone()
    const ids = [(await sim.lead({ phone })).id, (await sim.lead({ phone, campaign_id: other })).id]
    await sim.lead()
    await sim.live.post('/dnc', { phone })
    for (const id of ids) expect(await sim.readLead(id)).toMatchObject({ status: 'out_of_queue', last_outcome: null })
    const events = (await sim.events()).filter(({ type }) => type === 'lead.opted_out')
    expect(events.map(({ data }) => data.object.id)).toEqual(ids)
    await sim.changeCampaign({ lines: 5 })
    await sim.live.post(`/campaigns/${other}/start`)
    await sim.advance('1d')
    for (const id of ids) expect((await sim.readLead(id)).attempts).toBe(0)
  })

  // rule N1
  it('twice is a duplicate, however it is written', async () => {
    const sim = await simulate()
    await sim.live.post('/dnc', { phone: '+16462011000' })
    expect((await sim.live.post('/dnc', { phone: '646.201.1000' })).error).toMatchObject({
      code: 'duplicate_dnc_entry',
      param: 'phone',
    })
  })

  it.each(['', '12', '+12125550150', '+15550100001'])('must be a number: %j', async (phone) => {
    const sim = await simulate()
    expect((await sim.live.post('/dnc', { phone })).error).toMatchObject({ code: 'invalid_phone', param: 'phone' })
  })

  it('may be one that is not dialed anyway', async () => {
    const sim = await simulate()
    for (const phone of ['+19002125555', '+442079460958'])
      expect((await sim.live.post('/dnc', { phone })).status).toBe(201)
  })

  // rule D5
  it('is checked again just before each call', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { answer: 'no_answer', ring_seconds: 10 })
    const { id } = await sim.lead({ phone })
    await sim.advance('1m')
    expect((await sim.readLead(id)).status).toBe('scheduled')
    await sim.live.post('/dnc', { phone })
    await sim.advance('1d')
    expect(await sim.readLead(id)).toMatchObject({ status: 'out_of_queue', attempts: 1 })
  })
})

describe('a batch', () => {
  it('adds each number on its own and names those that were not added, as they were sent', async () => {
    const sim = await simulate()
    await sim.live.post('/dnc', { phone: '+16462011000' })
    const phones = ['(646) 201-1000', '646 201 1001', 'x', '+16462011001', '+16462011002']
    const { status, data } = await sim.live.post<DncBatchResult>('/dnc/batch', { phones })
    expect(status).toBe(200)
    expect(data).toEqual({ succeeded: 2, failed: 3, errors: ['(646) 201-1000', 'x', '+16462011001'], livemode: true })
    const listed = (await sim.live.all<DncEntry>('/dnc', 'cursor')).map(({ phone }) => phone)
    expect(listed).toEqual(['+16462011002', '+16462011001', '+16462011000'])
  })

  it('takes the leads of each number out, like a number that is added alone', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const phones = [sim.phone(), sim.phone()]
    const ids: string[] = []
    for (const phone of phones) ids.push((await sim.lead({ phone })).id)
    await sim.live.post('/dnc/batch', { phones })
    for (const id of ids) expect((await sim.readLead(id)).status).toBe('out_of_queue')
    const out = (await sim.events()).filter(({ type }) => type === 'lead.opted_out')
    expect(out.map(({ data }) => data)).toMatchObject(
      ids.map((id) => ({ object: { id }, opt_out: { source: 'api', reason: null } })),
    )
    expect((await sim.live.all<DncEntry>('/dnc', 'cursor')).map(({ source }) => source)).toEqual(['api', 'api'])
  })

  it('has at most a hundred numbers', async () => {
    const sim = await simulate()
    const phones = (count: number) => Array.from({ length: count }, () => sim.phone())
    expect((await sim.live.post('/dnc/batch', { phones: phones(101) })).error).toMatchObject({
      code: 'invalid_request',
      param: 'phones',
    })
    expect((await sim.live.post<DncBatchResult>('/dnc/batch', { phones: phones(100) })).data.succeeded).toBe(100)
    expect((await sim.live.post('/dnc/batch', { phones: [7] })).error).toMatchObject({
      code: 'invalid_request',
      param: 'phones[0]',
    })
  })
})

// rule N2
describe('a check', () => {
  const check = async (query: string) => {
    const sim = await simulate()
    await sim.live.post('/dnc', { phone: '+16462011000' })
    return sim.live.get<DncCheck>(`/dnc/check${query}`)
  }

  it.each([
    ['?phone=%2B16462011000', '+16462011000'],
    ['?phone=+16462011000', '+16462011000'],
    ['?phone=(646)%20201-1000', '(646) 201-1000'],
    ['?phone=6462011000', '6462011000'],
  ])('reads %s', async (query, phone) => {
    expect((await check(query)).data).toEqual({
      phone,
      normalizedPhone: '+16462011000',
      onDncList: true,
      livemode: true,
    })
  })

  it('reads an unencoded plus of another country as a plus', async () => {
    const sim = await simulate()
    await sim.live.post('/dnc', { phone: '+442079460958' })
    expect((await sim.live.get<DncCheck>('/dnc/check?phone=+442079460958')).data).toMatchObject({
      normalizedPhone: '+442079460958',
      onDncList: true,
    })
  })

  it('says so when the number is not listed', async () => {
    expect((await check('?phone=6462011001')).data).toMatchObject({ normalizedPhone: '+16462011001', onDncList: false })
  })

  it('has no normal form for what cannot be read', async () => {
    expect((await check('?phone=hello')).data).toEqual({
      phone: 'hello',
      normalizedPhone: null,
      onDncList: false,
      livemode: true,
    })
  })

  it.each(['', '?phone=', '?phone=%20'])('needs a phone: %j', async (query) => {
    expect((await check(query)).error).toMatchObject({ code: 'invalid_phone', param: 'phone' })
  })
})

describe('the list', () => {
  it('finds a part of a number', async () => {
    const sim = await simulate()
    await sim.live.post('/dnc/batch', { phones: ['+16462011000', '+16462012000', '+12122011000'] })
    const found = async (search: string) =>
      (await sim.live.all<DncEntry>(`/dnc?search=${encodeURIComponent(search)}`, 'cursor')).map(({ phone }) => phone)
    expect(await found('201100')).toEqual(['+12122011000', '+16462011000'])
    expect(await found('+1646')).toEqual(['+16462012000', '+16462011000'])
    expect(await found('(646) 201-1')).toEqual(['+16462011000'])
    expect(await found('%')).toEqual([])
    expect(await found('_646')).toEqual([])
    expect((await sim.live.get(`/dnc?search=${'1'.repeat(201)}`)).error).toMatchObject({
      code: 'invalid_request',
      param: 'search',
    })
  })

  // rule N3
  it('gives a number free again that is removed', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    const { data: entry } = await sim.live.post<DncEntry>('/dnc', { phone })
    const removed = await sim.live.del<DncEntry>(`/dnc/${entry.id}`)
    expect([removed.status, removed.data]).toEqual([200, entry])
    expect((await sim.live.del(`/dnc/${entry.id}`)).error.code).toBe('not_found')
    const again = await sim.live.post<DncEntry>('/dnc', { phone })
    expect(again.data.id).not.toBe(entry.id)
    await sim.live.del(`/dnc/${again.data.id}`)
    expect((await sim.live.post<Lead>('/leads', { campaign_id: sim.campaignId, phone })).status).toBe(201)
  })
})
