/** Sends one request and reads its answer. Does not repeat it and does not interpret it. */
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
  /** Time for the first byte and between parts of the answer, in milliseconds; 0 means no limit. */
  timeoutMs: number
  /** Time for the whole answer; 300 seconds by default. If `timeoutMs` is 0, it counts from the headers on. */
  totalMs?: number | undefined
}

export interface Answer {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  text: string
}

/** Throws `ConnectionError` if the answer is not complete, and the signal's reason if it is aborted. */
export async function sendOnce({ url, totalMs: ms = answerWithinMs, ...request }: Sending): Promise<Answer> {
  const { origin } = url
  const { signal, timeoutMs } = request
  try {
    // No limit before the headers: the control plane may advance a simulated month before it answers.
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
