/** Services that never end their answer, or let it drip: every command that reads from one ends with a clear error. */
import { readdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limitedParts } from '../../../src/client/answer-limits.js'
import { downloadFile } from '../../../src/client/download.js'
import { readEventStream } from '../../../src/client/event-stream.js'
import { followPages } from '../../../src/client/pages.js'
import { block, dripping, endless } from '../../support/servers/endless-answers.js'
import { json, stubServer } from '../../support/servers/stub-server.js'
import { everyCommand, exampleOf, Svc } from '../../support/programs/svc.js'

const keyed = (baseUrl: string, env: Record<string, string> = {}) =>
  new Svc({ SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a', ...env })

describe('an answer without an end', () => {
  it('is not read at all where its length says so', async () => {
    const { baseUrl } = await stubServer((_asked, response) =>
      response.writeHead(200, { 'content-length': String(10 ** 12) }).write('{'),
    )
    const ran = await keyed(baseUrl).run(['leads', 'list'])
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('more than 64 MB') as string })
  })

  it('of a stream is one event of at most 1 MB', async () => {
    const { baseUrl } = await stubServer((_asked, response) => endless(response, 'text/event-stream'))
    const ran = await keyed(baseUrl).run(['simulate', 'stream'])
    expect(ran.code).not.toBe(0)
    const parts = (async function* () {
      for (;;) yield await Promise.resolve(block)
    })()
    await expect(readEventStream(parts).next()).rejects.toThrow('more than 1 MB')
  })

  it('of a download ends at its limit, and leaves no file', async () => {
    const parts = (async function* () {
      for (;;) yield await Promise.resolve(block)
    })()
    const taken = limitedParts(parts, { origin: 'https://a.example', bytesMax: 3 * block.length })
    await expect(
      (async () => {
        for await (const _part of taken) continue
      })(),
    ).rejects.toThrow('a file of more than 3 MB')
  })

  it('of pages ends where a cursor comes again', async () => {
    const cursors = ['a', 'b', 'c', 'b', 'c']
    let turn = 0
    const pages = followPages(() =>
      Promise.resolve({
        ...{ status: 200, headers: {}, requestId: undefined },
        body: { data: [], meta: { next_cursor: cursors[turn++ % cursors.length] ?? null, has_more: true } },
      }),
    )
    await expect(
      (async () => {
        for await (const _page of pages) continue
      })(),
    ).rejects.toThrow('the same cursor twice')
  })

  it('of events that go round in a circle ends svc webhooks listen', async () => {
    const event = (id: string) => ({ id, type: 'lead.created', created: '2026-10-01T00:00:00Z', data: {} })
    const { baseUrl } = await stubServer((asked, response) => {
      const after = new URL(asked.path, 'http://a').searchParams.get('starting_after')
      const next = after === 'evt_b' ? 'evt_a' : 'evt_b'
      if (asked.path.startsWith('/events'))
        json(response, 200, { data: [event(next)], meta: { next_cursor: next, has_more: true } })
      else response.writeHead(404).end()
    })
    const words = ['webhooks', 'listen', '--since', '2026-09-01T00:00:00Z']
    const ran = await keyed(baseUrl).start(words).end()
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('the same cursor twice') as string })
  })
})

describe('a download', () => {
  it.each(['http://example.com/a.csv', 'http://10.0.0.1/a.csv'])('is refused from %s', async (link) => {
    await expect(downloadFile(link)).rejects.toThrow('plain http:')
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['never begins', () => undefined],
    ['falls silent', (response) => response.writeHead(200).write('RIFF')],
  ])('that %s ends with an error', async (_what, serve) => {
    const { baseUrl } = await stubServer((asked, response) => {
      if (asked.path.startsWith('/calls'))
        json(response, 200, { data: { url: `${baseUrl}/file`, expires_at: '2026-10-01T00:00:00Z' } })
      else serve(response)
    })
    const svc = keyed(baseUrl, { SVC_TIMEOUT: '200ms' })
    const ran = await svc.run(['calls', 'recording', 'a', '--download', join(svc.folder, 'a.wav')])
    expect(ran).toMatchObject({ code: 8 })
    expect(readdirSync(svc.folder)).not.toContain('a.wav')
  })

  it('that drips ends with an error', async () => {
    const { baseUrl } = await stubServer((asked, response) => {
      if (asked.path.startsWith('/calls'))
        json(response, 200, { data: { url: `${baseUrl}/file`, expires_at: '2026-10-01T00:00:00Z' } })
      else dripping(response)
    })
    const svc = keyed(baseUrl, { SVC_TIMEOUT: '200ms' })
    const ran = await svc.run(['calls', 'recording', 'a', '--download', join(svc.folder, 'a.wav')])
    expect(ran).toMatchObject({ code: 8, stderr: expect.stringContaining('less than 64 KB') as string })
  })
})

describe('a clock that drips', () => {
  it('holds up no table, and no start of a simulator', async () => {
    const { baseUrl, asked } = await stubServer((asked, response) => {
      if (asked.path.startsWith('/_sim')) dripping(response)
      else json(response, 200, { data: [], meta: { has_more: false } })
    })
    const svc = keyed(baseUrl)
    expect(await svc.run(['leads', 'list', '-o', 'table'])).toMatchObject({ code: 0 })
    expect(asked.map(({ path }) => path)).toContainEqual(expect.stringContaining('/_sim/clock'))
    await svc.run(['profiles', 'add', 'simulator', '--base-url', baseUrl, '--secret', '-'], { stdin: 'cs_test_a' })
    const simulator = svc.start(['simulate', '--port', '0', '--data', ':memory:', '--json'])
    expect(await simulator.line()).toContain('"ready":true')
    await simulator.kill('SIGTERM')
  })
})

/** These commands reach no service, start a world, or only send. */
const apart = [
  ...[
    'simulate',
    'demo',
    'proxy',
    'autocomplete',
    'help',
    'openapi',
    'version',
    'whoami',
    'logout',
    'login',
    'webhooks sign',
  ],
  ...['webhooks verify', 'webhooks trigger', 'profiles add', 'profiles list', 'profiles remove', 'profiles use'],
  // Their files are not there.
  ...['leads import', 'dnc import', 'simulate script', 'simulate leads load'],
]

// These wait for most of their time, so many run at once.
describe.concurrent('an answer that drips', () => {
  it.each(everyCommand().filter(([typed]) => !apart.includes(typed)))('ends svc %s', async (typed, command) => {
    // Others still run when one test ends.
    const { baseUrl, asked } = await stubServer((_asked, response) => dripping(response), 'file')
    const line = exampleOf([typed, command]) + ('yes' in command.flags ? ' --yes' : '')
    const { code, stdout, stderr } = await keyed(baseUrl, { SVC_TIMEOUT: '500ms' }).shell(line)
    expect({ code, stderr, asked: asked.length > 0 }).toMatchObject({ code: 8, asked: true })
    // On a busy machine the first drop may come too late as well.
    expect(stdout + stderr).toMatch(/did not (finish its answer within 0\.5 s|answer in time)/)
  })
})
