/** One POST to a developer's own server: a webhook as the service would send it. */
import { request as overHttp, type IncomingMessage } from 'node:http'
import { request as overHttps } from 'node:https'
import { deliveryResponseBytes, webhookAnswerSeconds } from '../contract/limits.js'
import { connectionError } from './connection.js'
import { systemClock } from './system-clock.js'

export interface Post {
  url: URL
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  /**
   * Time for the status line after the connection is made. By default the service's 10 seconds (rule W2); 0 means no
   * limit.
   */
  timeoutMs?: number
  signal?: AbortSignal
}

export interface PostOutcome {
  /** Null if no answer came. */
  status: number | null
  /** Time until the answer began or failed. */
  duration_ms: number
  /** The connection's error code, or `TIMEOUT`. */
  error: string | null
  /** The beginning of the answer's body, as much as the service keeps (rule W12). */
  response_body: string | null
}

export const timedOut = 'TIMEOUT'

/** The status line decides the result, so a slow body is not awaited for longer. */
const bodyWithinMs = 1_000

/** Rejects only when the signal is aborted. A redirect counts as an answer. */
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
 * Opens a new connection for each webhook, as the service does: a kept one may be closed by a server that restarts.
 * Undici cannot abort a connection that is still being made, so this uses Node's client.
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

/** Reads what arrives of the body in time. Never rejects. */
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
    // The status line is the answer. A body that breaks off changes nothing.
  } finally {
    clearTimeout(timer)
  }
  // With `stream`, the decoder leaves out a character that was cut.
  return new TextDecoder().decode(Buffer.concat(parts).subarray(0, deliveryResponseBytes), { stream: true })
}
