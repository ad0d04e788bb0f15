/** Checks a reply of the API: status, headers, body, and whether it fits the request. */
import * as z from 'zod'
import type { Endpoint } from '../../contract/base/endpoint.js'
import { pageSizeMax } from '../../contract/limits.js'
import type { Credentials } from './credentials.js'
import { decodeBody, readText } from './decoded-body.js'
import { checkErrorReply } from './error-reply.js'
import { headerOf, mediaTypeOf, type Exchange, type Note } from './exchange.js'
import { issuesOf } from './issues.js'
import { checkLivemode } from './livemode.js'
import { checkRelations } from './relations/relations.js'
import { checkDeprecation, checkReplyHeaders } from './reply-headers.js'
import { bodyPart, type Sent } from './request.js'
import type { Route } from './route.js'
import { ruleOfField } from './field-rules.js'

/** A body that is not JSON or text has no content to check. */
type Content = { json: unknown } | { text: string } | null

/** A request as read, and how its reply is checked. */
export interface Asked {
  route: Route
  sent: Sent
  credentials: Credentials
  /** Whether the deployment limits requests and says so in each reply. */
  isLimited: boolean
}

export function checkReply(exchange: Exchange, { route, sent, credentials, isLimited }: Asked, note: Note): void {
  const { status } = exchange
  const content = readContent(exchange, route, sent, note)
  const isError = status >= 400
  let code: string | null = null
  if (isError && content && 'json' in content) code = checkErrorReply(exchange, route.endpoint, content.json, note)
  checkReplyHeaders(exchange, route, { code, isLimited }, note)
  checkRefused(status, code, sent, note)
  if (!isError) checkSuccess(exchange, route, sent, credentials, content, note)
}

/** Bodies are left out in replies to HEAD, and where the exchange did not keep them. */
function readContent(exchange: Exchange, route: Route, sent: Sent, note: Note): Content {
  const { method, status, responseHeaders, responseBody } = exchange
  if (responseBody === null || method === 'HEAD') return null
  const rule = status >= 400 ? 'F1' : 'C3'
  const decoded = decodeBody(responseBody, responseHeaders)
  if ('problem' in decoded) return (note('header Content-Encoding', decoded.problem, rule), null)
  const wanted = status < 400 && isText(route, sent) ? 'text/plain' : 'application/json'
  const charset = /charset\s*=\s*"?([^;"\s]+)/i.exec(headerOf(responseHeaders, 'content-type') ?? '')?.[1] ?? 'utf-8'
  if (decoded.bytes.length === 0) return (note('body', 'empty', rule), null)
  if (mediaTypeOf(responseHeaders) !== wanted) {
    note('header Content-Type', `not ${wanted}`, rule)
    if (status < 300 || !/json/.test(mediaTypeOf(responseHeaders))) return null
  } else if (!/^utf-?8$/i.test(charset)) note('header Content-Type', 'the charset is not UTF-8', rule)
  const text = readText(decoded.bytes)
  if (text === null) return (note('body', 'not valid UTF-8', rule), null)
  if (wanted === 'text/plain') return { text }
  try {
    return { json: JSON.parse(text) as unknown }
  } catch {
    return (note('body', 'not valid JSON', rule), null)
  }
}

const isText = ({ endpoint }: Route, { query }: Sent): boolean =>
  endpoint?.id === 'calls.get_transcript' && query?.['format'] === 'text'

/** A request that departs must be refused: 401 without a readable key, else 400 (rules K1, K7 and C2). */
function checkRefused(status: number, code: string | null, { unauthenticated, malformed }: Sent, note: Note): void {
  if (unauthenticated !== null) {
    if (status < 400) note('status', `${status} for a request that departs: ${unauthenticated}`, 'K1')
    else if (status !== 401 && status < 500) note('status', `${status}, not 401: ${unauthenticated}`, 'K7')
  } else if (malformed !== null) {
    const { reason, rule } = malformed
    if (status < 400) note('status', `${status} for a request that departs: ${reason}`, rule)
    else if (status >= 404 && status < 500 && code !== null && !gateCodes.has(code)) {
      note('body error.code', `${code}, not invalid_request: ${reason}`, 'K7')
    }
  }
}

/** Errors of the checks before parsing (rule K7). */
const gateCodes: ReadonlySet<string> = new Set(['rate_limited', 'too_many_concurrent_requests'])

function checkSuccess(
  exchange: Exchange,
  route: Route,
  sent: Sent,
  { mode }: Credentials,
  content: Content,
  note: Note,
): void {
  const { endpoint, name } = route
  if (!endpoint || !name) return note('status', `${exchange.status} for a path that the API does not have`, 'C1')
  const reply = endpoint.replies[exchange.status]
  if (!reply) return note('status', `${exchange.status} is not a status of this endpoint`, 'C3')
  const isOlder = endpoint.id === 'calls.list' && isOlderQuery(sent.query)
  checkDeprecation(exchange, isOlder, note)
  if (!content) return
  if ('text' in content) return checkTranscriptText(content.text, note)
  const issues = issuesOf(shapeOf(endpoint, reply, sent, isOlder), content.json)
  for (const { field, words } of issues) note(bodyPart(field), words, ruleOfField(endpoint, field))
  if (issues.length > 0) return
  if (mode !== null) checkLivemode(endpoint, content.json, mode, note)
  const { query, body } = sent
  checkRelations(name, { status: exchange.status, params: route.params, query, body, reply: content.json }, note)
}

function isOlderQuery(query: Sent['query']): boolean {
  if (query === null) return false
  return query['offset'] !== undefined || query['status'] !== undefined || Number(query['limit']) > pageSizeMax
}

/** The shape that the query selects, where an endpoint has two. */
function shapeOf({ id }: Endpoint, reply: z.ZodType, { query }: Sent, isOlder: boolean): z.ZodType {
  if (!(reply instanceof z.ZodUnion) || query === null) return reply
  const isList = id === 'leads.list' && query['external_id'] === undefined
  return (reply.options as readonly z.ZodType[])[isOlder || isList ? 1 : 0] ?? reply
}

/** Each line of a transcript is a name, a colon and a text. */
function checkTranscriptText(text: string, note: Note): void {
  const wrong = text.split('\n').findIndex((line) => line !== '' && !line.includes(': '))
  if (wrong >= 0) note('body', `line ${wrong + 1} is not a name, a colon and a text`, 'C3')
}
