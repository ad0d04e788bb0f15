/** Downloads files from the service's signed links. The link is the proof of access, so no key is sent. */
import { answerWithinMs, limitedParts, textOf, within } from './answer-limits.js'
import { connectionError } from './connection.js'
import { ConnectionError, NotTheApiError } from './errors.js'
import { flattenHeaders } from './headers.js'
import { systemClock } from './system-clock.js'
import { readReply } from './reply.js'
import { sendRequest } from './http.js'
import { isPrivateRoute, urlOf } from '../url.js'

/** The longest silence before the answer and between its parts. */
const silenceMs = 60_000

export interface Download {
  /** Undefined if the service does not say. */
  bytes: number | undefined
  parts: AsyncIterable<Uint8Array>
}

/** Throws `ApiError` if the link is refused, and `NotTheApiError` or `ConnectionError` as other requests do. */
export async function downloadFile(link: string, ms = answerWithinMs): Promise<Download> {
  const url = urlOf(link)
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('The service gave no link to download from.')
  const { origin } = url
  if (!isPrivateRoute(url))
    throw new Error(`The file would come over plain http: from ${url.host}, where others can read it.`)
  const timeoutMs = Math.min(ms, silenceMs)
  const begun = within({ ms, origin }, (signal) => sendRequest(url, { method: 'GET', signal, timeoutMs }))
  const answer = await begun.catch((error: unknown) => {
    throw error instanceof ConnectionError ? error : connectionError(origin, error)
  })
  const { status, headers, body } = answer
  if (status < 200 || status >= 300) {
    const text = await within({ ms, origin }, (limit) => textOf(answer, origin, limit))
    readReply({ status, headers: flattenHeaders(headers), text }, origin, systemClock.now())
  }
  const length = Number(headers['content-length'])
  return {
    bytes: Number.isSafeInteger(length) ? length : undefined,
    parts: partsOf(limitedParts(body, { origin, ms }), origin),
  }
}

async function* partsOf(body: AsyncIterable<Uint8Array>, origin: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw error instanceof NotTheApiError || error instanceof ConnectionError ? error : connectionError(origin, error)
  }
}
