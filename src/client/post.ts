/** One POST to a developer's own server, whatever comes of it: a webhook as the service would send it. */
import { ConnectionError } from './errors.js'
import { exchange } from './exchange.js'
import { machine } from './machine.js'

export interface Post {
  url: URL
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  /** How long it may take to answer; ten seconds when left out (specification, Delivery). */
  timeoutMs?: number
  signal?: AbortSignal
}

export interface PostOutcome {
  /** Null when no answer came. */
  status: number | null
  duration_ms: number
  /** The code of the connection that failed. */
  error: string | null
  response_body: string | null
}

/** Rejects for nothing but the signal. */
export async function post({ url, headers, body, timeoutMs = 10_000, signal }: Post): Promise<PostOutcome> {
  const began = machine.now()
  const elapsed = () => machine.now() - began
  try {
    const { status, text } = await exchange({ method: 'POST', url, headers, body, signal, timeoutMs })
    return { status, duration_ms: elapsed(), error: null, response_body: text }
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    return { status: null, duration_ms: elapsed(), error: error.code, response_body: null }
  }
}
