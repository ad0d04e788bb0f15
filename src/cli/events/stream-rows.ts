/** Turns items of the simulator's stream into table rows: time, type, and the lead, call or delivery. */
import type { StreamedEvent } from '../../client/event-stream.js'

export interface StreamRow {
  at: string
  event: string
  /** Id of the lead, call or delivery. */
  subject: string | null
  /** Status transition, or the answer of the receiver. */
  what: string | null
}

interface Move {
  at: string
  id: string
  from: string | null
  to: string
}

interface Attempt {
  at: string
  delivery: { id: string; event_type: string; attempts: number; status: string; response_status: number | null }
}

interface Envelope {
  created: string
  data: { object: { id: string } }
}

export async function* readStreamRows(streamed: AsyncIterable<StreamedEvent>): AsyncGenerator<StreamRow> {
  for await (const { event, data } of streamed) yield streamRowOf(event, data)
}

function streamRowOf(event: string, data: unknown): StreamRow {
  if (event.startsWith('transition.')) {
    const { at, id, from, to } = data as Move
    return { at, event, subject: id, what: from === null ? to : `${from} to ${to}` }
  }
  if (event === 'world.replaced') return { at: (data as { at: string }).at, event, subject: null, what: null }
  if (event === 'delivery.attempt') {
    const { at, delivery } = data as Attempt
    const answer = delivery.response_status ?? 'no answer'
    const what = `${delivery.event_type}, try ${delivery.attempts}: ${answer}, ${delivery.status}`
    return { at, event, subject: delivery.id, what }
  }
  const { created, data: words } = data as Envelope
  return { at: created, event, subject: words.object.id, what: null }
}

/** Yields items one at a time, up to a limit, and then closes the source. */
export async function* batchRows<T>(items: AsyncIterable<T>, limit = Infinity): AsyncGenerator<[T]> {
  let left = limit
  for await (const item of items) {
    yield [item]
    if (--left === 0) return
  }
}
