/** A simulator started like by hand, without limits per minute, and the requests of the benchmarks. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild, type Child } from './child.js'
import { memoryOf, type Memory } from './memory.js'

/** The built program. */
export const svc = fileURLToPath(new URL('../bin/run.js', import.meta.url))

interface Organization {
  id: string
  campaigns: { id: string }[]
  keys: { mode: string; secret: string }[]
}

/** What a benchmark needs of an organization: its live key and its campaign. */
export interface Account {
  id: string
  secret: string
  campaign: string
}

const accountOf = ({ id, campaigns, keys }: Organization): Account => ({
  id,
  secret: keys.find(({ mode }) => mode === 'live')!.secret,
  campaign: campaigns[0]!.id,
})

export class Service {
  private constructor(
    readonly url: string,
    readonly child: Child,
    readonly profiles: string,
  ) {}

  /**
   * `paused` stops the clock in the night before a day of October 2026, `kept` where it is in the file; `live` follows
   * the system clock.
   */
  static async start(
    data: string,
    how: 'paused' | 'kept' | 'live' = 'paused',
    { limits = false, worlds }: { limits?: boolean; worlds?: number } = {},
  ): Promise<Service> {
    const words = ['simulate', '--json', '--port', '0', '--data', data, '--allow-local-webhooks']
    if (!limits) words.push('--no-limits')
    if (worlds !== undefined) words.push('--worlds-max', String(worlds))
    if (how !== 'live') words.push('--paused')
    if (how === 'paused') words.push('--now', '2026-10-01T08:00:00Z')
    const profiles = mkdtempSync(join(tmpdir(), 'bench-profiles-'))
    const child = await startChild([svc, ...words], { SVC_CONFIG_DIR: profiles })
    return new Service((JSON.parse(child.firstLine) as { url: string }).url, child, profiles)
  }

  get baseUrl(): string {
    return `${this.url}/api/v1/external`
  }

  async control<T>(method: string, path: string, body?: object): Promise<T> {
    return this.#ask<T>(method, `${this.url}/_sim${path}`, {}, body)
  }

  async api<T>(secret: string, method: string, path: string, body?: object): Promise<T> {
    return this.#ask<T>(method, this.baseUrl + path, { authorization: `Bearer ${secret}` }, body)
  }

  async #ask<T>(method: string, url: string, headers: Record<string, string>, body?: object): Promise<T> {
    const sent = body && { body: JSON.stringify(body) }
    const json = body && { 'content-type': 'application/json' }
    const reply = await fetch(url, { method, headers: { ...headers, ...json }, ...sent })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status} ${text.slice(0, 300)}`)
    return (JSON.parse(text) as { data: T }).data
  }

  /** The first organization. */
  async account(): Promise<Account> {
    const { organizations } = await this.control<{ organizations: Organization[] }>('GET', '/world')
    return accountOf(organizations[0]!)
  }

  /** Adds an organization whose campaign is paused and needs no consent: its leads are added but not called. */
  async newAccount(name: string): Promise<Account> {
    const account = accountOf(await this.control<Organization>('POST', '/organizations', { name }))
    await this.control('PATCH', `/campaigns/${account.campaign}`, { status: 'paused', consent_required: false })
    return account
  }

  /** Loads leads in four time zones into a campaign. */
  async load(campaign_id: string, count: number): Promise<void> {
    const most = 2_000
    for (let from = 0; from < count; from += most) {
      const leads = Array.from({ length: Math.min(most, count - from) }, (_, i) => leadNumber(from + i))
      await this.control('POST', '/leads', { campaign_id, mode: 'live', leads })
    }
  }

  /** Average length of the last hundred events, in characters. */
  async lengthOfEvents(secret: string): Promise<number> {
    const events = await this.api<object[]>(secret, 'GET', '/events?limit=100')
    return Math.round(JSON.stringify(events).length / Math.max(1, events.length))
  }

  memory(): Memory {
    return memoryOf(this.child.pid) ?? { now: NaN, most: NaN }
  }

  /** Without a signal it is killed. With SIGTERM it closes its file, so that the file can be copied. */
  async stop(signal?: 'SIGTERM'): Promise<void> {
    await this.child.stop(signal)
    rmSync(this.profiles, { recursive: true, force: true })
  }
}

const areaCodes = ['212', '312', '213', '415', '617', '206', '303', '404']

/** A lead of typical size with a unique number. */
export function leadNumber(n: number): { phone: string } & Record<string, unknown> {
  return {
    phone: `+1${areaCodes[n % areaCodes.length]}${2_200_000 + Math.floor(n / areaCodes.length)}`,
    external_id: `crm-${n}`,
    name: 'Jordan Example',
    email: `jordan.${n}@example.com`,
    fields: { city: 'Albany', interest: 'roof' },
    consent: { source: 'web_form', agreed_at: '2026-09-30T12:00:00Z', url: 'https://example.com/form' },
  }
}
