/** `svc webhooks listen --exec -- cmd`: a developer's server that is started, served and stopped with the listener. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { verify } from '../../../src/webhooks/sign.js'
import { Receiver } from '../../support/deliveries/receiver.js'
import { Svc } from '../../support/programs/svc.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

/** A server that verifies requests, reports them, and exits with a given code. */
const source = `
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
const [port, afterMs, atTerm = 'end'] = process.argv.slice(2)
console.log('pid ' + process.pid + ' secret of ' + process.env.SVC_WEBHOOK_SECRET?.length)
process.on('SIGTERM', () => { console.error('told to end'); if (atTerm === 'end') process.exit(0) })
process.on('SIGINT', () => console.error('interrupted'))
setTimeout(() => createServer(async (request, response) => {
  const body = await buffer(request)
  console.log('got ' + request.headers['service-event-type'])
  if (request.url === '/end') setTimeout(() => process.exit(7), 10)
  response.end()
}).listen(Number(port)), Number(afterMs))
`

async function freePort(): Promise<string> {
  const receiver = await Receiver.start()
  const { port } = new URL(receiver.url)
  await receiver.close()
  return port
}

async function ready() {
  const [at, port] = await Promise.all([SvcAt.start(), freePort()])
  const file = join(at.svc.folder, 'server.mjs')
  writeFileSync(file, source)
  const words = (flags: readonly string[], afterMs = 0, ...more: string[]) => [
    ...['webhooks', 'listen', '--exec', '--output', 'ndjson', ...flags],
    ...['--', process.execPath, file, port, String(afterMs), ...more],
  ]
  return { at, port, words, url: `http://localhost:${port}` }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('the program behind --exec --', () => {
  it('has the secret, is waited for until it takes connections, and is stopped at the end', async () => {
    const { at, port, words } = await ready()
    const flags = ['--forward-to', port, '--max-events', '2', '--retry', '0', '--secret', 'whsec_fifteen_0123456789']
    const listening = at.svc.start(words(flags, 300), at.env)
    expect(await listening.line()).toContain('"ready"')
    await at.simulation.lead()
    const { code, stdout, stderr } = await listening.end()
    expect(code).toBe(0)
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { status?: number })
    expect(records.slice(1, 3)).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(stderr).toMatch(/^pid \d+ secret of 24\ngot lead\.created\ngot lead\.queued\ntold to end\n$/)
    expect(isRunning(Number(/pid (\d+)/.exec(stderr)?.[1]))).toBe(false)
  })

  it('gets what it can check with the secret it has', async () => {
    const { at, port } = await ready()
    const file = join(at.svc.folder, 'printer.mjs')
    writeFileSync(
      file,
      source.replace(
        "console.log('got '",
        "console.log(JSON.stringify([process.env.SVC_WEBHOOK_SECRET, request.headers['service-signature'], body.toString()]), ''",
      ),
    )
    const words = [
      'webhooks',
      'listen',
      '--forward-to',
      port,
      '--max-events',
      '1',
      '--exec',
      '--',
      process.execPath,
      file,
      port,
      '0',
    ]
    const listening = at.svc.start(words, at.env)
    await listening.says(/Ready/)
    await at.simulation.lead()
    const { stderr } = await listening.end()
    const line = stderr.split('\n').find((one) => one.startsWith('["whsec_')) ?? '[]'
    const [secret = '', header, body = ''] = JSON.parse(line.replace(/ \S*$/, '')) as string[]
    const now = Math.floor(Date.now() / 1000)
    expect(verify({ body: Buffer.from(body), header, secrets: [secret], now })).toMatchObject({ ok: true })
  })

  it('ends the listener when it ends, with its code', async () => {
    const { at, words, url } = await ready()
    const listening = at.svc.start(words(['--forward-to', `${url}/end`]), at.env)
    await listening.line()
    await at.simulation.lead()
    expect(await listening.end()).toMatchObject({ code: 7 })
  })

  it('is not interrupted by a Ctrl-C, but told to end after what is on its way; and ended when it does not', async () => {
    const { at, port, words } = await ready()
    const listening = at.svc.start(words(['--forward-to', port], 0, 'stay'), at.env)
    await at.simulation.lead()
    const [, pid] = await listening.says(/pid (\d+)/)
    await listening.line()
    const { code, stderr } = await listening.kill('SIGINT')
    expect(code).toBe(130)
    expect(stderr).toContain('told to end')
    expect(stderr).not.toContain('interrupted')
    expect(isRunning(Number(pid))).toBe(false)
  })

  it.runIf(hasTerminals)('hears nothing of a Ctrl-C at the terminal that both have', async () => {
    const { at, port, words } = await ready()
    const typed = words(['--forward-to', port]).filter((word) => !/^(--output|ndjson)$/.test(word))
    const terminal = new TerminalSvc(at.svc, typed, { env: at.env, columns: 200 })
    await terminal.shows(/pid \d+/)
    await at.simulation.lead()
    await terminal.shows(/lead\.queued.*200/)
    terminal.type('\u0003')
    const { code, screen } = await terminal.end()
    expect(code).toBe(130)
    expect(screen).toMatch(/told to end\n[^]*Stopped after/)
    expect(screen).not.toContain('interrupted')
  })

  it('and what it started itself do not outlive a listener that nobody reads any more', async () => {
    const { at, port } = await ready()
    const line = `svc webhooks listen --forward-to ${port} -o ndjson --exec -- sh -c '"$SVC_NODE" server.mjs ${port} 0 stay; true' | head -1`
    const ran = at.svc.shell(line, { env: at.env })
    let isOver = false
    void ran.finally(() => (isOver = true))
    while (!isOver) {
      await at.simulation.lead()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const { stderr } = await ran
    const pid = Number(/pid (\d+)/.exec(stderr)?.[1])
    expect(pid).toBeGreaterThan(0)
    while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10))
  })

  it('that is not there is exit 2', async () => {
    const at = await SvcAt.start()
    const words = ['webhooks', 'listen', '--forward-to', '1', '--exec', '--', 'no-such-program-here', '--port']
    expect(await at.run(words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--exec no-such-program-here cannot be started: there is no such program.'),
    })
  })
})

it('a listener that cannot reach the service starts no program', async () => {
  const env = { SVC_BASE_URL: 'http://127.0.0.1:9/api/v1/external', SVC_SECRET: 'cs_test_a' }
  const svc = new Svc()
  const ran = await svc.run(['webhooks', 'listen', '--forward-to', '1', '--exec', '--', 'touch', 'started'], { env })
  expect(ran).toMatchObject({ code: 8 })
  expect(await svc.shell('ls started')).toMatchObject({ stdout: '' })
})
