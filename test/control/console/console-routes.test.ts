import { describe, expect, it } from 'vitest'
import type { Figures } from '../../../src/contract/control/figures.js'
import type { LeadStory, ListedLead } from '../../../src/contract/control/lead-views.js'
import type { Pulse } from '../../../src/contract/control/pulse.js'
import type { DeliveryDetails } from '../../../src/contract/control/records.js'
import type { Schedule } from '../../../src/contract/control/schedule.js'
import type { Delivery } from '../../../src/contract/deliveries.js'
import { Follower } from '../../support/programs/follower.js'
import { Receiver } from '../../support/deliveries/receiver.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const leadsOf = (sim: Simulation, query = '') => sim.ask<ListedLead[]>('GET', `/_sim/leads${query}`)
const namesOf = async (sim: Simulation, query: string) => (await leadsOf(sim, query)).data.map(({ name }) => name)

/** The first pulse that fits. */
async function pulseWhere(follower: Follower, fits: (pulse: Pulse) => boolean): Promise<Pulse> {
  const find = () => follower.messages.map(({ data }) => data as unknown as Pulse).find(fits)
  await follower.until(() => find() !== undefined)
  return find() as Pulse
}

describe('the list of leads for the console', () => {
  it('filters by status, campaign, reason and text', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const other = await sim.campaign({ name: 'Paused', status: 'paused' })
    const ann = await sim.lead({ name: 'Ann Smith', external_id: 'crm-17' })
    await sim.lead({ name: 'Bob 100%', phone: '+12122340123' })
    await sim.lead({ name: 'Cem', campaign_id: other.id })
    expect(await namesOf(sim, '')).toEqual(['Cem', 'Bob 100%', 'Ann Smith'])
    expect(await namesOf(sim, '?status=queued')).toEqual(['Bob 100%', 'Ann Smith'])
    expect(await namesOf(sim, `?campaign_id=${other.id}`)).toEqual(['Cem'])
    expect(await namesOf(sim, '?reason=campaign_paused')).toEqual(['Cem'])
    expect(await namesOf(sim, '?reason=retry_after_outcome')).toEqual([])
    expect(await namesOf(sim, '?text=smith')).toEqual(['Ann Smith'])
    expect(await namesOf(sim, `?text=${encodeURIComponent('100%')}`)).toEqual(['Bob 100%'])
    expect(await namesOf(sim, `?text=${encodeURIComponent('(212) 234')}`)).toEqual(['Bob 100%'])
    expect(await namesOf(sim, '?text=0123')).toEqual(['Bob 100%'])
    expect(await namesOf(sim, '?text=crm-17')).toEqual(['Ann Smith'])
    expect(await namesOf(sim, `?text=${ann.id}`)).toEqual(['Ann Smith'])
    expect(await namesOf(sim, '?text=nobody')).toEqual([])
    expect(await namesOf(sim, '?mode=test')).toEqual([])
  })

  it.each(['', '&text=lead', '&reason=campaign_paused', '&status=held', '&text=646201'])(
    'pages with %j',
    async (query) => {
      const sim = await simulate()
      await sim.changeCampaign({ status: 'paused' })
      for (let i = 0; i < 5; i++) await sim.lead({ name: `Lead ${i}` })
      const first = await leadsOf(sim, `?limit=3${query}`)
      expect(first.data.map(({ name }) => name)).toEqual(['Lead 4', 'Lead 3', 'Lead 2'])
      expect(first.meta.has_more).toBe(true)
      const second = await leadsOf(sim, `?limit=3${query}&starting_after=${first.meta.next_cursor}`)
      expect(second.data.map(({ name }) => name)).toEqual(['Lead 1', 'Lead 0'])
      expect(second.meta).toEqual({ has_more: false, next_cursor: null, is_partial: false })
    },
  )
})

describe('the story of a lead', () => {
  it('shows events, calls and deliveries on one time line', async () => {
    const receiver = await Receiver.start()
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created', 'call.completed'] })
    const phone = sim.phone()
    for (let i = 0; i < 3; i++) await sim.lead()
    const id = await sim.scripted(phone, { answer: 'person', talk_seconds: 30, outcome: 'interested' }, { name: 'Ann' })
    await sim.advance('10m')
    const { data: optedOut } = await sim.ask<{ status: string }>('POST', `/_sim/leads/${id}/opt_out`, {})
    expect(optedOut.status).toBe('out_of_queue')
    const story = await sim.control<LeadStory>('GET', `/_sim/leads/${id}/story`)
    expect(story.lead.name).toBe('Ann')
    expect(story.calls).toHaveLength(1)
    const lines = story.items.map(({ kind, what }) => `${kind} ${what}`)
    expect(lines.slice(0, 2)).toEqual(['event lead.created', 'event lead.queued'])
    for (const line of [
      ...['delivery lead.created', 'event call.started', 'event call.answered', 'event lead.interested'],
      ...['event call.completed', 'delivery call.completed', 'event lead.opted_out', 'dnc api'],
    ])
      expect(lines).toContain(line)
    const own = (await sim.events()).filter((event) => JSON.stringify(event).includes(id))
    expect(story.items.filter(({ kind }) => kind === 'event')).toHaveLength(own.length)
    expect(story.items.map(({ at }) => at)).toEqual(story.items.map(({ at }) => at).sort())
    await receiver.close()
  })
})

describe('a delivery for the console', () => {
  it('shows its attempts, the retries to come, advice, and a request that is signed', async () => {
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.control('POST', '/_sim/webhook_endpoints', { url: 'http://127.0.0.1:9/hooks', events: ['lead.created'] })
    const endpoints = await sim.control<{ id: string; url: string }[]>('GET', '/_sim/webhook_endpoints')
    await sim.lead()
    await sim.advance('10s')
    const path = `/_sim/webhook_endpoints/${endpoints[0]?.id}/deliveries`
    const [delivery] = await sim.control<Delivery[]>('GET', path)
    const details = await sim.control<DeliveryDetails>('GET', `/_sim/deliveries/${delivery?.id}`)
    expect(details).toMatchObject({ status: 'failed', error: 'refused', url: 'http://127.0.0.1:9/hooks' })
    expect(details.tries.map(({ number, error }) => ({ number, error }))).toEqual([{ number: 1, error: 'refused' }])
    expect(details.retries_at.length).toBeGreaterThan(1)
    expect(details.hint).toMatch(/Nothing listens/)
    expect(details.request?.headers['Service-Signature']).toMatch(/^t=\d+,v1=/)
    expect(JSON.parse(details.request?.body ?? '')).toMatchObject({ type: 'lead.created' })
    const again = await sim.ask<Delivery>('POST', `${path}/${delivery?.id}/resend`)
    expect(again.status).toBe(202)
    expect(again.data.resent_from).toBe(delivery?.id)
    expect((await sim.ask('GET', '/_sim/deliveries/00000000-0000-4000-8000-000000000000')).status).toBe(404)
  })
})

describe('the schedule', () => {
  it('holds appointments and calling hours of one organization and mode', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    await sim.lead()
    const schedule = await sim.control<Schedule>('GET', '/_sim/schedule')
    expect(schedule.hours).toEqual([
      expect.objectContaining({
        zone: 'America/New_York',
        queued: 1,
        is_open: true,
        changes_at: '2026-10-02T01:00:00.000Z',
        open: [
          { from: '2026-10-01T15:00:00.000Z', to: '2026-10-02T01:00:00.000Z' },
          { from: '2026-10-02T12:00:00.000Z', to: '2026-10-02T15:00:00.000Z' },
        ],
      }),
    ])
    expect(schedule.appointments).toContainEqual(expect.objectContaining({ kind: 'hours' }))
    const test = await sim.control<Schedule>('GET', '/_sim/schedule?mode=test')
    expect(test.hours).toMatchObject([{ zone: 'America/New_York', queued: 0, scheduled: 0 }])
    expect(test.appointments.filter(({ kind }) => kind !== 'retention')).toEqual([])
  })
})

describe('the figures', () => {
  it('count calls, outcomes and deliveries by hour and by day', async () => {
    const receiver = await Receiver.start()
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['call.completed'] })
    for (let i = 0; i < 2; i++)
      await sim.scripted(sim.phone(), { answer: 'person', talk_seconds: 61, outcome: 'interested' })
    await sim.advance('30m')
    const byHour = await sim.control<Figures>('GET', '/_sim/figures')
    expect(byHour.buckets).toHaveLength(24)
    expect(byHour.buckets.at(-1)).toMatchObject({ label: '2026-10-01 11:00', calls: 2, calls_connected: 2, minutes: 4 })
    expect(byHour.outcomes).toEqual([{ outcome: 'interested', calls: 2 }])
    expect(byHour.deliveries).toContainEqual({ status: 'sent', deliveries: 2 })
    const byDay = await sim.control<Figures>('GET', '/_sim/figures?by=day&from=2026-09-30T12:00:00Z')
    expect(byDay.buckets.map(({ label, calls }) => [label, calls])).toEqual([
      ['2026-09-30', 0],
      ['2026-10-01', 2],
    ])
    expect((await sim.ask('GET', '/_sim/figures?from=2020-01-01T00:00:00Z')).error.code).toBe('invalid_request')
    await receiver.close()
  })
})

describe('the pulse', () => {
  it('shows clock, counts, lines and the latest events of one mode', async () => {
    const sim = await simulate()
    const follower = await Follower.open(sim, '', '/_sim/pulse')
    const phone = sim.phone()
    await sim.scripted(phone, { answer: 'person', ring_seconds: 5, talk_seconds: 600 }, { name: 'Ann' })
    await sim.advance('1m')
    const pulse = await pulseWhere(follower, ({ lines }) => lines[0]?.calls[0]?.status === 'in_progress')
    expect(pulse).toMatchObject({ now: '2026-10-01T15:01:00.000Z', paused: true, push: null })
    expect(pulse.leads).toMatchObject({ on_call: 1, queued: 0 })
    expect(pulse.lines[0]).toMatchObject({ busy: 1, calls: [{ who: 'Ann', status: 'in_progress' }] })
    expect(pulse.feed.map(({ type, who }) => `${type} ${who}`)).toContain('call.answered Ann')
  })

  it('shows what an advance waits for, and an advance can be stopped', async () => {
    const receiver = await Receiver.start(() => new Promise(() => undefined))
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    const follower = await Follower.open(sim, '', '/_sim/pulse')
    await sim.lead()
    const advanced = sim.control<{ stopped?: boolean; now: string }>('POST', '/_sim/clock/advance', { by: '31d' })
    const queued = sim.control<{ stopped?: boolean }>('POST', '/_sim/clock/advance', { by: '1d' })
    const { push } = await pulseWhere(follower, (pulse) => (pulse.push?.waits_for.length ?? 0) > 0)
    expect(push?.waits_for[0]).toMatchObject({ url: receiver.url, event_type: 'lead.created' })
    const { stopped } = await sim.control<{ stopped: number }>('DELETE', '/_sim/clock/advance')
    expect(stopped).toBe(2)
    expect(await advanced).toMatchObject({ stopped: true })
    expect(await queued).toMatchObject({ stopped: true, events: 0 })
    expect(await sim.control('DELETE', '/_sim/clock/advance')).toMatchObject({ stopped: 0 })
    await receiver.close()
  })
})

describe('faults', () => {
  it('are listed, and removed one by one', async () => {
    const sim = await simulate()
    const first = await sim.control<{ id: string }>('POST', '/_sim/faults', { path: '/leads', status: 503, count: 2 })
    await sim.control('POST', '/_sim/faults', { to: 'webhooks', delay: '5m', event: 'call.*' })
    expect(await sim.control('GET', '/_sim/faults')).toEqual([
      { id: first.id, path: '/leads', status: 503, count: 2 },
      { id: 'webhook_1', to: 'webhooks', delay: '5m', event: 'call.*', count: 1 },
    ])
    expect((await sim.live.get('/leads')).status).toBe(503)
    const [logged] = await sim.control<object[]>('GET', '/_sim/requests')
    expect(logged).toMatchObject({ error_code: 'service_unavailable', fault: '503' })
    await sim.control('DELETE', `/_sim/faults/${first.id}`)
    expect((await sim.live.get('/leads')).status).toBe(200)
    expect((await sim.ask('DELETE', `/_sim/faults/${first.id}`)).status).toBe(404)
    expect(await sim.control('GET', '/_sim/faults')).toHaveLength(1)
  })
})
