/** Headers of requests and replies in the documents (rules C7 and I1). */
import { idempotencyKeyLength } from '../limits.js'
import type { Json } from './schemas.js'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

export const headers = {
  'Request-Id': { description: "The request's id, also in error.request_id.", schema: text },
  'RateLimit-Limit': { description: 'Requests a minute: the tighter of key and plan.', schema: count },
  'RateLimit-Remaining': { description: 'Requests left in this minute.', schema: count },
  'RateLimit-Reset': { description: 'Seconds to the next minute.', schema: count },
  'Retry-After': { description: 'Seconds to wait before sending the same request again.', schema: count },
  'Idempotent-Replayed': {
    description: 'Sent when this is the stored answer to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  'WWW-Authenticate': { description: 'The accepted schemes: Basic and Bearer.', schema: text },
  Deprecation: {
    description: 'Sent with the older list shape: since when it is deprecated, as @<unix seconds>.',
    schema: text,
  },
  Link: { description: 'Sent with Deprecation: where the deprecation is documented.', schema: text },
} as const satisfies Record<string, Json>

export type HeaderName = keyof typeof headers

export const headerRefs = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The request header of every write. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'New for each new action. The same key with the same request gives the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyLength, pattern: '^[\\x21-\\x7e]+$' },
} as const satisfies Json
