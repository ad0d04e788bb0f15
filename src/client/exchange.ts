/** One request and its answer over the wire, no more: nothing is repeated, nothing is judged. */
import type { Dispatcher } from 'undici'
import { connectionError } from './connection.js'
import { flat } from './headers.js'
import { sendRequest } from './undici.js'

export interface Sending {
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array | undefined
  signal?: AbortSignal | undefined
  /** How long the service may take to begin its answer, and between parts of it; 0: any time. */
  timeoutMs: number
}

export interface Answer {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  text: string
}

/** Throws `ConnectionError` when no whole answer came; what the signal was aborted with when it was. */
export async function exchange(sending: Sending, dispatcher?: Dispatcher): Promise<Answer> {
  const { method, url, headers, body, signal, timeoutMs } = sending
  try {
    const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
    const options = { method, headers, body: body ?? null, signal: signal ?? null, ...timeouts }
    const answer = await sendRequest(url, options, dispatcher)
    return { status: answer.statusCode, headers: flat(answer.headers), text: await answer.body.text() }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw connectionError(url.origin, error)
  }
}
