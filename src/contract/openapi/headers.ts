/** The headers of requests and replies (specification, Conventions). */
import { idempotencyKeyLength } from '../limits.js'
import type { Json } from './schemas.js'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

export const headers = {
  'Request-Id': { description: "The request's id, also in error.request_id.", schema: text },
  'RateLimit-Limit': { description: 'Requests a minute: the tighter of key and plan.', schema: count },
  'RateLimit-Remaining': { description: 'Requests left in this minute.', schema: count },
  'RateLimit-Reset': { description: 'Seconds to the next minute.', schema: count },
  'Retry-After': { description: 'Seconds to wait before the same request is sent again.', schema: count },
  'Idempotent-Replayed': {
    description: 'Sent where this is the kept answer of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
} as const satisfies Record<string, Json>

export type HeaderName = keyof typeof headers

export const headerRefs = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The one request header of its own: on every write. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'New for each new action. The same key with the same request gives the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyLength, pattern: '^[\\x21-\\x7e]+$' },
} as const satisfies Json
