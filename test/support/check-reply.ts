/** Checks that a reply matches the contract exactly: an additional field is an error too. */
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { Endpoint } from '../../src/contract/base/endpoint.js'
import { errorsOf } from '../../src/contract/index.js'
import { statusesOf } from '../../src/contract/errors/endpoint-errors.js'
import { ErrorBody, errorCatalogue, type ErrorCode } from '../../src/contract/errors/error-codes.js'
import type { Reply } from './simulate.js'

type Endpoints = Readonly<Record<string, Endpoint>>

interface Pattern {
  endpoint: Endpoint
  parts: readonly string[]
}

const patterns = new Map<Endpoints, readonly Pattern[]>()

/** Path patterns, those with the fewest parameters first. */
function patternsOf(endpoints: Endpoints): readonly Pattern[] {
  let known = patterns.get(endpoints)
  if (!known) {
    const parameters = ({ path }: Endpoint): number => path.split('{').length
    const sorted = Object.values(endpoints).sort((a, b) => parameters(a) - parameters(b))
    known = sorted.map((endpoint) => ({ endpoint, parts: endpoint.path.split('/') }))
    patterns.set(endpoints, known)
  }
  return known
}

/** The endpoint that serves a request. A path without a parameter comes before one with a parameter. */
export function endpointAt(endpoints: Endpoints, method: string, path: string): Endpoint | null {
  const sent = (path.split('?')[0] ?? '').split('/')
  const found = patternsOf(endpoints).find(
    ({ endpoint, parts }) =>
      endpoint.method === method &&
      parts.length === sent.length &&
      parts.every((part, i) => part === sent[i] || part.startsWith('{')),
  )
  return found?.endpoint ?? null
}

/** Like `toEqual`, but several times as fast when the values are equal. */
function expectEqual(actual: unknown, expected: unknown, message: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, message).toEqual(expected)
}

/** Fails the test if the reply does not match its endpoint. */
export function checkReply(
  endpoints: Endpoints,
  method: string,
  path: string,
  reply: Reply,
  mode?: 'live' | 'test',
): void {
  const endpoint = endpointAt(endpoints, method, path)
  const what = `${method} ${path} answered ${reply.status}`
  const isApi = !path.startsWith('/_sim')
  if (isApi) expect(reply.requestId, `${what}: Request-Id`).toMatch(/^req_\w+$/)
  if (reply.status >= 400) return checkRefusal(endpoint, what, reply, isApi)
  const schema = endpoint?.replies[reply.status]
  if (!schema) throw new Error(`${what}, which the contract does not know`)
  const parsed = schema.safeParse(reply.body)
  if (!parsed.success) throw new Error(`${what}: ${parsed.error.message}\n${JSON.stringify(reply.body)}`)
  // The schema drops unknown fields, so additional fields show here.
  expectEqual(parsed.data, reply.body, `${what}: fields the contract does not know`)
  if (mode) checkMode(what, reply.body, mode, path)
}

function checkRefusal(endpoint: Endpoint | null, what: string, reply: Reply, isApi: boolean): void {
  const parsed = ErrorBody.parse(reply.body)
  expectEqual(parsed, reply.body, `${what}: fields the contract does not know`)
  const { code, type, request_id, message } = parsed.error
  const possible: readonly ErrorCode[] = endpoint
    ? errorsOf(endpoint)
    : ['not_found', 'authentication_failed', 'invalid_request', isApi ? 'rate_limited' : 'permission_denied']
  expect(possible, `${what}: ${code} is not among the refusals of the endpoint`).toContain(code)
  expectEqual(type, errorCatalogue[code].type, what)
  expect(endpoint ? statusesOf(endpoint, code) : [errorCatalogue[code].status], what).toContain(reply.status)
  expect(message, `${what}: a whole number or address in the message`).not.toMatch(
    /(?<![\w-])\d{10,15}(?!\w)|[\w.+-]+@[\w-]+\.\w/,
  )
  if (isApi) expect(request_id, what).toBe(reply.requestId)
  const waits = (reply.status === 429 && code !== 'limit_reached') || code === 'idempotency_in_progress'
  if (waits) expect(reply.headers['retry-after'], `${what}: Retry-After`).toMatch(/^[1-9]\d*$/)
  else expect(reply.headers['retry-after'], `${what}: Retry-After`).toBeUndefined()
}

/** Every object has a `livemode` that matches the key's mode (rule C6). Samples are never live. */
function checkMode(what: string, body: unknown, mode: 'live' | 'test', path: string): void {
  if (typeof body !== 'object' || body === null || /\/(test|deliveries|resend)\b/.test(path)) return
  const { data, livemode } = body as { data: object | object[]; livemode?: boolean }
  const expected = mode === 'live'
  if (livemode !== undefined) expectEqual(livemode, expected, `${what}: livemode`)
  for (const item of Array.isArray(data) ? (data as object[]) : [data]) {
    expectEqual((item as { livemode?: boolean }).livemode, expected, `${what}: livemode`)
  }
}
