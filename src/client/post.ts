/** One POST to a developer's own server, whatever comes of it: a webhook as the service would send it. */
import { request as overHttp, type IncomingMessage } from 'node:http'
import { request as overHttps } from 'node:https'
import { deliveryResponseBytes, webhookAnswerSeconds } from '../contract/limits.js'
import { connectionError } from './connection.js'
import { systemClock } from './system-clock.js'

export interface Post {
  url: URL
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  /** How long its status line may take, from the connection on; as long as the service waits when left out (specification, Delivery), 0 for any time. */
  timeoutMs?: number
  signal?: AbortSignal
}

export interface PostOutcome {
  /** Null when no answer came. */
  status: number | null
  /** Until the answer began, or until there was none. */
  duration_ms: number
  /** The code of the connection that failed, or `TIMEOUT`. */
  error: string | null
  /** The beginning of the answer's body: as much as the service keeps (specification, Limits). */
  response_body: string | null
}

export const timedOut = 'TIMEOUT'

/** The status is known by then, and says all: a body that drips is not waited for. */
const bodyWithinMs = 1_000

/** Rejects for nothing but the signal. Redirects are answers like others. */
export async function postWebhook({
  timeoutMs = webhookAnswerSeconds * 1_000,
  signal,
  ...letter
}: Post): Promise<PostOutcome> {
  const began = systemClock.now()
  const elapsed = () => systemClock.now() - began
  const cut = new AbortController()
  const hangUp = () => cut.abort()
  const timer = timeoutMs > 0 ? setTimeout(hangUp, timeoutMs) : undefined
  signal?.addEventListener('abort', hangUp, { once: true })
  try {
    signal?.throwIfAborted()
    const answer = await answerTo(letter, cut.signal)
    const duration_ms = elapsed()
    const response_body = await beginningOf(answer)
    return { status: answer.statusCode ?? 0, duration_ms, error: null, response_body }
  } catch (error) {
    signal?.throwIfAborted()
    const code = cut.signal.aborted ? timedOut : connectionError(letter.url.origin, error).code
    return { status: null, duration_ms: elapsed(), error: code, response_body: null }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', hangUp)
  }
}

/**
 * Over a connection of its own, as the service sends each webhook: one kept from before may be closed by a server that
 * starts anew. And not by undici, which lets go of a connection in the making only once it is made.
 */
function answerTo({ url, headers, body }: Letter, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? overHttps : overHttp
    const length = { 'Content-Length': String(body.length) }
    send(url, { method: 'POST', headers: { ...headers, ...length }, agent: false, signal }, resolve)
      .once('error', reject)
      .end(body)
  })
}

type Letter = Pick<Post, 'url' | 'headers' | 'body'>

/** What comes of the body in time; the rest is not wanted. Never rejects. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  const timer = setTimeout(() => answer.destroy(), bodyWithinMs)
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part)
      length += part.length
      if (length >= deliveryResponseBytes) break
    }
  } catch {
    // The answer was its status line; a body that breaks off changes nothing about it.
  } finally {
    clearTimeout(timer)
  }
  // Told that there is more, the decoder holds back a character that was cut.
  return new TextDecoder().decode(Buffer.concat(parts).subarray(0, deliveryResponseBytes), { stream: true })
}
