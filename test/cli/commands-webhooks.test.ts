/** Webhook endpoints from the command line: made, changed, tried, and their events followed. */
import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../src/contract/deliveries.js'
import type { Event } from '../../src/contract/events.js'
import { Event as EventSchema } from '../../src/contract/events.js'
import type { WebhookEndpoint } from '../../src/contract/webhook-endpoints.js'
import { verify } from '../../src/webhooks/sign.js'
import { PlainService } from '../support/servers/plain-service.js'
import { Receiver, type Received } from '../support/deliveries/receiver.js'
import { receive } from '../support/deliveries/receivers.js'
import { Svc } from '../support/programs/svc.js'
import { isPlain } from '../support/simulate.js'
import { SvcAt } from '../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../support/programs/terminal.js'

async function withEndpoint(): Promise<{ at: SvcAt; receiver: Receiver; id: string; secret: string }> {
  const [at, receiver] = await Promise.all([SvcAt.start({ allowLocalWebhooks: true }), receive()])
  const words = ['webhooks', 'create', '--url', `${receiver.url}/hooks`, '--event', 'lead.created,call.completed']
  const { id, secret } = await at.data<WebhookEndpoint & { secret: string }>(...words)
  return { at, receiver, id, secret }
}

const checked = ({ rawBody, headers }: Received, secret: string) =>
  verify({
    body: rawBody,
    header: String(headers['service-signature']),
    secrets: [secret],
    now: Math.floor(Date.now() / 1000),
  })

describe('an endpoint', () => {
  it('is read, changed, paused and resumed, and sends what was skipped', async () => {
    const { at, receiver, id } = await withEndpoint()
    expect(await at.data('webhooks', 'get', id)).toMatchObject({
      id,
      status: 'active',
      events: ['lead.created', 'call.completed'],
    })
    const changed = await at.data(
      'webhooks',
      'update',
      id,
      '--event',
      'lead.created',
      '--url',
      `${receiver.url}/new`,
      '--every-campaign',
    )
    expect(changed).toMatchObject({ events: ['lead.created'], url: `${receiver.url}/new`, campaign_ids: null })
    expect(await at.run(['webhooks', 'update', id])).toMatchObject({ code: 2, stdout: '' })

    expect(await at.data('webhooks', 'pause', id)).toMatchObject({ status: 'paused' })
    await at.simulation.lead({})
    expect(await at.data('webhooks', 'resume', id, '--resend-skipped')).toMatchObject({ status: 'active', resent: 1 })
    await at.simulation.advance('1s')
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/new'])
  })

  it('is made for some campaigns, and for others later', async () => {
    const at = await SvcAt.start({ allowLocalWebhooks: true })
    const { campaignId: one } = at.simulation
    const { id: other } = await at.simulation.campaign()
    const words = ['--url', 'http://127.0.0.1:9', '--event', 'lead.late', '--event', 'call.completed,lead.created']
    const made = await at.data<WebhookEndpoint>('webhooks', 'create', ...words, '--campaign', one, '--campaign', other)
    expect(made).toMatchObject({
      campaign_ids: [one, other],
      events: ['lead.late', 'call.completed', 'lead.created'],
    })
    const { campaign_ids } = await at.data<WebhookEndpoint>('webhooks', 'update', made.id, '--campaign', other)
    expect(campaign_ids).toEqual([other])
    expect(await at.data('webhooks', 'list')).toEqual([expect.objectContaining({ id: made.id, campaign_ids: [other] })])
    await at.data('webhooks', 'create', ...words)
    expect(await at.data('webhooks', 'list')).toHaveLength(2)
    expect(await at.data('webhooks', 'list', '--limit', '1')).toHaveLength(1)
  })

  it('is tried with a sample; its deliveries are listed, and one is sent again', async () => {
    const { at, receiver, id, secret } = await withEndpoint()
    expect(await at.data<Delivery>('webhooks', 'test', id, '--type', 'lead.late')).toMatchObject({
      event_type: 'lead.late',
      attempts: 0,
    })
    await at.simulation.advance('1s')
    const [delivery] = await at.data<Delivery[]>('webhooks', 'deliveries', id, '--status', 'sent')
    expect(delivery).toMatchObject({ event_type: 'lead.late', response_status: 200 })
    expect(await at.data('webhooks', 'resend', id, delivery?.id ?? '')).toMatchObject({ resent_from: delivery?.id })
    await at.simulation.advance('1s')
    expect(receiver.requests.map((one) => checked(one, secret).ok)).toEqual([true, true])
    expect(await at.data('webhooks', 'resend', delivery?.id ?? '')).toMatchObject({ resent_from: delivery?.id })
    expect(await at.run(['webhooks', 'resend', id])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Missing: <delivery>') as string,
    })
    expect(await at.run(['webhooks', 'deliveries'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^Error: Missing: <endpoint>\.\n {2}svc webhooks list shows the endpoints\. For example: svc webhooks deliveries /,
      ) as string,
    })
    await at.data('webhooks', 'pause', id)
    const paused = await at.run(['webhooks', 'resend', delivery?.id ?? ''])
    expect(paused).toMatchObject({ code: 5, stdout: '' })
    expect(paused.stderr.split('\n').slice(0, 2)).toEqual([
      'Error: The webhook endpoint is paused. Resume it first.',
      `  svc webhooks resume ${id}`,
    ])
    const unknown = '0d9f4a52-6a0e-4d9b-8a57-3b1f5c2e7d10'
    expect(await at.run(['webhooks', 'resend', unknown])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`Error: There is no recent delivery ${unknown}`) as string,
    })
  })

  it('gets a new secret, which is shown once, and is deleted once that is confirmed', async () => {
    const { at, id, secret } = await withEndpoint()
    const rolled = await at.data<{ secret: string }>('webhooks', 'roll-secret', id, '--grace-hours', '0')
    expect(rolled.secret).toMatch(/^whsec_/)
    expect(rolled.secret).not.toBe(secret)
    expect(await at.text('webhooks', 'get', id)).not.toContain('whsec_')
    expect(await at.run(['webhooks', 'delete', id])).toMatchObject({ code: 2, stdout: '' })
    expect(await at.data('webhooks', 'delete', id, '--yes')).toMatchObject({ id, deleted: true })
    expect(await at.run(['webhooks', 'get', id])).toMatchObject({ code: 3 })
  })
})

describe('webhooks trigger', () => {
  const secret = 'whsec_0123456789abcdef'
  const trigger = ({ url }: { url: string }, ...flags: string[]) =>
    new Svc().run([
      'webhooks',
      'trigger',
      'call.completed',
      '--forward-to',
      `${url}/hooks`,
      '--secret',
      secret,
      ...(flags.includes('-o') ? [] : ['--json']),
      ...flags,
    ])

  it('sends a sample of the contract, with the headers and the signature of the service', async () => {
    const receiver = await receive()
    expect(await trigger(receiver)).toMatchObject({ code: 0, stderr: '' })
    const [got] = receiver.requests
    if (!got) throw new Error('nothing came')
    expect(checked(got, secret)).toMatchObject({ ok: true })
    const event = EventSchema.parse(JSON.parse(got.rawBody.toString()))
    expect(event).toMatchObject({ type: 'call.completed', sample: true, livemode: false })
    expect(got.headers).toMatchObject({
      'service-event-id': event.id,
      'service-event-type': 'call.completed',
      'service-delivery-attempt': '1',
      'user-agent': 'Service-Webhooks/1.0',
    })
  })

  it('sends the same event twice with --duplicate', async () => {
    const receiver = await receive()
    expect(await trigger(receiver, '--duplicate')).toMatchObject({ code: 0 })
    const ids = receiver.requests.map(({ headers }) => [headers['service-event-id'], headers['service-delivery-id']])
    expect(ids).toHaveLength(2)
    expect(new Set(ids.map(([event]) => event)).size).toBe(1)
    expect(new Set(ids.map(([, delivery]) => delivery)).size).toBe(2)
  })

  it.each([
    ['--corrupt-signature', 'no_match'],
    ['--stale', 'too_old'],
  ])('%s is refused by a server that checks, which is as it should be', async (flag, reason) => {
    const [careful, careless] = await Promise.all([receive(400), receive(200)])
    expect(await trigger(careful, flag)).toMatchObject({ code: 0 })
    expect(careful.requests.map((one) => checked(one, secret))).toMatchObject([{ ok: false, reason }])
    expect(await trigger(careless, flag)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('should have refused') as string,
    })
  })

  it.each([
    [[], 204, 0, 'accepted: 204'],
    [[], 400, 1, 'refused: 400. If the signature'],
    [['--corrupt-signature'], 401, 0, 'refused as it should be: 401 for a corrupt signature\n'],
    [['--stale'], 400, 0, 'refused as it should be: 400 for a stale signature\n'],
    [['--corrupt-signature'], 500, 1, 'not refused as it should be: 500 for a corrupt signature. Answer with a 4xx.'],
    [['--stale'], 302, 1, 'not refused as it should be: 302'],
    [['--corrupt-signature'], 200, 1, 'accepted, but your server should have refused it: 200 for a corrupt signature.'],
  ])('ends with a verdict: %j answered with %i', async (flags, status, code, verdict) => {
    const ran = await trigger(await receive(status), '-o', 'tsv', ...flags)
    expect(ran).toMatchObject({ code, stderr: expect.stringContaining(verdict) as string })
  })

  it('says what is probably wrong with a server that does not take it, or is not there', async () => {
    expect(await trigger(await receive(400))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('raw body') as string,
    })
    const gone = await Receiver.start()
    const { url } = gone
    await gone.close()
    expect(await trigger({ url })).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('Is your server running') as string,
    })
  })

  it('does not wait for the end of a body that has none', async () => {
    const endless = await receive((_got, response) => {
      response.writeHead(500)
      const pouring = setInterval(() => response.write('x'.repeat(1_000)), 5)
      response.once('close', () => clearInterval(pouring))
      return undefined
    })
    const { code, stdout } = await trigger(endless)
    expect(code).toBe(1)
    const [sent] = (JSON.parse(stdout) as { data: { status: number; response_body: string }[] }).data
    expect(sent).toMatchObject({ status: 500, response_body: 'x'.repeat(4_096) })
  })

  it('signs with one secret of the profile, always the same, and does not show it', async () => {
    const receiver = await receive()
    const at = await SvcAt.start()
    const login = await at.svc.run(['login', '--base-url', at.simulation.baseUrl, '--secret', '-'], {
      stdin: at.client.key.secret,
    })
    expect(login).toMatchObject({ code: 0 })
    for (let time = 0; time < 2; time++) {
      const ran = await at.svc.run(['webhooks', 'trigger', 'lead.late', '--forward-to', receiver.url])
      expect(ran).toMatchObject({ code: 0, stderr: expect.not.stringContaining('whsec_') as string })
    }
    const { stdout } = await at.svc.shell(
      `sed -n 's/.*"listen_secret": "\\(.*\\)".*/\\1/p' "$SVC_CONFIG_DIR/profiles.json"`,
    )
    expect(receiver.requests.map((one) => checked(one, stdout.trim()).ok)).toEqual([true, true])
  })
})

describe('events get and resend', () => {
  it('find an event on a later page, and sign it with the secret of listen', async () => {
    const at = await SvcAt.start()
    const receiver = await receive()
    for (let count = 0; count < 51; count++) await at.simulation.lead({}, at.client)
    const oldest = (await at.simulation.events(at.client))[0]
    if (!oldest) throw new Error('there are no events')
    const got = await at.run(['events', 'get', oldest.id, '--json'])
    expect(JSON.parse(got.stdout)).toEqual({ data: oldest })
    const ran = await at.run(['events', 'resend', oldest.id, '--forward-to', receiver.url])
    expect(ran).toMatchObject({ code: 0, stderr: 'accepted: 200\n' })
    const { stdout: secret } = await at.run(['webhooks', 'listen', '--print-secret'])
    const [request] = receiver.requests
    if (!request) throw new Error('nothing came')
    expect(checked(request, secret.trim())).toMatchObject({ ok: true })
    expect(JSON.parse(request.rawBody.toString())).toEqual(oldest)
  })

  it('say that an event is not there, with exit 3', async () => {
    const at = await SvcAt.start()
    for (const words of [['get'], ['resend', '--forward-to', '1']])
      expect(await at.run(['events', ...words, 'evt_nosuch'])).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('There is no event "evt_nosuch" in the last 30 days.') as string,
      })
  })
})

describe('events tail', () => {
  const idOf = (line: string) => (JSON.parse(line) as Event).id

  it('prints what happens from now on, oldest first, none missed and none twice', async () => {
    const at = await SvcAt.start()
    await at.simulation.lead({})
    const before = (await at.simulation.events()).length
    const tail = at.svc.start(['events', 'tail', '--json', '--interval', '0.02', '--limit', '250'], at.env)
    await new Promise((resolve) => tail.process.stderr.once('data', resolve))
    for (let n = 0; n < 130; n++) await at.simulation.lead({})
    const { code, stdout } = await tail.end()
    expect(code).toBe(0)
    const happened = (await at.simulation.events()).slice(before, before + 250)
    expect(stdout.trim().split('\n').map(idOf)).toEqual(happened.map(({ id }) => id))
  })

  it('begins at a moment, or after the last event of an earlier run, and keeps to a type', async () => {
    const at = await SvcAt.start()
    for (let n = 0; n < 4; n++) await at.simulation.lead({})
    const all = (await at.simulation.events()).filter(({ type }) => type === 'lead.created').map(({ id }) => id)
    const tail = ['events', 'tail', '--type', 'lead.created', '--columns', 'id', '--no-header', '--limit']
    expect(await at.text(...tail, '4', '--created-after', '2026-10-01T00:00:00Z')).toBe(
      all.map((id) => `${id}\n`).join(''),
    )
    expect(await at.text(...tail, '2', '--starting-after', all[1] ?? '')).toBe(`${all[2]}\n${all[3]}\n`)
    expect(await at.run([...tail, '1', '--starting-after', 'evt_none'])).toMatchObject({ code: 2, stdout: '' })
  })

  it.skipIf(isPlain)(
    'hears of an event at once from a simulator, and goes on after a gap with any deployment',
    async () => {
      const at = await SvcAt.start()
      const plain = await PlainService.before(at.simulation.url)
      const words = ['events', 'tail', '--type', 'lead.created', '--json', '--interval']
      const near = at.svc.start([...words, '1h'], at.env)
      const far = at.svc.start([...words, '0.05'], { ...at.env, SVC_BASE_URL: plain.baseUrl })
      await Promise.all([near.says(/Waiting/), far.says(/Waiting/)])
      await at.simulation.lead()
      const first = await near.line()
      expect(await far.line()).toBe(first)
      await plain.goAway()
      await far.says(/Lost: http:\S+ refused the connection\. Trying until it is back\.\n/)
      await at.simulation.lead()
      await plain.comeBack()
      await far.says(/Back\.\n/)
      expect(await far.line()).toBe(await near.line())
    },
  )

  it('begins with all there is, or after an event of another type, and ends at a moment', async () => {
    const at = await SvcAt.start()
    await at.simulation.lead()
    await at.simulation.advance('1m')
    const moment = at.simulation.now
    await at.simulation.lead()
    await at.simulation.advance('1s')
    const events = await at.simulation.events()
    const tail = async (...flags: string[]) =>
      (await at.text('events', 'tail', '--columns', 'id', '--no-header', ...flags)).trim().split('\n')
    expect(await tail('--all', '--limit', '4')).toEqual(events.slice(0, 4).map(({ id }) => id))
    const started = events.find(({ type }) => type === 'call.started')
    const second = events.filter(({ type }) => type === 'lead.created')[1]
    expect(await tail('--type', 'lead.created', '--limit', '1', '--starting-after', started?.id ?? '')).toEqual([
      second?.id,
    ])
    const before = new Date(Date.parse(moment) - 1).toISOString()
    expect(await tail('--all', '--created-before', before)).toEqual(
      events.filter(({ created }) => created <= before).map(({ id }) => id),
    )
  })

  it('ends at Ctrl-C', async () => {
    const at = await SvcAt.start()
    const tail = at.svc.start(['events', 'tail'], at.env)
    await tail.says(/Waiting/)
    const { code, stderr } = await tail.kill('SIGINT')
    expect({ code, stderr }).toEqual({ code: 130, stderr: 'Waiting for events.\nStopped after 0 events.\n' })
  })

  it('says at Ctrl-C how many it has shown, and what goes on from there', async () => {
    const at = await SvcAt.start()
    await at.simulation.lead()
    const ids = await at.text('events', 'list', '--columns', 'id', '--no-header')
    const tail = at.svc.start(['events', 'tail', '--all', '--columns=id', '--no-header'], at.env)
    for (const _id of ids.trim().split('\n')) await tail.line()
    expect(await tail.kill('SIGINT')).toMatchObject({
      code: 130,
      stderr: expect.stringMatching(
        new RegExp(
          `Go on with: svc events tail --columns=id --no-header --starting-after ${ids.slice(0, ids.indexOf('\n'))}$`,
          'm',
        ),
      ) as string,
    })
  })
})

describe.runIf(hasTerminals && !isPlain)('webhooks create at a terminal', () => {
  const open = (at: SvcAt, ...words: string[]) =>
    new TerminalSvc(at.svc, ['webhooks', 'create', ...words], {
      env: { ...at.env, CI: '', NO_COLOR: '1' },
      columns: 200,
    })

  it('asks again for an address that the service does not take, before it asks for the events', async () => {
    const at = await SvcAt.start()
    const terminal = open(at)
    await terminal.shows(/Address:/)
    terminal.type('http://example.com/hooks\r')
    await terminal.shows(
      /> The URL must begin with https:\/\/\. svc simulate --allow-local-webhooks starts a simulator that takes it\./,
    )
    terminal.type('\u0015example.com/hooks\r')
    await terminal.shows(/> The URL must be an absolute URL that begins with https:\/\/\./)
    terminal.type('\u0015https://example.com/hooks\r')
    await terminal.shows(/Events:/)
    terminal.type('\u0003')
    expect((await terminal.end()).code).toBe(130)
  })

  it('refuses such an address in --url before it asks, and takes one of this machine where the simulator does', async () => {
    const at = await SvcAt.start()
    const refused = await open(at, '--url', 'http://127.0.0.1:3000/').end()
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.screen).toContain('--url http://127.0.0.1:3000/: The URL must begin with https://.')
    const local = open(await SvcAt.start({ allowLocalWebhooks: true }), '--url', 'http://127.0.0.1:3000/')
    await local.shows(/Events:/)
    local.type('\u0003')
    await local.end()
  })
})
