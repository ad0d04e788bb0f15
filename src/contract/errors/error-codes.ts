/** The table of error codes, the error that the server throws, and the body it is sent as (rule F1). */
import { z } from 'zod'
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

const word = <S extends number, T extends ErrorType>(status: S, type: T, sentence: string) => ({
  status,
  type,
  sentence,
})

/** All error codes. The errors table of docs/rules.md is generated from this one. */
export const errorCatalogue = {
  invalid_request: word(400, 'invalid_request_error', 'The request is malformed; correct the field named by param.'),
  invalid_phone: word(400, 'invalid_request_error', 'This is not a telephone number that can exist.'),
  on_dnc_list: word(422, 'invalid_request_error', 'The number is on the Do Not Call list and is never called.'),
  outside_calling_hours: word(422, 'invalid_request_error', 'It is outside the calling hours of the lead.'),
  duplicate_lead: word(409, 'invalid_request_error', 'The campaign already has this lead; lead_id names it.'),
  number_retired: word(422, 'invalid_request_error', 'The campaign gave this number up after failed calls.'),
  consent_required: word(422, 'invalid_request_error', 'The campaign takes no lead without consent; send it.'),
  campaign_closed: word(409, 'invalid_request_error', 'The campaign is completed and takes no more leads.'),
  queue_full: word(429, 'rate_limit_error', 'The campaign has too many leads waiting; send this one later.'),
  test_flows_busy: word(
    429,
    'rate_limit_error',
    'The test key has too many sample calls running; wait for one to end.',
  ),
  phone_cannot_change: word(422, 'invalid_request_error', 'A lead keeps its number; add a new lead instead.'),
  ambiguous_external_id: word(
    409,
    'invalid_request_error',
    'Several campaigns have this external_id; add campaign_id.',
  ),
  duplicate_dnc_entry: word(409, 'invalid_request_error', 'The number is on the Do Not Call list already.'),
  not_found: word(404, 'invalid_request_error', 'There is no such object within the reach of this key.'),
  authentication_failed: word(401, 'authentication_error', 'The key is missing or not valid; reason tells which.'),
  permission_denied: word(403, 'permission_error', 'The key is not allowed to do this.'),
  rate_limited: word(429, 'rate_limit_error', 'Too many requests this minute; repeat after Retry-After.'),
  too_many_concurrent_requests: word(429, 'rate_limit_error', 'Too many requests at once; repeat after Retry-After.'),
  lead_rate_limited: word(429, 'rate_limit_error', 'Too many new leads this minute; repeat after Retry-After.'),
  idempotency_mismatch: word(
    409,
    'idempotency_error',
    'The Idempotency-Key was used for another request; use a new one.',
  ),
  idempotency_in_progress: word(409, 'idempotency_error', 'The request with this Idempotency-Key is still running.'),
  limit_reached: word(403, 'invalid_request_error', 'A limit of the plan is reached.'),
  endpoint_paused: word(409, 'invalid_request_error', 'The webhook endpoint is paused; resume it first.'),
  service_unavailable: word(503, 'api_error', 'Something the service depends on is down; repeat later.'),
  internal_error: word(500, 'api_error', 'The service failed; the fault is not in the request.'),
  lead_busy: word(409, 'invalid_request_error', 'The lead is being dialed or is on a call.'),
  lead_taken_out_of_queue: word(409, 'invalid_request_error', 'A person took the lead out of the queue.'),
  call_limit_reached: word(429, 'rate_limit_error', 'The lead had its API-started calls of the day.'),
  number_not_allowed: word(
    422,
    'invalid_request_error',
    'Numbers of this kind are not dialed; reason tells which kind.',
  ),
  recording_not_available: word(404, 'invalid_request_error', 'The call has no recording, or has it no longer.'),
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
