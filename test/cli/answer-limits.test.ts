/** Services that never end their answer, or let it drip: every command that reads from one ends with a clear error. */
import { readdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limitedParts } from '../../src/client/answer-limits.js'
import { downloadFile } from '../../src/client/download.js'
import { readEventStream } from '../../src/client/event-stream.js'
import { followPages } from '../../src/client/pages.js'
import { json, stubServer } from '../support/stub-server.js'
import { everyCommand, exampleOf, Svc, type Ran } from '../support/svc.js'

const block = Buffer.alloc(1024 * 1024, ' ')

/** Sends until the reader stops. */
function endless(response: ServerResponse, type = 'application/json', text: Buffer = block): void {
  response.writeHead(200, { 'content-type': type })
  response.write('{"data":[')
  const go = (): void => {
    while (!response.destroyed && response.write(text)) continue
  }
  response.on('drain', go)
  go()
}

/** Sends a space now and then, so that no silence is ever long. */
function dripping(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}

const keyed = (baseUrl: string, env: Record<string, string> = {}) =>
  new Svc({ SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a', ...env })

/** Runs a command in a separate process. `megabytes` is the most memory that it had. */
async function measured(baseUrl: string, words: readonly string[]): Promise<Ran & { megabytes: number }> {
  const report = "process.on('exit',()=>console.error('maxRSS',process.resourceUsage().maxRSS))"
  const svc = keyed(baseUrl, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(report)}` })
  const ran = await svc.start(words).end()
  return { ...ran, megabytes: Number(/maxRSS (\d+)/.exec(ran.stderr)?.[1]) / 1024 }
}

describe('an answer without an end', () => {
  it.each([
    [['leads', 'list'], 1],
    [['leads', 'list', '--all', '--json'], 1],
    [['doctor'], 1],
    [['webhooks', 'listen', '--forward-to', '9'], 1],
    [['events', 'tail'], 1],
    [['api', '/leads'], 1],
    [['simulate', 'clock'], 2],
  ])('ends svc %j with an error, in less than 300 MB', async (words, code) => {
    const { baseUrl } = await stubServer((_asked, response) => endless(response))
    const ran = await measured(baseUrl, words)
    expect(ran).toMatchObject({ code })
    if (code === 1) expect(ran.stdout + ran.stderr).toContain('more than 64 MB')
    expect(ran.megabytes).toBeLessThan(300)
  })

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

  it.each(['json', 'table'])(
    'of pages ends svc leads list --all -o %s with an error, in less than 300 MB',
    async (format) => {
      const items = (page: number) =>
        Array.from({ length: 100 }, (_, n) => ({ id: `${page}-${n}`, name: `${page} `.padEnd(40_000, 'x') }))
      const { baseUrl } = await stubServer((asked, response, turn) =>
        asked.path.startsWith('/leads')
          ? json(response, 200, { data: items(turn), meta: { next_cursor: `c${turn}`, has_more: true } })
          : response.writeHead(404).end(),
      )
      const ran = await measured(baseUrl, ['leads', 'list', '--all', '-o', format])
      expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--output ndjson') as string })
      expect(ran.megabytes).toBeLessThan(300)
    },
  )

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
  ...['simulate', 'demo', 'autocomplete', 'help', 'openapi', 'version', 'whoami', 'logout', 'login', 'webhooks sign'],
  ...['webhooks verify', 'webhooks trigger', 'profiles add', 'profiles list', 'profiles remove', 'profiles use'],
  // Their files are not there.
  ...['leads import', 'dnc import', 'simulate script', 'simulate leads load'],
]

describe('an answer that drips', () => {
  it.each(everyCommand().filter(([typed]) => !apart.includes(typed)))('ends svc %s', async (typed, command) => {
    const { baseUrl, asked } = await stubServer((_asked, response) => dripping(response))
    const line = exampleOf([typed, command]) + ('yes' in command.flags ? ' --yes' : '')
    const ran = await keyed(baseUrl, { SVC_TIMEOUT: '200ms' }).shell(line)
    expect({ ran, asked: asked.length > 0 }).toMatchObject({ ran: { code: 8 }, asked: true })
    expect(ran.stdout + ran.stderr).toContain('did not finish its answer within 0.2 s')
  })
})
