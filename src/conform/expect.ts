/** What checks expect of a reply. Each function throws a `DepartureError` if the reply is otherwise. */
import { isDeepStrictEqual } from 'node:util'
import { errorCatalogue, type ErrorCode } from '../contract/errors/error-codes.js'
import { DepartureError, NotAskableError, NotPermittedError } from './departure.js'
import type { Reply } from './requests/reply.js'

/** Expects a condition of the reply. `expected` completes "expected". */
export function expects(reply: Reply, condition: boolean, expected: string): asserts condition {
  if (!condition) throw new DepartureError(expected, reply.exchange)
}

/** Expects a success with this status, and gives its data. */
export function accepted<T>(reply: Reply, status = 200): T {
  skipIfNotPermitted(reply)
  expects(reply, reply.status === status, `status ${status}`)
  const data = reply.exchange.response.headers['content-type']?.startsWith('text/plain')
    ? reply.exchange.response.text
    : reply.data
  expects(reply, data !== undefined, '{ data } in the body')
  return data as T
}

/** Expects a page of a list, and gives its items and cursor. */
export function page<T>(reply: Reply): { items: T[]; next: string | null; hasMore: boolean } {
  const items = accepted<T[]>(reply)
  expects(reply, Array.isArray(items), 'a list in data')
  const { next_cursor: next, has_more: hasMore } = reply.meta
  expects(
    reply,
    typeof hasMore === 'boolean' && (next === null || typeof next === 'string'),
    'meta with next_cursor and has_more',
  )
  return { items, next, hasMore }
}

interface Refusal {
  param?: string | null
  reason?: string
}

/** Expects an error with this code, and with its status and type in the catalogue. */
export function refused(reply: Reply, code: ErrorCode, details: Refusal = {}): Readonly<Record<string, unknown>> {
  // The checks of the key come before those of its permissions (rule K7).
  if (code !== 'permission_denied' && code !== 'authentication_failed') skipIfNotPermitted(reply)
  const { status, type } = errorCatalogue[code]
  const named = Object.entries(details).map(([name, value]) => `, ${name} ${JSON.stringify(value)}`)
  const expected = `${status} ${code}${named.join('')}`
  const fits = reply.status === status && reply.code === code && reply.error['type'] === type
  expects(reply, fits, expected)
  for (const [name, value] of Object.entries(details)) expects(reply, reply.error[name] === value, expected)
  return reply.error
}

/** Expects a field to have a value. */
export function equals(reply: Reply, field: string, actual: unknown, expected: unknown): void {
  expects(
    reply,
    isDeepStrictEqual(actual, expected),
    `${field} ${JSON.stringify(expected)}, not ${JSON.stringify(actual)}`,
  )
}

/** Expects fields of an object to have these values. */
export function contains(reply: Reply, object: object, expected: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(expected)) {
    equals(reply, field, (object as Record<string, unknown>)[field], value)
  }
}

/** A key that may not do this cannot ask the question. */
function skipIfNotPermitted({ status, code, error, exchange }: Reply): void {
  if (status !== 403 || code !== 'permission_denied') return
  const missing = error['missing_permission']
  if (typeof missing === 'string') throw new NotPermittedError(missing, exchange)
  throw new NotAskableError('the key does not cover every campaign')
}

/** Ends the check: the question cannot be asked here. */
export function cannotAsk(reason: string): never {
  throw new NotAskableError(reason)
}
