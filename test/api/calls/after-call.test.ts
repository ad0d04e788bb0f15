/** What becomes of a lead after a call: finished, out of the queue, tried again, called back; and numbers that are given up. */
import { describe, expect, it } from 'vitest'
import type { ScriptedCall } from '../../../src/contract/control/scripts.js'
import { aftermath } from '../../../simulator/model/outcome.js'
import { outcomes } from '../../../src/contract/enums.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const talk = { answer: 'person', ring_seconds: 5, talk_seconds: 55 } as const

/** A lead whose calls go so, one after the other. */
async function called(sim: Simulation, calls: ScriptedCall[], words: object = {}): Promise<string> {
  const phone = sim.phone()
  await sim.script(phone, ...calls)
  return (await sim.lead({ phone, ...words })).id
}

// rule S3
describe('a call that somebody answered', () => {
  it.each([
    ['interested', 'Interested'],
    ['not_interested', 'Not interested'],
    ['hung_up', 'Hung up'],
    ['language_barrier', 'Language barrier'],
    ['not_qualified', 'Not qualified'],
    ['wrong_number', 'Wrong number'],
    ['screened', 'Screened'],
    ['undetermined', 'Undetermined'],
    ['other', 'Other'],
  ] as const)('and that ends as %s finishes the lead: nobody calls again', async (outcome, label) => {
    const sim = await simulate()
    const id = await called(sim, [{ ...talk, outcome }])
    await sim.advance('1m')
    expect(await sim.readLead(id)).toMatchObject({
      status: 'done',
      last_outcome: outcome,
      last_outcome_label: label,
      next_dial_at: null,
      callback_at: null,
      scheduled_for: null,
      attempts: 1,
    })
    await sim.advance('7d')
    expect((await sim.readLead(id)).attempts).toBe(1)
  })

  it('and that ends as dnc takes the lead out and lists the number', async () => {
    const sim = await simulate()
    const id = await called(sim, [{ ...talk, outcome: 'dnc' }])
    await sim.advance('1m')
    expect(await sim.readLead(id)).toMatchObject({ status: 'out_of_queue', last_outcome: 'dnc' })
    expect(await sim.live.all('/dnc', 'cursor')).toMatchObject([{ source: 'outcome' }])
  })

  it('has every outcome word in one of these ways', () => {
    const tried = outcomes.filter((outcome) => typeof aftermath[outcome] === 'object')
    expect(tried).toEqual(['voicemail', 'no_answer', 'busy', 'failed'])
    expect(outcomes.filter((outcome) => aftermath[outcome] === 'callback_scheduled')).toEqual(['callback'])
    expect(outcomes.filter((outcome) => aftermath[outcome] === 'out_of_queue')).toEqual(['dnc'])
  })
})

describe('a call that reached nobody', () => {
  it.each([
    ['busy', 15, 0],
    ['failed', 60, 0],
    ['no_answer', 120, 0],
    ['voicemail', 24 * 60, 20],
  ] as const)(
    '%s is made again %d minutes after its end, to the millisecond',
    async (answer, minutes, talk_seconds) => {
      const sim = await simulate()
      const id = await called(sim, [{ answer, ring_seconds: 10, talk_seconds }])
      await sim.advance('30s')
      const due = new Date(Date.UTC(2026, 9, 1, 15, minutes, 10 + talk_seconds)).toISOString()
      const waiting = {
        status: 'scheduled',
        scheduled_reason: 'retry_after_outcome',
        scheduled_for: due,
        next_dial_at: due,
      }
      expect(await sim.readLead(id)).toMatchObject({ ...waiting, last_outcome: answer, attempts: 1 })
      await sim.advance(new Date(Date.parse(due) - 1).toISOString())
      expect(await sim.readLead(id)).toMatchObject({ ...waiting, attempts: 1 })
      await sim.advance('1ms')
      const { status, attempts, calls } = await sim.readLead(id)
      expect([status, attempts, calls[0]?.started]).toEqual(['dialing', 2, due])
    },
  )

  it('but a machine was answered: the lead is on the call meanwhile', async () => {
    const sim = await simulate()
    const id = await called(sim, [{ answer: 'voicemail', ring_seconds: 10, talk_seconds: 20 }])
    await sim.advance('10s')
    expect((await sim.readLead(id)).status).toBe('on_call')
    await sim.advance('20s')
    const types = (await sim.events()).slice(2).map(({ type }) => type)
    expect(types).toEqual(['call.started', 'call.answered', 'voicemail.left', 'call.completed'])
    const [call] = (await sim.readLead(id)).calls
    expect(await sim.readCall(call?.id ?? '')).toMatchObject({
      answered: '2026-10-01T15:00:10.000Z',
      outcome: 'voicemail',
      duration_seconds: 20,
      handled_by: { role: 'ai' },
    })
  })

  it('is made again when the hours open where its time is in the night', async () => {
    const sim = await simulate({ now: '2026-10-02T00:30:00Z' })
    const id = await called(sim, [{ answer: 'no_answer', ring_seconds: 10 }])
    await sim.advance('1m')
    expect(await sim.readLead(id)).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'outside_calling_hours',
      scheduled_for: '2026-10-02T12:00:00.000Z',
    })
    await sim.advance('2026-10-02T12:00:00Z')
    expect(await sim.readLead(id)).toMatchObject({ status: 'dialing', attempts: 2 })
  })

  it('waits for the clock of the wall on the day that summer time begins', async () => {
    const sim = await simulate({ now: '2027-03-13T23:59:50Z' })
    const id = await called(sim, [{ answer: 'no_answer', ring_seconds: 10 }])
    await sim.advance('1m')
    // Two hours later it is nine in the evening; eight in the morning is an hour earlier in UTC than the day before.
    expect(await sim.readLead(id)).toMatchObject({ scheduled_for: '2027-03-14T12:00:00.000Z' })
  })

  it.each(['busy', 'failed', 'no_answer', 'voicemail'] as const)(
    'ends with the last attempt of the campaign: %s',
    async (answer) => {
      const sim = await simulate()
      await sim.changeCampaign({ max_attempts: 2 })
      const id = await called(sim, [{ answer, talk_seconds: 1 }])
      await sim.advance('1m')
      expect((await sim.readLead(id)).status).toBe('scheduled')
      await sim.advance('25h')
      expect(await sim.readLead(id)).toMatchObject({ status: 'done', attempts: 2, last_outcome: answer })
    },
  )

  it('past the last attempt is no bar to a booked callback nor to a call that the API asks for', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ max_attempts: 1 })
    const booked = { ...talk, callback_at: '2026-10-01T17:00:00Z' }
    const id = await called(sim, [booked, { answer: 'busy', ring_seconds: 3 }])
    await sim.advance('2026-10-01T17:00:00Z')
    expect(await sim.readLead(id)).toMatchObject({ status: 'dialing', attempts: 2 })
    await sim.advance('3s')
    expect((await sim.readLead(id)).status).toBe('done')
    expect((await sim.live.post('/calls', { lead_id: id })).data).toMatchObject({ status: 'dialing' })
    await sim.advance('3s')
    expect(await sim.readLead(id)).toMatchObject({ status: 'done', attempts: 3 })
  })

  it('is not made again in a campaign that was completed meanwhile', async () => {
    const sim = await simulate()
    const busy = await called(sim, [{ answer: 'busy' }])
    const booked = await called(sim, [{ ...talk, callback_at: '2026-10-02T17:00:00Z' }])
    await sim.changeCampaign({ status: 'completed' })
    await sim.advance('2m')
    expect(await sim.readLead(busy)).toMatchObject({ status: 'done', last_outcome: 'busy' })
    expect(await sim.readLead(booked)).toMatchObject({ status: 'done', last_outcome: 'callback', callback_at: null })
  })
})

describe('a booked callback', () => {
  const booked = (callback_at: string): ScriptedCall[] => [{ ...talk, callback_at }, { answer: 'busy' }]

  it('in the night is made when the hours open', async () => {
    const sim = await simulate()
    const id = await called(sim, booked('2026-10-02T06:00:00Z'))
    await sim.advance('1m')
    expect(await sim.readLead(id)).toMatchObject({
      status: 'callback_scheduled',
      callback_at: '2026-10-02T06:00:00.000Z',
    })
    await sim.advance('2026-10-02T06:00:00Z')
    expect(await sim.readLead(id)).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'outside_calling_hours',
      scheduled_for: '2026-10-02T12:00:00.000Z',
      callback_at: null,
    })
    await sim.advance('2026-10-02T12:00:00Z')
    expect(await sim.readLead(id)).toMatchObject({ status: 'dialing', attempts: 2 })
  })

  it('waits out the cooldown of a call from another campaign', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    const { id: campaign_id } = await sim.campaign({ status: 'paused' })
    await sim.script(phone, { ...talk, callback_at: '2026-10-03T15:00:00Z' }, { ...talk, outcome: 'not_interested' })
    const { id } = await sim.lead({ phone })
    await sim.lead({ phone, campaign_id })
    await sim.advance('2026-10-02T20:00:00Z')
    await sim.live.post(`/campaigns/${campaign_id}/start`)
    await sim.advance('2026-10-03T15:00:00Z')
    expect(await sim.readLead(id)).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'recent_contact_cooldown',
      scheduled_for: '2026-10-03T20:00:00.000Z',
    })
  })

  it('waits for a line, among the ordinary leads', async () => {
    const sim = await simulate()
    const id = await called(sim, booked('2026-10-01T16:00:00Z'))
    await sim.advance('2m')
    await sim.changeCampaign({ lines: 0 })
    await sim.lead()
    const urgent = await sim.lead({ call_now: true })
    await sim.advance('2026-10-01T16:00:00Z')
    expect(await sim.readLead(id)).toMatchObject({ status: 'queued', place_in_line: 3, callback_at: null })
    expect((await sim.readLead(urgent.id)).place_in_line).toBe(1)
  })
})

// rule D14
describe('a number that fails', () => {
  const failed = { answer: 'failed', ring_seconds: 2 } as const

  it('in a row is given up; a call that got through begins a new row', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ max_attempts: 20, retire_after_failures: 2, duplicate_window_days: 0 })
    const phone = sim.phone()
    await sim.script(phone, failed, { answer: 'busy' }, failed, { answer: 'no_answer' }, failed, failed)
    const { id } = await sim.lead({ phone })
    await sim.advance('6h')
    const { status, attempts, calls, last_outcome } = await sim.readLead(id)
    expect(calls.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'no_answer', 'failed', 'busy', 'failed'])
    expect([status, attempts, last_outcome]).toEqual(['done', 6, 'failed'])
    for (const refused of [
      await sim.live.post('/leads', { campaign_id: sim.campaignId, phone }),
      await sim.live.post('/leads', { campaign_id: sim.campaignId, phone, dry_run: true }),
      await sim.live.post('/calls', { lead_id: id }),
    ])
      expect([refused.status, refused.error.code]).toEqual([422, 'number_retired'])
    await sim.advance('7d')
    expect((await sim.readLead(id)).attempts).toBe(6)
  })

  it('is given up by its campaign and its mode alone', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ retire_after_failures: 1, duplicate_window_days: 0 })
    const { id: other } = await sim.campaign({ retire_after_failures: 1 })
    const phone = sim.phone()
    await sim.script(phone, failed)
    await sim.lead({ phone })
    await sim.advance('1m')
    expect((await sim.live.post('/leads', { campaign_id: sim.campaignId, phone })).error.code).toBe('number_retired')
    expect((await sim.live.post('/leads', { campaign_id: other, phone })).status).toBe(201)
    expect((await sim.test.post('/leads', { campaign_id: sim.campaignId, phone })).status).toBe(201)
  })
})
