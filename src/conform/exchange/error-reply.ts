/** Checks the body of an error reply (rules F1 and F2). */
import type { Endpoint } from '../../contract/base/endpoint.js'
import { errorsOf, statusesOf } from '../../contract/errors/endpoint-errors.js'
import { ErrorBody, errorCatalogue, notSent, type ErrorCode } from '../../contract/errors/error-codes.js'
import { maskPersonalData } from '../../phone/mask.js'
import { headerOf, type Exchange, type Note } from './exchange.js'
import { issuesOf } from './issues.js'
import { bodyPart } from './request.js'

type ErrorFields = ErrorBody['error']

/** Errors of a path that the API does not have. */
const errorsOfUnknownPath: readonly ErrorCode[] = [
  'invalid_request',
  'not_found',
  'authentication_failed',
  'rate_limited',
  'too_many_concurrent_requests',
  'internal_error',
  'service_unavailable',
]

/** Checks an error body and returns its code; null if it is not an error of the API. */
export function checkErrorReply(
  exchange: Exchange,
  endpoint: Endpoint | null,
  body: unknown,
  note: Note,
): ErrorCode | null {
  const issues = issuesOf(ErrorBody, body)
  for (const { field, words } of issues) note(bodyPart(field), words, 'F1')
  if (issues.length > 0) return null
  const { error } = body as ErrorBody
  checkCode(exchange.status, endpoint, error, note)
  checkDetails(endpoint, error, note)
  const requestId = headerOf(exchange.responseHeaders, 'request-id')
  if (error.request_id !== requestId) note('body error.request_id', 'not the value of Request-Id', 'F1')
  checkMasked('body error.message', error.message, note)
  return error.code
}

/** Notes a message that shows a whole phone number or e-mail address (rule F2). */
export function checkMasked(at: string, message: string, note: Note): void {
  if (maskPersonalData(message) !== message) note(at, 'shows a phone number or an e-mail address', 'F2')
}

function checkCode(status: number, endpoint: Endpoint | null, { code, type }: ErrorFields, note: Note): void {
  const at = 'body error.code'
  const possible = endpoint ? errorsOf(endpoint) : errorsOfUnknownPath
  if (notSent.includes(code)) note(at, `${code} is never sent`, 'D2')
  else if (!possible.includes(code)) note(at, `${code} is not an error of this endpoint`, endpoint ? 'F1' : 'C1')
  const statuses = endpoint ? statusesOf(endpoint, code) : [errorCatalogue[code].status]
  if (!statuses.includes(status)) note('status', `${code} has status ${statuses.join(' or ')}, not ${status}`, 'F1')
  const expected = errorCatalogue[code].type
  if (type !== expected) note('body error.type', `${code} has type ${expected}, not ${type}`, 'F1')
}

/** The field that each of these belongs to. */
const codeOfDetail = {
  lead_id: 'duplicate_lead',
  missing_permission: 'permission_denied',
  campaign_id: 'permission_denied',
  candidates: 'ambiguous_external_id',
} as const satisfies Partial<Record<keyof ErrorFields, ErrorCode>>

function checkDetails(endpoint: Endpoint | null, error: ErrorFields, note: Note): void {
  const { code, reason, lead_id, missing_permission, campaign_id, candidates } = error
  for (const field of Object.keys(codeOfDetail) as (keyof typeof codeOfDetail)[]) {
    if (error[field] !== undefined && code !== codeOfDetail[field]) {
      note(`body error.${field}`, `belongs to ${codeOfDetail[field]} only`, 'F1')
    }
  }
  if (code === 'number_not_allowed' && reason !== 'premium' && reason !== 'international') {
    note('body error.reason', 'not premium or international', 'D11')
  }
  if (code === 'duplicate_lead' && lead_id === undefined) note('body error.lead_id', 'missing', 'D9')
  if (code === 'ambiguous_external_id' && (candidates?.length ?? 0) < 2) {
    note('body error.candidates', 'names fewer than two leads', 'F1')
  }
  // A test key that lists exports lacks no permission (rule X2).
  if (code !== 'permission_denied' || endpoint?.id === 'exports.list') return
  if (missing_permission === undefined && campaign_id === undefined) {
    note('body error.missing_permission', 'missing, and no campaign_id either', 'K3')
  }
}
