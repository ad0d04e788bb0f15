/** Sends requests to one service with a key and repeats them if that is safe. The clients of both contracts use it. */
import { authorizationHeader, type Key } from './authorization.js'
import { ConnectionError } from './errors.js'
import type { StreamedEvent } from './event-stream.js'
import { checkHeaders } from './headers.js'
import { sendOnce, type Answer, type Sending } from './exchange.js'
import { systemClock as theMachine, type SystemClock } from './system-clock.js'
import { readReply, type Reply, type Fits } from './reply.js'
import { pauseBeforeRetry, type Pause } from './retry.js'
import { buildUrl, type Query } from './url.js'

export interface TransportOptions {
  /** Base of all paths, without a trailing slash. */
  baseUrl: string
  key?: Key | undefined
  userAgent?: string
  /** Longest total wait between attempts of one request; 60 seconds by default. */
  maxWaitMs?: number
  /** Longest silence of the service; 60 seconds by default, 0 for no limit. */
  timeoutMs?: number
  /** Longest time for one whole answer; 300 seconds by default. */
  totalMs?: number | undefined
  /** False if the service knows no Idempotency-Key. A write that may have arrived is then not repeated. */
  idempotent?: boolean
  machine?: SystemClock
  observer?: Observer
}

/** Observes requests, answers and pauses. An error that it throws ends the request. */
export interface Observer {
  sending?(sending: Sending, attempt: number): void
  answered?(answer: Answer, tookMs: number): void
  failed?(error: ConnectionError, tookMs: number): void
  /** A pause before the next attempt begins. The returned function is called when it ends. */
  waiting?(pause: Pause): (() => void) | undefined
}

export interface CallOptions {
  /** Generated for each call by default. All attempts of the call use the same key. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxWaitMs?: number | undefined
  /** Error codes that are thrown at once instead of waited out, because the caller wants to change something first. */
  unretried?: readonly string[] | undefined
  /** Called before each attempt after the first. */
  retrying?: (() => void) | undefined
  /** The expected shape of the reply; any shape by default. */
  fits?: Fits | undefined
}

export interface RequestParts {
  query?: Query | undefined
  /** Sent as JSON, except text and bytes, which are sent as they are. */
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
   * Sends a request and returns the reply. Throws `ApiError`, `NotTheApiError` or `ConnectionError` after the last
   * attempt, `UnsendableError` before the first, and the signal's reason when it is aborted.
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
      options.retrying?.()
    }
  }

  /** Yields the events of a stream from now on. Throws what `openEventStream` throws. */
  async *follow(path: string, query?: Query, options: CallOptions = {}): AsyncGenerator<StreamedEvent> {
    const sending = this.#prepare('GET', path, { query }, options)
    this.#options.observer?.sending?.(sending, 1)
    const { openEventStream: eventStream } = await import('./event-stream.js')
    yield* eventStream(sending)
  }

  #prepare(method: string, path: string, parts: RequestParts, options: CallOptions): Sending {
    const { baseUrl, key, userAgent, idempotent = true, timeoutMs = 60_000, totalMs } = this.#options
    const { body, type } = contentOf(parts.body)
    const headers: Record<string, string> = {
      Accept: 'application/json, text/plain',
      ...(userAgent ? { 'User-Agent': userAgent } : {}),
      ...(key ? { Authorization: authorizationHeader(key) } : {}),
      ...(type ? { 'Content-Type': type } : {}),
      ...(idempotent && isWriteMethod(method)
        ? { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() }
        : {}),
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

/** Encodes a body as JSON. Text and bytes are taken to be JSON already. */
function contentOf(body: unknown): { body?: string | Uint8Array; type?: string } {
  if (body === undefined) return {}
  const type = 'application/json'
  return { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body), type }
}

/** Replaces a header without regard to case, so that the caller's header replaces ours. */
function replaceHeader(headers: Record<string, string>, name: string, value: string): void {
  const known = Object.keys(headers).find((one) => one.toLowerCase() === name.toLowerCase())
  headers[known ?? name] = value
}
