/** Sends the requests of a run, also malformed ones, and records each with its reply. */
import { authorizationHeader, type Key } from '../../client/authorization.js'
import { sendOnce } from '../../client/exchange.js'
import type { SystemClock } from '../../client/system-clock.js'
import type { Pace } from './pace.js'
import type { Recorded } from './recorded.js'
import { Reply } from './reply.js'
import { SentLeads } from './sent-leads.js'
import type { Stop } from '../stop.js'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'HEAD'

export interface Ask {
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged, instead of `body`. */
  raw?: string | Uint8Array
  /** A header that is undefined is not sent. */
  headers?: Readonly<Record<string, string | undefined>>
  /** The value of the Authorization header; null for none, the key of the run by default. */
  authorization?: string | null
  idempotencyKey?: string
  /** True returns a 429 instead of waiting it out and asking again. */
  takes429?: boolean
  /** True sends at once, outside the pace. The caller has counted the request. */
  unpaced?: boolean
}

export interface RequesterOptions {
  baseUrl: string
  key: Key
  userAgent: string
  pace: Pace
  clock: SystemClock
  stop: Stop
  /** Milliseconds for one whole answer. */
  totalMs?: number | undefined
  onExchange: (exchange: Recorded) => void
}

const answerStartsWithinMs = 30_000
const answerEndsWithinMs = 60_000
/** Codes of the rate limits. Another client of the key may cause them, so they are waited out. */
const limitCodes: ReadonlySet<string> = new Set(['rate_limited', 'too_many_concurrent_requests', 'lead_rate_limited'])
const attemptsMax = 8
const reads: ReadonlySet<Method> = new Set(['GET', 'HEAD'])

export class Requester {
  readonly options: RequesterOptions
  readonly sentLeads = new SentLeads()
  #sent = 0

  constructor(options: RequesterOptions) {
    this.options = options
  }

  get requests(): number {
    return this.#sent
  }

  /** Sends a request. Waits out rate limits and sends it again. Throws `ConnectionError` without an answer. */
  async send(method: Method, path: string, ask: Ask = {}): Promise<Reply> {
    const { pace, stop } = this.options
    for (let attempt = 1; ; attempt++) {
      if (!ask.unpaced) await pace.next()
      stop.signal.throwIfAborted()
      const reply = new Reply(await this.#sendOnce(method, path, ask))
      pace.follow(reply.headers)
      if (ask.takes429 || attempt === attemptsMax || reply.status !== 429 || !limitCodes.has(reply.code)) return reply
      const seconds = Number(reply.headers['retry-after'])
      await pace.sleep((seconds > 0 && seconds <= 120 ? seconds : 1) * 1000, reply.code)
    }
  }

  async #sendOnce(method: Method, path: string, ask: Ask): Promise<Recorded> {
    const { baseUrl, clock, stop, totalMs = answerEndsWithinMs, onExchange } = this.options
    const body = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body))
    const headers = this.#headers(ask, body !== undefined)
    const sentAt = clock.now()
    this.#sent++
    const sending = {
      method,
      url: new URL(baseUrl + path),
      headers,
      body,
      // A change under way runs to its end, so that the clean-up knows what it made.
      signal: reads.has(method) ? stop.signal : undefined,
      timeoutMs: answerStartsWithinMs,
      totalMs,
    }
    const { status, headers: got, text } = await sendOnce(sending)
    const response = { headers: got, text }
    const exchange: Recorded = {
      method,
      path,
      request: { headers, body },
      status,
      response,
      sentAt,
      answeredAt: clock.now(),
    }
    this.sentLeads.add(exchange)
    onExchange(exchange)
    return exchange
  }

  #headers({ headers = {}, authorization, idempotencyKey }: Ask, hasBody: boolean): Record<string, string> {
    const { key, userAgent } = this.options
    const all: Record<string, string | undefined> = {
      Accept: 'application/json, text/plain',
      'User-Agent': userAgent,
      Authorization: authorization === undefined ? authorizationHeader(key) : (authorization ?? undefined),
      'Content-Type': hasBody ? 'application/json' : undefined,
      'Idempotency-Key': idempotencyKey,
      ...headers,
    }
    return Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined))
  }
}
