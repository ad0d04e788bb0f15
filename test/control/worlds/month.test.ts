/** A month advanced over a busy world: everything happens at its own time, in order, and all of it is reported. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../../src/contract/calls.js'
import type { Event } from '../../../src/contract/events.js'
import type { Lead } from '../../../src/contract/leads.js'
import type { Delivery } from '../../../src/contract/deliveries.js'
import { Follower, type Message } from '../../support/programs/follower.js'
import { Receiver } from '../../support/deliveries/receiver.js'
import { simulate, type Client, type Simulation } from '../../support/simulate.js'

const minute = 60_000
const hour = 60 * minute
const at = (moment: unknown) => Date.parse(String(moment))

/** All that there is to see at the end of a month. */
interface Seen {
  messages: Message[]
  events: Event[]
  leads: Lead[]
  calls: Call[]
  deliveries: Delivery[]
  now: string
}

/** Leads of several zones in campaigns of every kind, and people and programs that interfere. */
async function populate(sim: Simulation): Promise<void> {
  const few = await sim.campaign({ lines: 1, calling_hours: { mon: [['10:00', '12:00']], thu: [['13:00', '16:30']] } })
  const capped = await sim.campaign({ spend_cap_usd: 1, call_now_default: true })
  const paused = await sim.campaign({ status: 'paused', duplicate_window_days: 3 })
  await sim.changeCampaign({ lines: 1, late_after_minutes: 5 })
  const areas = ['646201', '310555', '808555', '312555']
  for (let i = 0; i < 60; i++) {
    const campaign_id = [sim.campaignId, few.id, capped.id, paused.id][i % 4]
    const phone = `+1${areas[i % 3]}${7000 + i}`
    const words = { phone, campaign_id, external_id: `lead-${i}`, call_now: i % 8 < 4 }
    await sim.lead(words, i % 6 === 5 ? sim.test : sim.live)
  }
  // A number in two campaigns, one that opts out, one that is dialed next week.
  await sim.lead({ phone: '+16462017000', campaign_id: few.id })
  const [first, second] = await sim.live.all<Lead>('/leads?status=scheduled')
  await sim.live.post(`/leads/${first?.id}/opt_out`, {})
  await sim.control('PATCH', `/_sim/leads/${second?.id}`, { next_dial_at: '2026-10-08T17:00:00Z' })
}

async function played(push: (sim: Simulation) => Promise<unknown>): Promise<Seen> {
  const [good, bad] = [await Receiver.start(), await Receiver.start(() => ({ status: 500 }))]
  const sim = await simulate({ allowLocalWebhooks: true, seed: 3 })
  const follower = await Follower.open(sim)
  for (const [url, events] of [
    // The port varies, and no event contains it.
    [good.url, ['callback.booked']],
    [bad.url, ['lead.opted_out', 'lead.late']],
  ])
    await sim.live.post('/webhook_endpoints', { url, events })
  await populate(sim)
  await push(sim)
  const both = async <T>(path: string, cursor?: string): Promise<T[]> =>
    (await Promise.all([sim.live, sim.test].map((client: Client) => client.all<T>(path, cursor)))).flat()
  const seen = {
    events: [...(await sim.events(sim.live)), ...(await sim.events(sim.test))],
    leads: await Promise.all(
      [sim.live, sim.test].flatMap(async (client) =>
        Promise.all((await client.all<Lead>('/leads')).map(({ id }) => sim.readLead(id, client))),
      ),
    ).then((modes) => modes.flat()),
    calls: await both<Call>('/calls'),
    deliveries: await sim.control<Delivery[]>('GET', '/_sim/deliveries?limit=1000'),
    now: sim.now,
  }
  // Everything reported before this has arrived by now.
  await sim.lead({ external_id: 'last' })
  const isLast = ({ data }: Message) => JSON.stringify(data).includes('"external_id":"last"')
  await follower.until(() => follower.messages.some(isLast))
  const last = follower.messages.findIndex(isLast)
  await sim.simulator.close()
  for (const receiver of [good, bad]) await receiver.close()
  // The move of that lead comes right before its first event.
  return { ...seen, messages: follower.messages.slice(0, last - 1) }
}

let month: Seen
beforeAll(async () => {
  month = await played((sim) => sim.advance('31d'))
}, 120_000)

const told = (name: string) => month.messages.filter(({ event }) => event === name).map(({ data }) => data)
const transitionsOf = (name: string, id: string) => told(name).filter((data) => data['id'] === id)
const ofType = <T extends Event['type']>(type: T) => told(type) as unknown as Extract<Event, { type: T }>[]

describe('a month pushed over a busy world', () => {
  it('is busy', () => {
    expect(month.now).toBe('2026-11-01T15:00:00.000Z')
    expect(month.calls.length).toBeGreaterThan(60)
    for (const status of ['done', 'out_of_queue', 'held'] as const)
      expect(month.leads.map((lead) => lead.status)).toContain(status)
    for (const type of ['lead.late', 'lead.interested', 'callback.booked', 'voicemail.left'] as const)
      expect(ofType(type)).not.toEqual([])
    expect(new Set(month.deliveries.map(({ status }) => status))).toContain('gave_up')
  })

  it('tells everything in the order of its time', () => {
    const moments = month.messages.map(({ data }) => at(data['at'] ?? data['created']))
    expect(moments).toEqual([...moments].sort((a, b) => a - b))
    expect(month.messages.map(({ id }) => id)).toEqual(month.messages.map((_, i) => i + 1))
  })

  it('tells every move of every lead, from its first to where it stands', () => {
    for (const lead of month.leads) {
      const moves = transitionsOf('transition.lead', lead.id)
      expect(moves[0], lead.id).toMatchObject({ from: 'new', at: lead.created })
      expect(moves.slice(1).map(({ from }) => from)).toEqual(moves.slice(0, -1).map(({ to }) => to))
      expect(moves.at(-1)?.['to'], lead.id).toBe(lead.status)
    }
    expect(new Set(told('transition.lead').map(({ id }) => id)).size).toBe(month.leads.length)
  })

  it('tells every move of every call, at the times the call has', () => {
    for (const call of month.calls) {
      const moves = transitionsOf('transition.call', call.id).map((move) => [move['from'], move['to'], move['at']])
      const whole = [
        [null, 'ringing', call.started],
        ...(call.answered === null ? [] : [['ringing', 'in_progress', call.answered]]),
        ...(call.ended === null ? [] : [[call.answered === null ? 'ringing' : 'in_progress', 'ended', call.ended]]),
      ]
      expect(moves).toEqual(whole)
    }
    expect(new Set(told('transition.call').map(({ id }) => id)).size).toBe(month.calls.length)
  })

  it('tells every event there is, as it is', () => {
    const envelopes = month.messages.map(({ data }) => data).filter((data) => 'api_version' in data)
    // Those older than 30 days are listed no more.
    const listed = envelopes.filter((data) => at(data['created']) >= at(month.now) - 30 * 24 * hour)
    const of = (livemode: boolean) => listed.filter((data) => data['livemode'] === livemode)
    expect(listed.length).toBeLessThan(envelopes.length)
    expect([...of(true), ...of(false)]).toEqual(month.events)
  })

  it('makes every event at the time of what it tells of', () => {
    for (const { created, data } of ofType('call.started')) expect(created).toBe(data.object.started)
    for (const { created, data } of ofType('call.answered')) expect(created).toBe(data.object.answered)
    for (const { created, data } of ofType('call.completed')) expect(created).toBe(data.object.ended)
    for (const { created, data } of ofType('handover.accepted')) expect(created).toBe(data.handover.accepted_at)
    for (const { created, data } of ofType('lead.interested')) expect(created).toBe(data.interest.at)
    for (const { data } of ofType('lead.late')) expect(data.late.waited_seconds).toBe(data.late.limit_minutes * 60)
  })

  it('makes every try of a webhook on the schedule, to the millisecond', () => {
    const schedule = [0, 1, 5, 30, 120, 360, 720].map((minutes) => minutes * minute)
    let most = 0
    for (const { id, created, attempts, status } of month.deliveries) {
      const tries = told('delivery.attempt').filter(({ delivery }) => (delivery as Delivery).id === id)
      expect(tries).toHaveLength(attempts)
      expect(
        tries.map((one) => at(one['at']) - at(created)),
        status,
      ).toEqual(schedule.slice(0, attempts))
      most = Math.max(most, attempts)
    }
    expect(most).toBe(7)
  })

  it('calls nobody outside the hours of the lead, and nobody sooner than the rules allow', () => {
    const zones = { '646': 'America/New_York', '310': 'America/Los_Angeles', '808': 'Pacific/Honolulu' } as const
    const outbound = month.calls.filter(({ direction }) => direction === 'outbound')
    for (const { lead, started } of outbound) {
      const timeZone = zones[lead?.phone?.slice(2, 5) as keyof typeof zones]
      const local = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' })
      const localHour = Number(local.format(new Date(started)))
      expect([8 <= localHour && localHour < 21, started, timeZone]).toEqual([true, started, timeZone])
    }
    const waits = { busy: 15 * minute, failed: hour, no_answer: 2 * hour, voicemail: 24 * hour } as const
    for (const { id } of month.leads) {
      const inOrder = outbound.filter(({ lead }) => lead?.id === id).sort((a, b) => at(a.started) - at(b.started))
      for (const [i, later] of inOrder.slice(1).entries()) {
        const before = inOrder[i]
        const wait = waits[before?.outcome as keyof typeof waits]
        if (wait && before?.ended) expect(at(later.started) - at(before.ended)).toBeGreaterThanOrEqual(wait)
      }
    }
  })

  it('comes to the same in hours and days as in one push', async () => {
    const hourly = await played(async (sim) => {
      for (const by of [...Array.from({ length: 72 }, () => '1h'), '13s', '7d', '20d23h59m47s']) await sim.advance(by)
    })
    const plain = ({ deliveries, messages, ...seen }: Seen) => ({
      ...seen,
      deliveries: deliveries.map(({ duration_ms: _, ...delivery }) => delivery),
      messages: messages.filter(({ event }) => event !== 'delivery.attempt').map(({ event, data }) => [event, data]),
    })
    expect(plain(hourly)).toEqual(plain(month))
  }, 120_000)
})
