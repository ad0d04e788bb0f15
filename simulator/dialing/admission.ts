/**
 * The admission checks: what a lead must pass to be accepted or called. They run in order and the first failure is the
 * answer (rule A1).
 */
import {
  apiCallsPerLead,
  apiCallsWindowHours,
  sampleCallsPerTestKey,
  waitingLeadsPerCampaign,
} from '../../src/contract/limits.js'
import { ApiError, type ErrorCode } from '../../src/contract/errors/error-codes.js'
import { after, before, hours, toIso } from '../kernel/instant.js'
import { isOnCall } from './lead-transitions.js'
import type { AdmissionRequest } from './admission-request.js'

/** How a call is requested. `add` and `call` come through the API, `load` and `put_back` through the app. */
export type EntryPoint = 'add' | 'call' | 'load' | 'put_back'

export interface Check {
  code: ErrorCode
  /** Position of the check in rule A1; null for checks of rules D15, D16, S4 and T3. */
  row: number | null
  ways: readonly EntryPoint[]
  /** Returns the error if the check fails. */
  refuse: (request: AdmissionRequest) => ApiError | null
}

const secondsUntil = (from: number, to: number): number => Math.max(1, Math.ceil((to - from) / 1000))

export const admissionChecks: readonly Check[] = [
  {
    // The campaign must exist (rule A2).
    code: 'not_found',
    row: 1,
    ways: ['add'],
    refuse: ({ campaign }) =>
      campaign ? null : new ApiError('not_found', 'There is no such campaign.', { param: 'campaign_id' }),
  },
  {
    // A completed campaign accepts no leads (rule A2).
    code: 'campaign_closed',
    row: 1,
    ways: ['add', 'call', 'load', 'put_back'],
    refuse: ({ campaign }) =>
      campaign?.status === 'completed'
        ? new ApiError('campaign_closed', `The campaign ${campaign.name} is completed and takes no new leads.`, {
            param: 'campaign_id',
          })
        : null,
  },
  {
    // The phone must be a valid number (rule A3).
    // Test numbers need a test key (rule T1), and made-up numbers are refused (rule T2).
    code: 'invalid_phone',
    row: 2,
    ways: ['add', 'load'],
    refuse: ({ number, phone, tenant }) => {
      const callable = number.kind !== 'invalid' && number.kind !== 'made_up'
      if (callable && (number.kind !== 'reserved' || !tenant.live)) return null
      const why =
        number.kind === 'reserved'
          ? 'is a test number: only a test key can use it'
          : number.kind === 'made_up'
            ? 'is reserved for examples (555-0100 to 555-0199)'
            : 'is not a telephone number'
      // Text that is not a phone number is not repeated, because it cannot be masked (rule F2).
      const what = phone.trim() === '' ? 'An empty phone' : number.kind === 'invalid' ? 'The phone' : phone
      return new ApiError('invalid_phone', `${what} ${why}.`, { param: 'phone' })
    },
  },
  {
    // Premium-rate and international numbers are not dialed (rule D11).
    code: 'number_not_allowed',
    row: 3,
    ways: ['add', 'call', 'load', 'put_back'],
    refuse: ({ number }) =>
      number.kind === 'premium' || number.kind === 'international'
        ? new ApiError('number_not_allowed', `${number.e164} is ${detailsFor[number.kind]} and is not dialed.`, {
            param: 'phone',
            reason: number.kind,
          })
        : null,
  },
  {
    // Numbers on the Do Not Call list are never called (rule D5).
    code: 'on_dnc_list',
    row: 4,
    ways: ['add', 'call', 'load', 'put_back'],
    refuse: ({ e164, tenant }) =>
      tenant.dnc.has(e164)
        ? new ApiError('on_dnc_list', `${e164} is on the Do Not Call list and is never called.`, { param: 'phone' })
        : null,
  },
  {
    // The campaign gave the number up after failed calls (rule D14).
    code: 'number_retired',
    row: 5,
    ways: ['add', 'call', 'load', 'put_back'],
    refuse: ({ campaign, e164, tenant }) =>
      campaign && tenant.numbers.isRetired(campaign.n, e164)
        ? new ApiError('number_retired', `The campaign gave up ${e164} after failed calls.`, { param: 'phone' })
        : null,
  },
  {
    // A lead within its duplicate window is refused (rule D9).
    code: 'duplicate_lead',
    row: 6,
    ways: ['add', 'load'],
    refuse: ({ duplicate, tenant, existing }) =>
      duplicate
        ? new ApiError('duplicate_lead', `The campaign already has this ${duplicate}.`, {
            param: duplicate,
            lead_id: existing[duplicate] ? tenant.leads.id(existing[duplicate].n) : null,
          })
        : null,
  },
  {
    // API leads need consent unless the campaign turns it off (rule D7).
    code: 'consent_required',
    row: 7,
    ways: ['add'],
    refuse: ({ campaign, consent }) =>
      campaign?.consent_required && !consent
        ? new ApiError('consent_required', `The campaign ${campaign.name} takes no lead without consent.`, {
            param: 'consent',
          })
        : null,
  },
  {
    // A limited number of API leads waits in one campaign (rule A4).
    code: 'queue_full',
    row: 8,
    ways: ['add'],
    refuse: ({ campaign, tenant }) =>
      campaign && tenant.queues.of(campaign.n).waiting_from_api >= waitingLeadsPerCampaign
        ? new ApiError(
            'queue_full',
            `${waitingLeadsPerCampaign} leads wait in the campaign ${campaign.name} already.`,
            {
              retry_after_seconds: 60,
            },
          )
        : null,
  },
  {
    // The API does not overrule a person (rule D16).
    code: 'lead_taken_out_of_queue',
    row: null,
    ways: ['call'],
    refuse: ({ lead }) =>
      lead?.taken_out
        ? new ApiError(
            'lead_taken_out_of_queue',
            'A person took the lead out of the queue; the API does not overrule that.',
          )
        : null,
  },
  {
    // A lead that is dialing or on a call cannot be called (rule S4).
    code: 'lead_busy',
    row: null,
    ways: ['call', 'put_back'],
    refuse: ({ lead, tenant }) =>
      lead && isOnCall(tenant, lead) ? new ApiError('lead_busy', 'The lead is being dialed or is on a call.') : null,
  },
  {
    // The API starts a limited number of calls to a lead per day (rule D15).
    code: 'call_limit_reached',
    row: null,
    ways: ['add', 'call'],
    refuse: ({ lead, startsCall, tenant }) => {
      if (!lead || !startsCall) return null
      const { now } = tenant.world
      const starts = tenant.leads.listApiStarts(lead.n, before(now, hours(apiCallsWindowHours)))
      const first = starts[starts.length - apiCallsPerLead]
      if (first === undefined) return null
      const free = after(first, hours(apiCallsWindowHours))
      return new ApiError(
        'call_limit_reached',
        `The lead had ${apiCallsPerLead} calls through the API; the next is free at ${toIso(free)}.`,
        {
          retry_after_seconds: secondsUntil(now, free),
        },
      )
    },
  },
  {
    // A test key has a limited number of sample calls at once (rule T3).
    code: 'test_flows_busy',
    row: null,
    ways: ['add', 'call'],
    refuse: ({ key, tenant }) =>
      key && !tenant.live && tenant.calls.countSampleCalls(key.n) >= sampleCallsPerTestKey
        ? new ApiError('test_flows_busy', `The test key has ${sampleCallsPerTestKey} sample calls running.`, {
            retry_after_seconds: 60,
          })
        : null,
  },
]

const detailsFor = { premium: 'a premium-rate number', international: 'outside the US and Canada' } as const

/** Runs the checks for an entry point. Throws the first error. */
export function admit(way: EntryPoint, request: AdmissionRequest): void {
  for (const one of admissionChecks) {
    const refusal = one.ways.includes(way) ? one.refuse(request) : null
    if (refusal) throw refusal
  }
}
