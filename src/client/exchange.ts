/** One request and its answer over the wire, no more: nothing is repeated, nothing is judged. */
import { connectionError } from './connection.js'
import { flat } from './headers.js'
import { sendRequest, textOf } from './http.js'

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
export async function exchange({ url, ...request }: Sending): Promise<Answer> {
  try {
    const { status, headers, body } = await sendRequest(url, request)
    return { status, headers: flat(headers), text: await textOf(body) }
  } catch (error) {
    if (request.signal?.aborted) throw request.signal.reason
    throw connectionError(url.origin, error)
  }
}
