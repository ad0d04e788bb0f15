/** Lists the error codes that an endpoint can answer with: those of its method and path, and its own. */
import { isWrite } from '../base/endpoint.js'
import type { Endpoint } from '../base/endpoint.js'
import { errorCatalogue, errorCodes } from './error-codes.js'
import type { ErrorCode } from './error-codes.js'

/** Errors of every endpoint of the API. */
const commonErrors = [
  'invalid_request',
  'authentication_failed',
  'permission_denied',
  'rate_limited',
  'too_many_concurrent_requests',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[]

const writeErrors = ['idempotency_mismatch', 'idempotency_in_progress'] as const satisfies readonly ErrorCode[]

/** Errors of every control route. These routes have no quotas, and their writes take no Idempotency-Key. */
const controlErrors = [
  'invalid_request',
  'authentication_failed',
  'permission_denied',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[]

/** Whether the endpoint is a route of the simulator's control plane. */
export const isControl = (endpoint: Pick<Endpoint, 'path'>): boolean => endpoint.path.startsWith('/_sim/')

/** All error codes of the endpoint, in the order of the table. */
export function errorsOf(endpoint: Pick<Endpoint, 'method' | 'path' | 'refusals'>): readonly ErrorCode[] {
  const control = isControl(endpoint)
  const possible = new Set<ErrorCode>([...(control ? controlErrors : commonErrors), ...endpoint.refusals])
  if (isWrite(endpoint) && !control) for (const code of writeErrors) possible.add(code)
  if (endpoint.path.includes('{')) possible.add('not_found')
  return errorCodes.filter((code) => possible.has(code))
}

/** The statuses with which the endpoint answers an error code. */
export function statusesOf(endpoint: Pick<Endpoint, 'refusals' | 'statuses'>, code: ErrorCode): readonly number[] {
  const { status } = errorCatalogue[code]
  const special = endpoint.statuses?.[code]
  if (special === undefined) return [status]
  return endpoint.refusals.includes(code) ? [special] : [status, special]
}
