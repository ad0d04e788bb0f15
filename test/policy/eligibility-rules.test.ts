/** When a waiting lead may be called, rule by rule: hold, calling hours, cooldown, and the lead's own waiting time. */
import { describe, expect, it } from 'vitest'
import { LeadFacts } from '../../simulator/dialing/facts.js'
import { cooldownEnd, decide, evaluate, holdReason, reevaluate } from '../../src/dialing/eligibility.js'
import type { Campaign } from '../../simulator/model/campaign.js'
import { at, campaignWith, leadWith, noonish, organizationWith } from '../support/rule-records.js'

const factsOf = (...about: ConstructorParameters<typeof LeadFacts>) => new LeadFacts(...about)

// rule D12
describe('hold rule', () => {
  it.each<[string | null, Partial<Campaign>]>([
    [null, {}],
    ['campaign_not_started', { status: 'not_started' }],
    ['campaign_paused', { status: 'paused' }],
    ['spend_cap_reached', { spend_cap_usd: 10, spent_usd: 10 }],
    [null, { spend_cap_usd: 10, spent_usd: 9.99 }],
    ['campaign_paused', { status: 'paused', spend_cap_usd: 10, spent_usd: 10 }],
  ])('hold: %s with %j', (reason, facts) => {
    expect(holdReason(campaignWith(facts))).toBe(reason)
  })

  it('hold: a paused campaign holds a lead at any hour', () => {
    const campaign = campaignWith({ status: 'paused' })
    for (const now of [noonish, at('2026-10-01T03:00:00Z')])
      expect(evaluate(factsOf(organizationWith({ now }), campaign, leadWith()))).toEqual({
        status: 'held',
        held_reason: 'campaign_paused',
      })
  })

  it('hold: a lead with a later time of its own keeps that time and is held when it is due', () => {
    const campaign = campaignWith({ status: 'paused' })
    const lead = leadWith({ not_before: at('2026-10-01T17:00:00Z'), not_before_reason: 'retry_after_outcome' })
    expect(evaluate(factsOf(organizationWith(), campaign, lead))).toMatchObject({ status: 'scheduled' })
    const later = organizationWith({ now: at('2026-10-01T17:00:00Z') })
    expect(evaluate(factsOf(later, campaign, lead))).toMatchObject({ status: 'held' })
  })

  it('hold: a lead that is scheduled for the opening hour stays scheduled when a hold begins', () => {
    const night = organizationWith({ now: at('2026-10-01T03:00:00Z') })
    const campaign = campaignWith({ status: 'paused' })
    expect(reevaluate(factsOf(night, campaign, leadWith()), 'scheduled')).toMatchObject({ status: 'scheduled' })
    expect(reevaluate(factsOf(night, campaign, leadWith()), 'queued')).toMatchObject({ status: 'held' })
  })
})

// rule D1
describe('calling hours rule', () => {
  const inNewYork = (now: string, campaign = campaignWith()) =>
    evaluate(factsOf(organizationWith({ now: at(now) }), campaign, leadWith()))

  it('calling hours: a lead is queued inside the hours of its time zone', () => {
    expect(inNewYork('2026-10-01T13:00:00Z')).toEqual({ status: 'queued' })
    expect(inNewYork('2026-10-01T20:59:59Z')).toEqual({ status: 'queued' })
  })

  it('calling hours: a lead is scheduled for the next opening outside them', () => {
    const opening = { status: 'scheduled', scheduled_reason: null }
    const [today, tomorrow] = [at('2026-10-01T13:00:00Z'), at('2026-10-02T13:00:00Z')]
    expect(inNewYork('2026-10-01T12:59:59Z')).toEqual({ ...opening, scheduled_for: today })
    expect(inNewYork('2026-10-01T21:00:00Z')).toEqual({ ...opening, scheduled_for: tomorrow })
  })

  it('calling hours: never before 8 AM or from 9 PM on, whatever the campaign says', () => {
    const calling_hours = Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['00:00', '24:00']]]),
    )
    const campaign = campaignWith({ calling_hours })
    expect(inNewYork('2026-10-01T11:59:00Z', campaign)).toMatchObject({ scheduled_for: at('2026-10-01T12:00:00Z') })
    expect(inNewYork('2026-10-02T00:59:00Z', campaign)).toEqual({ status: 'queued' })
    expect(inNewYork('2026-10-02T01:00:00Z', campaign)).toMatchObject({ scheduled_for: at('2026-10-02T12:00:00Z') })
  })

  it('calling hours: a campaign without any has no time to give', () => {
    expect(inNewYork('2026-10-01T15:00:00Z', campaignWith({ calling_hours: {} }))).toEqual({
      ...{ status: 'scheduled', scheduled_for: null, scheduled_reason: null },
    })
  })

  it('calling hours: do not hold for campaigns at any hour, nor for reserved numbers, which have no zone', () => {
    const night = organizationWith({ now: at('2026-10-01T03:00:00Z') })
    expect(evaluate(factsOf(night, campaignWith({ any_hour: true }), leadWith()))).toEqual({ status: 'queued' })
    expect(evaluate(factsOf(night, campaignWith(), leadWith({ zone: '' })))).toEqual({ status: 'queued' })
  })
})

// rule D4
describe('cooldown rule', () => {
  const reached = at('2026-09-30T15:00:00Z')

  it('cooldown: lasts 24 hours from the moment another campaign reached the number', () => {
    const last = organizationWith({ now: at('2026-10-01T14:59:59.999Z'), lastReached: reached })
    expect(cooldownEnd(factsOf(last, campaignWith(), leadWith()))).toBe(at('2026-10-01T15:00:00Z'))
    expect(
      cooldownEnd(factsOf(organizationWith({ now: noonish, lastReached: reached }), campaignWith(), leadWith())),
    ).toBeNull()
  })

  it('cooldown: none where the number was not reached, and none for reserved numbers', () => {
    expect(cooldownEnd(factsOf(organizationWith(), campaignWith(), leadWith()))).toBeNull()
    expect(
      cooldownEnd(factsOf(organizationWith({ lastReached: noonish }), campaignWith(), leadWith({ zone: '' }))),
    ).toBeNull()
  })

  it('cooldown: asks about the number of the lead and leaves out its own campaign', () => {
    const asked: unknown[] = []
    const tenant = organizationWith()
    tenant.calls.lastReached = (...args) => (asked.push(...args), null)
    cooldownEnd(factsOf(tenant, campaignWith(), leadWith({ campaign: 7 })))
    expect(asked).toEqual([leadWith().phone, 7])
  })

  it('cooldown: schedules a lead for the whole minute after it, with its reason', () => {
    const tenant = organizationWith({ lastReached: at('2026-09-30T16:30:30Z') })
    expect(evaluate(factsOf(tenant, campaignWith(), leadWith()))).toEqual({
      status: 'scheduled',
      scheduled_for: at('2026-10-01T16:31:00Z'),
      scheduled_reason: 'recent_contact_cooldown',
    })
  })
})

describe('a time of the lead itself', () => {
  it('retry time: schedules the lead for it, with its reason, and queues the lead when it is there', () => {
    const lead = leadWith({ not_before: at('2026-10-01T17:00:00Z'), not_before_reason: 'retry_after_outcome' })
    expect(evaluate(factsOf(organizationWith(), campaignWith(), lead))).toEqual({
      status: 'scheduled',
      scheduled_for: at('2026-10-01T17:00:00Z'),
      scheduled_reason: 'retry_after_outcome',
    })
    expect(evaluate(factsOf(organizationWith({ now: at('2026-10-01T17:00:00Z') }), campaignWith(), lead))).toEqual({
      status: 'queued',
    })
  })

  it('retry time: waits for the opening of the hours where it falls outside them, without a reason', () => {
    const lead = leadWith({ not_before: at('2026-10-01T23:00:00Z'), not_before_reason: 'retry_after_outcome' })
    expect(evaluate(factsOf(organizationWith(), campaignWith(), lead))).toEqual({
      ...{ status: 'scheduled', scheduled_for: at('2026-10-02T13:00:00Z'), scheduled_reason: null },
    })
  })
})

describe('just before a call', () => {
  // rule D5
  it('Do Not Call list: a listed number is never called, before every other rule', () => {
    const tenant = organizationWith({ onDncList: true, retired: true })
    expect(decide(factsOf(tenant, campaignWith({ status: 'paused' }), leadWith()))).toEqual({
      status: 'out_of_queue',
    })
  })

  // rule D14
  it('retired number: a retired number is not called, before a hold', () => {
    const tenant = organizationWith({ retired: true })
    expect(decide(factsOf(tenant, campaignWith({ status: 'paused' }), leadWith()))).toEqual({ status: 'done' })
  })

  it('a lead that no rule forbids is called', () => {
    expect(decide(factsOf(organizationWith(), campaignWith(), leadWith()))).toEqual({ status: 'queued' })
  })
})
