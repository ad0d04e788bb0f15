/** Checks the headers of a reply (rules C7, I2, K1, L4 and P4). */
import { isWrite } from '../../contract/base/endpoint.js'
import { headerOf, type Exchange, type Note } from './exchange.js'
import type { Route } from './route.js'

/** Checks the headers that do not depend on the body. `code` is the error code of the body, if it has one. */
export function checkReplyHeaders(
  exchange: Exchange,
  route: Route,
  { code, isLimited }: { code: string | null; isLimited: boolean },
  note: Note,
): void {
  const { status, responseHeaders } = exchange
  const header = (name: string) => headerOf(responseHeaders, name)
  checkRequestId(header('request-id'), note)
  if (status !== 401) checkRateLimits(header, isLimited, note)
  if (status === 401 && !/\bbasic\b.*\bbearer\b|\bbearer\b.*\bbasic\b/i.test(header('www-authenticate') ?? '')) {
    note('header WWW-Authenticate', 'a 401 names the schemes Basic and Bearer', 'K1')
  }
  checkRetryAfter(header('retry-after'), status, code, note)
  checkReplayed(exchange, route, header('idempotent-replayed'), note)
}

function checkRequestId(id: string | null, note: Note): void {
  if (id === null) note('header Request-Id', 'missing', 'C7')
  else if (!/^req_\w+$/.test(id)) note('header Request-Id', 'does not start with req_', 'C5')
}

const count = /^\d{1,9}$/

/** A reset counts seconds to the next clock minute. */
const resetSecondsMax = 60

const rateLimits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

function checkRateLimits(header: (name: string) => string | null, isLimited: boolean, note: Note): void {
  if (rateLimits.every((name) => header(name) === null)) {
    if (isLimited) note('header RateLimit-Limit', 'missing, like RateLimit-Remaining and RateLimit-Reset', 'C7')
    return
  }
  const values: Record<string, number> = {}
  for (const name of rateLimits) {
    const value = header(name)
    if (value === null) note(`header ${name}`, 'missing', 'C7')
    else if (!count.test(value)) note(`header ${name}`, 'not a whole number', 'C7')
    else values[name] = Number(value)
  }
  const limit = values['RateLimit-Limit'] ?? Infinity
  if (limit < 1) note('header RateLimit-Limit', 'less than 1', 'L2')
  if ((values['RateLimit-Remaining'] ?? 0) > limit) note('header RateLimit-Remaining', 'more than the limit', 'L2')
  if ((values['RateLimit-Reset'] ?? 0) > resetSecondsMax) {
    note('header RateLimit-Reset', 'more than the 60 seconds to the next minute', 'C7')
  }
}

/** Required on every 429 and on `idempotency_in_progress` (rules I4 and L4). */
function checkRetryAfter(value: string | null, status: number, code: string | null, note: Note): void {
  const isInProgress = code === 'idempotency_in_progress'
  if (value === null) {
    if (isInProgress) note('header Retry-After', 'missing', 'I4')
    else if (status === 429) note('header Retry-After', 'missing', 'L4')
  } else if (!/^[1-9]\d{0,8}$/.test(value)) {
    note('header Retry-After', 'not whole seconds, at least 1', 'L4')
  }
}

/** Only a kept answer is replayed, and only to a write with an Idempotency-Key (rules I2 and I5). */
function checkReplayed(exchange: Exchange, { endpoint }: Route, value: string | null, note: Note): void {
  if (value === null) return
  const at = 'header Idempotent-Replayed'
  const { status, requestHeaders } = exchange
  if (value !== 'true') note(at, 'the only value is true', 'I2')
  if (!endpoint || !isWrite(endpoint) || headerOf(requestHeaders, 'idempotency-key') === null) {
    note(at, 'the request has no Idempotency-Key that could be replayed', 'I2')
  }
  if (status === 429 || status >= 500) note(at, `an answer with status ${status} is never kept`, 'I5')
}

/** The older list of calls is marked as deprecated, other replies are not (rule P4). */
export function checkDeprecation({ responseHeaders }: Exchange, isOlder: boolean, note: Note): void {
  const deprecation = headerOf(responseHeaders, 'deprecation')
  const link = headerOf(responseHeaders, 'link')
  if (!isOlder) {
    if (deprecation !== null) note('header Deprecation', 'only the older list of calls is deprecated', 'P4')
    return
  }
  if (deprecation === null) note('header Deprecation', 'missing on the older list shape', 'P4')
  else if (!/^@\d+$/.test(deprecation)) note('header Deprecation', 'not @ and Unix seconds', 'P4')
  if (link === null || !/;\s*rel="?deprecation"?/i.test(link)) {
    note('header Link', 'missing the link with rel="deprecation"', 'P4')
  }
}
