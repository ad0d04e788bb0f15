/** Calls: the stored row and the repository of one tenant. */
import type { LeadStatus } from '../../src/contract/leads.js'
import { callsInLead } from '../../src/contract/limits.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'
import type { IdsOfKind } from '../kernel/ids.js'
import type { Instant } from '../kernel/instant.js'
import { ListFilter, type TimeRange } from '../storage/list-filter.js'
import type { Flag } from './lead.js'
import type { MemberRole } from './organization.js'
import { RowCache, type NewRow } from '../storage/row-cache.js'
import type { NumberRange } from '../storage/bisect.js'
import type { Store } from '../storage/store.js'
import type { Cache } from '../storage/caches.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

/** What can happen on a call, as the carrier reports it to the service. */
export type CallEvent =
  | { what: 'answered'; machine: boolean }
  | { what: 'interested' }
  | { what: 'handed_over'; role: MemberRole }
  | { what: 'voicemail_left' }
  | { what: 'callback_booked'; at: Instant }
  | { what: 'opted_out' }
  | { what: 'ended'; outcome: Outcome; note: string | null }

export type CallStatus = 'ringing' | 'in_progress' | 'ended'

export interface Call {
  n: number
  tenant: number
  campaign: number | null
  lead: number | null
  /** The lead's status when an inbound call reached it; null for an outbound call. */
  lead_before: LeadStatus | null
  phone: string
  direction: 'outbound' | 'inbound'
  status: CallStatus
  outcome: Outcome | null
  outcome_label: string | null
  note: string | null
  started: Instant
  answered: Instant | null
  ended: Instant | null
  updated: Instant
  /** Whether a machine answered instead of a person. */
  machine: Flag
  /** The member who handles the call; null while the AI handles it. */
  handler: number | null
  handler_role: MemberRole | 'ai'
  /** The member the call was dialed for. */
  owner: number | null
  interested_at: Instant | null
  handed_over_at: Instant | null
  callback_at: Instant | null
  /** How many times `call.completed` was sent (rule S6). */
  revision: number
  started_by: 'dialer' | 'api' | 'person'
  /** Id of the key whose request started the call. */
  api_key: string | null
  /** The test key that this sample call counts against (rule T3). */
  key: number | null
  /** JSON of the script the call plays. Only the simulated carrier reads it. */
  script: string | null
}

export interface CallFilter {
  /** Campaign numbers; null means every campaign. */
  campaigns: readonly number[] | null
  leads?: readonly number[] | undefined
  outcome?: string | undefined
  status?: string | undefined
  startedFrom?: Instant | undefined
  startedTo?: Instant | undefined
}

/** The fields of a call that its lead shows. */
export type CallSummary = Pick<Call, 'n' | 'started' | 'answered' | 'ended' | 'outcome' | 'outcome_label'>

/** The latest call to a number, by campaign. `by` is the campaign's number, or 0 for inbound calls. */
interface Reached {
  by: number
  started: Instant
}

/** Cache capacities. */
interface Most {
  rows?: number
  /** How many phone numbers have their latest calls in memory. */
  reached?: number
}

const reachedCapacity = 4_096

/** Keeps only the latest call of each campaign. */
const noteReached = (reached: readonly Reached[], { by, started }: Reached): readonly Reached[] => [
  ...reached.filter((one) => one.by !== by),
  { by, started },
]

export class Calls implements Cache {
  readonly table = tables.calls
  readonly #rows: RowCache<Call>
  /** Latest calls to each recently requested number. The dialer asks before a call and after it. */
  readonly #reached = new Map<string, readonly Reached[]>()
  /** Latest calls to numbers that were not requested, from calls that may not be written yet. */
  readonly #reachedNow = new Map<string, readonly Reached[]>()
  readonly #mostReached: number
  /** By lead, its latest calls. They include every call that may not be written yet. */
  readonly #latest = new Map<number, Call[]>()

  constructor(
    readonly store: Store,
    readonly tenant: number,
    readonly ids: IdsOfKind,
    { rows, reached = reachedCapacity }: Most = {},
  ) {
    store.register(this)
    this.#rows = new RowCache(store, tables.calls, tenant, rows)
    this.#mostReached = reached
  }

  id(n: number): string {
    return this.ids.uuid(n)
  }

  number(id: string): number | null {
    return this.ids.number(id)
  }

  get(n: number): Call {
    const call = this.find(n)
    if (!call) throw new Error(`no call with number ${n} in tenant ${this.tenant}`)
    return call
  }

  find(n: number): Call | null {
    return this.#rows.get(n)
  }

  byId(id: string): Call | null {
    const n = this.number(id)
    return n === null ? null : this.find(n)
  }

  invalidate(): void {
    this.#reached.clear()
    this.#reachedNow.clear()
    this.#latest.clear()
  }

  add(call: NewRow<Call>): Call {
    const { phone, started } = call
    const by = call.direction === 'inbound' ? 0 : (call.campaign ?? null)
    if (by !== null) this.#remember(this.#reached.has(phone) ? this.#reached : this.#reachedNow, phone, { by, started })
    const added = this.#rows.addLater(call)
    if (added.lead === null) return added
    const before = this.#latest.get(added.lead)
    this.#latest.set(added.lead, before ? [...before, added].slice(-callsInLead) : [added])
    return added
  }

  /** Applies every set of changes in order. */
  change(call: Call, ...changes: readonly Partial<Call>[]): void {
    this.#rows.change(call, ...changes)
  }

  /** The last calls of a lead, newest first (rule S8). */
  lastOfLead(lead: number): CallSummary[] {
    const stored = this.store.stored<CallSummary>(
      sql`SELECT n, started, answered, ended, outcome, outcome_label FROM ${tables.calls} WHERE lead = ? ORDER BY n DESC LIMIT ${callsInLead}`,
      lead,
    )
    const last = stored[0]?.n ?? 0
    const later = this.#latest.get(lead)?.filter(({ n }) => n > last) ?? []
    return [...later.reverse(), ...stored.map((summary) => this.#rows.loadedRows(summary.n) ?? summary)].slice(
      0,
      callsInLead,
    )
  }

  /** The ongoing call of a lead, if any. */
  listOngoing(lead: number): Call | null {
    const row = this.store.one<{ n: number }>(
      sql`SELECT n FROM ${tables.calls} WHERE lead = ? AND status <> 'ended' ORDER BY n DESC LIMIT 1`,
      lead,
    )
    return row ? this.get(row.n) : null
  }

  /** Whether any call with this number is ongoing in the tenant. */
  hasOngoingWith(phone: string): boolean {
    const query = sql`SELECT 1 FROM ${tables.calls} WHERE tenant = ? AND phone = ? AND status <> 'ended' LIMIT 1`
    return this.store.one(query, this.tenant, phone) !== undefined
  }

  /** How many sample calls of a test key are ongoing (rule T3). */
  countSampleCalls(key: number): number {
    return (
      this.store.one<{ n: number }>(
        sql`SELECT count(*) AS n FROM ${tables.calls} WHERE key = ? AND status <> 'ended'`,
        key,
      )?.n ?? 0
    )
  }

  /** Start of the latest call with a number that was inbound or made by another campaign (rule D4). */
  lastReached(phone: string, exceptCampaign: number): Instant | null {
    let latest: Instant | null = null
    for (const { by, started } of this.#reachedBy(phone))
      if (by !== exceptCampaign && (latest === null || started > latest)) latest = started
    return latest
  }

  /** The latest call to a number by each campaign, and the latest inbound call (campaign 0). */
  #reachedBy(phone: string): readonly Reached[] {
    let reached = this.#reached.get(phone)
    if (reached) return reached
    const query = sql`SELECT CASE direction WHEN 'inbound' THEN 0 ELSE campaign END AS by, max(started) AS started
      FROM ${tables.calls} WHERE tenant = ? AND phone = ? GROUP BY 1 HAVING by IS NOT NULL`
    reached = this.store.stored<Reached>(query, this.tenant, phone)
    for (const one of this.#reachedNow.get(phone) ?? []) reached = noteReached(reached, one)
    this.#reachedNow.delete(phone)
    this.#makeRoom()
    this.#reached.set(phone, reached)
    return reached
  }

  #remember(where: Map<string, readonly Reached[]>, phone: string, one: Reached): void {
    const before = where.get(phone)
    if (!before) this.#makeRoom()
    where.set(phone, before ? noteReached(before, one) : [one])
  }

  /** Clears the memory when it is full. Later lookups read the store again. */
  #makeRoom(): void {
    if (this.#reached.size + this.#reachedNow.size < this.#mostReached) return
    this.#rows.flush()
    this.invalidate()
  }

  page(filter: CallFilter, before: number | null, limit: number, offset = 0): Call[] {
    const where = this.#where(filter).where('n < ?', before)
    const query = sql`SELECT * FROM ${tables.calls} WHERE ${where.sql} ORDER BY n DESC LIMIT ? OFFSET ?`
    return this.store.all<Call>(query, ...where.values, limit, offset)
  }

  /** Calls of one campaign, or of every campaign, oldest first. Write nothing until the iterator ends. */
  each(campaign: number | null, span: TimeRange): IterableIterator<Call> {
    const where = new ListFilter()
      .where('tenant = ?', this.tenant)
      .where('campaign = ?', campaign)
      .addTimeRange('started', span)
    return this.store.each<Call>(sql`SELECT * FROM ${tables.calls} WHERE ${where.sql} ORDER BY n`, ...where.values)
  }

  /** How many calls have an outcome, of those with a number in the range. */
  countWithOutcome(outcome: Outcome, { first, end }: NumberRange): number {
    const query = sql`SELECT count(*) AS count FROM ${tables.calls} WHERE tenant = ? AND outcome = ? AND n >= ? AND n < ?`
    return this.store.one<{ count: number }>(query, this.tenant, outcome, first, end)?.count ?? 0
  }

  /** Calls under way, the oldest first. */
  underWay(limit: number): Call[] {
    const query = sql`SELECT * FROM ${tables.calls} INDEXED BY calls_going_on WHERE status <> 'ended' AND tenant = ? ORDER BY n LIMIT ?`
    return this.store.all<Call>(query, this.tenant, limit)
  }

  total(filter: CallFilter): number {
    const where = this.#where(filter)
    return (
      this.store.one<{ n: number }>(sql`SELECT count(*) AS n FROM ${tables.calls} WHERE ${where.sql}`, ...where.values)
        ?.n ?? 0
    )
  }

  #where(filter: CallFilter): ListFilter {
    return new ListFilter()
      .where('tenant = ?', this.tenant)
      .addOneOf('campaign', filter.campaigns)
      .addOneOf('lead', filter.leads)
      .where('outcome = ?', filter.outcome)
      .where('status = ?', filter.status)
      .where('started >= ?', filter.startedFrom)
      .where('started <= ?', filter.startedTo)
  }
}
