/** Checks that a reply matches the contract exactly: an additional field is an error too. */
import { expect } from 'vitest'
import type { Endpoint } from '../../src/contract/base/endpoint.js'
import { errorsOf } from '../../src/contract/index.js'
import { ErrorBody, errorCatalogue, type ErrorCode } from '../../src/contract/errors/error-codes.js'
import type { Reply } from './simulate.js'

type Endpoints = Readonly<Record<string, Endpoint>>

/** Finds the endpoint that serves a request. A path without parameters wins over one with parameters. */
export function endpointAt(endpoints: Endpoints, method: string, path: string): Endpoint | null {
  const parts = (path.split('?')[0] ?? '').split('/')
  const fits = (endpoint: Endpoint) => {
    const own = endpoint.path.split('/')
    return (
      endpoint.method === method &&
      own.length === parts.length &&
      own.every((part, i) => part === parts[i] || part.startsWith('{'))
    )
  }
  const found = Object.values(endpoints).filter(fits)
  return found.sort((a, b) => parameters(a) - parameters(b))[0] ?? null
}

const parameters = ({ path }: Endpoint): number => path.split('{').length

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
  expect(parsed.data, `${what}: fields the contract does not know`).toEqual(reply.body)
  if (mode) checkMode(what, reply.body, mode, path)
}

function checkRefusal(endpoint: Endpoint | null, what: string, reply: Reply, isApi: boolean): void {
  const parsed = ErrorBody.parse(reply.body)
  expect(parsed, `${what}: fields the contract does not know`).toEqual(reply.body)
  const { code, type, request_id, message } = parsed.error
  const possible: readonly ErrorCode[] = endpoint
    ? errorsOf(endpoint)
    : ['not_found', 'authentication_failed', 'invalid_request', isApi ? 'rate_limited' : 'permission_denied']
  expect(possible, `${what}: ${code} is not among the refusals of the endpoint`).toContain(code)
  expect({ status: reply.status, type }, what).toEqual({
    status: errorCatalogue[code].status,
    type: errorCatalogue[code].type,
  })
  expect(message, `${what}: a whole number or address in the message`).not.toMatch(
    /(?<![\w-])\d{10,15}(?!\w)|[\w.+-]+@[\w-]+\.\w/,
  )
  if (isApi) expect(request_id, what).toBe(reply.requestId)
  const waits = reply.status === 429 || code === 'idempotency_in_progress'
  if (waits) expect(reply.headers['retry-after'], `${what}: Retry-After`).toMatch(/^[1-9]\d*$/)
  else expect(reply.headers['retry-after'], `${what}: Retry-After`).toBeUndefined()
}

/** Every object has a `livemode` that matches the key's mode (rule C6). Samples are never live. */
function checkMode(what: string, body: unknown, mode: 'live' | 'test', path: string): void {
  if (typeof body !== 'object' || body === null || /\/(test|deliveries|resend)\b/.test(path)) return
  const { data, livemode } = body as { data: object | object[]; livemode?: boolean }
  const expected = mode === 'live'
  if (livemode !== undefined) expect(livemode, `${what}: livemode`).toBe(expected)
  for (const item of Array.isArray(data) ? (data as object[]) : [data]) {
    expect((item as { livemode?: boolean }).livemode, `${what}: livemode`).toBe(expected)
  }
}
