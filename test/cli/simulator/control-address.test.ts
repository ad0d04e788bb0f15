/** Where commands of the control plane send their requests and the control token, and how long they wait for an answer. */
import { describe, expect, it } from 'vitest'
import { checkTokenAddress, controlAddress } from '../../../src/cli/simulator/control-address.js'
import { json, stubServer, type Stub } from '../../support/servers/stub-server.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { entry, Svc } from '../../support/programs/svc.js'

const token = 'open-sesame'
const clock = { data: { now: '2026-10-01T15:00:00.000Z', speed: 1, paused: true } }

/** A service that answers as a simulator does, and remembers what it was asked. */
const simulatorLike = (): Promise<Stub> => stubServer((_asked, response) => json(response, 200, clock))

const controlUrl = ({ baseUrl }: Stub): string => `${new URL(baseUrl).origin}/_sim`

describe('SVC_CONTROL_URL', () => {
  it('is where svc simulate --exec runs its control plane, and where svc simulate ... asks', async () => {
    const svc = new Svc()
    const words = ['clock', 'advance', 'world'].map((name) => (name === 'advance' ? [name, '1h'] : [name]))
    const lines = words.map(
      (one) =>
        `console.log(spawnSync(process.execPath, ${JSON.stringify([entry, 'simulate', ...one, '--json'])}).stdout.toString())`,
    )
    // The base address may be that of a proxy that shows only the API.
    const source = `import { spawnSync } from 'node:child_process'
      process.env.SVC_BASE_URL = 'http://127.0.0.1:9/api'
      ${lines.join('\n')}`
    const flags = ['--now', '2026-10-01T15:00:00Z', '--paused']
    const ran = await svc.run([
      ...['simulate', ...flags, '--exec', '--', process.execPath, '--input-type=module', '-e', source],
    ])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout.match(/"now": "[^"]*"/g)).toEqual([
      '"now": "2026-10-01T15:00:00.000Z"',
      '"now": "2026-10-01T16:00:00.000Z"',
    ])
    expect(ran.stdout).toContain('"organizations"')
  })

  it('wins over SVC_BASE_URL and gives way to --base-url', async () => {
    const [control, base] = [await simulatorLike(), await simulatorLike()]
    const svc = new Svc({ SVC_BASE_URL: base.baseUrl, SVC_CONTROL_URL: controlUrl(control) })
    expect(await svc.run(['simulate', 'clock'])).toMatchObject({ code: 0 })
    expect([control.asked.length, base.asked.length]).toEqual([1, 0])
    expect(await svc.run(['simulate', 'clock', '--base-url', base.baseUrl])).toMatchObject({ code: 0 })
    expect([control.asked.length, base.asked.length]).toEqual([1, 1])
  })

  it('is also the address of a key that svc simulate key saves', async () => {
    const at = await SvcAt.start()
    const env = { SVC_BASE_URL: 'http://127.0.0.1:9', SVC_CONTROL_URL: `${at.simulation.url}/_sim` }
    expect(await at.svc.run(['simulate', 'key', '--save-as', 'made'], { env })).toMatchObject({ code: 0 })
    const { stdout } = await at.svc.run(['whoami', '--profile', 'made', '--json'])
    expect(stdout).toContain(at.simulation.baseUrl)
  })

  it.each(['127.0.0.1:4010', 'ftp://127.0.0.1/_sim', 'http://127.0.0.1/api', 'http://a:b@127.0.0.1/_sim'])(
    'is refused as %s',
    async (text) => {
      const ran = await new Svc({ SVC_CONTROL_URL: text }).run(['simulate', 'clock'])
      expect(ran).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^Error: SVC_CONTROL_URL is not/) as string,
      })
    },
  )
})

describe('the control token', () => {
  it.each(['http://example.com', 'http://10.0.0.1:4010', 'http://[::2]:4010'])(
    'never goes over plain http: to %s',
    (value) => {
      expect(() => checkTokenAddress({ value, source: 'flag --base-url' }, undefined)).toThrow('plain http:')
    },
  )

  it.each([
    ['flag --base-url', undefined, true],
    ['environment SVC_BASE_URL', undefined, true],
    ['environment SVC_CONTROL_URL', 'profile in use', true],
    ['profile work', 'flag --profile', true],
    ['profile work', 'environment SVC_PROFILE', false],
    ['profile work', 'profile in use', false],
  ])('goes to an https: address of %s, with the profile of %s: %s', (source, chosenBy, goes) => {
    const profile = chosenBy === undefined ? undefined : { value: 'work', source: chosenBy }
    const check = () => checkTokenAddress({ value: 'https://sim.example', source }, profile)
    if (goes) expect(check).not.toThrow()
    else expect(check).toThrow('It is not sent there.')
    expect(() => checkTokenAddress({ value: 'http://127.0.0.1:4010', source }, profile)).not.toThrow()
  })

  it('is not sent to the service of the profile in use', async () => {
    const svc = new Svc()
    const add = ['profiles', 'add', 'work', '--use', '--base-url', 'https://work.invalid', '--secret', '-']
    expect(await svc.run(add, { stdin: 'cs_live_a' })).toMatchObject({ code: 0 })
    for (const [words, env] of [
      [['--control-token', token], {}],
      [[], { SVC_CONTROL_TOKEN: token }],
    ] as const)
      expect(await svc.run(['simulate', 'clock', ...words], { env })).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/was not given for https:\/\/work\.invalid \(profile work\)/) as string,
      })
  })

  it('is not sent to a service that is no simulator', async () => {
    const other = await stubServer((_asked, response) => json(response, 401, { message: 'control token, please' }))
    const ran = await new Svc().run(['simulate', 'clock', '--base-url', other.baseUrl, '--control-token', token])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(other.asked.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })

  it('is taken from SVC_CONTROL_TOKEN', async () => {
    const asks = await stubServer(({ headers, path }, response) =>
      headers.authorization === `Bearer ${token}`
        ? json(response, 200, clock)
        : json(response, 401, {
            error: { code: 'authentication_failed', message: `${path}: the control token is missing` },
          }),
    )
    const env = { SVC_CONTROL_URL: controlUrl(asks), SVC_CONTROL_TOKEN: token }
    expect(await new Svc().run(['simulate', 'clock'], { env })).toMatchObject({ code: 0 })
  })

  it('wins over SVC_BASE_URL only while it is set', () => {
    const baseUrl = { value: 'https://api.example/x', source: 'environment SVC_BASE_URL' }
    expect(controlAddress({ baseUrl }, { SVC_CONTROL_URL: '' })).toEqual({ ...baseUrl, value: 'https://api.example' })
  })
})

describe('a service that takes a connection and answers nothing', () => {
  it.each([
    ['simulate', 'clock'],
    ['simulate', 'world', '-o', 'table'],
    ['simulate', 'advance', '1h'],
    ['simulate', 'stream'],
    ['simulate', 'snapshot', 'save', 'a'],
  ])('ends svc %s %s after SVC_TIMEOUT', async (...words) => {
    const silent = await stubServer(() => undefined)
    const ran = await new Svc({ SVC_BASE_URL: silent.baseUrl, SVC_TIMEOUT: '200ms' }).run(words)
    expect(ran).toMatchObject({ code: 8, stdout: '' })
  })
})

describe('an answer of another shape', () => {
  it.each([
    ['world', {}],
    ['world', { organizations: [{ id: 'a', name: 'Acme', campaigns: 3 }] }],
    ['agenda', {}],
    ['agenda', { now: 'soon', appointments: {}, waiting: [] }],
    ['clock', { now: 7 }],
    ['requests', [{ id: 1 }]],
    ['health', { status: 'ok' }],
  ])('makes svc simulate %s say that there is no simulator: %j', async (name, data) => {
    const odd = await stubServer(({ path }, response) =>
      json(response, 200, path === '/_sim/clock' && name !== 'clock' ? clock : { data }),
    )
    for (const format of ['table', 'json', 'tsv']) {
      const ran = await new Svc({ SVC_BASE_URL: odd.baseUrl }).run(['simulate', name, '-o', format])
      expect(ran).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/is not a simulator\./) as string,
      })
    }
  })
})

describe('simulate metrics', () => {
  it('prints the text that Prometheus reads, and with --json a document of the same values', async () => {
    const at = await SvcAt.start()
    await at.simulation.lead()
    const text = await at.text('simulate', 'metrics')
    expect(text).toMatch(/^# HELP svc_requests_total [^]*\nsvc_leads\{status="dialing"\} 1\n/)
    const samples = await at.data<{ name: string; type: string; labels: object; value: number }[]>(
      'simulate',
      'metrics',
    )
    expect(samples).toContainEqual({ name: 'svc_leads', type: 'gauge', labels: { status: 'dialing' }, value: 1 })
    expect(samples).toContainEqual({
      ...{ name: 'svc_requests_total', type: 'counter', value: 1 },
      labels: { route: 'POST /leads', status: '201' },
    })
    expect(samples).toContainEqual({
      ...{ name: 'svc_request_duration_seconds_bucket', type: 'histogram', value: 1 },
      labels: { le: '+Inf' },
    })
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(samples).toHaveLength(lines.length)
    const rows = await at.text('simulate', 'metrics', '-o', 'tsv', '--columns', 'name,value', '--no-header')
    expect(rows).toContain('svc_lines_busy\t1\n')
    expect(await at.run(['simulate', 'metrics', '--json', '--columns', 'nothing'])).toMatchObject({ code: 2 })
    expect(await at.run(['simulate', 'metrics', '-o', 'csv', '--columns', 'nothing'])).toMatchObject({ code: 2 })
  })
})
