/** The simulator under test, with one object of each kind, in a file that shows every change. */
import { statSync } from 'node:fs'
import type { Key } from '../../src/contract/control/keys.js'
import type { Organization } from '../../src/contract/control/world.js'
import type { RecordingLink } from '../../src/contract/calls.js'
import type { Event } from '../../src/contract/events.js'
import { startSimulator } from '../../simulator/index.js'
import { contentsOf } from '../support/contents.js'
import { keyOf, Simulation } from '../support/simulate.js'
import { temporaryFile } from '../support/temporary-folder.js'

interface Id {
  id: string
}

const scripted = { answer: 'person', talk_seconds: 60, outcome: 'interested' } as const

const start = '2026-10-01T15:00:00Z'

export class Target {
  readonly failures: unknown[] = []
  /** The values of `@{name}`. */
  names: Record<string, string> = {}
  /** Secrets of all keys. No reply may contain one. */
  secrets: readonly string[] = []
  readonly #data = temporaryFile()
  simulation!: Simulation
  #contents = ''
  #written = ''

  static async open(): Promise<Target> {
    const target = new Target()
    const simulator = await startSimulator({
      now: start,
      paused: true,
      limits: false,
      allowLocalWebhooks: true,
      data: target.#data,
      onFailure: (error) => target.failures.push(error),
    })
    target.simulation = new Simulation(simulator, target.failures)
    await target.furnish()
    return target
  }

  get port(): number {
    return Number(new URL(this.simulation.url).port)
  }

  fill(text: string): string {
    return text.replaceAll(/@\{(\w+)\}/g, (_, name: string) => this.names[name] ?? name)
  }

  /** Runs due tasks, pauses the clock again, and records the contents of the world. */
  async settle(): Promise<void> {
    await this.simulation.control('DELETE', '/_sim/faults')
    await this.simulation.control('PATCH', '/_sim/clock', { paused: true, speed: 1 })
    await this.simulation.advance('0s')
    const { organizations } = await this.simulation.control<{ organizations: Organization[] }>('GET', '/_sim/world')
    this.secrets = organizations.flatMap(({ keys }) => keys.map(({ secret }) => secret))
    this.#written = this.#lastWrite()
    this.#contents = this.#read()
  }

  /** Whether the world has changed since `settle`. */
  hasChanged(): boolean {
    if (this.#lastWrite() === this.#written) return false
    this.#written = this.#lastWrite()
    return this.#read() !== this.#contents
  }

  /** Describes what changed. */
  difference(): string {
    const [now, then] = [this.#read(), this.#contents].map((text) => text.split('\n'))
    const line = now?.findIndex((one, n) => one !== then?.[n]) ?? 0
    return `${then?.[line]?.slice(0, 600)}\n  became ${now?.[line]?.slice(0, 600)}`
  }

  /** Refusals are stored under their Idempotency-Key too. They do not count as a change of the world. */
  #read(): string {
    const { idempotency: _kept, ...tables } = contentsOf(this.#data)
    return Object.entries(tables)
      .flatMap(([table, rows]) => rows.map((row) => `${table} ${JSON.stringify(row)}`))
      .join('\n')
  }

  #lastWrite(): string {
    const { size, mtimeNs } = statSync(`${this.#data}-wal`, { bigint: true })
    return `${size} ${mtimeNs}`
  }

  /** Resets the world and adds one of each kind of object. */
  async furnish(): Promise<void> {
    const { simulation: sim } = this
    await sim.control('POST', '/_sim/reset', { seed: 1, now: start })
    await sim.look()
    const { live, test } = sim
    const second = await sim.campaign({ name: 'Second' })
    const foreign = await sim.control<Organization>('POST', '/_sim/organizations', { name: 'Foreign' })
    const foreignClient = sim.as(keyOf(foreign, 'live'))
    const foreignCampaign = foreign.campaigns[0]?.id ?? ''
    const phone = '+12127364000'
    await sim.script(phone, scripted)
    const [called, foreignCalled] = [
      await sim.lead({ phone, external_id: 'crm-1' }),
      await sim.lead({ campaign_id: foreignCampaign, phone: '+12127364999' }, foreignClient),
    ]
    await sim.lead({}, test)
    const endpoint = await live.post<Id & { secret: string }>('/webhook_endpoints', {
      url: 'https://127.0.0.1:1/hook',
      events: ['lead.late'],
    })
    const delivery = await live.post<Id>(`/webhook_endpoints/${endpoint.data.id}/test`, { type: 'lead.late' })
    await sim.advance('5m')
    const lead = await sim.lead({ campaign_id: second.id })
    const dnc = await live.post<Id>('/dnc', { phone: '+12127364001' })
    await sim.control('POST', '/_sim/snapshots', { name: 'kept' })
    const callOf = async (id: string, client = live) => (await sim.readLead(id, client)).calls[0]?.id ?? ''
    const secretOf = async (words: object) => (await sim.key(words)).secret
    const { secret: liveSecret, key_id: liveKey } = live.key
    this.names = {
      lead: lead.id,
      call: await callOf(called.id),
      recording: await this.#recordingPath(await callOf(called.id)),
      dnc: dnc.data.id,
      endpoint: endpoint.data.id,
      endpointSecret: endpoint.data.secret,
      delivery: delivery.data.id,
      event: (await live.get<Event[]>('/events?limit=1')).data[0]?.id ?? '',
      campaign: sim.campaignId,
      second: second.id,
      organization: sim.organization.id,
      snapshot: 'kept',
      spare: (await sim.control<Key>('POST', '/_sim/keys', { mode: 'live' })).key_id,
      foreignLead: foreignCalled.id,
      foreignCall: await callOf(foreignCalled.id, foreignClient),
      foreignCampaign,
      liveSecret,
      liveBasic: Buffer.from(`${liveKey}:${liveSecret}`).toString('base64'),
      testSecret: test.key.secret,
      scopedSecret: await secretOf({ campaign_ids: [second.id] }),
      poorSecret: await secretOf({ permissions: [] }),
      foreignSecret: foreignClient.key.secret,
    }
    await this.settle()
  }

  /** Path and query of a signed link. */
  async #recordingPath(call: string): Promise<string> {
    const { data } = await this.simulation.live.get<RecordingLink>(`/calls/${call}/recording`)
    const { pathname, search } = new URL(data.url)
    return pathname + search
  }

  /** Sends one more request and waits for its answer, after all earlier ones. */
  async answersAgain(): Promise<void> {
    await this.simulation.control('GET', '/_sim/health')
  }

  /** Whether the simulator still answers as before. */
  async isWell(): Promise<boolean> {
    const added = await this.simulation.live.post('/leads', {
      campaign_id: this.names.second,
      phone: this.simulation.phone(),
      dry_run: true,
    })
    return added.requestId.startsWith('req_')
  }

  close(): Promise<void> {
    return this.simulation.simulator.close()
  }
}
