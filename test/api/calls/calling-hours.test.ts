/** When a lead may be called: its own time zones, its campaign's hours, and never before eight or after nine. */
import { describe, expect, it } from 'vitest'
import type { Lead } from '../../../src/contract/leads.js'
import { simulate } from '../../support/simulate.js'

const office = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [['09:00', '17:00']]]))

/** Area codes, and a number in each. */
const newYork = '+16462011000'
const losAngeles = '+12132011000'
const phoenix = '+16022011000'
const honolulu = '+18082011000'
const chicago = '+13122011000'
const tollFree = '+18882011000'
const stJohns = '+17092011000'
const tallahassee = '+18502011000'
const boise = '+12082011000'

// rule D2
describe('outside the hours', () => {
  it.each<[string, string, string, string]>([
    ['New York before eight', newYork, '2026-10-01T11:59:59.999Z', '2026-10-01T12:00:00.000Z'],
    ['New York from nine on', newYork, '2026-10-02T01:00:00Z', '2026-10-02T12:00:00.000Z'],
    ['Chicago before eight', chicago, '2026-10-01T12:30:00Z', '2026-10-01T13:00:00.000Z'],
    ['Los Angeles, when New York is long awake', losAngeles, '2026-10-01T14:59:00Z', '2026-10-01T15:00:00.000Z'],
    ['Honolulu', honolulu, '2026-10-01T15:00:00Z', '2026-10-01T18:00:00.000Z'],
    ['toll-free, when it is eight on the west coast', tollFree, '2026-10-01T14:00:00Z', '2026-10-01T15:00:00.000Z'],
    ['toll-free, when it is nine on the east coast', tollFree, '2026-10-02T01:00:00Z', '2026-10-02T15:00:00.000Z'],
    ['New York, the day before winter time', newYork, '2026-10-31T04:00:00Z', '2026-10-31T12:00:00.000Z'],
    ['New York, the night into winter time', newYork, '2026-11-01T04:30:00Z', '2026-11-01T13:00:00.000Z'],
    ['Los Angeles, the night into winter time', losAngeles, '2026-11-01T06:00:00Z', '2026-11-01T16:00:00.000Z'],
    ['New York, the day before summer time', newYork, '2027-03-13T05:30:00Z', '2027-03-13T13:00:00.000Z'],
    ['New York, the night into summer time', newYork, '2027-03-14T05:30:00Z', '2027-03-14T12:00:00.000Z'],
    ['Newfoundland and Labrador before eight in Labrador', stJohns, '2026-10-01T10:45:00Z', '2026-10-01T11:00:00.000Z'],
    ['the same from nine on in Newfoundland', stJohns, '2026-10-01T23:30:00Z', '2026-10-02T11:00:00.000Z'],
    ['the same, half an hour later in winter time', stJohns, '2026-11-02T00:30:00Z', '2026-11-02T12:00:00.000Z'],
    ['the same, the night into winter time', stJohns, '2026-11-01T03:00:00Z', '2026-11-01T12:00:00.000Z'],
    ['the same, the night into summer time', stJohns, '2027-03-14T03:00:00Z', '2027-03-14T11:00:00.000Z'],
    [
      'an area in two zones, before eight in the western',
      tallahassee,
      '2026-10-01T12:30:00Z',
      '2026-10-01T13:00:00.000Z',
    ],
    [
      'an area in two zones, from nine on in the eastern',
      tallahassee,
      '2026-10-02T01:00:00Z',
      '2026-10-02T13:00:00.000Z',
    ],
    ['another, before eight in the western', boise, '2026-10-01T14:30:00Z', '2026-10-01T15:00:00.000Z'],
    ['another, the night into winter time', boise, '2026-11-01T03:00:00Z', '2026-11-01T16:00:00.000Z'],
    ['Phoenix, which has no summer time', phoenix, '2027-03-14T07:30:00Z', '2027-03-14T15:00:00.000Z'],
  ])('%s waits for the first minute', async (_where, phone, now, scheduled_for) => {
    const sim = await simulate({ now })
    const { id, ...lead } = await sim.lead({ phone })
    expect(lead).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'outside_calling_hours',
      scheduled_for,
      place_in_line: null,
    })
    await sim.advance(new Date(Date.parse(scheduled_for) - 1).toISOString())
    expect((await sim.readLead(id)).status).toBe('scheduled')
    await sim.advance('1ms')
    const called = await sim.readLead(id)
    expect([called.status, called.scheduled_for, called.scheduled_reason]).toEqual(['dialing', null, null])
    expect(called.calls[0]?.started).toBe(scheduled_for)
  })

  it.each([
    ['the first', newYork, '2026-10-01T12:00:00Z'],
    ['the last', newYork, '2026-10-02T00:59:59.999Z'],
    ['the first after summer time ended', newYork, '2026-11-01T13:00:00Z'],
    ['the last on the day summer time ends', newYork, '2026-11-02T01:59:59.999Z'],
    ['the last in Newfoundland', stJohns, '2026-10-01T23:29:59.999Z'],
    ['the last in Newfoundland in winter', stJohns, '2026-11-02T00:29:59.999Z'],
    ['the first after summer time began', newYork, '2027-03-14T12:00:00Z'],
  ])('is not %s moment of the day', async (_which, phone, now) => {
    const sim = await simulate({ now })
    expect((await sim.lead({ phone })).status).toBe('dialing')
  })
})

describe('the hours of a campaign', () => {
  it.each([
    ['before they open', '2026-10-02T12:30:00Z', '2026-10-02T13:00:00.000Z'],
    ['at their end, over the weekend', '2026-10-02T21:00:00Z', '2026-10-05T13:00:00.000Z'],
    ['over the weekend into winter time', '2026-10-30T21:00:00Z', '2026-11-02T14:00:00.000Z'],
  ])('are those of the lead: %s', async (_when, now, scheduled_for) => {
    const sim = await simulate({ now })
    const { id: campaign_id } = await sim.campaign({ calling_hours: office })
    expect(await sim.lead({ campaign_id, phone: newYork })).toMatchObject({ status: 'scheduled', scheduled_for })
  })

  it('never reach before eight or after nine', async () => {
    const sim = await simulate({ now: '2026-10-01T10:00:00Z' })
    const all = Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['00:00', '24:00']]]),
    )
    const { id: campaign_id } = await sim.campaign({ calling_hours: all })
    expect(await sim.lead({ campaign_id, phone: newYork })).toMatchObject({ scheduled_for: '2026-10-01T12:00:00.000Z' })
  })

  // rule D3
  it('are lifted for a campaign that may call at any hour, which only the app can set', async () => {
    const sim = await simulate({ now: '2026-10-01T07:00:00Z' })
    const { id: campaign_id } = await sim.campaign({ any_hour: true })
    expect(await sim.lead({ campaign_id, phone: newYork })).toMatchObject({ status: 'dialing' })
    expect((await sim.live.patch(`/campaigns/${campaign_id}`, { any_hour: true })).error.code).toBe('not_found')
    const { error } = await sim.live.post('/leads', { campaign_id, phone: sim.phone(), any_hour: true })
    expect(error).toMatchObject({ code: 'invalid_request', param: 'any_hour' })
  })

  it('may be several windows in a day, each closed at its end, and no day that is not named', async () => {
    const sim = await simulate({ now: '2026-10-01T13:00:00Z' })
    const calling_hours = {
      thu: [
        ['10:00', '12:00'],
        ['13:30', '14:00'],
      ],
      sat: [['20:00', '24:00']],
    }
    const { id: campaign_id } = await sim.campaign({ calling_hours, lines: 0 })
    const { id } = await sim.lead({ campaign_id, phone: newYork })
    const stands = async (at: string) => {
      await sim.advance(at)
      const { status, scheduled_for } = await sim.readLead(id)
      return [status, scheduled_for]
    }
    expect(await stands('2026-10-01T13:59:59Z')).toEqual(['scheduled', '2026-10-01T14:00:00.000Z'])
    expect(await stands('2026-10-01T14:00:00Z')).toEqual(['queued', null])
    expect(await stands('2026-10-01T16:00:00Z')).toEqual(['scheduled', '2026-10-01T17:30:00.000Z'])
    expect(await stands('2026-10-01T17:30:00Z')).toEqual(['queued', null])
    expect(await stands('2026-10-01T18:00:00Z')).toEqual(['scheduled', '2026-10-04T00:00:00.000Z'])
    expect(await stands('2026-10-04T00:59:59Z')).toEqual(['queued', null])
    expect(await stands('2026-10-04T01:00:00Z')).toEqual(['scheduled', '2026-10-08T14:00:00.000Z'])
  })

  it('that are changed judge afresh whoever waits for them or stands in line', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const { id } = await sim.lead({ phone: newYork })
    await sim.changeCampaign({ calling_hours: { fri: [['09:00', '10:00']] } })
    expect(await sim.readLead(id)).toMatchObject({ status: 'scheduled', scheduled_for: '2026-10-02T13:00:00.000Z' })
    await sim.changeCampaign({ calling_hours: {} })
    expect(await sim.readLead(id)).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'outside_calling_hours',
      scheduled_for: null,
    })
    await sim.changeCampaign({ any_hour: true, lines: 1 })
    expect((await sim.readLead(id)).status).toBe('dialing')
  })

  it('that close on a lead in line make it wait for the morning', async () => {
    const sim = await simulate({ now: '2026-10-02T00:30:00Z' })
    await sim.changeCampaign({ lines: 0 })
    const { id } = await sim.lead({ phone: newYork })
    await sim.advance('2026-10-02T00:59:59.999Z')
    expect((await sim.readLead(id)).status).toBe('queued')
    await sim.advance('1ms')
    expect(await sim.readLead(id)).toMatchObject({ status: 'scheduled', scheduled_for: '2026-10-02T12:00:00.000Z' })
    await sim.changeCampaign({ lines: 1 })
    await sim.advance('2026-10-02T12:00:00Z')
    expect((await sim.readLead(id)).status).toBe('dialing')
  })

  it('hold calls started through the API too', async () => {
    const sim = await simulate({ now: '2026-10-01T07:00:00Z' })
    const { id } = await sim.lead({ phone: newYork })
    const { status, data } = await sim.live.post('/calls', { lead_id: id })
    expect(status).toBe(202)
    expect(data).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'outside_calling_hours',
      scheduled_for: '2026-10-01T12:00:00.000Z',
    })
  })
})

// rule D4
describe('a number that was reached lately', () => {
  it('waits in another campaign until twenty-four hours are up', async () => {
    const sim = await simulate()
    const { id: other } = await sim.campaign()
    const phone = sim.phone()
    await sim.script(phone, { answer: 'person', talk_seconds: 10 })
    await sim.lead({ phone })
    await sim.advance('1h')
    const waiting = {
      status: 'scheduled',
      scheduled_reason: 'recent_contact_cooldown',
      scheduled_for: '2026-10-02T15:00:00.000Z',
    }
    const { id } = await sim.lead({ phone, campaign_id: other })
    expect(await sim.readLead(id)).toMatchObject(waiting)
    await sim.advance('2026-10-02T14:59:59.999Z')
    expect((await sim.readLead(id)).attempts).toBe(0)
    await sim.advance('1ms')
    expect(await sim.readLead(id)).toMatchObject({ status: 'dialing', attempts: 1 })
  })

  it('holds back a lead that waits already from the moment it rings', async () => {
    const sim = await simulate()
    const { id: other } = await sim.campaign({ lines: 0 })
    const phone = sim.phone()
    const { id } = await sim.lead({ phone, campaign_id: other })
    expect((await sim.readLead(id)).status).toBe('queued')
    await sim.lead({ phone })
    expect(await sim.readLead(id)).toMatchObject({ status: 'scheduled', scheduled_reason: 'recent_contact_cooldown' })
  })

  it('may be called again by its own campaign', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { answer: 'busy' })
    const { id } = await sim.lead({ phone })
    await sim.advance('16m')
    expect((await sim.readLead(id)).attempts).toBe(2)
  })

  it.each([
    ['the hours alone', '2026-10-02T00:59:30Z', {}, '2026-10-03T12:00:00.000Z', 'outside_calling_hours'],
    ['both', '2026-10-01T12:00:00Z', {}, '2026-10-02T12:00:00.000Z', 'recent_contact_cooldown'],
    ['the cooldown alone', '2026-10-01T15:00:30Z', {}, '2026-10-02T15:01:00.000Z', 'recent_contact_cooldown'],
    [
      'it at any hour',
      '2026-10-02T00:59:30Z',
      { any_hour: true },
      '2026-10-03T01:00:00.000Z',
      'recent_contact_cooldown',
    ],
  ])('waits for the first minute that hours and cooldown allow; %s forbids the one before', async (...row) => {
    const [, now, words, scheduled_for, scheduled_reason] = row
    const sim = await simulate({ now })
    const { id: other } = await sim.campaign(words)
    await sim.script(newYork, { answer: 'person', outcome: 'not_interested', talk_seconds: 5 })
    await sim.lead({ phone: newYork })
    await sim.advance('1m')
    expect(await sim.lead({ phone: newYork, campaign_id: other })).toMatchObject({ scheduled_for, scheduled_reason })
    await sim.advance(scheduled_for)
    expect((await sim.live.all<Lead>(`/leads?campaign_id=${other}`))[0]).toMatchObject({ status: 'dialing' })
  })

  it.each(['no_answer', 'busy', 'failed'] as const)(
    'was reached from the first ring on, also by a call that is %s; each ring counts anew',
    async (answer) => {
      const sim = await simulate()
      await sim.changeCampaign({ max_attempts: 2 })
      const { id: other } = await sim.campaign()
      const phone = sim.phone()
      await sim.script(phone, { answer, ring_seconds: 10 })
      const { id } = await sim.lead({ phone })
      const { id: waiting } = await sim.lead({ phone, campaign_id: other, call_now: true })
      expect(await sim.readLead(waiting)).toMatchObject({ scheduled_for: '2026-10-02T15:00:00.000Z' })
      await sim.advance('3h')
      const [again] = (await sim.readLead(id)).calls
      const minute = 60_000
      const first = Math.ceil((Date.parse(again?.started ?? '') + 24 * 60 * minute) / minute) * minute
      expect(await sim.readLead(waiting)).toMatchObject({
        attempts: 0,
        scheduled_reason: 'recent_contact_cooldown',
        scheduled_for: new Date(first).toISOString(),
      })
    },
  )

  it('by a call that came in waits too, in the campaign that was called as well', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.control('POST', '/_sim/inbound_calls', { from: phone, campaign_id: sim.campaignId, outcome: 'hung_up' })
    await sim.advance('10m')
    expect(await sim.lead({ phone })).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'recent_contact_cooldown',
      scheduled_for: '2026-10-02T15:00:00.000Z',
    })
  })
})
