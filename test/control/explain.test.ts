/** The explanation of a lead by the control plane: what each dialing rule says, and which one decides. */
import { describe, expect, it } from 'vitest'
import { dialingRules, type DialingRule, type Explanation } from '../../src/contract/control/explain.js'
import type { ScriptedCall } from '../../src/contract/control/scripts.js'
import { simulate, type Simulation } from '../support/simulate.js'

const explain = (sim: Simulation, id: string, query = '') =>
  sim.control<Explanation>('GET', `/_sim/leads/${id}/explain${query}`)

const ruleOf = ({ rules }: Explanation, name: DialingRule) => rules.find(({ rule }) => rule === name)

/** The deciding rule with its words, and the time of the next call. */
async function decisionOf(sim: Simulation, id: string, query = '') {
  const found = await explain(sim, id, query)
  const { decides, next_call_at } = found
  return [decides, decides && ruleOf(found, decides)?.says, next_call_at]
}

/** A lead whose first call goes like this and has ended. */
async function called(sim: Simulation, call: ScriptedCall) {
  const phone = sim.phone()
  await sim.script(phone, call)
  const { id } = await sim.lead({ phone })
  await sim.advance('10m')
  return { id, phone }
}

describe('GET /_sim/leads/{id}/explain', () => {
  it('has every rule in order, and the one that decides', async () => {
    const sim = await simulate()
    const { id } = await sim.lead({ phone: '+18082011000', name: 'Ann' })
    const found = await explain(sim, id)
    expect(found).toMatchObject({
      ...{ lead_id: id, name: 'Ann', phone: '+18082011000', time_zones: ['Pacific/Honolulu'], status: 'scheduled' },
      ...{
        campaign_id: sim.campaignId,
        at: sim.now,
        decides: 'calling_hours',
        next_call_at: '2026-10-01T18:00:00.000Z',
      },
    })
    expect(found.rules.map(({ rule }) => rule)).toEqual(dialingRules)
    expect(found.rules[1]).toEqual({
      ...{ rule: 'calling_hours', label: 'calling hours 08:00-21:00', verdict: 'waits', applies: true },
      ...{ says: 'closed there since 21:00, open at 08:00', until: '2026-10-01T18:00:00.000Z' },
    })
    expect(Object.fromEntries(found.rules.map(({ rule, says }) => [rule, says]))).toEqual({
      ...{ campaign: 'yes', calling_hours: 'closed there since 21:00, open at 08:00' },
      ...{ cooldown: 'no other call to this number', dnc: 'not listed', attempts: '0 of 6', retired_number: 'no' },
      ...{
        callback: 'none booked',
        next_dial_time: 'none set',
        taken_out: 'no',
        lines: '0 of 5 busy; 0 leads before it when the hours open',
      },
      late: 'not a call_now lead',
    })
  })

  it('campaign: a hold decides about a held lead, and is shown for a scheduled one', async () => {
    const sim = await simulate()
    const asleep = (await sim.lead({ phone: '+18082011000' })).id
    await sim.changeCampaign({ status: 'paused' })
    const held = (await sim.lead()).id
    expect(await decisionOf(sim, held)).toEqual(['campaign', 'no, paused', null])
    expect(await decisionOf(sim, asleep)).toMatchObject(
      ['calling_hours', /open at 08:00/, '2026-10-01T18:00:00.000Z'].map((one) =>
        one instanceof RegExp ? (expect.stringMatching(one) as string) : one,
      ),
    )
    expect(ruleOf(await explain(sim, asleep), 'campaign')).toMatchObject({ verdict: 'waits', says: 'no, paused' })
    await sim.changeCampaign({ status: 'completed' })
    expect(await decisionOf(sim, held)).toEqual(['campaign', 'no, completed', null])
  })

  it('attempts: a retry that falls due at night is decided by the hours', async () => {
    const sim = await simulate({ now: '2026-10-01T23:30:00Z' })
    const { id } = await called(sim, { answer: 'no_answer', ring_seconds: 30 })
    expect(await decisionOf(sim, id)).toEqual([
      'calling_hours',
      'closed when it is due, open at 08:00',
      '2026-10-02T12:00:00.000Z',
    ])
    expect(ruleOf(await explain(sim, id), 'attempts')).toMatchObject({
      ...{ says: '1 of 6; next try 2026-10-01 21:30 EDT', verdict: 'waits', until: '2026-10-02T01:30:30.000Z' },
    })
    await sim.advance('3h')
    expect(await decisionOf(sim, id)).toEqual([
      'calling_hours',
      'closed there since 21:00, open at 08:00',
      '2026-10-02T12:00:00.000Z',
    ])
    expect(ruleOf(await explain(sim, id), 'attempts')).toMatchObject({
      ...{ says: '1 of 6; next try was due 2026-10-01 21:30 EDT', verdict: 'allows' },
    })
  })

  it('cooldown, callback, next dial time: the time of each decides', async () => {
    const sim = await simulate()
    const { phone } = await called(sim, { answer: 'no_answer', ring_seconds: 30 })
    const cooling = (await sim.lead({ phone, campaign_id: (await sim.campaign()).id })).id
    expect(await decisionOf(sim, cooling)).toEqual([
      'cooldown',
      'another call reached the number 2026-10-01 11:00 EDT; over 2026-10-02 11:00 EDT',
      '2026-10-02T15:00:00.000Z',
    ])
    const booked = await called(sim, { answer: 'person', outcome: 'callback', callback_at: '2026-10-03T15:00:00Z' })
    expect(await decisionOf(sim, booked.id)).toEqual([
      ...['callback', 'booked for 2026-10-03 11:00 EDT', '2026-10-03T15:00:00.000Z'],
    ])
    await sim.control('PATCH', `/_sim/leads/${cooling}`, { next_dial_at: '2026-10-04T15:00:00Z' })
    expect(await decisionOf(sim, cooling)).toEqual([
      ...['next_dial_time', 'set to 2026-10-04 11:00 EDT', '2026-10-04T15:00:00.000Z'],
    ])
  })

  it('lines: a queued lead waits for one, and knows how many are before it', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 1 })
    const dialing = (await sim.lead()).id
    await sim.lead()
    const last = (await sim.lead()).id
    expect(await decisionOf(sim, last)).toEqual(['lines', '1 of 1 busy; 1 lead before it', null])
    expect(await decisionOf(sim, dialing)).toEqual([null, null, null])
    expect(ruleOf(await explain(sim, dialing), 'lines')?.says).toBe('1 of 1 busy; one is dialing this lead')
  })

  it('lines: a lead that waits for its hours knows how many are dialed before it when they open', async () => {
    const sim = await simulate({ now: '2026-10-01T10:00:00Z' })
    const before = async (id: string) => ruleOf(await explain(sim, id), 'lines')?.says
    const hawaii = [(await sim.lead({ phone: '+18082011000' })).id, (await sim.lead({ phone: '+18082011001' })).id]
    expect(await Promise.all(hawaii.map(before))).toEqual([
      '0 of 5 busy; 0 leads before it when the hours open',
      '0 of 5 busy; 1 lead before it when the hours open',
    ])
    await sim.lead({ phone: '+18082011002', call_now: true })
    expect(await before(hawaii[1] ?? '')).toBe('0 of 5 busy; 2 leads before it when the hours open')
    // New York opens 6 hours before Honolulu, and its leads may be called by then.
    await sim.lead()
    expect(await before(hawaii[1] ?? '')).toBe('0 of 5 busy; up to 3 leads before it when the hours open')
    await sim.control('POST', `/_sim/leads/${hawaii[0]}/take_out`)
    expect(await before(hawaii[1] ?? '')).toBe('0 of 5 busy; up to 2 leads before it when the hours open')
    await sim.control('POST', `/_sim/leads/${hawaii[0]}/put_back`)
    expect(await before(hawaii[0] ?? '')).toBe('0 of 5 busy; up to 3 leads before it when the hours open')
    await sim.changeCampaign({ lines: 0 })
    await sim.advance('8h')
    const place = async (id: string) => (await sim.readLead(id)).place_in_line
    expect(await Promise.all(hawaii.map(place))).toEqual([4, 3])
  })

  it('lines: the count for a lead behind many others stops, and says so', async () => {
    const sim = await simulate({ now: '2026-10-01T10:00:00Z' })
    const leads = Array.from({ length: 5_020 }, (_, i) => ({ phone: `+1808${2_010_000 + i}` }))
    const ids: string[] = []
    for (let i = 0; i < leads.length; i += 1_000)
      ids.push(
        ...(
          await sim.control<{ ids: string[] }>('POST', '/_sim/leads', {
            campaign_id: sim.campaignId,
            leads: leads.slice(i, i + 1_000),
          })
        ).ids,
      )
    const says = async (i: number) => ruleOf(await explain(sim, ids[i] ?? ''), 'lines')?.says
    expect(await says(17)).toBe('0 of 5 busy; 17 leads before it when the hours open')
    expect(await says(5_010)).toBe('0 of 5 busy; at least 5,000 leads before it when the hours open')
  })

  it('late: says when a call_now lead becomes late, and that it is', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const { id } = await sim.lead({ call_now: true })
    expect(ruleOf(await explain(sim, id), 'late')).toMatchObject({
      ...{ verdict: 'allows', says: 'no, not before 2026-10-01 11:15 EDT', until: '2026-10-01T15:15:00.000Z' },
    })
    await sim.advance('15m')
    expect(ruleOf(await explain(sim, id), 'late')?.says).toBe('yes, the limit is 15 min; it is still called')
  })

  it.each<[DialingRule, string, string, ScriptedCall, object?]>([
    [
      'attempts',
      'a final outcome',
      '1 of 6; the last call ended with interested',
      { answer: 'person', outcome: 'interested' },
    ],
    ['attempts', 'the last try', '1 of 1; no try left', { answer: 'busy' }, { max_attempts: 1 }],
    [
      'retired_number',
      'a failed number',
      'retired after 1 failed call in a row',
      { answer: 'failed' },
      { retire_after_failures: 1 },
    ],
    ['dnc', 'a number that was listed in the call', 'listed: never called', { answer: 'person', dnc_by: 'ai' }],
  ])('final: %s decides after %s', async (rule, _what, says, call, settings = {}) => {
    const sim = await simulate()
    await sim.changeCampaign(settings)
    const { id } = await called(sim, call)
    expect(await decisionOf(sim, id)).toEqual([rule, says, null])
  })

  it('final: a lead out of the queue was listed, or taken out by a person', async () => {
    const sim = await simulate()
    const [listed, taken] = [(await sim.lead({ phone: '+18082011000' })).id, (await sim.lead()).id]
    await sim.control('POST', '/_sim/dnc', { phones: ['+18082011000'], source: 'manual' })
    await sim.control('POST', `/_sim/leads/${taken}/take_out`)
    expect(await decisionOf(sim, listed)).toEqual(['dnc', 'listed: never called', null])
    expect(await decisionOf(sim, taken)).toEqual(['taken_out', 'a person took the lead out of the queue', null])
    const [entry] = await sim.live.all<{ id: string }>('/dnc', 'cursor')
    await sim.live.del(`/dnc/${entry?.id}`)
    expect(await decisionOf(sim, listed)).toEqual([
      'dnc',
      'not listed now; the lead left the queue when it was, until svc calls start',
      null,
    ])
  })

  it('at: judges another moment, at which the lines are unknown', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const { id } = await sim.lead()
    expect(await decisionOf(sim, id, '?at=2026-10-02T03:00:00Z')).toEqual([
      ...['calling_hours', 'closed there since 21:00, open at 08:00', '2026-10-02T12:00:00.000Z'],
    ])
    const open = await explain(sim, id, '?at=2026-10-02T13:00:00-00:00')
    expect(open).toMatchObject({
      decides: null,
      next_call_at: '2026-10-02T13:00:00.000Z',
      at: '2026-10-02T13:00:00.000Z',
    })
    expect(ruleOf(open, 'lines')).toMatchObject({ verdict: 'unknown', says: 'not known at another moment' })
  })

  it('campaign_hours: judges with other calling hours, within the legal ones', async () => {
    const sim = await simulate()
    const { id } = await sim.lead({ phone: '+18082011000' })
    const hours = (text: string) => decisionOf(sim, id, `?campaign_hours=${encodeURIComponent(text)}`)
    expect(await hours('mon-wed 09:00-18:00; fri 10:00-12:00, 14:00-15:00')).toMatchObject([
      ...['calling_hours', 'closed there since 18:00, open at Fri 10:00'],
      '2026-10-02T20:00:00.000Z',
    ])
    expect(await hours('mon-sun 03:00-24:00')).toMatchObject(['calling_hours', {}, '2026-10-01T18:00:00.000Z'])
    expect(await hours('mon-sun closed')).toEqual(['calling_hours', 'never open there', null])
    expect((await sim.readLead(id)).scheduled_for).toBe('2026-10-01T18:00:00.000Z')
  })

  it('refuses a moment before now, hours that are none, and a lead that does not exist', async () => {
    const sim = await simulate()
    const { id } = await sim.lead()
    const refused = async (path: string) => {
      const { status, error } = await sim.ask('GET', `/_sim/leads/${path}`)
      return [status, error.param ?? error.code]
    }
    expect(await refused(`${id}/explain?at=2026-10-01T14:59:59Z`)).toEqual([400, 'at'])
    expect(await refused(`${id}/explain?at=2026-10-02T15:00:00`)).toEqual([400, 'at'])
    expect(await refused(`${id}/explain?campaign_hours=mon`)).toEqual([400, 'campaign_hours'])
    expect(await refused('3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11/explain')).toEqual([404, 'not_found'])
  })

  it('shows the clocks of every zone of an area code', async () => {
    const sim = await simulate({ now: '2026-10-01T03:00:00Z' })
    const two = (await sim.lead({ phone: '+18502011000' })).id
    const many = (await sim.lead({ phone: '+18882011000' })).id
    expect((await explain(sim, two)).rules[1]).toMatchObject({
      label: 'calling hours 08:00-20:00 CDT / 09:00-21:00 EDT',
      says: 'closed there since 20:00 CDT / 21:00 EDT, open at 08:00 CDT / 09:00 EDT',
    })
    expect((await explain(sim, many)).rules[1]).toMatchObject({ label: 'calling hours 15:00-01:00 UTC' })
  })
})
