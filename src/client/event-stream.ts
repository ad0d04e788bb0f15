/** Reads server-sent events over one open connection until either side ends it. */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { answerWithinMs, textOf, within } from './answer-limits.js'
import { connectionError } from './connection.js'
import { NotTheApiError } from './errors.js'
import type { Sending } from './exchange.js'
import { flattenHeaders } from './headers.js'
import { parseJson } from './json.js'
import { systemClock } from './system-clock.js'
import { readReply } from './reply.js'
import { sendRequest } from './http.js'

export interface StreamedEvent {
  id: string
  event: string
  /** Parsed JSON. */
  data: unknown
}

/** Throws `ApiError` for a refusal, `NotTheApiError` for another answer, and `ConnectionError` if the stream breaks. */
export async function* openEventStream({
  method,
  url,
  headers,
  signal,
  totalMs: ms = answerWithinMs,
}: Sending): AsyncGenerator<StreamedEvent> {
  const { origin } = url
  // Only the headers have a timeout: a stream may be silent for any time.
  const begun = within({ ms, origin, signal }, (limit) => sendRequest(url, { method, headers, signal: limit }))
  const answer = await begun.catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : connectionError(origin, error)
  })
  const received = flattenHeaders(answer.headers)
  if (answer.status !== 200 || !received['content-type']?.startsWith('text/event-stream')) {
    const text = await within({ ms, origin, signal }, (limit) => textOf(answer, origin, limit))
    readReply({ status: answer.status, headers: received, text }, origin, systemClock.now())
    return
  }
  try {
    yield* readEventStream(answer.body)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof OddStreamError) throw new NotTheApiError(200, origin, error.message)
    throw connectionError(origin, error)
  }
  throw connectionError(origin, new Error('the stream ended'))
}

/** 1 MB. No event is that long. */
const eventLengthMax = 1024 * 1024

/** The stream does not have the form that the simulator sends. */
class OddStreamError extends Error {}

/** Skips events without data, and those with data that is not a JSON object. */
export async function* readEventStream(parts: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder()
  const received: EventSourceMessage[] = []
  let isTooLong = false
  const parser = createParser({
    onEvent: (event) => received.push(event),
    onError: ({ type }) => (isTooLong ||= type === 'max-buffer-size-exceeded'),
    maxBufferSize: eventLengthMax,
  })
  for await (const part of parts) {
    parser.feed(decoder.decode(part, { stream: true }))
    for (const { id = '', event = 'message', data: text } of received.splice(0)) {
      const data = parseJson(text)
      if (typeof data === 'object' && data !== null) yield { id, event, data }
    }
    if (isTooLong) throw new OddStreamError('an event of more than 1 MB')
  }
}
