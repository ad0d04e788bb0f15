/** The list of events. */
import { describe, expect, it } from 'vitest'
import type { Event } from '../../../src/contract/events.js'
import { eventTypes } from '../../../src/contract/enums.js'
import { simulate, type Client, type Simulation } from '../../support/simulate.js'

const script = { answer: 'person', outcome: 'interested', ring_seconds: 5, talk_seconds: 60 } as const

/** A lead whose call is over. */
async function called(sim: Simulation): Promise<string> {
  const phone = sim.phone()
  await sim.script(phone, script)
  const { id } = await sim.lead({ phone })
  await sim.advance('2m')
  return id
}

describe('an event', () => {
  it('is an envelope with the lead or the call as it is read', async () => {
    const sim = await simulate()
    const id = await called(sim)
    const events = await sim.events()
    for (const event of events) {
      expect(event).toMatchObject({ id: expect.stringMatching(/^evt_/), livemode: true, api_version: '2026-10-01' })
      expect(event).not.toHaveProperty('sample')
    }
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length)
    const completed = events.find(({ type }) => type === 'call.completed')
    const call = (await sim.readLead(id)).calls[0]?.id ?? ''
    expect(completed?.data.object).toEqual(await sim.readCall(call))
    expect(completed?.data).toMatchObject({
      revision: 1,
      recording_path: `/calls/${call}/recording`,
      transcript_path: `/calls/${call}/transcript`,
    })
    const started = events.find(({ type }) => type === 'call.started')
    expect(started?.data).not.toHaveProperty('recording_path')
  })

  it('shows the livemode of its lead in test events alone', async () => {
    const sim = await simulate()
    await sim.lead()
    await sim.lead({}, sim.test)
    expect((await sim.events())[0]?.data.object).not.toHaveProperty('livemode')
    expect((await sim.events(sim.test))[0]?.data.object).toMatchObject({ livemode: false })
    expect((await sim.events()).at(-1)?.data.object).toMatchObject({ object: 'call', livemode: true })
  })

  // rule E1
  it('keeps what it said when the lead changes afterwards', async () => {
    const sim = await simulate()
    const { id } = await sim.lead({ name: 'Ada' })
    const before = await sim.events()
    await sim.live.patch(`/leads/${id}`, { name: 'Eve' })
    expect(await sim.events()).toEqual(before)
  })

  // rule E2
  it('is listed whether or not there is an endpoint for it, for thirty days', async () => {
    const sim = await simulate()
    await called(sim)
    const { length } = await sim.events()
    expect(length).toBeGreaterThan(4)
    await sim.advance('2026-10-31T15:00:00Z')
    expect((await sim.events()).filter(({ created }) => created < '2026-10-02')).toHaveLength(length)
    await sim.advance('1ms')
    expect((await sim.events()).filter(({ created }) => created === '2026-10-01T15:00:00.000Z')).toEqual([])
    await sim.advance('1d')
    expect(await sim.events()).toEqual([])
  })
})

describe('the list', () => {
  it('has filters for type and time', async () => {
    const sim = await simulate()
    await called(sim)
    const types = async (query: string) => (await sim.live.all<Event>(`/events?${query}`)).map(({ type }) => type)
    expect(await types('type=call.answered')).toEqual(['call.answered'])
    expect(await types('created[gte]=2026-10-01T15:01:05Z')).toEqual(['call.completed'])
    expect(await types('created[lte]=2026-10-01T15:00:00Z')).toEqual(['call.started', 'lead.queued', 'lead.created'])
    expect(
      await types(`created[gte]=${Date.UTC(2026, 9, 1, 15, 0, 5) / 1000}&created[lte]=2026-10-01T15:00:05Z`),
    ).toEqual(['call.answered'])
    expect((await sim.live.get('/events?type=lead.lost')).error).toMatchObject({
      code: 'invalid_request',
      param: 'type',
    })
  })

  it('has only events whose data the key may read', async () => {
    const sim = await simulate()
    await called(sim)
    const types = async (...permissions: string[]) => {
      const key = sim.as(await sim.key({ permissions: ['webhooks:read', ...permissions] }))
      return new Set((await key.all<Event>('/events')).map(({ type }) => type))
    }
    expect(await types()).toEqual(new Set())
    expect(await types('leads:read')).toEqual(new Set(['lead.created', 'lead.queued']))
    const calls = await types('calls:read')
    expect(calls).toContain('lead.interested')
    expect(calls).not.toContain('lead.created')
  })

  it('goes on only from an event the key can see', async () => {
    const sim = await simulate()
    const other = (await sim.campaign()).id
    await called(sim)
    await sim.lead({ campaign_id: other })
    const events = await sim.events()
    const inFirst = events.find(({ type }) => type === 'lead.created')?.id
    const ofCall = events.find(({ type }) => type === 'call.answered')?.id
    const inOther = events.findLast(({ type }) => type === 'lead.created')?.id
    const scoped = sim.as(await sim.key({ campaign_ids: [other] }))
    const reader = sim.as(await sim.key({ permissions: ['webhooks:read', 'leads:read'] }))
    const goOn = async (client: Client, id: string | undefined) =>
      (await client.get(`/events?starting_after=${id}`)).status
    expect([await goOn(scoped, inOther), await goOn(scoped, inFirst)]).toEqual([200, 400])
    expect([await goOn(reader, inFirst), await goOn(reader, ofCall)]).toEqual([200, 400])
    // One that has gone since its page was read still has its place.
    await sim.advance('31d')
    expect([await goOn(sim.live, inFirst), await goOn(sim.live, 'evt_1')]).toEqual([200, 400])
  })

  it('has no samples', async () => {
    const sim = await simulate()
    const { data } = await sim.live.post<{ id: string }>('/webhook_endpoints', {
      url: 'https://203.0.114.1',
      events: [...eventTypes],
    })
    await sim.live.post(`/webhook_endpoints/${data.id}/test`, { type: 'lead.created' })
    expect(await sim.events()).toEqual([])
  })
})
