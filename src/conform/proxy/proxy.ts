/** A proxy on this machine that passes requests to a deployment and checks each exchange against the contract. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { requestBodyBytes } from '../../contract/limits.js'
import { checkExchange } from '../exchange/check.js'
import { readCredentials } from '../exchange/credentials.js'
import { headerOf, type Departure, type Exchange } from '../exchange/exchange.js'
import type { ExchangeRecord } from './exchange-record.js'
import { AskedBody, BrokenConnection, Deployment, openReply } from './forwarding.js'
import { whyForeign } from './local-requests.js'
import { maskPath } from './masked-path.js'
import { answerWith, describeInvalid } from './proxy-answer.js'
import { passReply, readReply, type PassedReply } from './reply-passing.js'

export interface ProxyOptions {
  /** Base address of the deployment. Paths of requests are passed on unchanged, below its origin. */
  to: URL
  port: number
  /** Answers 502 instead of a reply that departs. */
  strict: boolean
  /** False for a deployment that sends no RateLimit headers. */
  isLimited: boolean
  /** Gets each exchange when it has ended. */
  onExchange: (record: ExchangeRecord) => void
  /** Gets the reason for each request that was refused and not passed on. */
  onRefused: (reason: string) => void
}

/** Only programs on this machine can connect. */
const host = '127.0.0.1'

/** The client decides how long it waits. Idle connections are kept longer than clients usually keep them. */
const timeouts = { requestTimeout: 0, keepAliveTimeout: 75_000 }

export class Proxy {
  readonly #options: ProxyOptions
  readonly #server: Server
  readonly #deployment: Deployment

  /** Rejects with the system's error if it cannot listen. */
  static async start(options: ProxyOptions): Promise<Proxy> {
    const proxy = new Proxy(options)
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen(options.port, host, resolve)
    })
    return proxy
  }

  private constructor(options: ProxyOptions) {
    this.#options = options
    this.#deployment = new Deployment(options.to)
    const pass = (asked: IncomingMessage, response: ServerResponse) => void this.#pass(asked, response)
    this.#server = createServer({ ...timeouts, maxHeaderSize: 64 * 1024 }, pass)
    // The deployment says whether the client shall send its body.
    this.#server.on('checkContinue', pass).on('checkExpectation', pass)
  }

  /** Address of the proxy without a path. */
  get url(): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}`
  }

  /** The base address for clients. */
  get baseUrl(): string {
    return this.url + this.#options.to.pathname
  }

  /** Ends the connections, also those in use. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    this.#deployment.close()
    await closed
  }

  async #pass(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const foreign = whyForeign(asked.headers) ?? whyNoPath(asked.url)
    if (foreign !== null) {
      asked.resume()
      answerWith(response, { code: 'foreign_request', message: foreign })
      this.#options.onRefused(foreign)
      return
    }
    const [at, started] = [new Date().toISOString(), performance.now()]
    const outcome = await this.#outcome(asked, response)
    const { secrets } = readCredentials(asked.headers)
    this.#options.onExchange({
      at,
      method: asked.method ?? '',
      path: maskPath(asked.url ?? '', secrets),
      status: outcome.status,
      request_id: outcome.requestId,
      ms: Math.round(performance.now() - started),
      departures: outcome.departures,
      ...(outcome.error !== undefined && { error: outcome.error }),
    })
  }

  async #outcome(asked: IncomingMessage, response: ServerResponse): Promise<Outcome> {
    const body = new AskedBody(asked)
    let reply: IncomingMessage
    try {
      reply = await openReply(this.#deployment, asked, response, body)
    } catch (error) {
      return this.#unanswered(error, asked, response)
    }
    const status = reply.statusCode ?? 0
    const requestId = headerOf(reply.headers, 'request-id')
    const check = (replyBody: Buffer | null) => this.#check(asked, body, reply, replyBody)
    let passed: PassedReply
    let departures: Departure[]
    if (this.#options.strict) {
      const read = await readReply(reply)
      departures = check(read.bytes)
      const wrong = departures.filter(({ where }) => where === 'response')
      if (wrong.length > 0) {
        reply.destroy()
        answerWith(response, { code: 'invalid_response', message: describeInvalid(wrong), requestId })
        return { status, requestId, departures, error: undefined }
      }
      passed = await passReply(reply, response, read)
    } else {
      passed = await passReply(reply, response)
      departures = passed.error === undefined ? check(passed.bytes) : []
    }
    return { status, requestId, departures, error: passed.error }
  }

  #unanswered(error: unknown, asked: IncomingMessage, response: ServerResponse): Outcome {
    const outcome = { status: null, requestId: null, departures: [] }
    if (response.destroyed) return { ...outcome, error: 'The client closed the connection.' }
    const code = error instanceof BrokenConnection ? error.message : 'the reply cannot be read'
    const message = `The deployment at ${this.#options.to.host} cannot be reached (${code}). Check that it runs.`
    asked.resume()
    answerWith(response, { code: 'deployment_unreachable', message })
    return { ...outcome, error: message }
  }

  #check(asked: IncomingMessage, sent: AskedBody, reply: IncomingMessage, replyBody: Buffer | null): Departure[] {
    const exchange: Exchange = {
      method: asked.method ?? '',
      path: asked.url ?? '',
      requestHeaders: asked.headers,
      requestBody: sent.isTooLong ? tooLong : sent.whole,
      status: reply.statusCode ?? 0,
      responseHeaders: reply.headers,
      responseBody: replyBody,
    }
    return checkExchange(exchange, { isLimited: this.#options.isLimited })
  }
}

interface Outcome {
  status: number | null
  requestId: string | null
  departures: Departure[]
  error: string | undefined
}

/** In place of a body over the limit of the API, of which only the length is checked. */
const tooLong = new Uint8Array(requestBodyBytes + 1)

/** A request to a whole address is for a general proxy, which this is not. */
const whyNoPath = (url = ''): string | null => (url.startsWith('/') ? null : 'Send the path only.')
