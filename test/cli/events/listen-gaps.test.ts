/** `svc webhooks listen` over interruptions: no event is missed and none arrives twice. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Event } from '../../../src/contract/events.js'
import { Listening } from '../../support/listening.js'
import { PlainService } from '../../support/servers/plain-service.js'
import type { Received } from '../../support/deliveries/receiver.js'
import { receive } from '../../support/deliveries/receivers.js'
import { json, refuse, stubServer, type Answering } from '../../support/servers/stub-server.js'
import { Svc, type RunningSvc } from '../../support/programs/svc.js'
import { isPlain } from '../../support/simulate.js'
import { SvcAt } from '../../support/programs/svc-at.js'

const idOf = ({ headers }: Received) => String(headers['service-event-id'])
const ids = (events: readonly { id: string }[]) => events.map(({ id }) => id)

const eventNumber = (n: number): Event => {
  const created = new Date(Date.UTC(2026, 9, 1) + n * 1000).toISOString()
  return { id: `evt_${n}`, type: 'lead.created', created, livemode: false } as unknown as Event
}

/** A service with a number of events in its list, newest first; `asked` gets the cursors. */
function listOf(count: number, asked: (string | null)[] = []): Answering {
  const all = Array.from({ length: count }, (_, n) => eventNumber(count - n))
  return ({ path }, response) => {
    if (!path.startsWith('/events')) return json(response, 404, {})
    const query = new URL(path, 'http://x').searchParams
    const cursor = query.get('starting_after')
    if (query.get('limit') !== '1') asked.push(cursor)
    const from = cursor === null ? 0 : all.findIndex(({ id }) => id === cursor) + 1
    const data = all.slice(from, from + Number(query.get('limit')))
    const has_more = from + data.length < count
    json(response, 200, { data, meta: { next_cursor: has_more ? (data.at(-1)?.id ?? null) : null, has_more } })
  }
}

describe('catching up', () => {
  it('begins with the oldest, over as many pages as it takes', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const plain = await PlainService.before(at.simulation.url)
    const env = { ...at.env, SVC_BASE_URL: plain.baseUrl }
    const first = await Listening.start(at.svc, env, '--forward-to', receiver.url)
    expect(await first.running.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    for (let batch = 0; batch < 3; batch++) {
      const leads = Array.from({ length: 40 }, () => ({ phone: at.simulation.phone() }))
      await at.client.post('/leads/batch', { campaign_id: at.simulation.campaignId, leads })
    }
    const events = await at.simulation.events()
    expect(events.length).toBeGreaterThan(220)
    await Listening.start(at.svc, env, '--forward-to', receiver.url)
    await receiver.waitFor(events.length)
    expect(receiver.requests.map(idOf)).toEqual(ids(events))
  })

  it('keeps a part of what is waiting in memory, and reads the rest when its turn comes', async () => {
    const asked: (string | null)[] = []
    const { baseUrl } = await stubServer(listOf(2_600, asked))
    const svc = new Svc()
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' }
    const words = ['webhooks', 'listen', '--since', '2026-10-01T00:00:00Z', '--max-events', '2600']
    const { code, stdout } = await svc.run([...words, '--columns', 'id', '--no-header'], { env })
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toEqual(Array.from({ length: 2_600 }, (_, n) => `evt_${n + 1}`))
    expect(asked.length).toBeGreaterThan(new Set(asked).size)
  })
})

describe('when the service goes away', () => {
  it('that is said, it is waited for, and then it goes on after the last event', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const plain = await PlainService.before(at.simulation.url)
    const env = { ...at.env, SVC_BASE_URL: plain.baseUrl }
    const person = at.svc.start(['webhooks', 'listen', '--interval', '50ms'], env)
    await person.says(/Ready/)
    const listening = await Listening.start(at.svc, env, '--forward-to', receiver.url, '--interval', '50ms')
    await at.simulation.lead()
    const told = await listening.records(3)
    await plain.goAway()
    expect(await listening.record<object>()).toMatchObject({
      type: 'lost',
      message: expect.stringContaining('refused'),
    })
    await person.says(/Lost: http:\S+ refused the connection\. Trying until it is back\.\n/)
    await at.simulation.lead()
    await plain.comeBack()
    expect(await listening.record<object>()).toMatchObject({ type: 'back', lost_ms: expect.any(Number) })
    await person.says(/Back after \d+s\.\n/)
    const events = await at.simulation.events()
    told.push(...(await listening.records(events.length - 3)))
    expect(ids(told)).toEqual(ids(events))
    expect(receiver.requests.map(idOf)).toEqual(ids(events))
  })

  it.each([
    ['fails', (response: Parameters<Answering>[1]) => refuse(response, 503, 'service_unavailable'), ['lost', 'back']],
    ['is replaced by a page', (response: Parameters<Answering>[1]) => void response.end('<h1>'), ['lost', 'back']],
    [
      'asks to wait',
      (response: Parameters<Answering>[1]) => refuse(response, 429, 'rate_limited', { 'retry-after': '1' }),
      [],
    ],
  ])('or %s for a while, it goes on', async (_what, trouble, states) => {
    const list = listOf(3)
    let looks = 0
    const { baseUrl } = await stubServer((asked, response, turn) => {
      if (asked.path.startsWith('/events')) looks++
      if (looks > 1 && looks < 6) trouble(response)
      else list(asked, response, turn)
    })
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' }
    const flags = ['--since', '2026-10-01T00:00:00Z', '--interval', '10ms', '--max-events', '3']
    const listening = await Listening.start(new Svc(), env, ...flags)
    const types: string[] = []
    while (!types.includes('stopped')) types.push((await listening.record()).type)
    expect(types).toEqual([...states, 'lead.created', 'lead.created', 'lead.created', 'stopped'])
  })

  it('and has been reset before the next run, that run begins with the first event', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const words = ['webhooks', 'listen', '--forward-to', receiver.url, '--interval', '50ms', '--limit', '1']
    const first = at.svc.start(words, at.env)
    await first.says(/Ready/)
    await at.simulation.lead()
    expect(await first.end()).toMatchObject({ code: 0 })
    await at.simulation.control('POST', '/_sim/reset', {})
    await at.simulation.look()
    const second = at.svc.start(words, at.env)
    await second.says(/evt_\w+ is no longer in the list: every event in it is sent\./)
    await second.says(/Continues with the first event\./)
    await at.simulation.lead()
    expect(await second.end()).toMatchObject({ code: 0 })
    expect(idOf((await receiver.waitFor(2))[1] as Received)).toBe(ids(await at.simulation.events())[0])
  })

  it('and comes back as another world, all that is there comes', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const plain = await PlainService.before(at.simulation.url)
    const env = { ...at.env, SVC_BASE_URL: plain.baseUrl }
    const listening = at.svc.start(['webhooks', 'listen', '--forward-to', receiver.url, '--interval', '50ms'], env)
    await listening.says(/Ready/)
    for (let n = 0; n < 3; n++) await at.simulation.lead()
    await receiver.waitFor(9)
    await plain.goAway()
    // The same seed: the same ids, of other events.
    await at.simulation.control('POST', '/_sim/reset', { now: '2026-11-03T16:00:00Z' })
    await at.simulation.look()
    await at.simulation.lead()
    await plain.comeBack()
    await listening.says(/evt_\w+ is no longer in the list: every event in it is sent\./)
    await receiver.waitFor(12)
    expect(receiver.requests.slice(9).map(idOf)).toEqual(ids(await at.simulation.events()))
  })
})

describe('when the simulator gets another world', () => {
  it.skipIf(isPlain)(
    'what happens in it comes, though its ids came before, and nothing of what a snapshot held comes again',
    async () => {
      const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
      const other = await at.simulation.campaign({ lines: 0 })
      await at.simulation.lead({ campaign_id: other.id })
      await at.simulation.control('POST', '/_sim/snapshots', { name: 'before' })
      await Listening.at(at, '--forward-to', receiver.url)
      const tail = at.svc.start(['events', 'tail', '--json'], at.env)
      await tail.says(/Waiting/)
      /** Adds a lead; its events come to both. */
      const add = async (name: string) => {
        const before = receiver.requests.length
        await at.simulation.lead({ name })
        const came = (await receiver.waitFor(before + 3)).slice(before)
        for (const got of came) expect((JSON.parse(await tail.line()) as Event).id).toBe(idOf(got))
        expect(came[0]?.rawBody.toString()).toContain(name)
        expect(ids(await at.simulation.events()).slice(-3)).toEqual(came.map(idOf))
        return came.map(idOf)
      }
      const first = await add('Ada')
      await at.simulation.control('POST', '/_sim/snapshots/before/restore')
      expect(await add('Eve')).toEqual(first)
      await at.simulation.control('POST', '/_sim/reset')
      await at.simulation.look()
      const began = await add('Zoë')
      await at.simulation.control('POST', '/_sim/reset')
      await at.simulation.look()
      expect(await add('Ida')).toEqual(began)
      expect(receiver.requests).toHaveLength(12)
    },
  )
})

describe('when a simulator with new keys takes the place of the other', () => {
  /** Starts a simulator at the port, with new keys. */
  const simulator = async (svc: Svc, port: string, ...more: string[]) => {
    const words = ['simulate', '--port', port, '--data', ':memory:', '--paused', '--json', ...more]
    const running = svc.start(words)
    return { running, ready: JSON.parse(await running.line()) as { url: string; campaign_id: string } }
  }

  it('the listener reads the profile again and listens to the new one from now on', async () => {
    const [svc, receiver] = [new Svc(), await receive()]
    const first = await simulator(svc, '0')
    const words = ['webhooks', 'listen', '--forward-to', receiver.url, '--limit', '3', '--profile', 'simulator']
    const listening = svc.start(words)
    await listening.says(/Ready/)
    await first.running.kill('SIGKILL')
    await listening.says(/Lost: /)
    const second = await simulator(svc, new URL(first.ready.url).port)
    await listening.says(/A new simulator runs at 127\.0\.0\.1:\d+\. Listening to it from now on\.\n/)
    const add = ['leads', 'add', '--campaign', second.ready.campaign_id, '--phone', '+15550100001']
    expect(await svc.run([...add, '--profile', 'simulator'])).toMatchObject({ code: 0 })
    await receiver.waitFor(2)
    await listening.kill('SIGINT')
    await second.running.kill('SIGTERM')
  })

  it('messages mask the new key, of any form, and the old one from then on too', async () => {
    const secrets = ['first-secret-of-the-profile', 'other-secret-of-the-profile']
    // The type of each event repeats the key of the request, as no service should.
    let current = 0
    const { baseUrl } = await stubServer(({ path, headers }, response) => {
      if (!path.startsWith('/events')) return json(response, 404, {})
      const [, given = ''] = (headers.authorization ?? '').split(' ')
      const key = given.includes(secrets[current] ?? '') ? given : Buffer.from(given, 'base64').toString()
      if (!key.includes(secrets[current] ?? '')) return refuse(response, 401, 'authentication_failed')
      const data = Array.from({ length: current + 1 }, (_, n) => ({
        ...eventNumber(n + 1),
        type: `lead.${secrets[n]}`,
      }))
      json(response, 200, { data: data.reverse(), meta: { next_cursor: null, has_more: false } })
    })
    const svc = new Svc()
    const folder = join(svc.folder, 'config')
    mkdirSync(folder, { mode: 0o700 })
    const save = (secret = '') => {
      const profiles = { own: { base_url: baseUrl, key_id: 'key', secret } }
      writeFileSync(join(folder, 'profiles.json'), JSON.stringify({ current: 'own', profiles }))
    }
    save(secrets[0])
    const receiver = await receive()
    const words = ['webhooks', 'listen', '--profile', 'own', '--forward-to', receiver.url, '--interval', '20ms']
    const listening = svc.start([...words, '--limit', '2', '--verbose', '--since', '2026-09-01T00:00:00Z'])
    await receiver.waitFor(1)
    save(secrets[1])
    current = 1
    const { code, stderr } = await listening.end()
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('was replaced') as string })
    for (const secret of secrets) expect(stderr).not.toContain(secret)
  })

  it('and saves none, the listener ends and says how keys are saved', async () => {
    const svc = new Svc()
    const first = await simulator(svc, '0')
    const listening = svc.start(['webhooks', 'listen', '--profile', 'simulator'])
    await listening.says(/Ready/)
    await first.running.kill('SIGKILL')
    const second = await simulator(svc, new URL(first.ready.url).port, '--no-profile')
    const { code, stderr } = await listening.end()
    expect(code).toBe(4)
    expect(stderr).toContain('svc simulate saves its new keys there when it starts without --no-profile.')
    expect(stderr).not.toContain('svc login')
    await second.running.kill('SIGTERM')
  })
})

/** The simulator and a listener as separate processes that can be cut off at any time. */
class Cuttable {
  readonly svc = new Svc()
  readonly #words: string[]
  simulator!: RunningSvc
  listener: Listening | undefined
  #url = ''
  #secret = ''
  #campaign = ''
  #added = 0

  private constructor(words: string[]) {
    this.#words = words
  }

  /** `isPlain`: the listener sees the API alone, as of any deployment. */
  static async start(isPlain: boolean, ...words: string[]): Promise<Cuttable> {
    const cuttable = new Cuttable(words)
    await cuttable.startSimulator()
    if (!isPlain) return cuttable
    const { baseUrl } = await PlainService.before(cuttable.#url)
    cuttable.#words.push('--base-url', baseUrl, '--interval', '50ms')
    return cuttable
  }

  async startSimulator(): Promise<void> {
    const port = this.#url === '' ? '0' : new URL(this.#url).port
    const flags = ['--port', port, '--paused', '--no-limits', '--now', '2026-10-01T15:00:00Z', '--json']
    this.simulator = this.svc.start(['simulate', ...flags])
    const ready = JSON.parse(await this.simulator.line()) as { url: string; live: { secret: string } }
    this.#url = ready.url
    this.#secret = ready.live.secret
    this.#campaign ||= (await this.ask<{ id: string }[]>('GET', '/campaigns?limit=1'))[0]?.id ?? ''
  }

  async startListener(): Promise<void> {
    this.listener = await Listening.start(this.svc, {}, '--profile', 'simulator-live', ...this.#words)
  }

  async ask<T>(method: string, path: string, body?: object): Promise<T> {
    const reply = await fetch(`${this.#url}/api/v1/external${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#secret}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return ((await reply.json()) as { data: T }).data
  }

  /** Whether the lead is there is for the list of events to tell: the simulator may be cut off in the middle. */
  async addLead(): Promise<void> {
    const phone = `+1646201${1000 + this.#added++}`
    await this.ask('POST', '/leads', { campaign_id: this.#campaign, phone }).catch(() => undefined)
  }

  /** Every event, oldest first. */
  async events(): Promise<Event[]> {
    const all: Event[] = []
    for (let cursor = ''; ;) {
      const page = await this.ask<Event[]>('GET', `/events?limit=100${cursor}`)
      all.push(...page)
      if (page.length < 100) return all.reverse()
      cursor = `&starting_after=${page.at(-1)?.id ?? ''}`
    }
  }
}

const cut = fc.constantFrom('simulator killed', 'listener stopped', 'listener killed')
const cuts = fc.array(fc.tuple(cut, fc.integer({ min: 0, max: 60 })), { minLength: 6, maxLength: 6 })

describe('cut off again and again, wherever it is', () => {
  it('every event arrives, in order, and once; what was on its way when the listener was killed may come again', async () => {
    await fc.assert(
      fc.asyncProperty(cuts, fc.boolean(), async (steps, isPlain) => {
        const receiver = await receive()
        const cuttable = await Cuttable.start(isPlain, '--forward-to', receiver.url)
        await cuttable.startListener()
        let isAdding = true
        const adding = (async () => {
          for (; isAdding; await setTimeout(Math.random() * 40)) await cuttable.addLead()
        })()
        for (const [what, afterMs] of steps) {
          await setTimeout(afterMs)
          if (what === 'simulator killed') {
            await cuttable.simulator.kill('SIGKILL')
            await cuttable.startSimulator()
          } else {
            const ended = await cuttable.listener?.running.kill(what === 'listener killed' ? 'SIGKILL' : 'SIGINT')
            if (what === 'listener stopped') expect(ended).toMatchObject({ code: 130 })
            await cuttable.startListener()
          }
        }
        isAdding = false
        await adding
        const events = ids(await cuttable.events())
        while (!receiver.requests.some((got) => idOf(got) === events.at(-1)))
          await new Promise((resolve) => setImmediate(resolve))

        const arrived = receiver.requests.map(idOf)
        expect(arrived.filter((id, at) => id !== arrived[at - 1])).toEqual(events)
        const kills = steps.filter(([what]) => what === 'listener killed').length
        expect(arrived.length - events.length).toBeLessThanOrEqual(kills)
        await cuttable.svc.close()
      }),
      { numRuns: 1, endOnFailure: true },
    )
  }, 60_000)
})
