/** Server-sent events as they arrive, over one connection that stays open until either side ends it. */
import { connectionError } from './connection.js'
import type { Sending } from './exchange.js'
import { flat } from './headers.js'
import { machine } from './machine.js'
import { readReply } from './reply.js'
import { sendRequest, textOf } from './http.js'

export interface StreamedEvent {
  id: string
  event: string
  /** Parsed JSON. */
  data: unknown
}

/** Throws `ApiError` for a refusal, `NotTheApiError` for another answer, `ConnectionError` when the stream breaks off. */
export async function* eventStream({ method, url, headers, signal }: Sending): AsyncGenerator<StreamedEvent> {
  const { origin } = url
  // Without a timeout: a stream is quiet for as long as nothing happens.
  const answer = await sendRequest(url, { method, headers, signal }).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : connectionError(origin, error)
  })
  const received = flat(answer.headers)
  if (answer.status !== 200 || !received['content-type']?.startsWith('text/event-stream')) {
    readReply({ status: answer.status, headers: received, text: await textOf(answer.body) }, origin, machine.now())
    return
  }
  try {
    yield* streamedEvents(answer.body)
  } catch (error) {
    throw signal?.aborted ? signal.reason : connectionError(origin, error)
  }
  throw connectionError(origin, new Error('the stream ended'))
}

/** Blocks are parted by an empty line; one that is a comment alone says nothing. */
export async function* streamedEvents(parts: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of parts) {
    const blocks = (rest + decoder.decode(part, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventIn(block)
      if (event) yield event
    }
  }
}

function eventIn(block: string): StreamedEvent | null {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? []
    if (name !== '') fields.set(name, value)
  }
  const data = fields.get('data')
  if (data === undefined) return null
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data: JSON.parse(data) as unknown }
}
