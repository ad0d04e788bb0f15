/** The whole simulator for tests, with a standing clock, spoken to over real HTTP; it is closed after the test. */
import { request, type Dispatcher } from 'undici'
import { afterEach } from 'vitest'
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/index.js'
import type { Key } from '../../src/contract/control/keys.js'
import type { Organization } from '../../src/contract/control/world.js'

export interface Reply<T> {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Of a success. */
  data: T
  /** Of a refusal. */
  error: {
    code: string
    param: string | null
    reason?: string
    campaign_id?: string | null
    missing_permission?: string
  }
}

const opened: Simulator[] = []
afterEach(async () => {
  for (const simulator of opened.splice(0)) await simulator.close()
})

export class Service {
  /** What the clock shows first unless told otherwise: a Thursday, 11 in the morning in New York. */
  static async start(options: SimulatorOptions = {}): Promise<Service> {
    const simulator = await startSimulator({ now: '2026-10-01T15:00:00Z', paused: true, limits: false, ...options })
    opened.push(simulator)
    return new Service(simulator, await firstOrganization(simulator))
  }

  private constructor(
    readonly simulator: Simulator,
    /** The first one, as it was when it was last looked at. */
    public organization: Organization,
  ) {}

  /** Reads the organization again. */
  async look(): Promise<void> {
    this.organization = await firstOrganization(this.simulator)
  }

  key(mode: 'live' | 'test' = 'live'): Key {
    const key = this.organization.keys.find((one) => one.mode === mode)
    if (!key) throw new Error(`the organization has no ${mode} key`)
    return key
  }

  /** The id of the first campaign. */
  get campaign(): string {
    return this.organization.campaigns[0]?.id ?? ''
  }

  /** An API request with the live key unless another is given. */
  api<T>(method: Dispatcher.HttpMethod, path: string, { key = this.key(), body }: { key?: Key; body?: object } = {}) {
    return send<T>(method, this.simulator.baseUrl + path, { authorization: `Bearer ${key.secret}` }, body)
  }

  control<T>(method: Dispatcher.HttpMethod, path: string, body?: object): Promise<Reply<T>> {
    return send<T>(method, this.simulator.url + path, {}, body)
  }

  async newKey(words: object): Promise<Key> {
    return (await this.control<Key>('POST', '/_sim/keys', { mode: 'live', ...words })).data
  }

  /** Adds a lead whose calls go as scripted, and answers its id. */
  async lead(phone: string, script: object | null, words: object = {}, key = this.key()): Promise<string> {
    if (script) await this.control('POST', '/_sim/scripts', { phone, mode: key.mode, calls: [script] })
    const reply = await this.api<{ id: string }>('POST', '/leads', {
      key,
      body: { campaign_id: this.campaign, phone, ...words },
    })
    return reply.data.id
  }

  /** The id of the latest call of a lead. */
  async callOf(lead: string, key = this.key()): Promise<string> {
    const { data } = await this.api<{ calls: { id: string }[] }>('GET', `/leads/${lead}`, { key })
    const id = data.calls[0]?.id
    if (id === undefined) throw new Error('the lead has no call')
    return id
  }
}

async function firstOrganization({ url }: Simulator): Promise<Organization> {
  const { data } = await send<{ organizations: [Organization] }>('GET', `${url}/_sim/world`, {})
  return data.organizations[0]
}

/** A file behind a link, asked for without a key. */
export async function download(url: string) {
  const { statusCode, headers, body } = await request(url)
  const bytes = Buffer.from(await body.arrayBuffer())
  return { status: statusCode, headers, bytes, text: bytes.toString('utf8') }
}

async function send<T>(
  method: Dispatcher.HttpMethod,
  url: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Reply<T>> {
  const json = body && { 'content-type': 'application/json' }
  const reply = await request(url, {
    method,
    headers: { ...headers, ...json },
    body: body ? JSON.stringify(body) : null,
  })
  const { data, error } = (await reply.body.json()) as { data: T; error: Reply<T>['error'] }
  return { status: reply.statusCode, headers: reply.headers, data, error }
}
