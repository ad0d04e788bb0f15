/** Idempotency keys: the first answer to a request is kept for a day and given again (specification, Conventions). */
import { createHash } from 'node:crypto'
import { idempotencyRetentionHours } from '../../src/contract/limits.js'
import { ApiError, type ErrorCode } from '../../src/contract/errors/error-codes.js'
import { before, hours } from '../kernel/instant.js'
import type { ApiKey } from '../model/api-key.js'
import type { World } from '../model/world.js'

export interface KeptAnswer {
  status: number
  /** The body's text, to be sent as it was. */
  body: string
}

/** What makes two requests the same: method, path with query, and the parsed body whatever its spelling (by decision). */
export function fingerprintRequest(method: string, path: string, body: unknown): string {
  return createHash('sha256')
    .update(`${method} ${path}\n${canonicalJson(body)}`)
    .digest('hex')
}

/** JSON with the keys of every object in order. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join(',')}}`
}

/** What is wrong with the key or the request itself, whether the gate finds it or the endpoint: a corrected one may use the key. */
const toBeCorrected: ReadonlySet<ErrorCode> = new Set(['permission_denied', 'invalid_request'])

/** Whether a refusal of the endpoint is kept; 429 and 5xx never are (by decision: What an idempotency key covers). */
export const isKept = ({ status, code }: ApiError): boolean =>
  status < 500 && status !== 429 && !toBeCorrected.has(code)

export class Idempotency {
  /** Requests that are running, by key and name. They die with the process, which leaves their keys free. */
  readonly #running = new Map<string, string>()

  constructor(readonly world: World) {}

  /** The answer kept for this very request, or null and the key is claimed. A claim must be released. */
  claim(key: ApiKey, name: string, print: string): KeptAnswer | null {
    const running = this.#running.get(`${key.n} ${name}`)
    const kept = running === undefined ? this.#kept(key, name) : undefined
    if ((running ?? kept?.fingerprint ?? print) !== print) {
      throw new ApiError('idempotency_mismatch', 'The Idempotency-Key was used for another request; use a new one.')
    }
    if (running !== undefined) {
      throw new ApiError('idempotency_in_progress', 'The request with this Idempotency-Key is still running.', {
        retry_after_seconds: 1,
      })
    }
    if (kept) return kept
    this.#running.set(`${key.n} ${name}`, print)
    return null
  }

  #kept(key: ApiKey, name: string): (KeptAnswer & { fingerprint: string }) | undefined {
    return this.world.store.one<KeptAnswer & { fingerprint: string }>(
      'SELECT fingerprint, status, body FROM idempotency WHERE key = ? AND name = ? AND created > ?',
      key.n,
      name,
      before(this.world.now, hours(idempotencyRetentionHours)),
    )
  }

  /** Keeps an answer, in the transaction of the work it answers. */
  keep(key: ApiKey, name: string, print: string, answer: KeptAnswer): void {
    this.world.store.run(
      'INSERT OR REPLACE INTO idempotency (key, name, fingerprint, status, body, created) VALUES (?, ?, ?, ?, ?, ?)',
      key.n,
      name,
      print,
      answer.status,
      answer.body,
      this.world.now,
    )
  }

  release(key: ApiKey, name: string): void {
    this.#running.delete(`${key.n} ${name}`)
  }
}
