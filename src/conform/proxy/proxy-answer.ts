/** Answers of the proxy itself, in the shape of the API's errors, with codes that the API does not have. */
import type { ServerResponse } from 'node:http'
import type { Departure } from '../exchange/exchange.js'

/** Codes of the proxy. None is in the error catalogue, so a client can tell who answered. */
export type ProxyCode = 'invalid_response' | 'deployment_unreachable' | 'foreign_request'

const statuses = {
  invalid_response: 502,
  deployment_unreachable: 502,
  foreign_request: 403,
} as const satisfies Record<ProxyCode, number>

interface ProxyError {
  code: ProxyCode
  message: string
  /** Id of the deployment's reply; null if there is none. */
  requestId?: string | null
}

/** Sends the answer and returns its status. */
export function answerWith(response: ServerResponse, { code, message, requestId = null }: ProxyError): number {
  const type = code === 'foreign_request' ? 'permission_error' : 'api_error'
  const body = JSON.stringify({ error: { type, code, message, param: null, request_id: requestId } })
  response.writeHead(statuses[code], {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...(requestId !== null && { 'Request-Id': requestId }),
  })
  response.end(body)
  return statuses[code]
}

/** The message for a reply that departs: the first departure and the number of the others. */
export function describeInvalid(departures: readonly Departure[]): string {
  const [first] = departures
  if (!first) return 'The reply of the deployment departs from the contract.'
  const more = departures.length > 1 ? ` (and ${departures.length - 1} more)` : ''
  return `The reply of the deployment departs from the contract: ${first.at}: ${first.message}, rule ${first.rule}${more}.`
}
