/** What each dialing rule says about a lead, from plain facts: known, unknown, deciding. */
import { describe, expect, it } from 'vitest'
import { dialingRules, type DialingRule } from '../../src/contract/control/explain.js'
import { explain } from '../../src/dialing/explain.js'
import type { ExplainFacts } from '../../src/dialing/explain-facts.js'
import { campaignWith, leadWith, noonish } from '../support/rule-records.js'

const day = 24 * 3_600_000
const { phone, zone } = leadWith()

function factsWith({
  lead,
  ...facts
}: Partial<Omit<ExplainFacts, 'lead'>> & { lead?: Partial<ExplainFacts['lead']> } = {}): ExplainFacts {
  return {
    ...{ now: noonish, present: noonish, campaign_id: 'campaign', campaign: campaignWith() },
    ...{ lastReached: null, isListed: false, isRetired: false, isTakenOut: false, lateAt: undefined },
    lines: { busy: 5, ahead: 3, isKeyBusy: false },
    ...facts,
    lead: {
      ...{ id: 'lead', name: 'Ann', phone, zone, status: 'queued', held_reason: null, call_now: false, late: false },
      ...{ attempts: 2, last_outcome: null, not_before: null, not_before_reason: null },
      ...lead,
    },
  }
}

function about(rule: DialingRule, facts?: Parameters<typeof factsWith>[0]) {
  const { decides, rules } = explain(factsWith(facts))
  const { verdict, says } = rules.find((one) => one.rule === rule) ?? {}
  return [verdict, says, decides === rule ? 'decides' : null]
}

describe('explanation', () => {
  it('has every rule in order, whatever is known', () => {
    const unknown = { campaign: undefined, lastReached: undefined, isListed: undefined, isRetired: undefined }
    for (const facts of [{}, unknown])
      expect(explain(factsWith(facts)).rules.map(({ rule }) => rule)).toEqual(dialingRules)
  })

  it('is the same for the same facts', () => {
    expect(explain(factsWith())).toEqual(explain(factsWith()))
  })
})

describe('explanation of a rule', () => {
  it.each<[DialingRule, Parameters<typeof factsWith>[0], unknown[]]>([
    ['campaign', {}, ['allows', 'yes', null]],
    ['campaign', { campaign: campaignWith({ status: 'not_started' }) }, ['waits', 'no, not started', 'decides']],
    [
      'campaign',
      { campaign: campaignWith({ spend_cap_usd: 10, spent_usd: 12.5 }) },
      ['waits', 'no, it has spent $12.50 and may spend $10.00', 'decides'],
    ],
    ['campaign', { campaign: undefined }, ['unknown', 'not known: the campaign cannot be read', null]],
    ['calling_hours', {}, ['allows', 'open until 17:00', null]],
    [
      'calling_hours',
      { now: noonish + 12 * 3_600_000 },
      ['waits', 'closed there since 17:00, open at 09:00', 'decides'],
    ],
    ['calling_hours', { campaign: campaignWith({ calling_hours: {} }) }, ['waits', 'never open there', 'decides']],
    ['calling_hours', { campaign: campaignWith({ any_hour: true }) }, ['allows', 'any hour', null]],
    ['calling_hours', { lead: { zone: '' } }, ['allows', 'any hour: a test number', null]],
    ['cooldown', {}, ['allows', 'no other call to this number', null]],
    ['cooldown', { lastReached: noonish - day }, ['allows', 'no other call to this number', null]],
    [
      'cooldown',
      { lastReached: noonish - day + 3_600_000 },
      ['waits', 'another call reached the number 2026-09-30 12:00 EDT; over 2026-10-01 12:00 EDT', 'decides'],
    ],
    ['cooldown', { lastReached: noonish, lead: { zone: '' } }, ['allows', 'none for a test number', null]],
    ['dnc', { isListed: true }, ['forbids', 'listed: never called', 'decides']],
    [
      'dnc',
      { isListed: undefined, unknown: { dnc: 'the key may not read the list' } },
      ['unknown', 'not known: the key may not read the list', null],
    ],
    ['attempts', {}, ['allows', '2 of 3', null]],
    [
      'attempts',
      { lead: { status: 'done', last_outcome: 'wrong_number' } },
      ['forbids', '2 of 3; the last call ended with wrong_number', 'decides'],
    ],
    [
      'attempts',
      { lead: { status: 'done', last_outcome: 'busy', attempts: 3 } },
      ['forbids', '3 of 3; no try left', 'decides'],
    ],
    ['retired_number', {}, ['allows', 'no', null]],
    ['retired_number', { isRetired: true }, ['forbids', 'retired after 4 failed calls in a row', 'decides']],
    [
      'callback',
      { lead: { status: 'callback_scheduled', not_before: noonish + 3_600_000, not_before_reason: 'next_dial_time' } },
      ['waits', 'booked for 2026-10-01 12:00 EDT', 'decides'],
    ],
    [
      'next_dial_time',
      { lead: { status: 'scheduled', not_before: noonish + 3_600_000, not_before_reason: 'next_dial_time' } },
      ['waits', 'set to 2026-10-01 12:00 EDT', 'decides'],
    ],
    [
      'taken_out',
      { lead: { status: 'out_of_queue' }, isTakenOut: true },
      ['forbids', 'a person took the lead out of the queue', 'decides'],
    ],
    ['lines', {}, ['waits', '5 of 5 busy; 3 leads before it', 'decides']],
    ['lines', { lines: { busy: 4, ahead: 0, isKeyBusy: false } }, ['allows', '4 of 5 busy; 0 leads before it', null]],
    ['lines', { now: noonish + 60_000 }, ['unknown', 'not known at another moment', null]],
    [
      'lines',
      { lines: { busy: undefined, ahead: 3, isKeyBusy: false } },
      ['waits', '5; how many are busy is not known; 3 leads before it', 'decides'],
    ],
    ['late', {}, ['allows', 'not a call_now lead', null]],
    [
      'late',
      { lead: { call_now: true, late: true } },
      ['allows', 'yes, the limit is 15 min; it is still called', null],
    ],
  ])('%s with %j', (rule, facts, expected) => {
    expect(about(rule, facts)).toEqual(expected)
  })

  it.each([
    [{ sure: 12, sooner: 0, isCut: false }, '; 12 leads before it when the hours open'],
    [{ sure: 1, sooner: 2, isCut: false }, '; up to 3 leads before it when the hours open'],
    [{ sure: 900, sooner: 2, isCut: true }, '; at least 900 leads before it when the hours open'],
    [{ sure: 0, sooner: 2, isCut: true }, '; many leads may be before it when the hours open'],
  ])('lines: says how many leads are dialed first when the hours open: %j', (ahead, says) => {
    const night = noonish + 12 * 3_600_000
    const lines = { busy: 5, ahead: undefined, isKeyBusy: false, countAheadAt: () => ahead }
    const facts = { now: night, present: night, lines, lead: { status: 'scheduled' } } as const
    expect(about('lines', facts)[1]).toBe(`5 of 5 busy${says}`)
    // A campaign that does not dial calls nobody then.
    expect(about('lines', { ...facts, campaign: campaignWith({ status: 'paused' }) })[1]).toBe('5 of 5 busy')
  })

  it('taken_out: a lead out of the queue for an unknown reason has no deciding rule', () => {
    const { decides } = explain(
      factsWith({ lead: { status: 'out_of_queue', last_outcome: 'busy' }, isTakenOut: undefined }),
    )
    expect(decides).toBeNull()
  })

  it('what the service says about the lead wins over the judgement', () => {
    const reported = { decides: 'cooldown', nextCallAt: noonish + day } as const
    const { decides, next_call_at } = explain(factsWith({ reported, lead: { status: 'scheduled' } }))
    expect([decides, next_call_at]).toEqual(['cooldown', '2026-10-02T15:00:00.000Z'])
  })
})
