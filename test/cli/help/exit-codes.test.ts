/** What the built program ends with, and how it says why: against the simulator, and against servers that behave badly. */
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { simulate, type Simulation } from '../../support/simulate.js'
import { json, refuse, stubServer } from '../../support/servers/stub-server.js'
import { Svc, type Ran } from '../../support/programs/svc.js'

const svc = new Svc()
const nobody = '0d9f4a52-6a0e-4d9b-8a57-3b1f5c2e7d10'
const unreachable = { SVC_BASE_URL: 'http://127.0.0.1:1', SVC_SECRET: 'cs_test_none' }

const testKey = ({ baseUrl, test }: Simulation) => ({
  SVC_BASE_URL: baseUrl,
  SVC_KEY_ID: test.key.key_id,
  SVC_SECRET: test.key.secret,
})
const liveKey = ({ baseUrl, live }: Simulation) => ({ SVC_BASE_URL: baseUrl, SVC_SECRET: live.key.secret })

interface Document {
  error: { code: string; message: string; request_id?: string; hint?: string; [field: string]: unknown }
  exit_code: number
}

/** The one JSON document on stderr. */
const documentOf = ({ stderr }: Ran): Document => JSON.parse(stderr) as Document

/** Runs it for a person and for a program: both end alike. */
async function both(args: readonly string[], env: Record<string, string>): Promise<{ text: Ran; document: Document }> {
  const [text, json] = await Promise.all([svc.run(args, { env }), svc.run([...args, '--json'], { env })])
  const document = documentOf(json)
  expect({ code: json.code, said: document.exit_code }).toEqual({ code: text.code, said: text.code })
  expect(text.stderr).toMatch(/^Error: \S/)
  expect(text.stderr).not.toMatch(/^ {4}at /m)
  return { text, document }
}

it('0: done', async () => {
  const ran = await svc.run(['leads', 'list'], { env: testKey(await simulate()) })
  expect(ran).toMatchObject({ code: 0, stderr: 'No leads.\n' })
})

describe('refusals of the service', () => {
  it('3: not found, with the request id', async () => {
    const { text, document } = await both(['leads', 'get', nobody], testKey(await simulate()))
    expect(text).toMatchObject({ code: 3, stdout: '' })
    expect(text.stderr).toMatch(/^ {2}code: not_found {2}status: 404 {2}request: req_\w+$/m)
    expect(document.error).toMatchObject({
      type: 'invalid_request_error',
      code: 'not_found',
      request_id: expect.stringMatching(/^req_/) as string,
    })
  })

  it('4: a wrong key', async () => {
    const { baseUrl } = await simulate()
    const { text } = await both(['leads', 'list'], { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_wrong' })
    expect(text).toMatchObject({ code: 4, stdout: '' })
    expect(text.stderr).toMatch(/code: authentication_failed {2}status: 401 {2}reason: \w+/)
  })

  it('4: no key at all', async () => {
    const { text, document } = await both(['leads', 'list'], { SVC_BASE_URL: unreachable.SVC_BASE_URL })
    expect(text).toMatchObject({ code: 4, stdout: '' })
    expect(text.stderr).toMatch(/svc simulate|SVC_SECRET/)
    expect(document.error.code).toBe('no_key')
  })

  it('4: a key without the permission, which is named', async () => {
    const simulation = await simulate()
    const { secret } = await simulation.key({ permissions: ['leads:read'] })
    const { text } = await both(['dnc', 'add', '+12125557812'], {
      SVC_BASE_URL: simulation.baseUrl,
      SVC_SECRET: secret,
    })
    expect(text.code).toBe(4)
    expect(text.stderr).toContain('missing permission: dnc:write')
  })

  it('5: a number on the DNC list, a lead that is there already, a number that is none', async () => {
    const simulation = await simulate()
    const env = liveKey(simulation)
    const phone = simulation.phone()
    const add = (number: string) => ['leads', 'add', '--campaign', simulation.campaignId, '--phone', number]
    expect((await both(add('12'), env)).text).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('param: phone') as string,
    })
    expect(await svc.run(['dnc', 'add', phone], { env })).toMatchObject({ code: 0 })
    expect((await both(add(phone), env)).document.error.code).toBe('on_dnc_list')
    const { id } = await simulation.lead({ phone: '+16462019999', external_id: 'crm-42' })
    const again = await both([...add('+16462019998'), '--external-id', 'crm-42'], env)
    expect(again.text).toMatchObject({ code: 5, stdout: '' })
    expect(again.document.error).toMatchObject({ code: 'duplicate_lead', lead_id: id })
    expect(again.text.stderr).toContain(`svc leads get ${id} shows the lead that is there.`)
    expect(again.text.stderr).toContain(`lead: ${id}`)
  })

  it('5: a limit of the plan, though it is a 403', async () => {
    const { baseUrl } = await stubServer((_asked, response) => refuse(response, 403, 'limit_reached'))
    const { text } = await both(['webhooks', 'create', '--url', 'https://example.com', '--event', 'lead.late'], {
      ...unreachable,
      SVC_BASE_URL: baseUrl,
    })
    expect(text.code).toBe(5)
  })

  it('7: too many requests, once patience is over', async () => {
    const { baseUrl, asked } = await stubServer((_asked, response) =>
      refuse(response, 429, 'rate_limited', { 'retry-after': '30' }),
    )
    const { text } = await both(['leads', 'list', '--max-wait', '5s'], { ...unreachable, SVC_BASE_URL: baseUrl })
    expect(text.code).toBe(7)
    expect(text.stderr).toContain('Try again in 30 s, or wait longer with --max-wait.')
    expect(asked).toHaveLength(2)
  })

  it('waits a rate limit out and says so, then goes on', async () => {
    const { baseUrl, asked } = await stubServer((_asked, response, turn) => {
      if (turn === 0) refuse(response, 429, 'rate_limited', { 'retry-after': '1' })
      else json(response, 200, { data: [], meta: { next_cursor: null, has_more: false } })
    })
    const ran = await svc.run(['leads', 'list', '--no-header'], { env: { ...unreachable, SVC_BASE_URL: baseUrl } })
    expect(ran).toMatchObject({ code: 0, stdout: '', stderr: 'Waiting 1 s (rate_limited).\nNo leads.\n' })
    expect(asked).toHaveLength(2)
  })
})

describe('what to do next', () => {
  it('has nothing in it that a terminal obeys, though the service says part of it', async () => {
    const orders = '\u001b[2J\u0007'
    const error = { code: 'permission_denied', message: `no${orders}`, missing_permission: `leads:read${orders}` }
    const denying = await stubServer((_asked, response) => json(response, 403, { error }))
    const listing = await stubServer((_asked, response) =>
      json(response, 200, { data: [], meta: { next_cursor: `next${orders}`, has_more: true } }),
    )
    const said = async ({ baseUrl }: { baseUrl: string }) =>
      (await svc.run(['leads', 'list'], { env: { ...unreachable, SVC_BASE_URL: baseUrl } })).stderr
    expect(await said(denying)).toContain('for a key with the permission leads:read.\n')
    expect(await said(listing)).toContain('--starting-after next\n')
  })
})

describe('services that fail', () => {
  const to = async (answer: (response: ServerResponse) => void, command = ['leads', 'list']) => {
    const { baseUrl } = await stubServer((_asked, response) => answer(response))
    return await both([...command, '--max-wait', '0'], { ...unreachable, SVC_BASE_URL: baseUrl })
  }

  it('1: the service itself failed', async () => {
    const { text, document } = await to((response) => refuse(response, 500, 'internal_error'))
    expect(text.code).toBe(1)
    expect(document.error.code).toBe('internal_error')
  })

  it.each([
    ['a page', 200, 'text/html', '<html>Sign in</html>'],
    ['a page that refuses', 401, 'text/html', '<html>Sign in</html>'],
    ['JSON of another kind', 200, 'application/json', '{"ok":true}'],
    ['half a document', 200, 'application/json', '{"data":[{"id":'],
    ['nothing', 200, 'application/json', ''],
    ['plain words', 200, 'text/plain', 'OK'],
    ['an object where a list was asked for', 200, 'application/json', '{"data":{"id":"1"}}'],
    ['a list of no objects', 200, 'application/json', '{"data":[null]}'],
  ])('1: what answers is not the API but %s', async (_what, status, type, body) => {
    const { text } = await to((response) =>
      response.writeHead(status, { 'content-type': type, 'request-id': 'req_7' }).end(body),
    )
    expect(text.code).toBe(1)
    expect(text.stderr).toMatch(
      /^Error: http:\/\/127\.0\.0\.1:\d+ answered \d+ with .*, which is not an answer of this API\.\n(.*\n)? {2}request: req_7\n$/,
    )
  })

  it.each(['null', '{}', '[]', '"12"'])('1: a number is not told to be free by an answer of %s', async (data) => {
    const { text } = await to(
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(`{"data":${data}}`),
      ['dnc', 'check', '+12125557812'],
    )
    expect(text).toMatchObject({ code: 1, stdout: '' })
    expect(text.stderr).toContain('which is not an answer of this API.')
  })

  it('1: an answer that lacks what a command works with', async () => {
    const { baseUrl } = await stubServer((_asked, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"object":"usage"}}'),
    )
    const ran = await svc.run(['usage', '--chart'], { env: { ...unreachable, SVC_BASE_URL: baseUrl } })
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toMatch(/^Error: svc cannot read the answer \(.*\)\.\n {2}Is this the address/)
  })

  it('8: a server that accepts the connection and stays silent is not said to be down', async () => {
    const { baseUrl } = await stubServer(() => undefined)
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a', SVC_TIMEOUT: '200ms' }
    const { code, stderr } = await new Svc().run(['leads', 'list'], { env })
    expect(code).toBe(8)
    expect(stderr).toContain('did not finish its answer within 0.2 s')
    expect(stderr).toContain('It may be busy or stopped')
    expect(stderr).not.toContain('Is it running?')
  })

  it('8: nobody answers, or the connection breaks in the middle', async () => {
    const { text } = await both(['leads', 'list', '--max-wait', '0'], unreachable)
    expect(text).toMatchObject({ code: 8, stdout: '' })
    expect(text.stderr).toMatch(/^Error: http:\/\/127\.0\.0\.1:1 refused the connection\.\n/)
    expect((await to((response) => response.destroy())).text.code).toBe(8)
    const half = await to((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '99' })
      response.write('{"data":', () => response.destroy())
    })
    expect(half.text.code).toBe(8)
  })
})

describe('2: usage', () => {
  const env = unreachable

  it('names everything that is missing in one error where nobody can be asked', async () => {
    const { text, document } = await both(['leads', 'add', '--name', 'Ada'], env)
    expect(text).toMatchObject({ code: 2, stdout: '' })
    expect(text.stderr).toContain('Missing: --campaign, --phone.\n  All of them are required. svc leads add --help ')
    expect(document.error.code).toBe('usage')
  })

  it.each([
    ['arguments that are missing, all of them', ['simulate', 'script'], 'Missing: <phone>, <call>.'],
    ['one of them that is missing', ['simulate', 'script', '+12125557812'], 'Missing: <call>.'],
    ['whose script is to be forgotten', ['simulate', 'script', '--clear'], 'Missing: <phone>.'],
    [
      'two formats of a transcript',
      ['calls', 'transcript', nobody, '--format', 'text', '--columns', 'text'],
      '--format text',
    ],
    ['a format that is none', ['leads', 'list', '--output', 'yaml'], 'table, json, ndjson, csv, tsv'],
    ['a number that is none', ['leads', 'list', '--limit', 'many'], '--limit'],
    ['a limit of none', ['calls', 'list', '--limit', '0'], 'Use a whole number of at least 1.'],
    ['a body on a GET', ['api', 'GET', '/leads', '-f', 'limit=1'], '--query'],
    ['a status that is none', ['leads', 'list', '--status', 'busy'], 'out_of_queue'],
    [
      'an event that is none',
      ['webhooks', 'create', '--url', 'https://example.com', '--event', 'call.complete'],
      'Did you mean call.completed?',
    ],
    ['a length of time that is none', ['leads', 'list', '--max-wait', 'soon'], '90s'],
    [
      'a pair that is none',
      ['leads', 'add', '--campaign', nobody, '--phone', '+12125557812', '--field', 'city'],
      '--field',
    ],
    ['a word too many', ['leads', 'get', nobody, 'and-another'], 'and-another'],
    ['a flag without its value', ['leads', 'get', '--external-id'], '--external-id'],
    ['an id that no path can hold', ['calls', 'get', '..'], '".." is not a valid id'],
    ['a profile that is none', ['leads', 'list', '--profile', 'nobody'], 'There is no profile "nobody"'],
    ['an address that is none', ['leads', 'list', '--base-url', 'example'], 'flag --base-url'],
    ['a key in the clear', ['leads', 'list', '--base-url', 'http://example.com'], 'plain http:'],
    [
      'an idempotency key no header can carry',
      ['dnc', 'add', '+12125557812', '--idempotency-key', 'a\nb'],
      'Idempotency-Key',
    ],
    [
      'a file that is not there',
      ['webhooks', 'verify', '--secret', 'whsec_a_0123456789', '--signature', 't=1,v1=a', '--body', 'nowhere.json'],
      'nowhere.json',
    ],
  ])('%s', async (_what, args, part) => {
    const { text, document } = await both(args, env)
    expect(text).toMatchObject({ code: 2, stdout: '' })
    expect(text.stderr).toContain(part)
    expect(['usage', 'settings']).toContain(document.error.code)
  })

  it('a profile file that cannot be understood is named, and left as it is', async () => {
    const broken = new Svc()
    await broken.shell(`mkdir -p -m 700 "$SVC_CONFIG_DIR" && echo '{"profiles": 3' > "$SVC_CONFIG_DIR/profiles.json"`)
    for (const args of [
      ['leads', 'list'],
      ['profiles', 'list'],
    ]) {
      const ran = await broken.run(args)
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toMatch(/profiles\.json is not a profile file/)
    }
    expect((await broken.shell(`cat "$SVC_CONFIG_DIR/profiles.json"`)).stdout).toBe('{"profiles": 3\n')
  })
})

describe('codes with a meaning of their own', () => {
  it('dnc check is 0 whatever the answer, and tells more with --exit-status', async () => {
    const simulation = await simulate()
    const env = liveKey(simulation)
    await svc.run(['dnc', 'add', '+12125557812'], { env })
    const codes = async (phone: string) => [
      (await svc.run(['dnc', 'check', phone], { env })).code,
      (await svc.run(['dnc', 'check', phone, '--exit-status'], { env })).code,
    ]
    expect(await codes('(212) 555-7812')).toEqual([0, 5])
    expect(await codes('+12125557813')).toEqual([0, 0])
    expect(await codes('12')).toEqual([0, 1])
  })

  it('webhooks verify is 0 for a valid signature and 1 for any other', async () => {
    const secret = 'whsec_abcdefghijklmnopqrstuvwxyz'
    const body = '{"type":"call.completed"}\n'
    const signed = await svc.run(['webhooks', 'sign', '--secret', secret, '--body', '-'], { stdin: body })
    expect(signed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}\n$/) as string })
    const verify = ['webhooks', 'verify', '--secret', secret, '--signature', signed.stdout.trim(), '--body', '-']
    expect(await svc.run(verify, { stdin: body })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^valid/) as string,
    })
    const changed = await svc.run(verify, { stdin: body.trim() })
    expect(changed).toMatchObject({ code: 1, stdout: expect.stringMatching(/^not valid/) as string })
    expect((await svc.run([...verify, '--json'], { stdin: 'x' })).stdout).toContain('"valid": false')
  })

  it('9: leads watch gives up at its --timeout', async () => {
    const simulation = await simulate()
    const { id } = await simulation.lead({}, simulation.test)
    const { text } = await both(['leads', 'watch', id, '--timeout', '1s'], testKey(simulation))
    expect(text.code).toBe(9)
  })
})
