/** Whether a lead is taken in or called, rule by rule: each check of the table, and the duplicate window. */
import { describe, expect, it } from 'vitest'
import { CallAdmission, NewLeadAdmission, type LeadInput } from '../../simulator/dialing/admission-request.js'
import { admit, admissionChecks, type EntryPoint } from '../../simulator/dialing/admission.js'
import type { Campaign } from '../../simulator/model/campaign.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import {
  at,
  campaignWith,
  key,
  leadWith,
  noonish,
  organizationWith,
  phone,
  type OrganizationFacts,
} from '../support/rule-records.js'

interface Request {
  facts?: OrganizationFacts
  campaign?: Partial<Campaign> | null
  words?: Partial<LeadInput>
}

const newLead = ({ facts, campaign, words }: Request) =>
  new NewLeadAdmission(organizationWith(facts), key, campaign === null ? null : campaignWith(campaign), {
    phone,
    ...words,
  })

/** The code of the refusal, or null where the lead is taken. */
function refusalOf(run: () => void): string | null {
  try {
    run()
    return null
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

const admission = (request: Request, way: EntryPoint = 'add') => refusalOf(() => admit(way, newLead(request)))
const full = Array.from({ length: 3 }, () => noonish)

describe('admission checks', () => {
  it('admission: takes a lead that breaks no rule', () => {
    expect(admission({})).toBeNull()
  })

  it.each<[code: string, what: string, request: Request]>([
    ['not_found', 'an unknown campaign', { campaign: null }],
    ['campaign_closed', 'a completed campaign', { campaign: { status: 'completed' } }],
    ['invalid_phone', 'text that is no number', { words: { phone: '12' } }],
    ['invalid_phone', 'a made-up number', { words: { phone: '+12125550123' } }],
    ['number_not_allowed', 'a premium-rate number', { words: { phone: '+19005551234' } }],
    ['number_not_allowed', 'a number outside the US and Canada', { words: { phone: '+442071838750' } }],
    ['on_dnc_list', 'a number on the DNC list', { facts: { onDncList: true } }],
    ['number_retired', 'a retired number', { facts: { retired: true } }],
    ['duplicate_lead', 'a number that the campaign has', { facts: { leads: [leadWith()] } }],
    ['consent_required', 'a lead without the consent that is required', { campaign: { consent_required: true } }],
    ['queue_full', 'a lead beyond 5,000 that wait', { facts: { waitingFromApi: 5_000 } }],
    ['test_flows_busy', 'a 21st sample call of a test key', { facts: { live: false, sampleCalls: 20 } }],
  ])('admission: %s refuses %s', (code, _what, request) => {
    expect(admission(request)).toBe(code)
  })

  // rule A4
  it('admission: queue_full takes the 5,000th lead that waits, and test_flows_busy the 20th sample call', () => {
    expect(admission({ facts: { waitingFromApi: 4_999 } })).toBeNull()
    expect(admission({ facts: { live: false, sampleCalls: 19 } })).toBeNull()
  })

  it.each(['add', 'call', 'load', 'put_back'] as const)('DNC: on_dnc_list refuses a listed number on %s', (way) => {
    expect(admissionChecks.find(({ code }) => code === 'on_dnc_list')?.ways).toContain(way)
    expect(admission({ facts: { onDncList: true } }, way)).toBe('on_dnc_list')
    expect(admission({ facts: { onDncList: false } }, way)).toBeNull()
  })
})

describe('checks of a call to a lead that is there', () => {
  const call = (lead: Parameters<typeof leadWith>[0], facts?: OrganizationFacts) =>
    refusalOf(() => admit('call', new CallAdmission(organizationWith(facts), key, leadWith(lead))))

  it('call: is allowed to a waiting lead', () => {
    expect(call({})).toBeNull()
  })

  it('call: lead_taken_out_of_queue where a person took the lead out', () => {
    expect(call({ taken_out: 1, status: 'out_of_queue' })).toBe('lead_taken_out_of_queue')
  })

  it.each(['dialing', 'on_call'] as const)('call: lead_busy while the lead is %s', (status) => {
    expect(call({ status })).toBe('lead_busy')
  })

  // rule D15
  it('call: call_limit_reached after three calls through the API within 24 hours', () => {
    expect(call({}, { apiStarts: full })).toBe('call_limit_reached')
    expect(call({}, { apiStarts: full.slice(1) })).toBeNull()
    const now = at('2026-10-02T15:00:00Z')
    expect(call({}, { apiStarts: full, now })).toBeNull()
  })
})

// rule D9
describe('duplicate window', () => {
  const accepted = at('2026-09-01T15:00:00Z')
  const duplicateAt = (now: string, campaign: Partial<Campaign> = {}) =>
    newLead({ facts: { now: at(now), leads: [leadWith({ accepted, status: 'done' })] }, campaign }).duplicate

  it('duplicate window: 30 days from when the lead was last accepted, to the millisecond', () => {
    expect(duplicateAt('2026-10-01T14:59:59.999Z')).toBe('phone')
    expect(duplicateAt('2026-10-01T15:00:00Z')).toBeNull()
  })

  it('duplicate window: as many days as the campaign says', () => {
    expect(duplicateAt('2026-09-08T14:59:59.999Z', { duplicate_window_days: 7 })).toBe('phone')
    expect(duplicateAt('2026-09-08T15:00:00Z', { duplicate_window_days: 7 })).toBeNull()
  })

  it('duplicate window: never ends for a lead on the telephone', () => {
    const leads = [leadWith({ accepted, status: 'on_call' })]
    expect(newLead({ facts: { now: at('2027-01-01T00:00:00Z'), leads } }).duplicate).toBe('phone')
  })

  it('duplicate window: the external id goes before the number', () => {
    const leads = [leadWith({ external_id: 'crm-1' })]
    expect(newLead({ facts: { leads }, words: { external_id: 'crm-1' } }).duplicate).toBe('external_id')
  })

  it('duplicate window: two old leads, one by external id and one by number, stay duplicates', () => {
    const old = { accepted: at('2026-01-01T00:00:00Z'), status: 'done' } as const
    const leads = [leadWith({ ...old, n: 1 }), leadWith({ ...old, n: 2, phone: '+12125557813', external_id: 'crm-1' })]
    expect(newLead({ facts: { leads }, words: { external_id: 'crm-1' } }).duplicate).toBe('external_id')
  })
})
