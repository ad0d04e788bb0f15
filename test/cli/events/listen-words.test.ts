/** `svc webhooks listen`: invalid input, reported before any request is sent, and exit codes. */
import { describe, expect, it } from 'vitest'
import { receive } from '../../support/deliveries/receivers.js'
import { stubServer, json, refuse } from '../../support/servers/stub-server.js'
import { Svc } from '../../support/programs/svc.js'
import { SvcAt } from '../../support/programs/svc-at.js'

const svc = new Svc()

const wrong: [words: string[], message: RegExp, hint: RegExp][] = [
  [['--events', 'call.compleeted'], /There is no event call\.compleeted\./, /Did you mean call\.completed\?/],
  [['--events', 'lead.created,cal.*'], /There is no event cal\.\*\./, /Did you mean call\.\*\?/],
  [['--events', 'zzz'], /There is no event zzz\./, /The events are: lead\.created, /],
  [['--route', 'led.*=3001'], /There is no event led\.\*\./, /Did you mean lead\.\*\?/],
  [['--route', 'http://localhost:3001'], /--route http:\S+ is not a valid route\./, /call\.\*=http/],
  [['--route', 'call.*=ftp://localhost'], /--route ftp:\S+ is not an address\./, /reads like 3000/],
  [['--forward-to', '99999'], /--forward-to 99999 is not an address\./, /reads like 3000/],
  [
    ['--forward-to', 'http://ada:canary@localhost'],
    /--forward-to holds a user name or a password\./,
    /no such address/,
  ],
  [['--forward-to', '1', '--header', 'canary'], /The value of --header is not a header\./, /Name: value/],
  [
    ['--forward-to', '1', '--header', 'service-signature: t=1'],
    /--header cannot set service-signature\./,
    /sets this header itself/,
  ],
  [
    ['--forward-to', '1', '--header', 'Content-Length: 1'],
    /--header cannot set Content-Length\./,
    /sets this header itself/,
  ],
  [
    ['--forward-to', '1', '--header', 'X: canary\ny'],
    /The X header contains a character that headers cannot carry\./,
    /--help/,
  ],
  [['--timeout', 'soon'], /--timeout soon is not a duration\./, /90s/],
  [['--interval', 'often'], /--interval often is not a duration\./, /90s/],
  [['--since', 'sometime'], /--since sometime is not a date-time, a date or a duration\./, /2026-10-01T09:30:00Z/],
  [['--retry', '-1'], /--retry "-1": too small/, /at least 0/],
  [['--concurrency', '0'], /--concurrency "0": too small/, /at least 1/],
  [['--max-events', '0'], /--limit "0": too small/, /at least 1/],
  [['--secret', '', '--forward-to', '1'], /--secret is empty\./, /of the profile/],
  [['3000'], /does not take the argument 3000\./, /Is it --forward-to 3000\?/],
  [['--exec', 'node'], /does not take the argument node\./, /--exec -- node/],
  [['--exec', '--forward-to', '1'], /--exec says no program\./, /--exec -- node server\.js/],
  [['--forward-to', '1', '--', 'node'], /The command after -- runs only with --exec\./, /--exec -- node server\.js/],
  [['--exec', '--', 'node'], /nothing says where it is\./, /--forward-to/],
]

describe.concurrent('svc webhooks listen', () => {
  it.each(wrong)('%j is refused, and what would be right is said', async (words, message, hint) => {
    const { code, stdout, stderr } = await svc.run(['webhooks', 'listen', '--json', ...words], {
      env: { SVC_BASE_URL: 'http://127.0.0.1:9/api/v1/external', SVC_SECRET: 'cs_test_a' },
    })
    const { error, exit_code } = JSON.parse(stderr) as { error: { message: string; hint: string }; exit_code: number }
    expect({ code, stdout, exit_code }).toEqual({ code: 2, stdout: '', exit_code: 2 })
    expect(error.message).toMatch(message)
    expect(error.hint).toMatch(hint)
    expect(stderr).not.toContain('canary')
  })
})

describe('where the service cannot be followed', () => {
  const listen = ['webhooks', 'listen', '--forward-to', '1']

  it('no key at all is exit 4, with ways to get one', async () => {
    expect(await svc.run(listen)).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('svc login') })
  })

  it('a key without webhooks:read is exit 4, and the permission is named', async () => {
    const at = await SvcAt.start()
    const { secret } = await at.simulation.key({ permissions: ['leads:read', 'calls:read'] })
    const env = { SVC_BASE_URL: at.simulation.baseUrl, SVC_SECRET: secret }
    const ran = await svc.run(listen, { env })
    expect(ran).toMatchObject({ code: 4, stdout: '' })
    expect(ran.stderr).toMatch(/code: permission_denied .*missing permission: webhooks:read/)
    const told = await svc.run([...listen, '--json'], { env })
    expect(JSON.parse(told.stderr)).toMatchObject({ error: { missing_permission: 'webhooks:read' }, exit_code: 4 })
  })

  it('an address where nothing answers is exit 8', async () => {
    const env = { SVC_BASE_URL: 'http://127.0.0.1:9/api/v1/external', SVC_SECRET: 'cs_test_a' }
    expect(await svc.run(listen, { env })).toMatchObject({
      code: 8,
      stdout: '',
      stderr: expect.stringMatching(/^Connecting to 127\.0\.0\.1:9\.\nError: http:\S+ refused the connection\./),
    })
  })

  it('a key that is revoked while it listens ends it with 4', async () => {
    const { baseUrl } = await stubServer(({ path }, response, turn) => {
      if (!path.startsWith('/events')) json(response, 404, {})
      else if (turn > 3) refuse(response, 401, 'authentication_failed')
      else json(response, 200, { data: [], meta: { next_cursor: null, has_more: false } })
    })
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' }
    const ran = await svc.run([...listen, '--interval', '10ms'], { env })
    expect(ran).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('authentication_failed') })
  })

  it('with --limit, an event that was not accepted is exit 1, and else 0', async () => {
    const at = await SvcAt.start()
    await at.simulation.lead()
    const receiver = await receive()
    const words = ['webhooks', 'listen', '--since', '1d', '--retry', '0', '--limit', '2', '--forward-to']
    expect(await at.run([...words, '1'])).toMatchObject({ code: 1 })
    expect(await at.run([...words, receiver.url])).toMatchObject({ code: 0 })
  })

  it('with --json and a field, only that field of each event is printed', async () => {
    const at = await SvcAt.start()
    await at.simulation.lead()
    const words = ['webhooks', 'listen', '--since', '1d', '--limit', '2', '--json', 'id']
    const { stdout, stderr } = await at.run(words)
    const ids = (await at.simulation.events()).slice(0, 2).map(({ id }) => JSON.stringify({ id }))
    expect(stdout).toBe(`${ids.join('\n')}\n`)
    expect(stderr).toMatch(/^Connecting [^]*\nReady: [^]*\nStopped after /)
  })
})
