import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { stripControls } from '../../../src/output/sanitize.js'
import { freePort } from '../../support/servers/free-port.js'
import { stubServer } from '../../support/servers/stub-server.js'
import { Svc } from '../../support/programs/svc.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'
import { simulateAlone } from '../../support/simulate.js'

interface Line {
  ready?: boolean
  url: string
  base_url: string
}

describe('svc proxy', () => {
  it('prints a ready record, one record for each exchange and the totals', async () => {
    const { baseUrl, test } = await simulateAlone({ limits: true })
    const running = new Svc().start(['proxy', '--to', baseUrl, '--port', '0', '--json'])
    const ready = JSON.parse(await running.line()) as Line
    expect(ready).toMatchObject({ ready: true, to: baseUrl, strict: false })
    expect(ready.base_url).toBe(`${ready.url}/api/v1/external`)
    const headers = { authorization: `Bearer ${test.key.secret}` }
    await (await request(`${ready.base_url}/leads?limit=2`, { headers })).body.text()
    await (await request(`${ready.base_url}/nothing`, { headers })).body.text()
    const records = [await running.line(), await running.line()].map((line) => JSON.parse(line) as object)
    expect(records).toEqual([
      {
        at: expect.any(String),
        method: 'GET',
        path: '/api/v1/external/leads?limit=2',
        status: 200,
        request_id: expect.stringMatching(/^req_/),
        ms: expect.any(Number),
        departures: [],
      },
      expect.objectContaining({
        status: 404,
        departures: [{ where: 'request', at: 'path', message: 'the API has no GET at this path', rule: 'C1' }],
      }),
    ])
    const { code, stdout } = await running.kill('SIGINT')
    expect(code).toBe(130)
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
      stopped: true,
      ...{ exchanges: 2, departing: 1, departures: 1, by_rule: { C1: 1 } },
    })
  })

  it('prints only records in a pipe, and the rest on stderr', async () => {
    const { baseUrl, test } = await simulateAlone({ limits: true })
    const running = new Svc({ SVC_BASE_URL: baseUrl }).start(['proxy', '--port', '0'])
    const [, address = ''] = await running.says(/The proxy is ready: (\S+)\n/)
    await (await request(`${address}/leads`, { headers: { authorization: `Bearer ${test.key.secret}` } })).body.text()
    expect(JSON.parse(await running.line())).toMatchObject({ path: '/api/v1/external/leads', departures: [] })
    const { code, stderr } = await running.kill('SIGTERM')
    expect(code).toBe(143)
    expect(stderr).toContain('Stopped. 1 exchange, nothing departs from the contract.\n')
  })
  it.skipIf(!hasTerminals).each([100, 40])('writes lines that fit a terminal of %i columns', async (columns) => {
    const { baseUrl } = await stubServer((_asked, response) => {
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Oops</h1>')
    })
    const port = await freePort()
    const terminal = new TerminalSvc(new Svc(), ['proxy', '--to', baseUrl, '--port', String(port)], { columns })
    await terminal.shows(/Ctrl-C stops it/)
    const path = '/leads/0b6f3c1e-4d5a-4e6f-8a9b-0c1d2e3f4a5b?phone=%2B12125557812'
    const { body } = await request(`http://127.0.0.1:${port}/api/v1/external${path}`)
    await body.text()
    await terminal.shows(/header Request-Id/)
    terminal.type('\u0003')
    const { code, screen } = await terminal.end()
    expect(code).toBe(130)
    const lines = stripControls(screen).split('\n')
    const shown = lines.filter((line) => /GET|request:|response:/.test(line))
    expect(shown.length).toBeGreaterThan(3)
    for (const line of shown) expect(line.length).toBeLessThanOrEqual(columns)
    expect(lines.filter((line) => /^ .*…/.test(line))).toEqual([])
    expect(screen).not.toContain('5557812')
    expect(screen.replaceAll(/\s+/g, ' ')).toMatch(/Stopped\. 1 exchange, \d departures in 1 of them: /)
  })

  it.each([
    [
      'an address that is not private',
      ['--to', 'http://api.example.com/api/v1/external'],
      /plain http: to api\.example\.com/,
    ],
    ['an address that is no URL', ['--to', 'nonsense'], /The base URL \(--to\) is not a URL/],
    ['an unknown column', ['--columns', 'nonsense'], /nonsense/],
  ])('refuses %s', async (_title, words, message) => {
    const { code, stderr } = await new Svc().run(['proxy', ...words])
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  it('says that its port is taken', async () => {
    const { baseUrl } = await stubServer((_asked, response) => void response.end())
    const { port } = new URL(baseUrl)
    const { code, stderr } = await new Svc().run(['proxy', '--to', baseUrl, '--port', port])
    expect(code).toBe(1)
    expect(stderr).toContain(`Port ${port} is taken. Choose another with --port, or any with --port 0.`)
  })

  it('lets svc itself work through it', async () => {
    const { baseUrl, campaignId, test } = await simulateAlone({ limits: true })
    const svc = new Svc({ SVC_KEY_ID: test.key.key_id, SVC_SECRET: test.key.secret })
    const running = svc.start(['proxy', '--to', baseUrl, '--port', '0', '--strict', '--json'])
    const { base_url } = JSON.parse(await running.line()) as Line
    const env = { SVC_BASE_URL: base_url }
    const lead = ['--campaign', campaignId, '--phone', '+15550100001', '--json']
    const added = await svc.run(['leads', 'add', ...lead], { env })
    expect([added.code, added.stderr]).toEqual([0, ''])
    expect((await svc.run(['leads', 'add', ...lead], { env })).code).toBe(5)
    expect((await svc.run(['leads', 'list', '--all', '--json'], { env })).code).toBe(0)
    const { stdout } = await running.kill('SIGINT')
    expect(stdout).toContain('"exchanges":3,"departing":0,"departures":0')
  })
})
