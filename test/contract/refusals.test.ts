import { describe, expect, it } from 'vitest'
import { control } from '../../src/contract/control.js'
import { contract, errorsOf } from '../../src/contract/index.js'
import type { EndpointName } from '../../src/contract/index.js'
import { ErrorBody, ApiError, notSent, errorCodes, errorCatalogue } from '../../src/contract/errors/error-codes.js'
import type { ErrorCode } from '../../src/contract/errors/error-codes.js'

/** The table of error codes, written by hand as a check on the contract. */
const rows = `
  invalid_request 400 invalid_request_error
  invalid_phone 400 invalid_request_error
  on_dnc_list 422 invalid_request_error
  outside_calling_hours 422 invalid_request_error
  duplicate_lead 409 invalid_request_error
  number_retired 422 invalid_request_error
  consent_required 422 invalid_request_error
  campaign_closed 409 invalid_request_error
  queue_full 429 rate_limit_error
  test_flows_busy 429 rate_limit_error
  phone_cannot_change 422 invalid_request_error
  ambiguous_external_id 409 invalid_request_error
  duplicate_dnc_entry 409 invalid_request_error
  not_found 404 invalid_request_error
  authentication_failed 401 authentication_error
  permission_denied 403 permission_error
  rate_limited 429 rate_limit_error
  too_many_concurrent_requests 429 rate_limit_error
  lead_rate_limited 429 rate_limit_error
  idempotency_mismatch 409 idempotency_error
  idempotency_in_progress 409 idempotency_error
  limit_reached 403 invalid_request_error
  endpoint_paused 409 invalid_request_error
  service_unavailable 503 api_error
  internal_error 500 api_error
  lead_busy 409 invalid_request_error
  lead_taken_out_of_queue 409 invalid_request_error
  call_limit_reached 429 rate_limit_error
  number_not_allowed 422 invalid_request_error
  recording_not_available 404 invalid_request_error`

/** Beyond what every endpoint, every write and every path with an id can answer. */
const own: Partial<Record<EndpointName, string>> = {
  getRecording: 'service_unavailable recording_not_available',
  startCall:
    'on_dnc_list number_retired campaign_closed test_flows_busy ambiguous_external_id not_found lead_busy ' +
    'lead_taken_out_of_queue call_limit_reached number_not_allowed',
  checkDnc: 'invalid_phone',
  addDnc: 'invalid_phone duplicate_dnc_entry',
  createLead:
    'invalid_phone on_dnc_list duplicate_lead number_retired consent_required campaign_closed queue_full ' +
    'test_flows_busy not_found lead_rate_limited call_limit_reached number_not_allowed',
  createLeads: 'not_found lead_rate_limited',
  listLeads: 'ambiguous_external_id not_found',
  updateLead: 'duplicate_lead phone_cannot_change',
  createExport: 'not_found',
  createWebhookEndpoint: 'not_found limit_reached',
  testWebhookEndpoint: 'endpoint_paused',
  resendDelivery: 'endpoint_paused',
  startCampaign: 'campaign_closed',
  pauseCampaign: 'campaign_closed',
  createCampaignLead:
    'invalid_phone on_dnc_list duplicate_lead number_retired consent_required campaign_closed queue_full ' +
    'test_flows_busy lead_rate_limited call_limit_reached number_not_allowed',
  createCampaignLeads: 'lead_rate_limited',
}
const common =
  'invalid_request authentication_failed permission_denied rate_limited too_many_concurrent_requests internal_error service_unavailable'
const writes = 'idempotency_mismatch idempotency_in_progress'
const sorted = (words: string) => [...new Set(words.split(' ').filter(Boolean))].sort()

describe('the catalogue of refusals', () => {
  it("is the specification's table, in its order", () => {
    const written = errorCodes.map((code) => `${code} ${errorCatalogue[code].status} ${errorCatalogue[code].type}`)
    expect(written).toEqual(rows.trim().split(/\n\s*/))
  })

  it('has a sentence for each that is not said of another', () => {
    const sentences = errorCodes.map((code) => errorCatalogue[code].sentence)
    expect(new Set(sentences).size).toBe(sentences.length)
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].{20,}\.$/)
  })

  it.each(Object.keys(contract) as EndpointName[])('says what %s can answer', (name) => {
    const endpoint = contract[name]
    const expected = [
      common,
      endpoint.method === 'GET' ? '' : writes,
      endpoint.path.includes('{') ? 'not_found' : '',
      own[name] ?? '',
    ].join(' ')
    expect([...errorsOf(endpoint)].sort()).toEqual(sorted(expected))
  })

  it('has a place for every code but those never sent, and for those none', () => {
    const possible = new Set(Object.values(contract).flatMap((endpoint) => errorsOf(endpoint)))
    const nowhere = errorCodes.filter((code) => !possible.has(code))
    expect(nowhere).toEqual(notSent)
  })

  it('asks the control plane for no quotas and no idempotency', () => {
    const possible = new Set<ErrorCode>(Object.values(control).flatMap((endpoint) => errorsOf(endpoint)))
    expect(possible).not.toContain('rate_limited')
    expect(possible).not.toContain('idempotency_mismatch')
    expect(errorsOf(control.takeOutLead)).toContain('not_found')
  })
})

describe('a refusal', () => {
  const id = '3b241101-e2bb-4255-8caf-4136c566a962'

  it('is written as the error body, with null where there is nothing to name', () => {
    expect(new ApiError('campaign_closed', 'The campaign is over.').toBody('req_1')).toEqual({
      error: {
        type: 'invalid_request_error',
        code: 'campaign_closed',
        message: 'The campaign is over.',
        param: null,
        request_id: 'req_1',
      },
    })
  })

  it('says the sentence of its code where no better message is given', () => {
    expect(new ApiError('queue_full').message).toBe(errorCatalogue.queue_full.sentence)
  })

  it.each([
    ['duplicate_lead', { lead_id: id }],
    ['duplicate_lead', { lead_id: null }],
    ['permission_denied', { missing_permission: 'leads:write' }],
    ['permission_denied', { campaign_id: null }],
    ['ambiguous_external_id', { candidates: [{ id, campaign_id: id }] }],
    ['number_not_allowed', { reason: 'premium' }],
  ] as const)('of code %s carries %o', (code, details) => {
    const body = new ApiError(code, 'Why.', details).toBody('req_1')
    expect(body.error).toMatchObject(details)
    expect(ErrorBody.parse(body)).toEqual(body)
  })

  it('keeps out of the body what belongs to another code, and the seconds to wait', () => {
    const details = {
      lead_id: id,
      campaign_id: id,
      missing_permission: 'leads:read',
      candidates: [],
      retry_after_seconds: 3,
    } as const
    const { error } = new ApiError('queue_full', 'Wait.', details).toBody(null)
    expect(Object.keys(error)).toEqual(['type', 'code', 'message', 'param', 'request_id'])
  })
})
