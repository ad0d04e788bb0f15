/** Writes replies: headers, error bodies and masked values (rule F2). */
import type { FastifyReply } from 'fastify'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { maskPersonalData } from '../../src/phone/mask.js'
import type { RequestContext } from './gate.js'
import { maskStoredSecrets } from './secret-masks.js'

export const stringifyJson = 'application/json; charset=utf-8'

/** Writes the headers of every API reply (rule C7). */
export function writeHeaders(reply: FastifyReply, requestId: string, context: RequestContext): void {
  reply.header('Request-Id', requestId)
  if (!context.allowance) return
  const { limit, remaining, resetSeconds } = context.allowance
  reply
    .header('RateLimit-Limit', limit)
    .header('RateLimit-Remaining', remaining)
    .header('RateLimit-Reset', resetSeconds)
}

/**
 * Builds an error body (rule F1). Masks phone numbers and e-mail addresses in the message, and secrets in both fields.
 */
export function errorBody(refusal: ApiError, requestId: string) {
  const { error } = refusal.toBody(requestId)
  const param = error.param === null ? null : maskStoredSecrets(error.param)
  return { error: { ...error, message: maskPersonalData(maskStoredSecrets(error.message)), param } }
}

/** The decoded path of a request. Escapes would hide a phone number or an address from the mask. */
export function describePath(url: string): string {
  const [path = ''] = url.split('?')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export function writeError(reply: FastifyReply, refusal: ApiError, requestId: string): FastifyReply {
  if (refusal.code === 'authentication_failed') reply.header('WWW-Authenticate', 'Basic realm="api", Bearer')
  const { retry_after_seconds: retryAfter } = refusal.details
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter)
  return reply
    .header('Request-Id', requestId)
    .status(refusal.status)
    .type(stringifyJson)
    .send(JSON.stringify(errorBody(refusal, requestId)))
}

/** Converts any error to an ApiError. Unknown errors become 500 without details. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { code, statusCode } = (typeof error === 'object' && error ? error : {}) as {
    code?: string
    statusCode?: number
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ApiError('invalid_request', 'The body is larger than 1 MB (1,048,576 bytes).')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || statusCode === 415) {
    return new ApiError('invalid_request', 'Send the body as JSON, with Content-Type: application/json.')
  }
  if (code?.startsWith('FST_ERR_CTP') || (statusCode !== undefined && statusCode >= 400 && statusCode < 500)) {
    return new ApiError('invalid_request', 'The request cannot be read.')
  }
  if (error instanceof Error && error.name === 'StoreError') {
    const message =
      'The data file cannot be used; make room on its disk, or see to the disk, then send the request again.'
    return new ApiError('service_unavailable', message)
  }
  return new ApiError('internal_error')
}
