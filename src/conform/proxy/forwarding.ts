/** Passes one request to the deployment and its reply back, byte for byte, and keeps both for the check. */
import { Agent as HttpAgent, request as sendHttp } from 'node:http'
import type { ClientRequest, IncomingMessage, RequestOptions, ServerResponse } from 'node:http'
import { Agent as HttpsAgent, request as sendHttps } from 'node:https'
import { requestBodyBytes } from '../../contract/limits.js'
import { forwardedHeaders } from './forwarded-headers.js'
import { KeptBody } from './kept-body.js'

/** Longer replies are passed on, but their bodies are not checked. */
export const replyBytesMax = 8 * 1024 * 1024

/** A deployment may send larger headers than Node reads by default. */
const headerBytesMax = 64 * 1024

/** The connections to one deployment. */
export class Deployment {
  readonly #url: URL
  /** Connections that are used again. */
  readonly #kept: HttpAgent
  /** One connection for each request. */
  readonly #fresh: HttpAgent

  constructor(url: URL) {
    const Agent = url.protocol === 'https:' ? HttpsAgent : HttpAgent
    this.#url = url
    this.#kept = new Agent({ keepAlive: true })
    this.#fresh = new Agent({ keepAlive: false })
  }

  /**
   * Opens a request. A connection that was idle may close just as it is used again, and only a request that can be
   * repeated may be sent another time: the others get a connection of their own.
   */
  send(asked: IncomingMessage, isRepeatable: boolean): ClientRequest {
    const { protocol, hostname, port } = this.#url
    const options: RequestOptions = {
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method: asked.method ?? 'GET',
      path: asked.url ?? '/',
      // Node takes names and values in turn, which keeps their order and case.
      headers: this.#headers(asked),
      setHost: false,
      agent: isRepeatable ? this.#kept : this.#fresh,
      maxHeaderSize: headerBytesMax,
    }
    return protocol === 'https:' ? sendHttps(options) : sendHttp(options)
  }

  #headers({ method = 'GET', headers, rawHeaders }: IncomingMessage): string[] {
    const passed = ['Host', this.#url.host, ...forwardedHeaders(rawHeaders, ['host'])]
    if (headers['transfer-encoding'] !== undefined) passed.push('Transfer-Encoding', 'chunked')
    // Node would send an empty chunked body instead.
    else if (headers['content-length'] === undefined && !bodiless.has(method)) passed.push('Content-Length', '0')
    return passed
  }

  close(): void {
    this.#kept.destroy()
    this.#fresh.destroy()
  }
}

/** Methods without a body, unless the request has one of the two headers. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

/** Whether a request may be sent twice: it reads, or the deployment recognizes it by its key. */
const isRepeatable = ({ method = 'GET', headers }: IncomingMessage): boolean =>
  ['GET', 'HEAD', 'OPTIONS'].includes(method) || headers['idempotency-key'] !== undefined

/** What the client has sent so far, to check it and to send it again. */
export class AskedBody {
  readonly #kept = new KeptBody(requestBodyBytes)
  isComplete = false

  constructor(asked: IncomingMessage) {
    asked.on('data', (chunk: Buffer) => this.#kept.add(chunk))
    asked.once('end', () => (this.isComplete = true))
  }

  /** The whole body; null if it is not complete, or longer than the API takes. */
  get whole(): Buffer | null {
    return this.isComplete ? this.#kept.bytes : null
  }

  /** True if it is longer than the API takes. */
  get isTooLong(): boolean {
    return this.#kept.isOverflowing
  }
}

/**
 * Sends the request and resolves with the head of the reply. Rejects if the deployment cannot be reached or breaks off
 * before it.
 */
export async function openReply(
  deployment: Deployment,
  asked: IncomingMessage,
  response: ServerResponse,
  body: AskedBody,
): Promise<IncomingMessage> {
  const repeatable = isRepeatable(asked)
  try {
    const upstream = deployment.send(asked, repeatable)
    // The client waits for the deployment's word before it sends the body.
    if (asked.headers.expect !== undefined) upstream.flushHeaders()
    return await replyTo(upstream, response, () => asked.pipe(upstream))
  } catch (error) {
    const bytes = body.whole
    const isIdle = error instanceof BrokenConnection && error.isReused
    if (!isIdle || bytes === null) throw error
    const again = deployment.send(asked, false)
    return replyTo(again, response, () => again.end(bytes))
  }
}

/** The connection failed before the reply began. */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection'

  constructor(
    error: NodeJS.ErrnoException,
    /** True if the connection had served another request before. */
    readonly isReused: boolean,
  ) {
    super(error.code ?? error.message, { cause: error })
  }
}

function replyTo(upstream: ClientRequest, response: ServerResponse, send: () => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const abandon = () => {
      if (!response.writableFinished) upstream.destroy()
    }
    response.once('close', abandon)
    upstream.once('response', (reply) => {
      // The reply reports what happens to its connection from here on.
      upstream.on('error', () => undefined)
      resolve(reply)
    })
    upstream.once('error', (error) => reject(new BrokenConnection(error, upstream.reusedSocket)))
    upstream.on('continue', () => response.writeContinue())
    send()
  })
}
