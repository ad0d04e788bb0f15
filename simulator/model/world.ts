/**
 * The whole simulated state: time, store, agenda, random numbers and secrets. It is passed to all code; there are no
 * globals.
 * Rows are reached only through a Tenant, so organizations and modes never mix (rules K2 and K6).
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
import { Calls, type Call, type CallStatus, type CallEvent } from './call.js'
import { CallScripts } from './call-scripts.js'
import { Deliveries } from './webhooks/delivery.js'
import { DncList } from './dnc.js'
import { Endpoints } from './webhooks/endpoint.js'
import { Events } from './webhooks/event.js'
import { Exports } from './export.js'
import { LeadLists } from './lead-lists.js'
import { Leads } from './lead.js'
import { CampaignNumbers } from './campaign-number.js'
import { DialingCounts } from './queue/dialing-counts.js'
import { UsageCounts } from './usage.js'
import { ApiKeys, type Mode } from './api-key.js'
import { AdminEmails } from './webhooks/notification.js'
import { organizationNumberOf, Organizations, type Organization, type Member } from './organization.js'
import { RequestCounts } from './request-counts.js'
import type { Store } from '../storage/store.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

/** The telephone network. It takes over a call and decides what happens on it. */
export interface Carrier {
  /** Starts a call. With `outcome`, the call ends that way. Later steps arrive as `call.beat` tasks. */
  startCall(tenant: Tenant, call: Call, outcome?: Outcome): void
  /** What happens on a call at a future step. */
  eventAt(tenant: Tenant, call: Call, beat: number): CallEvent
  /** Plays a step that is due: schedules the next one and returns what happens. */
  playStep(tenant: Tenant, call: Call, beat: number): CallEvent
  /** What was said on an ended call, in order. */
  transcript(tenant: Tenant, call: Call): TranscriptLine[]
}

export interface TranscriptLine {
  speaker: 'ai' | 'lead' | 'agent'
  text: string
  at: Instant
}

/**
 * A change, published to observers after its commit. It is never stored and observers are never awaited.
 * It holds row numbers only, because every change makes one. Observers build ids and bodies when they need them.
 */
export type Notification =
  | { kind: 'event'; tenant: number; n: number; type: EventType; lead: number | null }
  | {
      kind: 'lead'
      tenant: number
      n: number
      from: LeadStatus
      to: LeadStatus
      at: Instant
      /** Set when a `leads` notice counts this lead too. */
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

/** Many waiting leads of a campaign moved together. While `watched` is set, each also gets a `lead` notice. */
export interface LeadsMoved {
  kind: 'leads'
  tenant: number
  campaign: number
  from: LeadStatus
  to: LeadStatus
  count: number
}

/** The result of one delivery attempt. */
export type AttemptResult = 'sent' | 'failed' | 'gave_up'

/** A reset or a restore replaced the world. It shows which events are older than that. */
export interface Replacement {
  kind: 'world'
  /** Id of the newest event of each mode, campaign and type. Later events are new. */
  newest_events: () => readonly string[]
  at: Instant
}

export interface WorldOptions {
  /** False in a world whose events nobody reads. Then none is written, and no delivery is made. */
  recordsEvents?: boolean
}

export class World {
  /** The simulated time of the current step. Only the engine changes it. */
  now: Instant = instant(0)
  readonly recordsEvents: boolean
  readonly agenda: Agenda
  readonly organizations: Organizations
  readonly campaigns: Campaigns
  readonly keys: ApiKeys
  readonly notifications: AdminEmails
  readonly requests: RequestCounts
  readonly ids: Ids
  #chance: Random
  #secrets: Secrets | null = null
  readonly #tenants = new Map<number, Tenant>()
  /** Notices of the current step. They are published after its commit. */
  readonly notices: Notification[] = []
  /** Increases with each reset or restore. Data read in one generation is not valid in the next. */
  generation = 0
  /** Whether a stream follows every change. If so, leads that move together get separate notices. */
  watched = false
  /** Set while time advances. Deliveries then wait in the engine instead of the store. */
  pushed = false

  constructor(
    readonly store: Store,
    readonly carrier: Carrier,
    { recordsEvents = true }: WorldOptions = {},
  ) {
    this.recordsEvents = recordsEvents
    this.agenda = new Agenda(store)
    this.organizations = new Organizations(store)
    this.campaigns = new Campaigns(store)
    this.keys = new ApiKeys(store)
    this.notifications = new AdminEmails(store)
    this.requests = new RequestCounts(store, (tenant) => this.tenant(tenant).usage)
    this.ids = new Ids(this.seed)
    this.#chance = new Random(this.drawSeed)
  }

  get random(): Random {
    return this.#chance
  }

  /** Derives the secrets of keys, endpoints, links and the control API. */
  get secrets(): Secrets {
    return (this.#secrets ??= new Secrets(this.#rootSecret()))
  }

  #rootSecret(): Buffer {
    const root = this.setting('secret')
    return root === null || this.secretsFollowSeed ? rootOfSeed(this.seed) : Buffer.from(root, 'hex')
  }

  /** Whether the secrets follow from the seed. This is the case for files made before the root secret existed. */
  get secretsFollowSeed(): boolean {
    return this.setting('secret') === null || this.setting('secrets_follow_seed') === 'yes'
  }

  get seed(): number {
    return Number(this.setting('seed') ?? 0)
  }

  /** The seed of random draws. In a fork with another seed it differs from that of the ids. */
  get drawSeed(): number {
    return Number(this.setting('draw_seed') ?? this.seed)
  }

  /** The tenant with this number: one organization in one mode. */
  tenant(tenant: number): Tenant {
    let found = this.#tenants.get(tenant)
    if (!found) this.#tenants.set(tenant, (found = new Tenant(this, tenant)))
    return found
  }

  publish(noticed: Notification): void {
    this.notices.push(noticed)
  }

  /** Publishes that a reset or a restore replaced the world. */
  publishReplacement(): void {
    const newest_events = () =>
      this.store
        .all<{
          tenant: number
          n: number
        }>(sql`SELECT tenant, max(n) AS n FROM ${tables.events} GROUP BY tenant, campaign, type ORDER BY n`)
        .map(({ tenant, n }) => this.tenant(tenant).events.id(n))
    this.publish({ kind: 'world', newest_events, at: this.now })
  }

  /** How many events the world has had, including deleted ones. */
  get eventsSoFar(): number {
    return this.store.one<{ seq: number }>(sql`SELECT seq FROM sqlite_sequence WHERE name = 'events'`)?.seq ?? 0
  }

  /** Runs `work` for its result and rolls back its rows and notices. */
  rehearse<T>(work: () => T): T {
    const noticed = this.notices.length
    try {
      return this.store.rehearse(work)
    } finally {
      this.notices.length = noticed
    }
  }

  /** Runs part of a step. If it fails, only that part's rows and notices are rolled back. */
  attempt<T>(work: () => T): T {
    const noticed = this.notices.length
    try {
      return this.store.attempt(work)
    } catch (error) {
      this.notices.length = noticed
      throw error
    }
  }

  setting(name: string): string | null {
    return (
      this.store.one<{ value: string }>(sql`SELECT value FROM ${tables.settings} WHERE name = ?`, name)?.value ?? null
    )
  }

  set(name: string, value: string): void {
    this.store.run(sql`INSERT OR REPLACE INTO ${tables.settings} (name, value) VALUES (?, ?)`, name, value)
  }

  clockRecord(): ClockRecord | null {
    const row = this.store.one<{ now: Instant; offset: number; speed: number; paused: number }>(
      sql`SELECT now, offset, speed, paused FROM ${tables.clock} WHERE n = 1`,
    )
    return row ? { ...row, paused: row.paused === 1 } : null
  }

  recordClock({ now, offset, speed, paused }: ClockRecord): void {
    this.store.run(
      sql`INSERT OR REPLACE INTO ${tables.clock} (n, now, offset, speed, paused) VALUES (1, ?, ?, ?, ?)`,
      now,
      offset,
      speed,
      Number(paused),
    )
  }

  /** Drops the notices of a failed step, and reads the seed and the root secret again. The store drops cached rows. */
  refresh(): void {
    this.notices.length = 0
    this.#secrets = null
    const { seed, drawSeed } = this
    if (this.ids.seed !== seed) this.ids.reseed(seed)
    if (this.#chance.seed !== drawSeed) this.#chance = new Random(drawSeed)
  }
}

/** One organization in one mode, with its repositories. */
export class Tenant {
  readonly organizationNumber: number
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
    readonly n: number,
  ) {
    this.organizationNumber = organizationNumberOf(n)
    this.live = n % 2 === 0
    this.mode = this.live ? 'live' : 'test'
    const { store, ids } = world
    const idsOf = (kind: string) => ids.of(`${kind}/${n}`)
    this.leads = new Leads(store, n, idsOf('lead'))
    this.leadLists = new LeadLists(store, n, this.leads.groups)
    this.calls = new Calls(store, n, idsOf('call'))
    this.dnc = new DncList(store, n, idsOf('dnc'))
    this.events = new Events(store, n, idsOf('event'))
    this.endpoints = new Endpoints(store, n, idsOf('endpoint'))
    this.deliveries = new Deliveries(store, n, idsOf('delivery'))
    this.queues = new DialingCounts(store, n)
    this.numbers = new CampaignNumbers(store, n)
    this.usage = new UsageCounts(store, n)
    this.exports = new Exports(store, n, idsOf('export'))
    this.scripts = new CallScripts(store, n)
  }

  /** What both modes share: name, time zone, rate, administrators. */
  get record(): Organization {
    return this.world.organizations.get(this.organizationNumber)
  }

  get members(): readonly Member[] {
    return this.world.organizations.listMembers(this.organizationNumber)
  }

  member(n: number): Member | undefined {
    for (const member of this.members) if (member.n === n) return member
    return undefined
  }

  campaign(n: number): Campaign {
    return this.world.campaigns.get(n)
  }

  campaignById(id: string): Campaign | null {
    return this.world.campaigns.byId(this.organizationNumber, id)
  }
}
