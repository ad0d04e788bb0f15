import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readEventStream, type StreamedEvent } from '../../../src/client/event-stream.js'

async function eventsOf(bytes: Uint8Array, cuts: readonly number[]): Promise<StreamedEvent[]> {
  const at = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length]
  const parts = (async function* () {
    for (const [i, start] of at.slice(0, -1).entries()) yield await Promise.resolve(bytes.subarray(start, at[i + 1]))
  })()
  const events: StreamedEvent[] = []
  for await (const event of readEventStream(parts)) events.push(event)
  return events
}

const stream = [
  ': still there\n\n',
  'id: 1\nevent: lead.created\ndata: {"name":"Zoë 🎉"}\n\n',
  'data: {"a":\ndata: 1}\n\n',
  'id: 3\r\nevent: call.ended\r\ndata: {"b":2}\r\n\r\n',
  'event: none\n\n',
  'data: no JSON\n\n',
  'data: 7\n\n',
  'id: 4\ndata: {"cut":"off"}\n',
].join('')

it('event stream: the same events come out, wherever the network cuts the bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 8 }), async (cuts) => {
      expect(await eventsOf(Buffer.from(stream), cuts)).toEqual([
        { id: '1', event: 'lead.created', data: { name: 'Zoë 🎉' } },
        { id: '', event: 'message', data: { a: 1 } },
        { id: '3', event: 'call.ended', data: { b: 2 } },
      ])
    }),
  )
})

it.each([
  ['a line', 'data: ', 'x'.repeat(65_536)],
  ['many lines', '', 'data: x\n'.repeat(8_192)],
])('event stream: %s of more than 1 MB without an end is refused', async (_what, first, next) => {
  let sent = 0
  const parts = (async function* () {
    yield await Promise.resolve(Buffer.from(first))
    for (;;) {
      sent += next.length
      yield await Promise.resolve(Buffer.from(next))
    }
  })()
  await expect(readEventStream(parts).next()).rejects.toThrow('more than 1 MB')
  expect(sent).toBeLessThan(8 * 1024 * 1024)
})
