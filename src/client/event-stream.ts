/** Reads server-sent events over one open connection until either side ends it. */
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
const blockLengthMax = 1024 * 1024

/** The stream does not have the form that the simulator sends. */
class OddStreamError extends Error {}

/** An empty line separates blocks. A block that is only a comment has no event. */
export async function* readEventStream(parts: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of parts) {
    const blocks = (rest + decoder.decode(part, { stream: true })).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    if (rest.length > blockLengthMax) throw new OddStreamError('an event of more than 1 MB')
    for (const block of blocks) {
      const event = eventIn(block)
      if (event) yield event
    }
  }
}

/** Null for a block without data, or with data that is not a JSON object. */
function eventIn(block: string): StreamedEvent | null {
  const fields = new Map<string, string>()
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? []
    const before = name === 'data' ? fields.get(name) : undefined
    if (name !== '') fields.set(name, before === undefined ? value : `${before}\n${value}`)
  }
  const data = parseJson(fields.get('data') ?? '')
  if (typeof data !== 'object' || data === null) return null
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data }
}
