/** No secret reaches a terminal, a pipe or a log: every command, on the ways on which things go wrong. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Receiver } from '../../support/deliveries/receiver.js'
import { everyCommand, exampleOf, Svc, type Ran } from '../../support/programs/svc.js'

/** In no form by which a secret could be known, and with signs that quoting and patterns trip over. */
const secret = 'canary.Q7+x/"y\'z=!$s'
const keyId = 'ck_test_canary'
const spellings = [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(`${keyId}:${secret}`).toString('base64'),
]

function expectNoSecret({ stdout, stderr }: Ran): void {
  for (const spelling of spellings) {
    expect(stdout).not.toContain(spelling)
    expect(stderr).not.toContain(spelling)
  }
  // Nor a piece of it that a pattern left over.
  expect(stdout + stderr).not.toMatch(/canary\.|Q7\+x|=!\$s/)
}

/** Commands that print text in a special form. */
const ownForm = ['autocomplete', 'help', 'webhooks sign']

/** Where JSON was asked for, one document: the result, or the error as the last that was said. */
function expectOneDocument(typed: string, { code, stdout, stderr }: Ran): void {
  if (ownForm.includes(typed)) return
  if (stdout !== '') return void JSON.parse(stdout)
  const last = stderr.trimEnd().split('\n').at(-1) ?? ''
  if (code !== 0)
    expect(JSON.parse(last)).toMatchObject({ error: { code: expect.any(String) as string }, exit_code: code })
}

/** Commands that start a world would show its keys and keep running; the proxy keeps running as well. */
const commands = everyCommand().filter(([typed]) => !['simulate', 'demo', 'proxy'].includes(typed))

const svc = new Svc()
const reached = new Set<string>()
let refusing: Receiver

beforeAll(async () => {
  // It repeats what it received, as a careless service would.
  refusing = await Receiver.start(({ path, headers }) => {
    reached.add(/^\/([a-z-]+)\//.exec(path)?.[1] ?? '')
    const message = `You sent ${headers.authorization ?? 'nothing'} and that is ${secret}.`
    const error = {
      type: 'authentication_error',
      code: 'authentication_failed',
      message,
      param: null,
      request_id: 'req_1',
      reason: 'wrong_secret',
    }
    return {
      status: 401,
      headers: { 'content-type': 'application/json', 'request-id': 'req_1' },
      body: JSON.stringify({ error }),
    }
  })
  const folder = join(svc.folder, 'config')
  mkdirSync(folder, { mode: 0o700 })
  const profile = {
    base_url: 'http://127.0.0.1:1/api/v1/external',
    key_id: keyId,
    secret,
    listen_secret: `whsec_${secret}`,
  }
  writeFileSync(join(folder, 'profiles.json'), JSON.stringify({ current: 'own', profiles: { own: profile } }), {
    mode: 0o600,
  })
})
afterAll(() => refusing.close())

describe.concurrent.each(commands)('svc %s', (typed, command) => {
  const example = exampleOf([typed, command])
  const secretFlags = Object.keys(command.flags).filter((name) => /^(secret|control-token)$/.test(name))

  it('does not show the secret of the environment when the service refuses it, however verbose', async ({ expect }) => {
    const name = typed.replaceAll(' ', '-')
    const env = { SVC_BASE_URL: `${refusing.url}/${name}`, SVC_SECRET: secret, SVC_CONTROL_TOKEN: secret }
    const ran = await svc.shell(`${example} --verbose --max-wait 0`, { env })
    expectNoSecret(ran)
    if (reached.has(name)) expect(ran).toMatchObject({ code: 4 })
  })

  it('does not show the secret of a profile, nor of a flag, when nothing answers, and fails in one document', async () => {
    const flags = secretFlags.map((flag) => `--${flag} "$CANARY"`).join(' ')
    const ran = await svc.shell(`${example} ${flags} --verbose --json --max-wait 0`, { env: { CANARY: secret } })
    expectNoSecret(ran)
    expectOneDocument(typed, ran)
  })
})

it.each([
  [['--output', secret]],
  [['--limit', secret]],
  [[secret, secret, secret]],
  [[`--secert=${secret}`]],
  [['--secret']],
])('webhooks verify does not repeat the secret of a flag when %j is wrong', async (wrong) => {
  const ran = await svc.run(['webhooks', 'verify', `--secret=${secret}`, ...wrong], { env: { SVC_SECRET: secret } })
  expectNoSecret(ran)
  expect(ran).toMatchObject({ code: 2, stdout: '' })
})

it('most commands reach the service that refuses them', () => {
  expect(reached.size).toBeGreaterThan(8)
})

it('simulate says its keys once, when it is ready, and nothing of what requests carry', async () => {
  const known = (mode: 'live' | 'test') => ({ key_id: `ck_${mode}_known`, secret: `cs_${mode}_canary0${mode}`, mode })
  const file = join(svc.folder, 'world.json')
  writeFileSync(file, JSON.stringify({ organizations: [{ name: 'Acme', keys: [known('live'), known('test')] }] }))
  const flags = ['--port', '0', '--data', ':memory:', '--verbose', '--json', '--allow-local-webhooks', '--world', file]
  const simulator = new Svc().start(['simulate', ...flags])
  const told = await simulator.line()
  const { base_url, url } = JSON.parse(told) as { base_url: string; url: string }
  const { secret: live } = known('live')
  const headers = { authorization: `Bearer ${live}`, 'content-type': 'application/json' }
  const send = async (path: string, body: object) =>
    (await request(base_url + path, { method: 'POST', headers, body: JSON.stringify(body) })).body.text()
  expect(await send('/webhook_endpoints', { url: 'https://127.0.0.1:1/', events: ['lead.created'] })).toMatch(
    /whsec_\w/,
  )
  expect(await send(`/leads/${live}`, { [live]: live })).not.toContain(live)
  expect(await (await request(`${url}/_sim/world`)).body.text()).toContain(live)
  const { stdout, stderr } = await simulator.kill('SIGTERM')
  expect(stdout).toBe(`${told}\n`)
  expect(told.match(/canary0\w+/g)).toEqual(['canary0test', 'canary0live'])
  expect(stderr).not.toMatch(/canary0|whsec_/)
})
