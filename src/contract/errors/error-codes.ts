/** The table of error codes, the error that the server throws, and the body it is sent as (rule F1). */
import * as z from 'zod'
import { PermissionName } from '../base/permission-name.js'
import type { Permission } from '../permissions.js'

const errorTypes = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'rate_limit_error',
  'idempotency_error',
  'api_error',
] as const

export type ErrorType = (typeof errorTypes)[number]

interface ErrorDefinition {
  readonly status: number
  readonly type: ErrorType
  /** The problem and what to do. Used in documents, and as the message if the thrower gives none. */
  readonly sentence: string
}

const error = <S extends number, T extends ErrorType>(status: S, type: T, sentence: string) => ({
  status,
  type,
  sentence,
})

/** All error codes. The errors table of docs/rules.md is generated from this one. */
export const errorCatalogue = {
  invalid_request: error(400, 'invalid_request_error', 'The request is malformed. Correct the field that param names.'),
  invalid_phone: error(400, 'invalid_request_error', 'The phone number is not valid.'),
  on_dnc_list: error(422, 'invalid_request_error', 'The number is on the Do Not Call list and is never called.'),
  outside_calling_hours: error(422, 'invalid_request_error', 'It is outside the calling hours of the lead.'),
  duplicate_lead: error(409, 'invalid_request_error', 'The campaign already has this lead. lead_id names it.'),
  number_retired: error(422, 'invalid_request_error', 'The campaign retired this number after failed calls.'),
  consent_required: error(422, 'invalid_request_error', 'The campaign requires consent. Send it with the lead.'),
  campaign_closed: error(409, 'invalid_request_error', 'The campaign is completed and accepts no leads.'),
  queue_full: error(429, 'rate_limit_error', 'Too many leads are waiting in the campaign. Send this lead later.'),
  test_flows_busy: error(
    429,
    'rate_limit_error',
    'Too many sample calls of the test key are running. Wait for one to end.',
  ),
  phone_cannot_change: error(422, 'invalid_request_error', 'The phone number of a lead cannot change. Add a new lead.'),
  ambiguous_external_id: error(
    409,
    'invalid_request_error',
    'Several campaigns have this external_id. Add campaign_id.',
  ),
  duplicate_dnc_entry: error(409, 'invalid_request_error', 'The number is already on the Do Not Call list.'),
  not_found: error(404, 'invalid_request_error', 'The object does not exist, or the key cannot access it.'),
  authentication_failed: error(401, 'authentication_error', 'The key is missing or not valid. reason says why.'),
  permission_denied: error(403, 'permission_error', 'The key does not have the permission for this.'),
  rate_limited: error(429, 'rate_limit_error', 'Too many requests in this minute. Wait for Retry-After seconds.'),
  too_many_concurrent_requests: error(
    429,
    'rate_limit_error',
    'Too many requests at once. Wait for Retry-After seconds.',
  ),
  lead_rate_limited: error(429, 'rate_limit_error', 'Too many new leads in one minute. Wait for Retry-After seconds.'),
  idempotency_mismatch: error(
    409,
    'idempotency_error',
    'The Idempotency-Key was used for another request. Use a new one.',
  ),
  idempotency_in_progress: error(
    409,
    'idempotency_error',
    'The request with this Idempotency-Key is still running. Wait for Retry-After seconds.',
  ),
  limit_reached: error(403, 'invalid_request_error', 'The organization has reached a limit of its plan.'),
  endpoint_paused: error(409, 'invalid_request_error', 'The webhook endpoint is paused. Resume it first.'),
  service_unavailable: error(503, 'api_error', 'The service cannot answer now. Repeat the request later.'),
  internal_error: error(500, 'api_error', 'The service failed. The request is not the cause.'),
  lead_busy: error(409, 'invalid_request_error', 'The lead is being dialed or is on a call.'),
  lead_taken_out_of_queue: error(409, 'invalid_request_error', 'A person took the lead out of the queue.'),
  call_limit_reached: error(
    429,
    'rate_limit_error',
    'The lead has reached its limit of calls started through the API.',
  ),
  number_not_allowed: error(
    422,
    'invalid_request_error',
    'Numbers of this kind are not dialed. reason says which kind.',
  ),
  recording_not_available: error(404, 'invalid_request_error', 'The call has no recording, or it was deleted.'),
} as const satisfies Record<string, ErrorDefinition>

export type ErrorCode = keyof typeof errorCatalogue

/** The codes in the order of the table. */
export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]

/** Codes that are defined but never sent: such leads are scheduled instead (rule D2). */
export const notSent: readonly ErrorCode[] = ['outside_calling_hours']

export interface ErrorDetails {
  /** Path of the field that is wrong: `consent.agreed_at`, `leads[2].phone`. */
  param?: string | null
  /** The cause, for codes that have several: `premium`, `expired`. */
  reason?: string
  lead_id?: string | null
  missing_permission?: Permission
  /** Null if the endpoint needs a key for every campaign. */
  campaign_id?: string | null
  candidates?: readonly { id: string; campaign_id: string }[]
  /** For the `Retry-After` header, in whole seconds. Not part of the body. */
  retry_after_seconds?: number
}

export const ErrorCode = z.enum(errorCodes).meta({ id: 'ErrorCode' })

/** The body of every error reply. */
export const ErrorBody = z
  .object({
    error: z.object({
      type: z.enum(errorTypes).meta({ id: 'ErrorType' }),
      code: ErrorCode,
      message: z.string(),
      param: z.string().nullable(),
      request_id: z.string().nullable(),
      reason: z.string().optional(),
      lead_id: z.uuid().nullable().optional(),
      missing_permission: PermissionName.optional(),
      campaign_id: z.uuid().nullable().optional(),
      candidates: z.array(z.object({ id: z.uuid(), campaign_id: z.uuid() })).optional(),
    }),
  })
  .meta({ id: 'Error', description: 'Why the request was refused. Branch on code, never on message.' })
export type ErrorBody = z.output<typeof ErrorBody>

type BodyDetail = 'lead_id' | 'missing_permission' | 'campaign_id' | 'candidates'

/** The code that each of these fields belongs to. With another code the field is left out of the body. */
const codeOf: Readonly<Record<BodyDetail, ErrorCode>> = {
  lead_id: 'duplicate_lead',
  missing_permission: 'permission_denied',
  campaign_id: 'permission_denied',
  candidates: 'ambiguous_external_id',
}

/** Thrown to refuse a request. The thrower masks phone numbers and e-mail addresses in the message (rule F2). */
export class ApiError extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly type: ErrorType

  constructor(
    readonly code: ErrorCode,
    message: string = errorCatalogue[code].sentence,
    readonly details: ErrorDetails = {},
  ) {
    super(message)
    this.status = errorCatalogue[code].status
    this.type = errorCatalogue[code].type
  }

  /** The body on the wire, with the id of the request. */
  toBody(requestId: string | null): ErrorBody {
    const { code, message, type, details } = this
    const own = (Object.keys(codeOf) as BodyDetail[])
      .filter((field) => codeOf[field] === code && details[field] !== undefined)
      .map((field) => [field, details[field]] as const)
    const reason = details.reason === undefined ? {} : { reason: details.reason }
    const error = { type, code, message, param: details.param ?? null, request_id: requestId, ...reason }
    return { error: { ...error, ...Object.fromEntries(own) } }
  }
}
