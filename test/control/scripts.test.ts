import { describe, expect, it } from 'vitest'
import type { Call, Transcript } from '../../src/contract/calls.js'
import type { ScriptedCall } from '../../src/contract/control/scripts.js'
import { keyOf, simulate, type Simulation } from '../support/simulate.js'

const start = Date.parse('2026-10-01T15:00:00Z')
const secondsIn = (moment: string | null) => moment && (Date.parse(moment) - start) / 1000

const set = (sim: Simulation, words: object) => sim.ask('POST', '/_sim/scripts', words)
const forget = (sim: Simulation, query = '') => sim.ask<{ removed: number }>('DELETE', `/_sim/scripts${query}`)

/** A lead whose calls go as scripted, once an hour has passed. */
async function called(...script: ScriptedCall[]) {
  const sim = await simulate()
  const phone = sim.phone()
  await sim.script(phone, ...script)
  const { id } = await sim.lead({ phone })
  await sim.advance('5m')
  const lead = await sim.readLead(id)
  const [latest] = lead.calls
  return { sim, id, lead, call: await sim.readCall(latest?.id ?? '') }
}

/** The reported steps of the call, with the seconds since the first ring. */
const told = async (sim: Simulation) =>
  (await sim.events()).slice(2).map(({ type, created }) => [type, secondsIn(created)])

describe('a scripted call', () => {
  it.each([
    ['person', 'not_interested', true, 'done'],
    ['voicemail', 'voicemail', true, 'scheduled'],
    ['no_answer', 'no_answer', false, 'scheduled'],
    ['busy', 'busy', false, 'scheduled'],
    ['failed', 'failed', false, 'scheduled'],
  ] as const)('that is answered by %s ends %s', async (answer, outcome, answered, status) => {
    const { call, lead } = await called({ answer })
    expect(call).toMatchObject({ status: 'ended', outcome, direction: 'outbound' })
    expect([call.answered !== null, lead.status]).toEqual([answered, status])
  })

  it('rings and lasts as long as it says, to the second', async () => {
    const { call } = await called({ answer: 'person', ring_seconds: 7, talk_seconds: 42.5 })
    expect([call.answered, call.ended].map(secondsIn)).toEqual([7, 49.5])
    const missed = await called({ answer: 'no_answer', ring_seconds: 33 })
    expect([missed.call.answered, missed.call.ended].map(secondsIn)).toEqual([null, 33])
  })

  it('may be over the moment it begins', async () => {
    const { call, lead } = await called({ answer: 'person', ring_seconds: 0, talk_seconds: 0 })
    expect([call.answered, call.ended].map(secondsIn)).toEqual([0, 0])
    expect(lead.status).toBe('done')
  })

  it.each([
    'hung_up',
    'language_barrier',
    'not_qualified',
    'wrong_number',
    'screened',
    'undetermined',
    'other',
  ] as const)('ends as it says: %s', async (outcome) => {
    const { call, lead } = await called({ answer: 'person', outcome })
    expect([call.outcome, lead.status, lead.last_outcome]).toEqual([outcome, 'done', outcome])
  })

  it('tells of interest and of a person who takes over, counted from the answer', async () => {
    const { sim, call } = await called({
      answer: 'person',
      ring_seconds: 10,
      talk_seconds: 100,
      interested_after_seconds: 20,
      handover: { role: 'closer', accept_after_seconds: 50 },
    })
    expect(await told(sim)).toEqual([
      ['call.started', 0],
      ['call.answered', 10],
      ['lead.interested', 30],
      ['handover.accepted', 60],
      ['call.completed', 110],
    ])
    expect(call).toMatchObject({ outcome: 'interested', handled_by: { role: 'closer' }, tth_seconds: 30 })
  })

  it('has nobody wait for a person who was on the call before the intent showed', async () => {
    const { sim, call } = await called({
      answer: 'person',
      talk_seconds: 100,
      interested_after_seconds: 50,
      handover: { role: 'sdr', accept_after_seconds: 20 },
    })
    const events = await sim.events()
    expect(events.find(({ type }) => type === 'handover.accepted')?.data).toMatchObject({
      handover: { tth_seconds: null },
    })
    expect(call).toMatchObject({ handled_by: { role: 'sdr' }, tth_seconds: 0 })
  })

  it('is taken over by somebody at some time where it is left open, and by nobody where it says so', async () => {
    const taken = await called({ answer: 'person', outcome: 'interested' })
    expect((await told(taken.sim)).map(([type]) => type)).toEqual([
      'call.started',
      'call.answered',
      'lead.interested',
      'handover.accepted',
      'call.completed',
    ])
    const left = await called({ answer: 'person', outcome: 'interested', handover: null })
    expect((await told(left.sim)).map(([type]) => type)).not.toContain('handover.accepted')
    expect(left.call).toMatchObject({ outcome: 'interested', handled_by: { role: 'ai' }, tth_seconds: null })
  })

  it.each([
    [
      'by anybody where nobody has the role',
      ['Kim Lee'],
      { handled_by: { name: 'Kim Lee', role: 'sdr' }, tth_seconds: 10 },
    ],
    [
      'by nobody where nobody is there',
      [],
      { handled_by: { id: null, name: 'AI agent', role: 'ai' }, tth_seconds: null },
    ],
  ])('is taken over %s', async (_how, members, expected) => {
    const sim = await simulate({ world: { organizations: [{ name: 'Solo', members }] } })
    await sim.changeCampaign({ consent_required: false })
    const phone = sim.phone()
    const handover = { role: 'closer' as const, accept_after_seconds: 30 }
    await sim.script(phone, { answer: 'person', interested_after_seconds: 20, handover })
    const { id } = await sim.lead({ phone })
    await sim.advance('5m')
    const { calls, owner } = await sim.readLead(id)
    expect(await sim.readCall(calls[0]?.id ?? '')).toMatchObject({ outcome: 'interested', owner, ...expected })
    const accepted = (await sim.events()).filter(({ type }) => type === 'handover.accepted')
    expect(accepted).toHaveLength(members.length)
  })

  it('is taken over though nothing comes of it', async () => {
    const { sim, call } = await called({ answer: 'person', outcome: 'not_qualified', handover: { role: 'sdr' } })
    expect((await told(sim)).map(([type]) => type)).toContain('handover.accepted')
    expect(call).toMatchObject({ outcome: 'not_qualified', handled_by: { role: 'sdr' } })
  })

  it('books the callback it names', async () => {
    const { lead, sim } = await called({ answer: 'person', callback_at: '2026-10-02T11:30:00-04:00' })
    expect(lead).toMatchObject({ status: 'callback_scheduled', callback_at: '2026-10-02T15:30:00.000Z' })
    expect((await told(sim)).map(([type]) => type)).toContain('callback.booked')
  })

  it.each(['ai', 'outcome'] as const)('opts out by %s', async (dnc_by) => {
    const { sim, lead } = await called({ answer: 'person', dnc_by })
    expect(lead).toMatchObject({ status: 'out_of_queue', last_outcome: 'dnc' })
    expect(await sim.live.all('/dnc', 'cursor')).toMatchObject([{ source: dnc_by }])
  })

  it('is said word for word where it gives the lines', async () => {
    const lines = [
      { speaker: 'ai', text: 'Hi {lead}, this is {company}.' },
      { speaker: 'lead', text: 'Hm.' },
      { speaker: 'agent', text: '{agent}' },
    ] as const
    const { sim, call } = await called({ answer: 'person', lines: [...lines] })
    const { data } = await sim.live.get<Transcript>(`/calls/${call.id}/transcript`)
    expect(data.lines.map(({ speaker, text }) => ({ speaker, text }))).toEqual(lines)
  })
})

describe('a script', () => {
  it('is played in order, and its last call again after that', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    const { status, data } = await set(sim, {
      phone: `(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`,
      calls: [{ answer: 'busy' }, { answer: 'no_answer' }, { answer: 'failed' }],
    })
    expect([status, data]).toEqual([201, { phone, mode: 'live', organization_id: sim.organization.id, calls: 3 }])
    await sim.changeCampaign({ max_attempts: 5, retire_after_failures: 9 })
    const { id } = await sim.lead({ phone })
    await sim.advance('3d')
    const { calls } = await sim.readLead(id)
    expect(calls.map(({ outcome }) => outcome).reverse()).toEqual(['busy', 'no_answer', 'failed', 'failed', 'failed'])
  })

  it('is of the number, whoever is called there, and goes on over campaigns', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { answer: 'busy' }, { answer: 'person', outcome: 'other' })
    const first = await sim.lead({ phone })
    await sim.advance('1m')
    await sim.changeCampaign({ lines: 0 })
    await sim.advance('25h')
    const second = await sim.lead({ phone, campaign_id: (await sim.campaign()).id })
    await sim.advance('5m')
    expect((await sim.readLead(first.id)).last_outcome).toBe('busy')
    expect((await sim.readLead(second.id)).last_outcome).toBe('other')
  })

  it('is replaced by another, which begins with its first call', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { answer: 'busy' }, { answer: 'busy' })
    const { id } = await sim.lead({ phone })
    await sim.advance('5m')
    await sim.script(phone, { answer: 'person', outcome: 'other' }, { answer: 'failed' })
    await sim.advance('1h')
    expect(await sim.readLead(id)).toMatchObject({ attempts: 2, last_outcome: 'other' })
  })

  it('belongs to an organization and a mode', async () => {
    const sim = await simulate()
    const other = await sim.control<Simulation['organization']>('POST', '/_sim/organizations', { name: 'Other' })
    const phone = sim.phone()
    const calls = (outcome: string) => ({
      phone,
      calls: [{ answer: 'person', ring_seconds: 1, talk_seconds: 1, outcome }],
    })
    await set(sim, calls('other'))
    await set(sim, { ...calls('screened'), mode: 'test' })
    await set(sim, { ...calls('wrong_number'), organization_id: other.id })
    const campaign_id = other.campaigns[0]?.id
    const leads = [
      [sim.live, { phone }],
      [sim.test, { phone }],
      [sim.as(keyOf(other, 'live')), { phone, campaign_id }],
    ] as const
    const outcomes: unknown[] = []
    for (const [client, words] of leads) {
      const { id } = await sim.lead(words, client)
      await sim.advance('5s')
      outcomes.push((await sim.readLead(id, client)).last_outcome)
    }
    expect(outcomes).toEqual(['other', 'screened', 'wrong_number'])
  })

  it('is kept over a restart of a call it has begun', async () => {
    const { sim, id } = await called({ answer: 'busy' }, { answer: 'person', ring_seconds: 5, talk_seconds: 600 })
    await sim.advance('16m')
    await forget(sim)
    await sim.advance('10m')
    expect(await sim.readLead(id)).toMatchObject({ attempts: 2, last_outcome: 'not_interested' })
    const [call] = (await sim.readLead(id)).calls
    expect((await sim.live.get<Call>(`/calls/${call?.id}`)).data.duration_seconds).toBe(600)
  })

  it('is forgotten by number, or all of a mode at once', async () => {
    const sim = await simulate()
    const [one, two, three] = [sim.phone(), sim.phone(), sim.phone()]
    for (const phone of [one, two, three]) await sim.script(phone, { answer: 'busy' })
    await set(sim, { phone: one, mode: 'test', calls: [{ answer: 'busy' }] })
    expect((await forget(sim, `?phone=${encodeURIComponent(one)}`)).data).toEqual({ removed: 1 })
    // A plus that was not encoded.
    expect((await forget(sim, `?phone=${two}`)).data).toEqual({ removed: 1 })
    expect((await forget(sim, `?phone=${two}`)).data).toEqual({ removed: 0 })
    expect((await forget(sim)).data).toEqual({ removed: 1 })
    expect((await forget(sim, '?mode=test')).data).toEqual({ removed: 1 })
    expect((await forget(sim, '?phone=12')).error).toMatchObject({ code: 'invalid_phone', param: 'phone' })
  })

  it.each([
    [{ phone: '12', calls: [{ answer: 'busy' }] }, 'invalid_phone', 'phone'],
    [{ calls: [{ answer: 'busy' }] }, 'invalid_request', 'phone'],
    [{ phone: '+16462010000', calls: [] }, 'invalid_request', 'calls'],
    [{ phone: '+16462010000', calls: [{ answer: 'maybe' }] }, 'invalid_request', 'calls[0].answer'],
    [{ phone: '+16462010000', calls: [{ answer: 'busy' }, {}] }, 'invalid_request', 'calls[1].answer'],
    [
      { phone: '+16462010000', calls: [{ answer: 'busy', ring_seconds: -1 }] },
      'invalid_request',
      'calls[0].ring_seconds',
    ],
    [{ phone: '+16462010000', calls: [{ answer: 'person', outcome: 'glad' }] }, 'invalid_request', 'calls[0].outcome'],
    [
      { phone: '+16462010000', calls: [{ answer: 'person', handover: { role: 'boss' } }] },
      'invalid_request',
      'calls[0].handover.role',
    ],
    [
      { phone: '+16462010000', calls: [{ answer: 'person', callback_at: 'later' }] },
      'invalid_request',
      'calls[0].callback_at',
    ],
    [{ phone: '+16462010000', calls: [{ answer: 'person', dnc_by: 'me' }] }, 'invalid_request', 'calls[0].dnc_by'],
    [
      { phone: '+16462010000', calls: [{ answer: 'person', lines: [{ speaker: 'cat', text: 'x' }] }] },
      'invalid_request',
      'calls[0].lines[0].speaker',
    ],
  ])('is refused as %j', async (words, code, param) => {
    const sim = await simulate()
    expect((await set(sim, words)).error).toMatchObject({ code, param })
    expect((await forget(sim)).data).toEqual({ removed: 0 })
  })
})
