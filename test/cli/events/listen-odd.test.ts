/** What `svc webhooks listen` does with lists and streams that no service should send. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { receive } from '../../support/deliveries/receivers.js'
import { json, stubServer } from '../../support/servers/stub-server.js'
import { Svc } from '../../support/programs/svc.js'

const event = (id: string) => ({ id, type: 'lead.created', created: '2026-10-01T00:00:00.000Z', data: {} })

/** Items of the list that are no events: no listener may send them, end at them or keep their ids. */
const odd: unknown[] = [
  {},
  { id: 'evt_x' },
  { type: 'lead.created' },
  { id: null, type: null },
  { id: 7, type: 'lead.created' },
  { id: '', type: 'lead.created' },
  { id: 'evt x', type: 'lead.created' },
  { id: 'evt\r\nX-Injected: 1', type: 'lead.created' },
  { id: 'evt_é', type: 'lead.created' },
  { id: 'e'.repeat(256), type: 'lead.created' },
  { id: 'evt_x', type: 'lead.created\n' },
  { id: 'evt_x', type: ['lead.created'] },
  { id: 'evt_x', type: 'lead.created', created: 7 },
  { id: 'evt_x', type: 'lead.created', created: {} },
]

/** Blocks of a stream that say nothing, or say it wrongly. */
const blocks = [
  ...[':', ': comment', 'data', 'data:', 'data: null', 'data: 7', 'data: "text"', 'data: []', 'data: {', 'id: 1'],
  ...['event: world.replaced\ndata: {}', 'event: world.replaced\ndata: {"newest_events":7}'],
  ...['event: world.replaced\ndata: {"newest_events":[null,{},7]}', 'event: world.replaced\ndata: []'],
  ...['event: \0\ndata: {}', 'retry: never', '__proto__: 1\ndata: {"__proto__":1}', 'data: {}\r\ndata: {}', '\r', ''],
]

function stream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`${blocks.join('\n\n')}\n\n`)
}

/** A service with good events between odd ones, and an odd stream. */
async function oddService(events: unknown[]) {
  return stubServer(({ path }, response) => {
    if (path.startsWith('/_sim/stream')) return stream(response)
    if (!path.startsWith('/events')) return response.writeHead(404).end()
    const asked = new URL(path, 'http://a').searchParams
    const after = asked.get('starting_after')
    const from = after === null ? 0 : events.findIndex((one) => (one as { id?: unknown }).id === after) + 1
    const data = events.slice(from, from + Number(asked.get('limit')))
    const isLast = from + data.length >= events.length
    const cursor = (data.at(-1) as { id?: unknown } | undefined)?.id
    return json(response, 200, { data, meta: { next_cursor: isLast ? null : cursor, has_more: !isLast } })
  })
}

describe('svc webhooks listen', () => {
  it('passes over what is no event, sends the others, and the next run goes on after them', async () => {
    const good = [1, 2, 3].map((n) => event(`evt_${n}`))
    const events = [...odd, good[2], ...odd, good[1], ...odd, good[0], ...odd]
    const [service, receiver, svc] = [await oddService(events), await receive(), new Svc()]
    const add = ['profiles', 'add', 'odd', '--use', '--base-url', service.baseUrl, '--secret', '-']
    expect(await svc.run(add, { stdin: 'cs_test_a' })).toMatchObject({ code: 0 })
    const listen = ['webhooks', 'listen', '--forward-to', receiver.url]
    const first = await svc.run([...listen, '--since', '2026-09-01T00:00:00Z', '--max-events', '2'])
    expect(first).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/Skipped \d+ events without/) as string,
    })
    const next = await svc.run([...listen, '--max-events', '1'])
    expect(next).toMatchObject({ code: 0 })
    expect(receiver.requests.map(({ headers }) => headers['service-event-id'])).toEqual(['evt_1', 'evt_2', 'evt_3'])
    for (const { headers } of receiver.requests) expect(headers).not.toHaveProperty('x-injected')
    const folder = join(svc.env['SVC_CONFIG_DIR'] ?? '', 'listen')
    for (const name of readdirSync(folder))
      expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toMatchObject({ after: { id: 'evt_3' } })
  })

  it.each<[string, unknown, number]>([
    ['a list of no objects', { data: [1, null, 'evt'], meta: { next_cursor: null, has_more: false } }, 1],
    ['no list', { data: { id: 'evt_1' } }, 1],
    ['no page', { data: [] }, 0],
    ['a cursor that is no text', { data: [event('evt_1')], meta: { next_cursor: { a: 1 }, has_more: true } }, 0],
    ['more without a cursor', { data: [event('evt_1')], meta: { next_cursor: null, has_more: true } }, 0],
    ['null', { data: null }, 1],
  ])('ends with a clear error, or takes what there is, where the events are %s', async (_what, body, code) => {
    let looks = 0
    let interrupt = (): void => undefined
    const interrupted = new Promise<void>((resolve) => (interrupt = resolve))
    const { baseUrl } = await stubServer(({ path }, response) => {
      if (!path.startsWith('/events')) return void response.writeHead(404).end()
      json(response, 200, body)
      // One without an event looks again and again.
      if (++looks === 3) interrupt()
    })
    const receiver = await receive()
    const svc = new Svc({ SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' })
    const words = ['webhooks', 'listen', '--forward-to', receiver.url, '--since', '2026-09-01T00:00:00Z']
    const ran = await svc.run([...words, '--interval', '10ms', '--max-events', '1'], { interrupted })
    expect({ ...ran, code: ran.code === 130 ? 0 : ran.code }).toMatchObject({ code })
    if (code !== 0) expect(ran.stderr).toMatch(/^Error: .*(not an answer of this API|cursor)/m)
    expect(ran.stderr).not.toMatch(/TypeError|\n {4}at /)
  })
})
