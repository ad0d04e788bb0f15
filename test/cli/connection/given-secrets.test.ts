/** Secrets that stay off the command line: in variables, and on standard input. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { maskSecrets } from '../../../src/output/mask.js'
import { sign, verify } from '../../../src/webhooks/sign.js'
import { receive } from '../../support/deliveries/receivers.js'
import { json, stubServer } from '../../support/servers/stub-server.js'
import { Svc } from '../../support/programs/svc.js'

const secret = 'whsec_0Jq4xWkD3yPv8ZtR'
const other = 'whsec_other_0123456789'
const body = '{"id":"evt_1"}'
const now = () => Math.floor(Date.now() / 1000)

/** Where a secret can be given, by how. */
const ways = [
  ['SVC_WEBHOOK_SECRET', [], { env: { SVC_WEBHOOK_SECRET: secret } }],
  ['--secret -', ['--secret', '-'], { stdin: `${secret}\n` }],
  ['--secret - before SVC_WEBHOOK_SECRET', ['--secret', '-'], { stdin: secret, env: { SVC_WEBHOOK_SECRET: other } }],
] as const

function withBody(): { svc: Svc; file: string } {
  const svc = new Svc()
  const file = join(svc.folder, 'body.json')
  writeFileSync(file, body)
  return { svc, file }
}

describe.each(ways)('the secret from %s', (_how, words, given) => {
  it('signs and verifies', async () => {
    const { svc, file } = withBody()
    const signed = await svc.run(['webhooks', 'sign', ...words, '--body', file], given)
    expect(signed).toMatchObject({ code: 0, stderr: '' })
    const header = signed.stdout.trim()
    expect(verify({ body: Buffer.from(body), header, secrets: [secret], now: now() })).toMatchObject({ ok: true })
    const check = ['webhooks', 'verify', ...words, '--signature', header, '--body', file]
    expect(await svc.run(check, given)).toMatchObject({ code: 0 })
    const wrong = sign({ body: Buffer.from(body), secrets: [other], at: now() })
    const refused = ['webhooks', 'verify', ...words, '--signature', wrong, '--body', file]
    expect(await svc.run(refused, given)).toMatchObject({ code: 1 })
  })

  it('signs what webhooks trigger and webhooks listen send', async () => {
    const { svc } = withBody()
    const receiver = await receive()
    const trigger = ['webhooks', 'trigger', 'call.completed', '--forward-to', receiver.url, ...words]
    expect(await svc.run(trigger, given)).toMatchObject({ code: 0 })

    const event = { id: 'evt_1', type: 'lead.created', created: '2026-10-01T00:00:00Z', data: {} }
    const { baseUrl } = await stubServer(({ path }, response) => {
      if (!path.startsWith('/events')) return response.writeHead(404).end()
      return json(response, 200, { data: [event], meta: { next_cursor: null, has_more: false } })
    })
    const listen = ['webhooks', 'listen', '--forward-to', receiver.url, '--since', '2026-09-01T00:00:00Z']
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a', ...('env' in given && given.env) }
    const ran = await svc.run([...listen, '--max-events', '1', ...words], { ...given, env })
    expect(ran).toMatchObject({ code: 0 })

    expect(receiver.requests).toHaveLength(2)
    for (const { rawBody, headers } of receiver.requests)
      expect(
        verify({ body: rawBody, header: String(headers['service-signature']), secrets: [secret], now: now() }),
      ).toMatchObject({ ok: true })
  })
})

it.each(['short', 'secret', 'characters', 'whsec_short'])('--secret %s is refused in whole words', async (typed) => {
  const ran = await new Svc().run(['webhooks', 'trigger', 'call.completed', '--forward-to', '1', '--secret', typed])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toMatch(/^Error: --secret is shorter than 16 characters\.\n/)
})

describe('the mask of a secret', () => {
  it.each([
    ['The value abc12 is wrong.', 'The value **** is wrong.'],
    ['"abc12"', '"****"'],
    ['?token=abc12&x', '?token=****&x'],
    ['line\\nabc12\\n and %20abc12%20', 'line\\n****\\n and %20****%20'],
    ['abc123, xabc12 and --abc12-x', 'abc123, xabc12 and --abc12-x'],
  ])('covers it in %j as a whole word only if it is short', (text, shown) =>
    expect(maskSecrets(text, ['abc12'])).toBe(shown),
  )

  it('covers a long one everywhere', () => {
    expect(maskSecrets('xopen-sesame-1x', ['open-sesame-1'])).toBe('x****x')
  })
})

it('standard input gives either the secret or the body', async () => {
  const ran = await new Svc().run(['webhooks', 'sign', '--secret', '-', '--body', '-'], { stdin: secret })
  expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('SVC_WEBHOOK_SECRET') as string })
})

it('SVC_CONTROL_TOKEN is the token of a simulator that other machines can reach', async () => {
  const env = { SVC_CONTROL_TOKEN: 'open-sesame' }
  const flags = ['--port', '0', '--data', ':memory:', '--host', '0.0.0.0', '--no-profile', '--json']
  const simulator = new Svc(env).start(['simulate', ...flags])
  const ready = JSON.parse(await simulator.line()) as { control_token: string; url: string }
  expect(ready.control_token).toBe('open-sesame')
  const own = { SVC_CONTROL_URL: `${ready.url}/_sim` }
  expect(await new Svc(own).run(['simulate', 'clock'])).toMatchObject({ code: 4 })
  expect(await new Svc({ ...own, ...env }).run(['simulate', 'clock'])).toMatchObject({ code: 0 })
  await simulator.kill('SIGTERM')
})
