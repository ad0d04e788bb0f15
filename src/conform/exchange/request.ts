/** Checks a request: path, key, headers, query and body. */
import { ApiError } from '../../contract/errors/error-codes.js'
import { isWrite, type Endpoint } from '../../contract/base/endpoint.js'
import { idempotencyKeyLength, requestBodyBytes } from '../../contract/limits.js'
import { readBody } from '../../contract/strict-json.js'
import { typedQuery } from '../../contract/typed-query.js'
import type { Credentials } from './credentials.js'
import { headerOf, mediaTypeOf, type Exchange, type Note } from './exchange.js'
import { issuesOf } from './issues.js'
import type { Route } from './route.js'

/** What a request asks, and how the deployment must take it. */
export interface Sent {
  /** Values of the query, with defaults; null if the query is not valid. */
  query: Record<string, unknown> | null
  /** The parsed body; null if it is not valid or was not kept. */
  body: Record<string, unknown> | null
  /** Why the API must answer 401; null if the credentials can be read. */
  unauthenticated: string | null
  /** Why the API must answer 400; null if the request is well-formed. */
  malformed: { reason: string; rule: string } | null
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Checks a request for the API and returns what it asks. */
export function checkRequest(exchange: Exchange, route: Route, credentials: Credentials, note: Note): Sent {
  const sent: Sent = { query: null, body: null, unauthenticated: credentials.problem, malformed: null }
  if (credentials.problem !== null) note('header Authorization', credentials.problem, 'K1')
  const { endpoint } = route
  if (!endpoint) {
    note('path', `the API has no ${exchange.method} at this path`, 'C1')
    return sent
  }
  const refuse: Note = (at, message, rule) => {
    note(at, message, rule)
    sent.malformed ??= { reason: `${at}: ${message}`, rule }
  }
  for (const [name, value] of Object.entries(route.params)) {
    if (!uuid.test(value)) note(`path ${name}`, 'not a UUID', 'C5')
  }
  sent.query = checkQuery(endpoint, route, refuse)
  if (isWrite(endpoint)) {
    checkIdempotencyKey(exchange, refuse)
    sent.body = checkBody(endpoint, exchange, refuse)
  }
  return sent
}

function checkQuery(endpoint: Endpoint, { query }: Route, refuse: Note): Record<string, unknown> | null {
  let typed: Record<string, unknown>
  try {
    typed = typedQuery(endpoint, query)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    refuse(`query ${error.details.param ?? ''}`.trim(), 'sent more than once', 'C2')
    return null
  }
  const issues = issuesOf(endpoint.query, typed)
  for (const { field, words } of issues) refuse(`query ${field ?? ''}`.trim(), words, queryRule(field))
  if (issues.length > 0) return null
  if (endpoint.id === 'dnc.check' && query['phone'] === undefined) refuse('query phone', 'this is required', 'N2')
  return endpoint.query.parse(typed) as Record<string, unknown>
}

function queryRule(field: string | null): string {
  if (field === 'limit') return 'P3'
  if (field?.startsWith('created[')) return 'C4'
  return field === 'starting_after' ? 'P1' : 'C2'
}

function checkIdempotencyKey({ requestHeaders }: Exchange, refuse: Note): void {
  const key = headerOf(requestHeaders, 'idempotency-key')
  if (key === null || (key.length <= idempotencyKeyLength && /^[\x21-\x7e]+$/.test(key))) return
  refuse('header Idempotency-Key', `not 1 to ${idempotencyKeyLength} visible ASCII characters`, 'I1')
}

function checkBody(endpoint: Endpoint, exchange: Exchange, refuse: Note): Record<string, unknown> | null {
  const { requestHeaders, requestBody } = exchange
  if (requestBody === null) return null
  if (requestBody.length > requestBodyBytes) return (refuse('body', 'larger than 1 MB (1,048,576 bytes)', 'C2'), null)
  if (requestBody.length > 0 && !checkContentType(exchange, refuse)) return null
  const encoding = headerOf(requestHeaders, 'content-encoding') ?? 'identity'
  if (encoding !== 'identity' && requestBody.length > 0) {
    refuse('header Content-Encoding', 'the API takes bodies without an encoding', 'C2')
    return null
  }
  let body: Record<string, unknown> | undefined
  try {
    body = readBody(requestBody)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    refuse('body', error.message, 'C2')
    return null
  }
  const issues = issuesOf(endpoint.body, body)
  for (const { field, words } of issues) {
    const isMissing = body === undefined
    refuse(bodyPart(field), isMissing ? 'the endpoint needs a JSON object' : words, bodyRule(field, words))
    if (isMissing) break
  }
  return issues.length > 0 ? null : (body ?? {})
}

function checkContentType(exchange: Exchange, refuse: Note): boolean {
  const type = headerOf(exchange.requestHeaders, 'content-type') ?? ''
  const charset = /charset\s*=\s*"?([^;"\s]+)/i.exec(type)?.[1] ?? 'utf-8'
  if (mediaTypeOf(exchange.requestHeaders) !== 'application/json') {
    refuse('header Content-Type', 'a body is application/json', 'C2')
    return false
  }
  if (/^utf-?8$/i.test(charset)) return true
  refuse('header Content-Type', 'a body is in UTF-8', 'C2')
  return false
}

export const bodyPart = (field: string | null): string => (field === null ? 'body' : `body ${field}`)

function bodyRule(field: string | null, words: string): string {
  if (/^(leads|phones)$/.test(field ?? '') && /too big/i.test(words)) return 'L5'
  return /too big|at most/i.test(words) ? 'L6' : 'C2'
}
