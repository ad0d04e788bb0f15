/** Requests to one service with a key, repeated where that is safe: what both contracts' clients stand on. */
import { randomUUID } from 'node:crypto'
import { authorization, type Key } from './authorization.js'
import { ConnectionError } from './errors.js'
import type { StreamedEvent } from './event-stream.js'
import { checkHeaders } from './headers.js'
import { sendOnce, type Answer, type Sending } from './exchange.js'
import { systemClock as theMachine, type SystemClock } from './system-clock.js'
import { readReply, type Reply, type Fits } from './reply.js'
import { pauseBeforeRetry, type Pause } from './retry.js'
import { buildUrl, type Query } from './url.js'

export interface TransportOptions {
  /** Paths are below it; no trailing slash. */
  baseUrl: string
  key?: Key | undefined
  userAgent?: string
  /** The longest that one request's waits may take together; 60 seconds when left out. */
  maxWaitMs?: number
  /** The longest silence of the service; 60 seconds when left out, 0 for any. */
  timeoutMs?: number
  /** The longest that one answer may take in all; 300 seconds when left out. */
  totalMs?: number | undefined
  /** False where the service knows no Idempotency-Key, so that a write is not repeated once it may have arrived. */
  idempotent?: boolean
  machine?: SystemClock
  observer?: Observer
}

/** Is told what goes on; what it throws ends the request. */
export interface Observer {
  sending?(sending: Sending, attempt: number): void
  answered?(answer: Answer, tookMs: number): void
  failed?(error: ConnectionError, tookMs: number): void
  /** A pause before the next try begins; the function given back is called when it is over. */
  waiting?(pause: Pause): (() => void) | undefined
}

export interface CallOptions {
  /** One made for this call when left out; the same over all its tries. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxWaitMs?: number | undefined
  /** Codes that are thrown at once though they could be waited out, for a caller who has something to change first. */
  unretried?: readonly string[] | undefined
  /** What the reply must be of; anything the API could send when left out. */
  fits?: Fits | undefined
}

export interface RequestParts {
  query?: Query | undefined
  /** Sent as JSON; text and bytes go as they are. */
  body?: unknown
  headers?: Readonly<Record<string, string>> | undefined
}

const defaultPatienceMs = 60_000

export class Transport {
  readonly #options: TransportOptions
  readonly #machine: SystemClock

  constructor(options: TransportOptions) {
    this.#options = options
    this.#machine = options.machine ?? theMachine
  }

  /**
   * Sends a request and gives the reply. Throws `ApiError`, `NotTheApiError` or `ConnectionError` once repeating it is
   * over, `UnsendableError` before the first try, and what the signal was aborted with when it was.
   */
  async request(method: string, path: string, parts: RequestParts = {}, options: CallOptions = {}): Promise<Reply> {
    const sending = this.#prepare(method, path, parts, options)
    const repeatable = !isWriteMethod(method) || 'Idempotency-Key' in sending.headers
    let patienceMs = options.maxWaitMs ?? this.#options.maxWaitMs ?? defaultPatienceMs
    for (let number = 1; ; number++) {
      const outcome = await this.#try(sending, number)
      const { random, now } = { random: this.#machine.random(), now: this.#machine.now() }
      const pause = pauseBeforeRetry({ outcome, number, repeatable, patienceMs, now, random })
      if (!pause || options.unretried?.includes(pause.code)) {
        if (outcome instanceof ConnectionError) throw outcome
        return readReply(outcome, sending.url.origin, now, options.fits)
      }
      patienceMs -= pause.ms
      await this.#wait(pause, options.signal)
    }
  }

  /** What a stream of events brings, from now on. Throws as `eventStream` does. */
  async *follow(path: string, query?: Query, options: CallOptions = {}): AsyncGenerator<StreamedEvent> {
    const sending = this.#prepare('GET', path, { query }, options)
    this.#options.observer?.sending?.(sending, 1)
    const { openEventStream: eventStream } = await import('./event-stream.js')
    yield* eventStream(sending)
  }

  #prepare(method: string, path: string, parts: RequestParts, options: CallOptions): Sending {
    const { baseUrl, key, userAgent, idempotent = true, timeoutMs = 60_000, totalMs } = this.#options
    const { body, type } = content(parts.body)
    const headers: Record<string, string> = {
      Accept: 'application/json, text/plain',
      ...(userAgent ? { 'User-Agent': userAgent } : {}),
      ...(key ? { Authorization: authorization(key) } : {}),
      ...(type ? { 'Content-Type': type } : {}),
      ...(idempotent && isWriteMethod(method) ? { 'Idempotency-Key': options.idempotencyKey ?? randomUUID() } : {}),
    }
    for (const [name, value] of Object.entries(parts.headers ?? {})) replaceHeader(headers, name, value)
    checkHeaders(headers)
    const url = buildUrl(baseUrl, path, parts.query)
    const { signal } = options
    return { method, url, headers, body, signal, timeoutMs: options.timeoutMs ?? timeoutMs, totalMs }
  }

  async #try(sending: Sending, number: number): Promise<Answer | ConnectionError> {
    const { observer } = this.#options
    const started = this.#machine.now()
    observer?.sending?.(sending, number)
    try {
      const answer = await sendOnce(sending)
      observer?.answered?.(answer, this.#machine.now() - started)
      return answer
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      observer?.failed?.(error, this.#machine.now() - started)
      return error
    }
  }

  async #wait(pause: Pause, signal: AbortSignal | undefined): Promise<void> {
    const over = this.#options.observer?.waiting?.(pause)
    try {
      await this.#machine.sleep(pause.ms, signal)
    } finally {
      over?.()
    }
  }
}

function isWriteMethod(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/** JSON for what is no text and no bytes yet; both of these are taken to hold JSON already. */
function content(body: unknown): { body?: string | Uint8Array; type?: string } {
  if (body === undefined) return {}
  const type = 'application/json'
  return { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body), type }
}

/** Header names are compared without case, so that a caller's own replaces ours. */
function replaceHeader(headers: Record<string, string>, name: string, value: string): void {
  const known = Object.keys(headers).find((one) => one.toLowerCase() === name.toLowerCase())
  headers[known ?? name] = value
}
