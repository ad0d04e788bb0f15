/** Starts a simulator over real HTTP with clients for its keys. Checks every reply against the contract. */
import { request, type Dispatcher } from 'undici'
import { expect } from 'vitest'
import { afterEachTest } from './ends.js'
import { startSimulator, type Simulator, type SimulatorOptions, type TimeControls } from '../../simulator/index.js'
import type { Call } from '../../src/contract/calls.js'
import { control } from '../../src/contract/control.js'
import type { CampaignInWorld } from '../../src/contract/control/campaigns.js'
import type { Key } from '../../src/contract/control/keys.js'
import type { ScriptedCall } from '../../src/contract/control/scripts.js'
import type { Organization } from '../../src/contract/control/world.js'
import type { Event } from '../../src/contract/events.js'
import { contract } from '../../src/contract/index.js'
import type { Lead } from '../../src/contract/leads.js'
import type { LeadAccepted } from '../../src/contract/new-leads.js'
import type { ErrorBody } from '../../src/contract/errors/error-codes.js'
import { checkExchange, type Exchange } from '../../src/conform/exchange/check.js'
import { checkReply } from './check-reply.js'
import { PlainService } from './servers/plain-service.js'

export type Headers = Record<string, string | string[] | undefined>

export interface Reply<T = unknown> {
  status: number
  headers: Headers
  requestId: string
  /** The body: parsed JSON, or the text of a plain-text reply. */
  body: unknown
  /** Content of a success. Reading it of a refusal fails the test and shows the refusal. */
  readonly data: T
  /** Paging fields of a list. */
  readonly meta: { next_cursor: string | null; has_more: boolean }
  /** The error object of a refusal. Reading it of a success fails the test. */
  readonly error: ErrorBody['error']
}

export interface Sent {
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged, instead of `body`. */
  raw?: string | Buffer
}

/** `npm run test:plain`: requests go through a server without a control plane, like a real deployment. */
export const isPlain = process.env.PLAIN === '1'

const opened: Simulation[] = []
afterEachTest(async () => {
  for (const { simulator, failures } of opened.splice(0)) {
    await simulator.close()
    expect(failures, 'what the simulator failed at by its own fault').toEqual([])
  }
})

/** A Thursday, 11:00 in New York. */
const usual = { now: '2026-10-01T15:00:00Z', paused: true, limits: false }

/** The simulator whose worlds the tests of this process share. It ends with the process. */
let host: { simulator: Promise<Simulator>; failures: unknown[] } | undefined

function startHost(): NonNullable<typeof host> {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  return { simulator: startSimulator({ ...usual, worldsMax: 100, onFailure }), failures }
}

/** Options that a world can have, so that no simulator is started for it. */
const worldOptions: readonly (keyof SimulatorOptions)[] = ['now', 'paused', 'seed', 'speed', 'world']

/**
 * Starts a simulator with a stopped clock and no rate limits by default. If the options permit, it is an isolated world
 * of a simulator that the tests share, which takes a tenth of the time.
 */
export async function simulate(options: SimulatorOptions = {}): Promise<Simulation> {
  const fits = (Object.keys(options) as (keyof SimulatorOptions)[]).every((name) => worldOptions.includes(name))
  const isWorld = fits && typeof options.world !== 'string' && !isPlain
  return isWorld ? simulateWorld(options) : simulateAlone(options)
}

async function simulateWorld({ now, paused, seed, speed, world }: SimulatorOptions): Promise<Simulation> {
  const { simulator, failures } = (host ??= startHost())
  const wanted = { now, paused, seed, speed, world: typeof world === 'string' ? undefined : world }
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
  failures.length = 0
  const simulation = new Simulation(await (await simulator).createWorld({ ...given, idleTtlSeconds: null }), failures)
  opened.push(simulation)
  await simulation.look()
  return simulation
}

/** Starts a simulator of its own. */
export async function simulateAlone(options: SimulatorOptions = {}): Promise<Simulation> {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  const simulator = await startSimulator({ ...usual, onFailure, ...options })
  const plain = isPlain ? await PlainService.before(simulator.url) : null
  const simulation = new Simulation(simulator, failures, plain?.baseUrl ?? simulator.baseUrl)
  opened.push(simulation)
  await simulation.look()
  return simulation
}

/** Sends requests with one key. */
export class Client {
  constructor(
    readonly simulation: Simulation,
    readonly key: Key,
    readonly headers: Record<string, string> = {},
  ) {}

  /** A client with the same key and these headers on every request. */
  with(headers: Record<string, string>): Client {
    return new Client(this.simulation, this.key, { ...this.headers, ...headers })
  }

  send<T = unknown>(method: Dispatcher.HttpMethod, path: string, sent: Sent = {}): Promise<Reply<T>> {
    const headers = { authorization: `Bearer ${this.key.secret}`, ...this.headers, ...sent.headers }
    return this.simulation.send<T>(method, path, { ...sent, headers }, this.key)
  }

  get<T = unknown>(path: string): Promise<Reply<T>> {
    return this.send<T>('GET', path)
  }

  post<T = unknown>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<T>> {
    return this.send<T>('POST', path, { body, headers })
  }

  patch<T = unknown>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply<T>> {
    return this.send<T>('PATCH', path, { body, headers })
  }

  del<T = unknown>(path: string, headers: Record<string, string> = {}): Promise<Reply<T>> {
    return this.send<T>('DELETE', path, { headers })
  }

  /** Every item of a list, over all its pages. */
  async all<T>(path: string, cursor = 'starting_after', limit = 100): Promise<T[]> {
    const items: T[] = []
    let next: string | null = null
    do {
      const query: string = `limit=${limit}` + (next === null ? '' : `&${cursor}=${next}`)
      const page: Reply<T[]> = await this.get<T[]>(`${path}${path.includes('?') ? '&' : '?'}${query}`)
      items.push(...page.data)
      next = page.meta.next_cursor
    } while (next !== null)
    return items
  }
}

/** A simulator, or a world of one. */
export type Started = TimeControls & Pick<Simulator, 'url' | 'baseUrl' | 'close'> & Partial<Pick<Simulator, 'resumed'>>

export class Simulation {
  /** The first organization, as last read. */
  organization!: Organization
  #numbers = 0

  constructor(
    readonly simulator: Started,
    /** Internal errors of the simulator. */
    readonly failures: readonly unknown[],
    /** Base address of the API. */
    readonly baseUrl = simulator.baseUrl,
  ) {}

  get url(): string {
    return this.simulator.url
  }

  /** Reads the organization again. */
  async look(): Promise<void> {
    const { organizations } = await this.control<{ organizations: [Organization] }>('GET', '/_sim/world')
    this.organization = organizations[0]
  }

  as(key: Key): Client {
    return new Client(this, key)
  }

  get live(): Client {
    return this.as(keyOf(this.organization, 'live'))
  }

  get test(): Client {
    return this.as(keyOf(this.organization, 'test'))
  }

  /** The id of the first campaign: running, open from 8 to 21, five lines, no consent required. */
  get campaignId(): string {
    return this.organization.campaigns[0]?.id ?? ''
  }

  get now(): string {
    return this.simulator.now()
  }

  /** A New York number that this test has not used yet. */
  phone(): string {
    return `+1646201${String(1000 + this.#numbers++)}`
  }

  /** Sends an API request without adding headers, and checks the reply against the contract. */
  async send<T>(
    method: Dispatcher.HttpMethod,
    path: string,
    { headers = {}, body, raw }: Sent,
    key?: Key,
  ): Promise<Reply<T>> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = raw ?? (body === undefined ? null : JSON.stringify(body))
    const got = await request(this.baseUrl + path, { method, headers: { ...json, ...headers }, body: sent })
    const bytes = new Uint8Array(await got.body.arrayBuffer())
    expectNoDeparture({
      method,
      path: new URL(this.baseUrl).pathname + path,
      requestHeaders: lowerCaseNames({ ...json, ...headers }),
      requestBody: Buffer.from(sent ?? ''),
      status: got.statusCode,
      responseHeaders: got.headers,
      responseBody: bytes,
    })
    const text = Buffer.from(bytes).toString()
    const isJson = String(got.headers['content-type']).startsWith('application/json')
    const reply = replyOf<T>(`${method} ${path}`, got.statusCode, got.headers, isJson ? JSON.parse(text) : text)
    checkReply(contract, method, path, reply, key?.mode)
    return reply
  }

  /** Sends an API request and returns its body. For thousands of requests: checking the replies takes most of their time. */
  async sendUnchecked(method: Dispatcher.HttpMethod, path: string, body?: object, key?: Key): Promise<unknown> {
    const headers = {
      ...(key && { authorization: `Bearer ${key.secret}` }),
      ...(body && { 'content-type': 'application/json' }),
    }
    const got = await request(this.baseUrl + path, { method, headers, body: body ? JSON.stringify(body) : null })
    return await readBody(got)
  }

  /** The reply of the control plane. A refusal fails the test. */
  async control<T>(method: Dispatcher.HttpMethod, path: string, body?: object): Promise<T> {
    return (await this.ask<T>(method, path, body)).data
  }

  /** Sends a control request and checks the reply against the contract. */
  async ask<T = unknown>(method: Dispatcher.HttpMethod, path: string, body?: object): Promise<Reply<T>> {
    const headers = body && { 'content-type': 'application/json' }
    const got = await request(this.url + path, { method, headers, body: body ? JSON.stringify(body) : null })
    const reply = replyOf<T>(`${method} ${path}`, got.statusCode, got.headers, await readBody(got))
    checkReply(control, method, path, reply)
    return reply
  }

  /** Advances time by a duration such as `4m`, or to a date-time. */
  advance(by: string): Promise<{ now: string; events: number }> {
    return this.control('POST', '/_sim/clock/advance', /^\d{4}-/.test(by) ? { to: by } : { by })
  }

  campaign(words: object = {}): Promise<CampaignInWorld> {
    return this.control('POST', '/_sim/campaigns', { name: 'Another', consent_required: false, ...words })
  }

  changeCampaign(words: object, id = this.campaignId): Promise<CampaignInWorld> {
    return this.control('PATCH', `/_sim/campaigns/${id}`, words)
  }

  key(words: object = {}): Promise<Key> {
    return this.control('POST', '/_sim/keys', { mode: 'live', ...words })
  }

  /** Sets the script of the next calls to a number. */
  script(phone: string, ...calls: ScriptedCall[]): Promise<unknown> {
    return this.control('POST', '/_sim/scripts', { phone, calls })
  }

  /** Adds a lead to the first campaign, by default with a new number. */
  async lead(words: object = {}, client = this.live): Promise<LeadAccepted & { id: string }> {
    const { data } = await client.post<LeadAccepted>('/leads', {
      campaign_id: this.campaignId,
      phone: this.phone(),
      ...words,
    })
    if (data.id === null) throw new Error('a lead that was added has no id')
    return { ...data, id: data.id }
  }

  /** Adds a lead with a call script and returns its id. */
  async scripted(phone: string, script: ScriptedCall, words: object = {}, client = this.live): Promise<string> {
    await this.script(phone, script)
    return (await this.lead({ phone, ...words }, client)).id
  }

  async readLead(id: string, client = this.live): Promise<Lead> {
    return (await client.get<Lead>(`/leads/${id}`)).data
  }

  async readCall(id: string, client = this.live): Promise<Call> {
    return (await client.get<Call>(`/calls/${id}`)).data
  }

  /** Every event, oldest first. */
  async events(client = this.live): Promise<Event[]> {
    return (await client.all<Event>('/events')).reverse()
  }
}

/** The first key of a mode. */
export function keyOf({ keys }: Organization, mode: 'live' | 'test'): Key {
  const key = keys.find((one) => one.mode === mode)
  if (!key) throw new Error(`the organization has no ${mode} key`)
  return key
}

const lowerCaseNames = (headers: Record<string, string | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Headers by which the simulator recognizes a page of another origin. It answers that outside the contract. */
const ofPages = ['origin', 'host', 'sec-fetch-site']

/** Fails the test if the reply departs from the contract. */
function expectNoDeparture(exchange: Exchange): void {
  if (exchange.status === 403 && ofPages.some((name) => name in exchange.requestHeaders)) return
  const departures = checkExchange(exchange, { isLimited: false }).filter(({ where }) => where === 'response')
  const what = `${exchange.method} ${exchange.path} answered ${exchange.status}`
  if (departures.length > 0) expect(departures, what).toEqual([])
}

/** JSON is parsed; other text is returned as it is. */
async function readBody({ headers, body }: Dispatcher.ResponseData): Promise<unknown> {
  const text = await body.text()
  return String(headers['content-type']).startsWith('application/json') ? JSON.parse(text) : text
}

function replyOf<T>(what: string, status: number, headers: Headers, body: unknown): Reply<T> {
  const words = body as { data?: T; meta?: Reply['meta']; error?: ErrorBody['error'] }
  return {
    status,
    headers,
    requestId: String(headers['request-id']),
    body,
    get data(): T {
      if (words.data === undefined) throw new Error(`${what} was answered with ${status} ${JSON.stringify(body)}`)
      return words.data
    },
    get meta() {
      if (words.meta === undefined) throw new Error(`${what} is no list: ${JSON.stringify(body)}`)
      return words.meta
    },
    get error() {
      if (words.error === undefined) throw new Error(`${what} was not refused: ${status} ${JSON.stringify(body)}`)
      return words.error
    },
  }
}
