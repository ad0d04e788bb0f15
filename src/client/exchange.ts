/** One request and its answer over the wire, no more: nothing is repeated, nothing is judged. */
import { answerWithinMs, textOf, within } from './answer-limits.js'
import { connectionError } from './connection.js'
import { NotTheApiError } from './errors.js'
import { flattenHeaders } from './headers.js'
import { sendRequest, type HttpAnswer } from './http.js'

export interface Sending {
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array | undefined
  signal?: AbortSignal | undefined
  /** How long the service may take to begin its answer, and between parts of it; 0: any time. */
  timeoutMs: number
  /** How long the whole answer may take; 300 seconds when left out. With a `timeoutMs` of 0 it counts from the headers on. */
  totalMs?: number | undefined
}

export interface Answer {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  text: string
}

/** Throws `ConnectionError` when no whole answer came; what the signal was aborted with when it was. */
export async function sendOnce({ url, totalMs: ms = answerWithinMs, ...request }: Sending): Promise<Answer> {
  const { origin } = url
  const { signal, timeoutMs } = request
  try {
    // The control plane may take any time to begin its answer: pushing a month takes as long as it takes.
    const begun = timeoutMs === 0 ? await sendRequest(url, request) : undefined
    return await within({ ms, origin, signal }, async (limit) =>
      answerOf(begun ?? (await sendRequest(url, { ...request, signal: limit })), origin, limit),
    )
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof NotTheApiError) throw error
    throw connectionError(origin, error)
  }
}

async function answerOf(answer: HttpAnswer, origin: string, limit: AbortSignal | undefined): Promise<Answer> {
  return { status: answer.status, headers: flattenHeaders(answer.headers), text: await textOf(answer, origin, limit) }
}
