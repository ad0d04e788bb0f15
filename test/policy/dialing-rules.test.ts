/** Checks the dialing rules on every call of random histories. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Call } from '../../src/contract/calls.js'
import { simulate, type Simulation } from '../support/simulate.js'

const zones = {
  '+16462011001': 'America/New_York',
  '+12122011002': 'America/New_York',
  '+13122011003': 'America/Chicago',
  '+12132011004': 'America/Los_Angeles',
} as const
type Phone = keyof typeof zones
const phones = Object.keys(zones) as Phone[]

const dayMs = 24 * 60 * 60_000
const lines = [1, 2, 1]

const phone = fc.constantFrom(...phones)
const campaign = fc.nat(lines.length - 1)
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('lead' as const), phone, campaign, call_now: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 1500 }) }),
  },
  fc.record({ what: fc.constant('call' as const), lead: fc.nat(9) }),
  fc.record({ what: fc.constant('take_out' as const), lead: fc.nat(9) }),
  fc.record({ what: fc.constant('put_back' as const), lead: fc.nat(9) }),
  fc.record({ what: fc.constant('dial_at' as const), lead: fc.nat(9), minutes: fc.integer({ min: 0, max: 2000 }) }),
  fc.record({ what: fc.constant('pause' as const), campaign }),
  fc.record({ what: fc.constant('start' as const), campaign }),
  fc.record({ what: fc.constant('inbound' as const), phone, campaign }),
  fc.record({ what: fc.constant('list' as const), phone }),
)
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never

/** What was done when, as far as it forbids calls. */
interface History {
  campaigns: string[]
  leads: string[]
  listed: Map<string, number>
  /** By campaign: from when until when it was paused. */
  pauses: { campaign: string; from: number; until: number }[]
}

async function play(sim: Simulation, history: History, one: Deed): Promise<void> {
  const now = Date.parse(sim.now)
  const { campaigns, leads, listed, pauses } = history
  const at = (index: number) => campaigns[index] ?? ''
  const lead = (index: number) => leads[index % Math.max(1, leads.length)]
  switch (one.what) {
    case 'lead': {
      const body = { campaign_id: at(one.campaign), phone: one.phone, call_now: one.call_now }
      const { status, body: reply } = await sim.live.post('/leads', body)
      if (status === 201) leads.push((reply as { data: { id: string } }).data.id)
      return
    }
    case 'pass':
      await sim.advance(`${one.minutes}m`)
      return
    case 'call':
      await sim.live.post('/calls', { lead_id: lead(one.lead) })
      return
    case 'take_out':
    case 'put_back':
      if (lead(one.lead)) await sim.ask('POST', `/_sim/leads/${lead(one.lead)}/${one.what}`)
      return
    case 'dial_at': {
      const next_dial_at = new Date(now + one.minutes * 60_000).toISOString()
      if (lead(one.lead)) await sim.ask('PATCH', `/_sim/leads/${lead(one.lead)}`, { next_dial_at })
      return
    }
    case 'pause':
      if (!pauses.some(({ campaign: id, until }) => id === at(one.campaign) && until === Infinity))
        pauses.push({ campaign: at(one.campaign), from: now, until: Infinity })
      await sim.live.post(`/campaigns/${at(one.campaign)}/pause`)
      return
    case 'start':
      for (const pause of pauses) if (pause.campaign === at(one.campaign) && pause.until === Infinity) pause.until = now
      await sim.live.post(`/campaigns/${at(one.campaign)}/start`)
      return
    case 'inbound':
      await sim.ask('POST', '/_sim/inbound_calls', { from: one.phone, campaign_id: at(one.campaign) })
      return
    case 'list':
      if ((await sim.live.post('/dnc', { phone: one.phone })).status === 201) listed.set(one.phone, now)
  }
}

interface Made {
  call: Call
  phone: string
  from: number
  until: number
}

const hourIn = (zone: string, at: number) =>
  Number(new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(at))

/** Which rule the calls break, if any, and where. */
function broken(calls: readonly Made[], { campaigns, listed, pauses }: History): string[] {
  const outbound = calls.filter(({ call }) => call.direction === 'outbound')
  const overlap = (a: Made, b: Made) => a !== b && a.from < b.until && b.from < a.until
  const reached = (a: Made, b: Made) =>
    (b.call.campaign_id !== a.call.campaign_id || b.call.direction === 'inbound') &&
    b.phone === a.phone &&
    b.from < a.from &&
    a.from - b.from < dayMs
  const rules: Record<string, (made: Made) => boolean> = {
    'between eight and nine where the lead is': ({ phone, from }) => {
      const hour = hourIn(zones[phone as Phone], from)
      return hour >= 8 && hour < 21
    },
    'a day after another campaign or an inbound call': (made) => !calls.some((other) => reached(made, other)),
    'never to a listed number': ({ phone, from }) => from <= (listed.get(phone) ?? Infinity),
    'never in a paused campaign': ({ call, from }) =>
      !pauses.some((pause) => pause.campaign === call.campaign_id && from > pause.from && from < pause.until),
    'one call at a time to a number': (made) =>
      !calls.some((other) => other.phone === made.phone && overlap(made, other)),
    'never above the lines': (made) => {
      const index = campaigns.indexOf(made.call.campaign_id ?? '')
      const beside = outbound.filter(
        ({ call, from, until }) => call.campaign_id === made.call.campaign_id && from <= made.from && made.from < until,
      )
      return beside.length <= (lines[index] ?? 0)
    },
  }
  return outbound.flatMap((made) =>
    Object.entries(rules).flatMap(([rule, holds]) => (holds(made) ? [] : [`${rule}: ${JSON.stringify(made.call)}`])),
  )
}

it('the dialing rules hold in random histories of a campaign', async () => {
  let made = 0
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 8, maxLength: 30 }), fc.nat(1000), async (deeds, seed) => {
      const sim = await simulate({ seed, now: '2026-10-31T16:00:00Z' })
      const campaigns: string[] = []
      for (const count of lines) {
        const { id } = await sim.campaign({ lines: count, duplicate_window_days: 0, retire_after_failures: 9 })
        campaigns.push(id)
      }
      const history: History = { campaigns, leads: [], listed: new Map(), pauses: [] }
      for (const one of deeds) await play(sim, history, one)
      await sim.advance('2d')
      const calls = (await sim.live.all<Call>('/calls')).map((call) => ({
        call,
        phone: call.lead?.phone ?? '',
        from: Date.parse(call.started),
        until: call.ended === null ? Infinity : Date.parse(call.ended),
      }))
      made += calls.length
      expect(broken(calls, history)).toEqual([])
    }),
    { numRuns: 12 },
  )
  expect(made).toBeGreaterThan(10)
})
