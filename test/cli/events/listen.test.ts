/** `svc webhooks listen`: what reaches a developer's server, and what is said of it. */
import { describe, expect, it } from 'vitest'
import { eventTypes } from '../../../src/contract/enums.js'
import { verify } from '../../../src/webhooks/sign.js'
import { Listening } from '../../support/listening.js'
import { PlainService } from '../../support/servers/plain-service.js'
import { Receiver, type Received, type Reply } from '../../support/deliveries/receiver.js'
import { isPlain } from '../../support/simulate.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { receive } from '../../support/deliveries/receivers.js'

const idOf = ({ headers }: Received) => String(headers['service-event-id'])
const typeOf = ({ headers }: Received) => String(headers['service-event-type'])
const attemptOf = ({ headers }: Received) => Number(headers['service-delivery-attempt'])
const isSignedWith = ({ rawBody, headers }: Received, secret: string) =>
  verify({
    body: rawBody,
    header: String(headers['service-signature']),
    secrets: [secret],
    now: Math.floor(Date.now() / 1000),
  }).ok

describe('a forwarded event', () => {
  it('comes as the service itself sends it: the same headers, the same bytes', async () => {
    const [at, own, forwarded] = await Promise.all([SvcAt.start({ allowLocalWebhooks: true }), receive(), receive()])
    await at.client.post('/webhook_endpoints', { url: `${own.url}/hooks?a=b`, events: [...eventTypes] })
    const listening = await Listening.at(at, '--forward-to', `${forwarded.url}/hooks?a=b`)
    await at.simulation.lead({ name: 'Zoë "☎" \u2028', fields: { '10': 'ten', '2': 'two', city: 'Albany' } })
    await at.simulation.advance('4m')
    const events = await at.simulation.events()
    expect(events.length).toBeGreaterThan(3)
    await forwarded.waitFor(events.length)
    for (const [n, event] of events.entries()) {
      const [one, other] = [own, forwarded].map(({ requests }) => requests.find((got) => idOf(got) === event.id))
      expect(other?.rawBody.equals(one?.rawBody ?? Buffer.of()), `bytes of ${event.type}`).toBe(true)
      expect(other).toMatchObject({ method: one?.method, path: one?.path })
      const fixed = (got?: Received) => ({
        ...got?.headers,
        host: '',
        'service-signature': '',
        'service-delivery-id': '',
      })
      expect(fixed(other)).toEqual(fixed(one))
      expect(idOf(forwarded.requests[n] as Received)).toBe(event.id)
    }
    expect(new Set(forwarded.requests.map(({ headers }) => headers['service-delivery-id'])).size).toBe(events.length)
    expect(await listening.running.kill('SIGINT')).toMatchObject({ code: 130, stderr: '' })
  })

  it.skipIf(isPlain)('comes at once from a simulator, whose stream tells of it', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const listening = await Listening.at(at, '--forward-to', receiver.url, '--interval', '1h')
    expect(listening.ready.stream).toBe(true)
    await at.simulation.lead()
    const [created] = await receiver.waitFor(1)
    await at.simulation.lead()
    await receiver.waitFor(4)
    expect(typeOf(created as Received)).toBe('lead.created')
  })

  it('comes from any other deployment by looking at its list of events, and no key goes elsewhere', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const plain = await PlainService.before(at.simulation.url)
    const env = { ...at.env, SVC_BASE_URL: plain.baseUrl }
    const listening = await Listening.start(at.svc, env, '--forward-to', receiver.url, '--interval', '50ms')
    expect(listening.ready.stream).toBe(false)
    await at.simulation.lead()
    await receiver.waitFor(2)
    await at.simulation.lead()
    await receiver.waitFor(4)
    expect(receiver.requests.map(idOf)).toEqual((await at.simulation.events()).map(({ id }) => id).slice(0, 4))
    const others = plain.asked.filter((line) => !line.startsWith('GET /api/v1/external/events?'))
    expect(others).toEqual(['GET /_sim/stream?types=event%2Cworld&mode=live'])
  })

  it('waits its turn: in order, one at a time, however long your server takes', async () => {
    const at = await SvcAt.start()
    const receiver = await receive(async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
      return {}
    })
    await Listening.at(at, '--forward-to', receiver.url)
    for (let n = 0; n < 8; n++) await at.simulation.lead()
    const events = await at.simulation.events()
    await receiver.waitFor(events.length)
    expect(receiver.requests.map(idOf)).toEqual(events.map(({ id }) => id))
    expect(receiver.mostAtOnce).toBe(1)
  })

  it('does not wait for others with --concurrency, up to so many', async () => {
    const at = await SvcAt.start()
    const held: (() => void)[] = []
    const receiver = await receive(async () => {
      await new Promise<void>((resolve) => held.push(resolve))
      return {}
    })
    const listening = await Listening.at(at, '--forward-to', receiver.url, '--concurrency', '3')
    for (let n = 0; n < 4; n++) await at.simulation.lead()
    await receiver.waitFor(3)
    receiver.answer = () => ({})
    for (const release of held) release()
    const events = await at.simulation.events()
    await receiver.waitFor(events.length)
    const told = (await listening.records(events.length)).map(({ id }) => id)
    expect(told.sort()).toEqual(events.map(({ id }) => id).sort())
    expect(receiver.mostAtOnce).toBe(3)
  })

  it('is one of those that --events names, by name or glob, with commas or again and again', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const flags = ['--events', 'lead.created,*.completed', '--events', 'call.st*']
    const listening = await Listening.at(at, '--forward-to', receiver.url, ...flags)
    expect(listening.ready.events).toEqual(['lead.created', '*.completed', 'call.st*'])
    await at.simulation.lead()
    await at.simulation.advance('4m')
    await at.simulation.lead()
    await receiver.waitFor(4)
    expect(receiver.requests.map(typeOf).slice(0, 4)).toEqual([
      ...['lead.created', 'call.started', 'call.completed', 'lead.created'],
    ])
  })

  it('goes where the first --route that fits says, else to --forward-to', async () => {
    const [at, leads, calls, others] = await Promise.all([SvcAt.start(), receive(), receive(), receive()])
    const routes = ['--route', `lead.created=${leads.url}/x=y`, '--route', `call.*=${calls.url}`]
    await Listening.at(at, ...routes, '--route', `lead.*=${calls.url}/late`, '--forward-to', others.url)
    await at.simulation.lead({}, at.client)
    await at.simulation.script(at.simulation.phone(), { answer: 'voicemail' })
    await at.simulation.advance('1h')
    await at.simulation.advance('1h')
    const events = await at.simulation.events()
    expect(events.some(({ type }) => /^(voicemail|handover|callback)/.test(type)) || events.length > 3).toBe(true)
    const all = async () => [...leads.requests, ...calls.requests, ...others.requests].length === events.length
    while (!(await all())) await new Promise((resolve) => setImmediate(resolve))
    expect(leads.requests.map((got) => [got.path, typeOf(got)])).toEqual([['/x=y', 'lead.created']])
    expect(new Set(calls.requests.map((got) => `${got.path} ${typeOf(got).replace(/\..*/, '')}`))).toEqual(
      new Set(['/late lead', '/ call']),
    )
  })

  it('goes to an address written as a port, a path on port 3000, a host or a whole URL', async () => {
    const at = await SvcAt.start()
    const routes = ['lead.late=3001', 'lead.*=:3002/a?b=c', 'call.*=/hooks', '*.booked=my.test:8080/x']
    const flags = routes.flatMap((route) => ['--route', route])
    const { ready } = await Listening.at(at, ...flags, '--forward-to', 'https://[::1]/y')
    expect(ready.forward.map(({ events, url }) => `${events} ${url}`)).toEqual([
      'lead.late http://localhost:3001/',
      'lead.* http://localhost:3002/a?b=c',
      'call.* http://localhost:3000/hooks',
      '*.booked http://my.test:8080/x',
      '* https://[::1]/y',
    ])
  })

  it('that no route takes is passed over where there is no --forward-to', async () => {
    const [at, calls] = await Promise.all([SvcAt.start(), receive()])
    const listening = await Listening.at(at, '--route', `call.*=${calls.url}`)
    await at.simulation.lead()
    expect(await listening.record()).toMatchObject({ type: 'call.started', status: 200, url: `${calls.url}/` })
  })

  it('has the headers that --header adds, beside its own', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const headers = ['--header', 'X-Tenant: blue: and, green', '--header', 'host: my.app.test']
    await Listening.at(at, '--forward-to', receiver.url, ...headers)
    await at.simulation.lead()
    const [got] = await receiver.waitFor(1)
    expect(got?.headers).toMatchObject({
      'x-tenant': 'blue: and, green',
      host: 'my.app.test',
      'user-agent': 'Service-Webhooks/1.0',
    })
  })

  it('is sent again, three times by default', async () => {
    const at = await SvcAt.start()
    const receiver = await receive(503)
    const listening = at.svc.start(['webhooks', 'listen', '--forward-to', receiver.url], at.env)
    await listening.says(/Ready/)
    await at.simulation.lead()
    await receiver.waitFor(4)
    const first = receiver.requests.slice(0, 4)
    expect(first.map(attemptOf)).toEqual([1, 2, 3, 4])
    expect(new Set(first.map(idOf)).size).toBe(1)
    expect(new Set(first.map(({ headers }) => headers['service-delivery-id'])).size).toBe(1)
  })

  it('is given up after --retry, and the next one has its turn', async () => {
    const at = await SvcAt.start()
    const receiver = await receive((got) => ({ status: typeOf(got) === 'lead.created' ? 500 : 204 }))
    const listening = await Listening.at(at, '--forward-to', receiver.url, '--retry', '1', '--max-events', '2')
    await at.simulation.lead()
    expect(await listening.records(2)).toMatchObject([
      { type: 'lead.created', status: 500, attempts: 2 },
      { type: 'lead.queued', status: 204, attempts: 1 },
    ])
    expect(await listening.record<object>()).toEqual({ type: 'stopped', delivered: 1, failed: 1, left: 0 })
    expect(await listening.running.end()).toMatchObject({ code: 1 })
  })

  it('is signed anew for each try', async () => {
    const at = await SvcAt.start()
    const receiver = await receive((got) => ({ status: attemptOf(got) < 2 ? 500 : 200 }))
    await Listening.at(at, '--forward-to', receiver.url, '--secret', 'whsec_mine_0123456789')
    await at.simulation.lead()
    for (const got of await receiver.waitFor(2)) expect(isSignedWith(got, 'whsec_mine_0123456789')).toBe(true)
  })
})

describe('the secret', () => {
  it('is printed alone by --print-secret, is always the same for a profile, and signs what is forwarded', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const { secret: key } = at.client.key
    const login = ['login', '--base-url', at.simulation.baseUrl, '--secret', '-']
    expect(await at.svc.run(login, { stdin: key })).toMatchObject({ code: 0 })
    expect(await at.svc.run([...login, '--profile', 'other'], { stdin: key })).toMatchObject({ code: 0 })
    const shown = (...flags: string[]) => at.svc.run(['webhooks', 'listen', '--print-secret', ...flags])
    const [first, second, json, other] = [
      await shown('--profile', 'default'),
      await shown('--profile', 'default'),
      await shown('--profile', 'default', '--json'),
      await shown('--profile', 'other'),
    ]
    expect(first).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^whsec_\w+\n$/) })
    expect(second.stdout).toBe(first.stdout)
    expect(JSON.parse(json.stdout)).toEqual({ data: { secret: first.stdout.trim() } })
    expect(other.stdout).not.toBe(first.stdout)

    const words = ['webhooks', 'listen', '--profile', 'default', '--forward-to', receiver.url, '--max-events', '1']
    const listening = at.svc.start(words)
    await listening.says(/signed with the secret that svc webhooks listen --profile default --print-secret shows/)
    await at.simulation.lead()
    const { code, stdout, stderr } = await listening.end()
    expect(code).toBe(0)
    expect(isSignedWith(receiver.requests[0] as Received, first.stdout.trim())).toBe(true)
    expect(stdout + stderr).not.toMatch(/whsec_/)
  })

  it('follows from the key where there is no profile, and is the one --secret gives where that is given', async () => {
    const at = await SvcAt.start()
    const shown = async (...flags: string[]) =>
      (await at.run(['webhooks', 'listen', '--print-secret', ...flags])).stdout
    expect(await shown()).toBe(await shown())
    expect(await shown()).not.toContain(at.client.key.secret.slice(8))
    expect(await shown('--secret', 'whsec_mine_0123456789')).toBe('whsec_mine_0123456789\n')
    expect(await at.svc.run(['webhooks', 'listen', '--print-secret'])).toMatchObject({ code: 4, stdout: '' })
  })

  it('is not shown where your server repeats it', async () => {
    const at = await SvcAt.start()
    const secret = 'not in any known form'
    const receiver = await receive(() => ({
      status: 500,
      body: `env: SVC_WEBHOOK_SECRET=${secret}\n\u001b[2Jat line 1`,
    }))
    const words = ['webhooks', 'listen', '--forward-to', receiver.url, '--secret', secret, '--retry', '0']
    const listening = at.svc.start([...words, '--max-events', '1'], at.env)
    await listening.says(/Ready/)
    await at.simulation.lead()
    const { stdout, stderr } = await listening.end()
    expect(stderr).toContain('Your server says: env: SVC_WEBHOOK_SECRET=**** at line 1')
    expect(stdout + stderr).not.toContain(secret)
  })
})

describe('what is said of an event', () => {
  it('is its status, its milliseconds and a hint that fits a failure', async () => {
    type Hint = [answer: () => Reply | undefined, told: object, hint: RegExp | null]
    const hints: Hint[] = [
      [() => ({ status: 400 }), { status: 400 }, /raw body/],
      [() => ({ status: 401 }), { status: 401 }, /no login/],
      [() => ({ status: 404 }), { status: 404 }, /Nothing is at this path/],
      [() => ({ status: 307, headers: { location: '/new' } }), { status: 307 }, /not followed/],
      [() => ({ status: 500 }), { status: 500 }, /log/],
      [() => undefined, { status: null, error: 'ECONNRESET' }, /hung up/],
      [() => ({ status: 202 }), { status: 202 }, null],
    ]
    let turn = 0
    const [at, receiver] = await Promise.all([
      SvcAt.start(),
      receive((_got, response) => {
        const reply = hints[turn++]?.[0]()
        if (reply === undefined) response.destroy()
        return reply
      }),
    ])
    const flags = ['--retry', '0', '--events', 'lead.created']
    const listening = await Listening.at(at, '--forward-to', `${receiver.url}/hooks`, ...flags)
    for (const [, told, hint] of hints) {
      await at.simulation.lead()
      const line = await listening.record()
      expect(line).toMatchObject({ ...told, type: 'lead.created', attempts: 1, url: `${receiver.url}/hooks` })
      expect(line.ms).toBeGreaterThanOrEqual(0)
      if (hint) expect(line.hint).toMatch(hint)
      else expect(line.hint).toBeNull()
    }
    // A redirect that was followed would have been one more.
    expect(receiver.requests).toHaveLength(hints.length)
  })

  it('says to answer first where your server takes too long', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive(() => new Promise(() => undefined))])
    const flags = ['--retry', '0', '--timeout', '200ms', '--events', 'lead.created']
    const listening = await Listening.at(at, '--forward-to', receiver.url, ...flags)
    await at.simulation.lead()
    const hint = expect.stringMatching(/Answer first/) as string
    expect(await listening.record()).toMatchObject({ status: null, error: 'TIMEOUT', attempts: 1, hint })
  })

  it('asks whether the server runs where nothing listens', async () => {
    const at = await SvcAt.start()
    const gone = await Receiver.start()
    const { url } = gone
    await gone.close()
    const listening = await Listening.at(at, '--forward-to', url, '--retry', '0')
    await at.simulation.lead()
    expect(await listening.record()).toMatchObject({
      status: null,
      error: 'ECONNREFUSED',
      hint: expect.stringContaining('Is your server running'),
    })
  })

  it('is one short line for a person, with a hint once for each cause and how to send failed events again', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive(400)])
    const words = [
      'webhooks',
      'listen',
      '--forward-to',
      receiver.url,
      '--retry',
      '1',
      '--max-events',
      '2',
      '-o',
      'table',
    ]
    const listening = at.svc.start(words, at.env)
    await listening.says(/Connecting to 127\.0\.0\.1:\d+\.\nReady: every event to http:\S+, signed .*\n/)
    await at.simulation.lead()
    const { stdout, stderr } = await listening.end()
    const rows = stdout.trimEnd().split('\n')
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatch(/^\d\d:\d\d:\d\d lead\.created {7}400 +\d+ ms {2}lead .+ {2}after 2 attempts$/)
    expect(rows.map((row) => row.indexOf('400'))).toEqual([28, 28])
    expect(stderr.match(/raw body/g)).toHaveLength(1)
    expect(stderr).toMatch(/Stopped after \d+s: 0 delivered, 2 not accepted\.\nTo send .* again:\n/)
    const [again = '', ...others] = [...stderr.matchAll(/^ {2}svc (events resend evt_\w+ --forward-to \S+)$/gm)].map(
      ([, words]) => words,
    )
    expect(others).toHaveLength(1)
    expect(await at.run(again.split(' '))).toMatchObject({ code: 1, stderr: expect.stringMatching(/^refused: 400\./) })
    expect(receiver.requests.at(-1)?.rawBody).toEqual(receiver.requests[0]?.rawBody)
  })

  it('is a row of TSV in a pipe, that begins with the names of its fields', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const listening = at.svc.start(['webhooks', 'listen', '--forward-to', receiver.url, '--max-events', '2'], at.env)
    await listening.says(/Ready/)
    await at.simulation.lead()
    const { stdout } = await listening.end()
    const [names, ...rows] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(names).toEqual(['created', 'type', 'id', 'status', 'ms', 'attempts', 'url', 'error', 'delivery_id', 'hint'])
    expect(rows.map(([, type, , status]) => [type, status])).toEqual([
      ['lead.created', '200'],
      ['lead.queued', '200'],
    ])
  })

  it('does not wait for a body that never ends, nor for one that drips', async () => {
    const at = await SvcAt.start()
    const receiver = await receive((got, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(typeOf(got) === 'lead.created' ? '.' : 'x'.repeat(65_536)), 10)
      response.once('close', () => clearInterval(drip))
      return undefined
    })
    const listening = await Listening.at(at, '--forward-to', receiver.url, '--timeout', '1h')
    await at.simulation.lead()
    expect(await listening.records(3)).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }])
  })
})

it('without --forward-to events are printed, and sent nowhere', async () => {
  const at = await SvcAt.start()
  const listening = await Listening.at(at, '--events', 'lead.*', '--max-events', '2')
  expect(listening.ready).toMatchObject({ type: 'ready', forward: [], events: ['lead.*'] })
  await at.simulation.lead()
  const printed = [await listening.record<object>(), await listening.record<object>()]
  expect(printed).toEqual((await at.simulation.events()).slice(0, 2))
  expect(await listening.running.end()).toMatchObject({ code: 0 })
})
