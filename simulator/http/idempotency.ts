/** Idempotency keys: stores the first answer to a write for 24 hours and returns it again (rule I2). */
import { createHash } from 'node:crypto'
import { idempotencyRetentionHours } from '../../src/contract/limits.js'
import { ApiError, type ErrorCode } from '../../src/contract/errors/error-codes.js'
import { before, hours } from '../kernel/instant.js'
import type { ApiKey } from '../model/api-key.js'
import type { World } from '../model/world.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

export interface KeptAnswer {
  status: number
  /** The body's text, sent again without changes. */
  body: string
}

/**
 * Fingerprint of a request: method, path with query, and parsed body. Formatting and key order do not matter (rule I3).
 */
export function fingerprintRequest(method: string, path: string, body: unknown): string {
  return createHash('sha256')
    .update(`${method} ${path}\n${canonicalJson(body)}`)
    .digest('hex')
}

/** JSON with sorted object keys. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join(',')}}`
}

/** Errors of the key or the request itself. A corrected request may use the same idempotency key. */
const toBeCorrected: ReadonlySet<ErrorCode> = new Set(['permission_denied', 'invalid_request'])

/** Whether an error of the endpoint is stored (rule I5). */
export const isKept = ({ status, code }: ApiError): boolean =>
  status < 500 && status !== 429 && !toBeCorrected.has(code)

export class Idempotency {
  /** Running requests by key and idempotency key. A crash frees the keys. */
  readonly #running = new Map<string, string>()

  constructor(readonly world: World) {}

  /**
   * Returns the stored answer to this request, or claims the idempotency key and returns null. A claim must be
   * released. Throws for another request (rule I3) or one that still runs (rule I4).
   */
  claim(key: ApiKey, name: string, fingerprint: string): KeptAnswer | null {
    const running = this.#running.get(`${key.n} ${name}`)
    const kept = running === undefined ? this.#kept(key, name) : undefined
    if ((running ?? kept?.fingerprint ?? fingerprint) !== fingerprint) {
      throw new ApiError('idempotency_mismatch', 'The Idempotency-Key was used for another request. Use a new one.')
    }
    if (running !== undefined) {
      throw new ApiError('idempotency_in_progress', 'The request with this Idempotency-Key is still running.', {
        retry_after_seconds: 1,
      })
    }
    if (kept) return kept
    this.#running.set(`${key.n} ${name}`, fingerprint)
    return null
  }

  #kept(key: ApiKey, name: string): (KeptAnswer & { fingerprint: string }) | undefined {
    return this.world.store.one<KeptAnswer & { fingerprint: string }>(
      sql`SELECT fingerprint, status, body FROM ${tables.idempotency} WHERE key = ? AND name = ? AND created > ?`,
      key.n,
      name,
      before(this.world.now, hours(idempotencyRetentionHours)),
    )
  }

  /** Stores an answer in the transaction of its work. */
  keep(key: ApiKey, name: string, fingerprint: string, answer: KeptAnswer): void {
    this.world.store.run(
      sql`INSERT OR REPLACE INTO ${tables.idempotency} (key, name, fingerprint, status, body, created) VALUES (?, ?, ?, ?, ?, ?)`,
      key.n,
      name,
      fingerprint,
      answer.status,
      answer.body,
      this.world.now,
    )
  }

  release(key: ApiKey, name: string): void {
    this.#running.delete(`${key.n} ${name}`)
  }
}
