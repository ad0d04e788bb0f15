/** A small HTTP client over Node's own. It loads much faster than an HTTP package, which short commands notice. */
import http, { type ClientRequest, type IncomingHttpHeaders } from 'node:http'
import type { Agent } from 'node:https'
import type { Readable } from 'node:stream'

export interface HttpRequest {
  method: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | undefined
  signal?: AbortSignal | undefined
  /** The longest silence before the answer and between its parts. 0 or undefined means no limit. */
  timeoutMs?: number
}

export interface HttpAnswer {
  status: number
  /** Names in lower case. */
  headers: IncomingHttpHeaders
  body: Readable
}

/** Error codes for a connection that is not accepted in time, and for a service that falls silent. */
export const connectTimeout = 'CONNECT_TIMEOUT'
export const answerTimeout = 'ANSWER_TIMEOUT'

const connectWithinMs = 10_000

/** Closes idle connections before most servers and proxies do, so that no request meets one that is closing. */
const keepAlive = { keepAlive: true, timeout: 4_000 }
const httpAgent = new http.Agent(keepAlive)
let httpsAgent: Agent | undefined

/** Sends a request and resolves with the headers of its answer. Does not follow redirects. */
export async function sendRequest(
  url: URL,
  { method, body, signal, timeoutMs = 0, ...rest }: HttpRequest,
): Promise<HttpAnswer> {
  // Node sets no length for the body of a DELETE.
  const length = body === undefined ? undefined : { 'Content-Length': String(Buffer.byteLength(body)) }
  const headers = { ...rest.headers, ...length }
  const options = { method, headers, timeout: timeoutMs, ...(signal && { signal }) }
  // It loads TLS and cryptography, which a request to a simulator does not need.
  const https = url.protocol === 'https:' ? (await import('node:https')).default : undefined
  return new Promise((resolve, reject) => {
    const request = https
      ? https.request(url, { ...options, agent: (httpsAgent ??= new https.Agent(keepAlive)) })
      : http.request(url, { ...options, agent: httpAgent })
    // More errors can follow the first. Errors after the headers reach the reader of the body.
    request.on('error', reject)
    request.once('response', (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response })
    })
    limitConnecting(request, https ? 'secureConnect' : 'connect')
    if (timeoutMs > 0) limitSilence(request, timeoutMs)
    request.end(body)
  })
}

function limitConnecting(request: ClientRequest, connected: 'connect' | 'secureConnect'): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return
    const timer = setTimeout(() => {
      request.destroy(errorWithCode(connectTimeout, 'the connection was not accepted in time'))
    }, connectWithinMs)
    const stop = (): void => clearTimeout(timer)
    socket.once(connected, stop)
    socket.once('close', stop)
  })
}

function limitSilence(request: ClientRequest, timeoutMs: number): void {
  let answer: Readable | undefined
  request.once('response', (response) => (answer = response))
  request.on('timeout', () => {
    if (answer && answer.readableLength > 0) {
      // The reader is slow, not the service. A timer that fired does not restart by itself.
      request.socket?.setTimeout(timeoutMs)
      return
    }
    const error = request.socket?.connecting
      ? errorWithCode(connectTimeout, 'the connection was not accepted in time')
      : errorWithCode(answerTimeout, 'the service fell silent')
    ;(answer ?? request).destroy(error)
  })
}

function errorWithCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
