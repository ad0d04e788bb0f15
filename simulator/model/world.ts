/**
 * All that exists at one moment: the time, what is stored, what is to come, and chance; passed to everything, global to
 * nothing. Rows are reached through an Organization in a mode and not otherwise, so that tenants and modes never meet.
 */
import type { EventType } from '../../src/contract/events.js'
import type { LeadStatus } from '../../src/contract/leads.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'
import { Random } from '../kernel/random.js'
import type { ClockRecord } from '../kernel/clock.js'
import { Ids } from '../kernel/ids.js'
import { instant, type Instant } from '../kernel/instant.js'
import { rootOfSeed, Secrets } from '../kernel/secrets.js'
import { Agenda } from './agenda.js'
import { Campaigns, type Campaign } from './campaign.js'
import { Calls, type Call, type CallStatus } from './call.js'
import { CallScripts } from './call-scripts.js'
import { Deliveries } from './delivery.js'
import { DncList } from './dnc.js'
import { Endpoints } from './endpoint.js'
import { Events } from './event.js'
import { Exports } from './export.js'
import type { CallEvent } from './call-event.js'
import { LeadLists } from './lead-lists.js'
import { Leads } from './lead.js'
import { CampaignNumbers } from './campaign-number.js'
import { DialingCounts } from './dialing-counts.js'
import { UsageCounts } from './usage.js'
import { ApiKeys, type Mode } from './api-key.js'
import type { Member } from './member.js'
import { AdminEmails } from './notification.js'
import { organizationNumberOf, Organizations, type Organization } from './organization.js'
import { RequestCounts } from './request-counts.js'
import type { Store } from '../storage/store.js'

/** The telephone network: it takes a call, and from then on the outside decides what happens. */
export interface Carrier {
  /** Puts a call on the network, one that is to end with that outcome if it is given; what happens comes as `call.beat` tasks. */
  startCall(organization: Tenant, call: Call, outcome?: Outcome): void
  /** What will be heard on a call at a beat that is to come. */
  eventAt(organization: Tenant, call: Call, beat: number): CallEvent
  /** What was said on a call up to its end, in order. */
  transcript(organization: Tenant, call: Call): TranscriptLine[]
}

export interface TranscriptLine {
  speaker: 'ai' | 'lead' | 'agent'
  text: string
  at: Instant
}

/**
 * Something that happened, for the parts that follow it once it is committed: never stored, never awaited. Every change
 * makes one, so a notice holds row numbers and no text: ids and bodies are made by those that show them.
 */
export type Notification =
  | { kind: 'event'; tenant: number; type: EventType; lead: number | null; body: () => string }
  | {
      kind: 'lead'
      tenant: number
      n: number
      from: LeadStatus
      to: LeadStatus
      at: Instant
      /** A `leads` notice counts it too. */
      counted?: true
    }
  | LeadsMoved
  | {
      kind: 'call'
      tenant: number
      n: number
      from: CallStatus | null
      to: CallStatus
      outcome: Outcome | null
      at: Instant
    }
  | { kind: 'attempt'; tenant: number; result: AttemptResult; delivery: () => object; at: Instant }
  | Replacement

/** Many waiting leads of a campaign moved together. Each has a `lead` notice too while `watched` is set. */
export interface LeadsMoved {
  kind: 'leads'
  tenant: number
  campaign: number
  from: LeadStatus
  to: LeadStatus
  count: number
}

/** What became of a delivery by one attempt. */
export type AttemptResult = 'sent' | 'failed' | 'gave_up'

/** Another world is in the place of the one that was. What it had before can be told from what happens in it by these. */
export interface Replacement {
  kind: 'world'
  /** The ids of its events after which each further one is new: of every mode, campaign and type the last. */
  newest_events: () => readonly string[]
  at: Instant
}

export class World {
  /** The moment this step happens in. Only the engine moves it. */
  now: Instant = instant(0)
  readonly agenda: Agenda
  readonly organizations: Organizations
  readonly campaigns: Campaigns
  readonly keys: ApiKeys
  readonly notifications: AdminEmails
  readonly requests: RequestCounts
  #ids: Ids
  #chance: Random
  #secrets: Secrets | null = null
  readonly #tenants = new Map<number, Tenant>()
  /** Notices of the step under way; they go out when it is committed. */
  readonly notices: Notification[] = []
  /** Counts the worlds: a reset or a restore makes a new one. What was asked of one says nothing about the next. */
  generation = 0
  /** Whether a stream follows everything: then leads that move together are noticed one by one. */
  watched = false
  /** While time is pushed: deliveries wait for their turn with the engine, and not in the store. */
  pushed = false

  constructor(
    readonly store: Store,
    readonly carrier: Carrier,
  ) {
    this.agenda = new Agenda(store)
    this.organizations = new Organizations(store)
    this.campaigns = new Campaigns(store)
    this.keys = new ApiKeys(store)
    this.notifications = new AdminEmails(store)
    this.requests = new RequestCounts(store)
    this.#ids = new Ids(this.seed)
    this.#chance = new Random(this.seed)
  }

  get ids(): Ids {
    return this.#ids
  }

  get random(): Random {
    return this.#chance
  }

  /** Secrets of keys, endpoints, links and the control plane. */
  get secrets(): Secrets {
    return (this.#secrets ??= new Secrets(this.#rootSecret()))
  }

  #rootSecret(): Buffer {
    const root = this.setting('secret')
    return root === null || this.secretsFollowSeed ? rootOfSeed(this.seed) : Buffer.from(root, 'hex')
  }

  /** Whether the secrets can be worked out from the seed. Files from before there was a root secret are of that kind. */
  get secretsFollowSeed(): boolean {
    return this.setting('secret') === null || this.setting('secrets_follow_seed') === 'yes'
  }

  get seed(): number {
    return Number(this.setting('seed') ?? 0)
  }

  /** One organization in one mode. */
  tenant(tenant: number): Tenant {
    let organization = this.#tenants.get(tenant)
    if (!organization) this.#tenants.set(tenant, (organization = new Tenant(this, tenant)))
    return organization
  }

  publish(noticed: Notification): void {
    this.notices.push(noticed)
  }

  /** Another world was put in the place of the one there was. */
  publishReplacement(): void {
    const newest_events = () =>
      this.store
        .all<{
          tenant: number
          n: number
        }>('SELECT tenant, max(n) AS n FROM events GROUP BY tenant, campaign, type ORDER BY n')
        .map(({ tenant, n }) => this.tenant(tenant).events.id(n))
    this.publish({ kind: 'world', newest_events, at: this.now })
  }

  /** How many events the world has had, those included that are kept no more. */
  get eventsSoFar(): number {
    return this.store.one<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'events'`)?.seq ?? 0
  }

  /** Does work for its answer alone: rows and notices are as they were before it. */
  rehearse<T>(work: () => T): T {
    const noticed = this.notices.length
    try {
      return this.store.rehearse(work)
    } finally {
      this.notices.length = noticed
      this.#forgetRows()
    }
  }

  /** Runs a part of a step so that it alone can fail: rows and notices are then as they were before it. */
  attempt<T>(work: () => T): T {
    const noticed = this.notices.length
    try {
      return this.store.attempt(work)
    } catch (error) {
      const before = this.notices.slice(0, noticed)
      this.refresh()
      this.notices.push(...before)
      throw error
    }
  }

  #forgetRows(): void {
    this.agenda.invalidate()
    for (const organization of this.#tenants.values()) organization.forget()
  }

  setting(name: string): string | null {
    return this.store.one<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)?.value ?? null
  }

  set(name: string, value: string): void {
    this.store.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, value)
  }

  clockRecord(): ClockRecord | null {
    const row = this.store.one<{ now: Instant; offset: number; speed: number; paused: number }>(
      'SELECT now, offset, speed, paused FROM clock WHERE n = 1',
    )
    return row ? { ...row, paused: row.paused === 1 } : null
  }

  recordClock({ now, offset, speed, paused }: ClockRecord): void {
    this.store.run(
      'INSERT OR REPLACE INTO clock (n, now, offset, speed, paused) VALUES (1, ?, ?, ?, ?)',
      now,
      offset,
      speed,
      Number(paused),
    )
  }

  /** Reads again what is kept in memory: to be called when rows may have gone back or been replaced. */
  refresh(): void {
    this.notices.length = 0
    this.#secrets = null
    this.campaigns.invalidate()
    this.organizations.invalidate()
    this.keys.invalidate()
    this.#forgetRows()
    if (this.#ids.seed !== this.seed) {
      this.#ids = new Ids(this.seed)
      this.#chance = new Random(this.seed)
      this.#tenants.clear()
    }
  }
}

/** One organization in one mode: a tenant. */
export class Tenant {
  readonly n: number
  readonly mode: Mode
  readonly live: boolean
  readonly leads: Leads
  readonly leadLists: LeadLists
  readonly calls: Calls
  readonly dnc: DncList
  readonly events: Events
  readonly endpoints: Endpoints
  readonly deliveries: Deliveries
  readonly queues: DialingCounts
  readonly numbers: CampaignNumbers
  readonly usage: UsageCounts
  readonly exports: Exports
  readonly scripts: CallScripts

  constructor(
    readonly world: World,
    readonly tenant: number,
  ) {
    this.n = organizationNumberOf(tenant)
    this.live = tenant % 2 === 0
    this.mode = this.live ? 'live' : 'test'
    const { store, ids } = world
    const idsOf = (kind: string) => ids.of(`${kind}/${tenant}`)
    this.leads = new Leads(store, tenant, idsOf('lead'))
    this.leadLists = new LeadLists(store, tenant, this.leads.groups)
    this.calls = new Calls(store, tenant, idsOf('call'))
    this.dnc = new DncList(store, tenant, idsOf('dnc'))
    this.events = new Events(store, tenant, idsOf('event'))
    this.endpoints = new Endpoints(store, tenant, idsOf('endpoint'))
    this.deliveries = new Deliveries(store, tenant, idsOf('delivery'))
    this.queues = new DialingCounts(store, tenant)
    this.numbers = new CampaignNumbers(store, tenant)
    this.usage = new UsageCounts(store, tenant)
    this.exports = new Exports(store, tenant, idsOf('export'))
    this.scripts = new CallScripts(store, tenant)
  }

  /** To be called when rows may have changed otherwise: after a rollback, a restore, or a statement over many rows. */
  forget(): void {
    this.leads.invalidate()
    this.calls.invalidate()
    this.events.invalidate()
    this.numbers.invalidate()
    this.queues.invalidate()
    this.usage.invalidate()
    this.endpoints.invalidate()
    this.scripts.invalidate()
  }

  /** What holds for both modes: name, time zone, rate, admins. */
  get record(): Organization {
    return this.world.organizations.get(this.n)
  }

  get members(): readonly Member[] {
    return this.world.organizations.listMembers(this.n)
  }

  member(n: number): Member | undefined {
    for (const member of this.members) if (member.n === n) return member
    return undefined
  }

  campaign(n: number): Campaign {
    return this.world.campaigns.get(n)
  }

  campaignById(id: string): Campaign | null {
    return this.world.campaigns.byId(this.n, id)
  }
}
