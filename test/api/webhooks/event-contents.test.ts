/** What events carry: the lead or the call as it was read at that moment, the type's own fields, and nothing else. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agenda } from '../../../src/contract/control/agenda.js'
import type { Event, EventType } from '../../../src/contract/events.js'
import { eventTypes } from '../../../src/contract/enums.js'
import { simulate, type Client, type Simulation } from '../../support/simulate.js'

const moment = expect.stringMatching(/^2026-10-0\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
/** Events do not contain the id of a closer. */
const person = {
  id: expect.toSatisfy((id) => id === null || typeof id === 'string'),
  name: expect.any(String),
  role: expect.stringMatching(/^(sdr|closer)$/),
}

/** The fields next to `object` in the data of each type. */
const own: Record<EventType, object> = {
  'lead.created': {},
  'lead.queued': {},
  'lead.interested': { interest: { at: moment } },
  'lead.opted_out': {
    opt_out: {
      source: expect.stringMatching(/^(api|ai|outcome|manual|bulk|sms)$/),
      reason: expect.toSatisfy((reason) => reason === null || reason === 'asked by mail'),
    },
  },
  'lead.late': { late: { waited_seconds: 60, limit_minutes: 1 } },
  'call.started': {},
  'call.answered': {},
  'call.completed': { revision: 1 },
  'handover.accepted': { handover: { accepted_at: moment, by: person, tth_seconds: expect.any(Number) } },
  'voicemail.left': { voicemail: { left_at: moment } },
  'callback.booked': {
    callback: { callback_at: moment, booked_by: { id: null, name: 'AI agent', role: 'ai' } },
  },
}

const talk = { answer: 'person', ring_seconds: 4, talk_seconds: 90 } as const

/** Calls that between them bring every type of event; what others do is left to the seed. */
const scripts = [
  { ...talk, outcome: 'interested', interested_after_seconds: 20, handover: { role: 'sdr', accept_after_seconds: 45 } },
  { ...talk, outcome: 'callback', callback_at: '2026-10-01T16:30:00Z' },
  { answer: 'voicemail', ring_seconds: 10, talk_seconds: 25 },
  { ...talk, outcome: 'dnc', dnc_by: 'ai' },
  { ...talk, outcome: 'dnc', dnc_by: 'outcome' },
  { answer: 'failed', ring_seconds: 2 },
] as const

class Watched {
  readonly seen: Event[] = []

  constructor(
    readonly sim: Simulation,
    readonly client: Client,
  ) {}

  /** The events since this was last asked, oldest first. */
  async news(): Promise<Event[]> {
    const news = (await this.sim.events(this.client)).slice(this.seen.length)
    this.seen.push(...news)
    return news
  }

  /** Goes on to the next thing that happens. */
  async goOn(): Promise<void> {
    const { appointments } = await this.sim.control<Agenda>('GET', '/_sim/agenda?limit=1')
    await this.sim.advance(appointments[0]?.at ?? '1m')
  }
}

/** The last event of each lead and call, unless it shows a lead in line that a line was taken for in the same breath. */
function lastOfEach(news: readonly Event[]): Event[] {
  const last = new Map(news.map((event) => [event.data.object.id, event]))
  const dialed = new Set(news.flatMap(({ data }) => ('lead' in data.object ? [data.object.lead?.id] : [])))
  return [...last.values()].filter(
    ({ type, data }) => !/^lead\.(created|queued)$/.test(type) || !dialed.has(data.object.id),
  )
}

async function readNow({ sim, client }: Watched, { data: { object } }: Event): Promise<object> {
  if ('direction' in object) return sim.readCall(object.id, client)
  const { livemode, ...lead } = await sim.readLead(object.id, client)
  return client.key.mode === 'live' ? lead : { livemode, ...lead }
}

async function checkMoment(watched: Watched): Promise<void> {
  for (const event of lastOfEach(await watched.news())) {
    expect(event.data.object, event.type).toEqual(await readNow(watched, event))
  }
}

describe.each(['live', 'test'] as const)('whatever happens in %s mode, an event', (mode) => {
  it('shows its lead or call as it was read at that moment, and carries its own fields alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), async (seed) => {
        const sim = await simulate({ seed })
        const watched = new Watched(sim, mode === 'live' ? sim.live : sim.test)
        await sim.changeCampaign({ lines: 2, late_after_minutes: 1 })
        const ids: string[] = []
        for (let n = 0; n < 9; n++) {
          const phone = sim.phone()
          const script = scripts[n]
          if (script) await sim.control('POST', '/_sim/scripts', { phone, mode, calls: [script] })
          ids.push((await sim.lead({ phone, call_now: n === 7, fields: { n: String(n) } }, watched.client)).id)
          await checkMoment(watched)
        }
        for (let step = 0; step < 45; step++) {
          await watched.goOn()
          await checkMoment(watched)
        }
        await watched.client.post(`/leads/${ids[8]}/opt_out`, { reason: 'asked by mail' })
        await checkMoment(watched)
        expect(new Set(watched.seen.map(({ type }) => type))).toEqual(new Set(eventTypes))
        watched.seen.forEach(checkEnvelope(mode))
        await sim.simulator.close()
      }),
      { numRuns: 2 },
    )
  })
})

const checkEnvelope =
  (mode: 'live' | 'test') =>
  ({ id, created, data: { object, ...extras }, type, ...rest }: Event): void => {
    expect(id).toMatch(/^evt_[0-9a-f]{32}$/)
    expect(created).toEqual(moment)
    expect(rest, type).toEqual({ livemode: mode === 'live', api_version: '2026-10-01' })
    const isCall = 'direction' in object
    const paths = isCall && object.recording_available ? pathsOf(object.id) : {}
    expect(extras, type).toEqual({ ...own[type], ...paths })
    // A live lead says nothing of its mode; everything else does.
    expect('livemode' in object ? object.livemode : 'left out').toBe(
      isCall || mode === 'test' ? mode === 'live' : 'left out',
    )
  }

const pathsOf = (call: string) => ({
  recording_path: `/calls/${call}/recording`,
  transcript_path: `/calls/${call}/transcript`,
})

it('events of one lead or call are newer by their `updated` whenever they show something new', async () => {
  const sim = await simulate({ seed: 7 })
  await sim.changeCampaign({ lines: 1, late_after_minutes: 1 })
  for (const script of scripts) {
    const phone = sim.phone()
    await sim.script(phone, script)
    await sim.lead({ phone, call_now: true })
  }
  await sim.advance('2d')
  const last = new Map<string, Event>()
  for (const event of await sim.events()) {
    const { object } = event.data
    const before = last.get(object.id)
    last.set(object.id, event)
    if (!before) continue
    const isNews = JSON.stringify(facts(before)) !== JSON.stringify(facts(event))
    const { updated } = before.data.object
    expect(isNews ? object.updated > updated : object.updated >= updated, `${event.type} after ${before.type}`).toBe(
      true,
    )
  }
  expect(last.size).toBeGreaterThan(2 * scripts.length)
})

/** Everything except `updated` and the position in a queue that others move. */
function facts({ data: { object } }: Event): object {
  const inLine = { place_in_line: null, estimated_wait_seconds: null }
  return { ...object, updated: null, ...('direction' in object ? {} : inLine) }
}
