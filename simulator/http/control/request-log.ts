/** Keeps the last API requests in memory, within a limit, for people to inspect. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LoggedRequest } from '../../../src/contract/control/records.js'
import { toIso, type Instant } from '../../kernel/instant.js'
import type { SystemClock } from '../../kernel/system-clock.js'
import type { Metrics } from './metrics/metrics.js'
import { compilePathGlob } from './faults/glob.js'
import { unknownQuery } from '../../../src/contract/typed-query.js'
import { maskStoredSecrets } from '../secret-masks.js'

/** Maximum bytes kept of one body. */
const bodyBytes = 16_384
/** Maximum length kept of a path with its query, and of ignored query parameter names. */
const pathLength = 2_048
const ignoredLength = 1_024
/** Maximum bytes kept in all. The oldest bodies are dropped first; their requests stay. */
const allBytes = 16 * 2 ** 20
const most = 1_000

declare module 'fastify' {
  interface FastifyRequest {
    /** The request body as received. */
    sentBytes: Buffer | null
    /** The response body. */
    answer: string | null
  }
}

/** A body, or the start of a long one. */
interface Kept {
  text: string | Buffer
  /** Length of the whole body. */
  length: number
}

interface Entry extends Pick<
  LoggedRequest,
  'id' | 'key_id' | 'method' | 'status' | 'duration_ms' | 'error_code' | 'fault'
> {
  at: Instant
  /** With the query; cut if long. */
  url: string
  ignored: string[]
  sent: Kept | null
  answered: Kept | null
}

export interface LogFilter {
  limit: number
  path?: string | undefined
  status?: number | undefined
  key_id?: string | undefined
}

export class RequestLog {
  /** Oldest first. */
  #entries: Entry[] = []
  /** How many of the oldest entries have lost their bodies. */
  #bare = 0
  #bytes = 0
  /** How many requests were logged. */
  count = 0

  /** `basePath` is removed from the paths that are shown. */
  constructor(
    readonly machine: SystemClock,
    readonly basePath: string,
    readonly metrics: Metrics,
  ) {}

  /** Adds a request after its connection is answered or dropped. Call it after the checks before the endpoint. */
  follow(request: FastifyRequest, reply: FastifyReply, at: Instant): void {
    const began = this.machine.monotonic()
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.raw.statusCode : null
      const durationMs = this.machine.monotonic() - began
      const { endpoint } = request.routeOptions.config
      const route = endpoint ? `${endpoint.method} ${endpoint.path}` : null
      this.metrics.countRequest({ route, status, refusal: request.context.refusal, durationMs })
      this.#add({
        id: request.requestId,
        at,
        key_id: request.context.caller?.key.key_id ?? null,
        method: request.method,
        url: beginningOf(request.url, pathLength),
        status,
        error_code: request.context.refusal,
        fault: request.context.fault,
        duration_ms: Math.round(durationMs * 1_000) / 1_000,
        ignored: ignoredIn(request),
        sent: keepBody(request.sentBytes),
        answered: keepBody(request.answer),
      })
    })
  }

  #add(entry: Entry): void {
    this.count++
    this.#entries.push(entry)
    this.#bytes += bytesOf(entry)
    while (this.#bytes > allBytes && this.#bare < this.#entries.length) this.#strip(this.#entries[this.#bare++])
    // Trims only at twice the limit, so that adding an entry stays cheap.
    if (this.#entries.length < 2 * most) return
    for (const old of this.#entries.slice(0, most)) this.#bytes -= bytesOf(old)
    this.#entries = this.#entries.slice(most)
    this.#bare = Math.max(0, this.#bare - most)
  }

  #strip(entry: Entry | undefined): void {
    if (!entry) return
    this.#bytes -= bodyBytesOf(entry)
    entry.sent = entry.answered = null
  }

  clear(): void {
    this.#entries = []
    this.#bare = this.#bytes = 0
  }

  /** Newest first. */
  list({ limit, path, status, key_id }: LogFilter): LoggedRequest[] {
    const fits = path === undefined ? () => true : compilePathGlob(path)
    return this.#entries
      .slice(-most)
      .reverse()
      .filter((entry) => (status ?? entry.status) === entry.status && (key_id ?? entry.key_id) === entry.key_id)
      .filter(({ url }) => fits(this.#below(url).split('?')[0] ?? ''))
      .slice(0, limit)
      .map((entry) => this.#shown(entry))
  }

  #below(url: string): string {
    return url.startsWith(this.basePath) ? url.slice(this.basePath.length) : url
  }

  #shown({ at, url, ignored, sent, answered, ...entry }: Entry): LoggedRequest {
    return {
      ...entry,
      at: toIso(at),
      path: maskStoredSecrets(this.#below(url)),
      request_body: showEntry(sent),
      response_body: showEntry(answered),
      ...(ignored.length > 0 && { ignored_query: ignored }),
    }
  }
}

function keepBody(body: string | Buffer | null): Kept | null {
  if (body === null || body.length === 0) return null
  if (body.length <= bodyBytes) return { text: body, length: body.length }
  // Copies the part. A slice would keep the whole body in memory.
  const text =
    typeof body === 'string' ? Buffer.from(body.slice(0, bodyBytes)) : Buffer.from(body.subarray(0, bodyBytes))
  return { text, length: body.length }
}

const bodyBytesOf = ({ sent, answered }: Entry): number => (sent?.text.length ?? 0) + (answered?.text.length ?? 0)

const bytesOf = (entry: Entry): number =>
  bodyBytesOf(entry) + entry.url.length + entry.ignored.reduce((sum, name) => sum + name.length, 0)

/** Copies the start of a text. A slice would keep the whole text in memory. */
const beginningOf = (text: string, length: number): string =>
  Buffer.from(text.length > length ? `${text.slice(0, length)}...` : text).toString()

/** Names of unknown query parameters, within a length limit. */
function ignoredIn({ routeOptions, query }: FastifyRequest): string[] {
  const { endpoint } = routeOptions.config
  if (!endpoint) return []
  let left = ignoredLength
  return unknownQuery(endpoint, query as Record<string, unknown>)
    .filter((name) => (left -= name.length + 1) >= 0)
    .map((name) => beginningOf(name, ignoredLength))
}

function showEntry(body: Kept | null): unknown {
  if (!body) return null
  const text = maskStoredSecrets(body.text.toString('utf8'))
  if (body.length > body.text.length) return `${text}... (the first ${bodyBytes} of ${body.length} bytes)`
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
