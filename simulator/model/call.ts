/** A call as it is stored, and the only way to reach the calls of one tenant. */
import type { LeadStatus } from '../../src/contract/leads.js'
import { callsInLead } from '../../src/contract/limits.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'
import type { IdsOfKind } from '../kernel/ids.js'
import type { Instant } from '../kernel/instant.js'
import { ListFilter, type TimeRange } from '../storage/list-filter.js'
import type { Flag } from './lead.js'
import type { MemberRole } from './member.js'
import { RowCache } from '../storage/row-cache.js'
import type { Store } from '../storage/store.js'

export type CallStatus = 'ringing' | 'in_progress' | 'ended'

export interface Call {
  n: number
  tenant: number
  campaign: number | null
  lead: number | null
  /** Where an inbound call found its lead; null for an outbound one. */
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
  /** A machine picked up, not a person. */
  machine: Flag
  /** The member who has the call; null while the AI has it. */
  handler: number | null
  handler_role: MemberRole | 'ai'
  /** The member it was dialed for. */
  owner: number | null
  interested_at: Instant | null
  handed_over_at: Instant | null
  callback_at: Instant | null
  /** How often `call.completed` was sent for it. */
  revision: number
  started_by: 'dialer' | 'api' | 'person'
  /** The key id that started it. */
  api_key: string | null
  /** The key whose sample calls it counts among. */
  key: number | null
  /** JSON of the script it plays; the outside's own. */
  script: string | null
}

export interface CallFilter {
  /** Campaign numbers; null: every campaign. */
  campaigns: readonly number[] | null
  leads?: readonly number[] | undefined
  outcome?: string | undefined
  status?: string | undefined
  startedFrom?: Instant | undefined
  startedTo?: Instant | undefined
}

/** What a lead shows of its calls. */
export type CallSummary = Pick<Call, 'n' | 'started' | 'answered' | 'ended' | 'outcome' | 'outcome_label'>

/** A campaign's number, or 0 for calls that came in, and when the latest began. */
interface Reached {
  by: number
  started: Instant
}

/** How much is kept in memory. */
interface Most {
  rows?: number
  /** Of so many numbers it is kept by whom they were reached. */
  reached?: number
}

const reachedCapacity = 4_096

/** A campaign's latest call counts, and none before it. */
const noteReached = (reached: readonly Reached[], { by, started }: Reached): readonly Reached[] => [
  ...reached.filter((one) => one.by !== by),
  { by, started },
]

export class Calls {
  readonly #rows: RowCache<Call>
  /** By whom a number was reached, of those asked about lately: it is asked before a call and after it. */
  readonly #reached = new Map<string, readonly Reached[]>()
  /** The same of those that nobody asked about, by the calls alone that may not be written yet. */
  readonly #reachedNow = new Map<string, readonly Reached[]>()
  readonly #mostReached: number
  /** By lead, the latest of the calls that may not be written yet, and some that are. */
  readonly #latest = new Map<number, Call[]>()

  constructor(
    readonly store: Store,
    readonly tenant: number,
    readonly ids: IdsOfKind,
    { rows, reached = reachedCapacity }: Most = {},
  ) {
    this.#rows = new RowCache(store, 'calls', tenant, rows)
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
    if (!call) throw new Error(`there is no call number ${n} of tenant ${this.tenant}`)
    return call
  }

  find(n: number): Call | null {
    return this.#rows.get(n)
  }

  byId(id: string): Call | null {
    const n = this.number(id)
    return n === null ? null : this.find(n)
  }

  /** To be called when rows may have changed otherwise. */
  invalidate(): void {
    this.#rows.invalidate()
    this.#forgetReached()
  }

  add(call: Omit<Call, 'n' | 'tenant'>): Call {
    const { phone, started } = call
    const by = call.direction === 'inbound' ? 0 : call.campaign
    if (by !== null) this.#remember(this.#reached.has(phone) ? this.#reached : this.#reachedNow, phone, { by, started })
    const added = this.#rows.addLater(call)
    if (added.lead === null) return added
    const before = this.#latest.get(added.lead)
    this.#latest.set(added.lead, before ? [...before, added].slice(-callsInLead) : [added])
    return added
  }

  /** Changes with all of them in turn. */
  change(call: Call, ...changes: readonly Partial<Call>[]): void {
    this.#rows.change(call, ...changes)
  }

  /** The last ten of a lead, newest first (specification, Lead, calls). */
  lastOfLead(lead: number): CallSummary[] {
    const stored = this.store.stored<CallSummary>(
      `SELECT n, started, answered, ended, outcome, outcome_label FROM calls WHERE lead = ? ORDER BY n DESC LIMIT ${callsInLead}`,
      lead,
    )
    const last = stored[0]?.n ?? 0
    const later = this.#latest.get(lead)?.filter(({ n }) => n > last) ?? []
    return [...later.reverse(), ...stored.map((summary) => this.#rows.loadedRows(summary.n) ?? summary)].slice(
      0,
      callsInLead,
    )
  }

  /** The call a lead has at this moment. */
  listOngoing(lead: number): Call | null {
    const row = this.store.one<{ n: number }>(
      `SELECT n FROM calls WHERE lead = ? AND status <> 'ended' ORDER BY n DESC LIMIT 1`,
      lead,
    )
    return row ? this.get(row.n) : null
  }

  /** Whether a number is on the telephone, whosever call it is. */
  hasOngoingWith(phone: string): boolean {
    const sql = `SELECT 1 FROM calls WHERE tenant = ? AND phone = ? AND status <> 'ended' LIMIT 1`
    return this.store.one(sql, this.tenant, phone) !== undefined
  }

  /** How many sample calls of a test key are going on. */
  countSampleCalls(key: number): number {
    return (
      this.store.one<{ n: number }>(`SELECT count(*) AS n FROM calls WHERE key = ? AND status <> 'ended'`, key)?.n ?? 0
    )
  }

  /** The start of the latest call with a number that came in, or that another campaign made. */
  lastReached(phone: string, exceptCampaign: number): Instant | null {
    let latest: Instant | null = null
    for (const { by, started } of this.#reachedBy(phone))
      if (by !== exceptCampaign && (latest === null || started > latest)) latest = started
    return latest
  }

  /** When a number was last reached by each campaign, and by a call that came in (0). */
  #reachedBy(phone: string): readonly Reached[] {
    let reached = this.#reached.get(phone)
    if (reached) return reached
    const sql = `SELECT CASE direction WHEN 'inbound' THEN 0 ELSE campaign END AS by, max(started) AS started
      FROM calls WHERE tenant = ? AND phone = ? GROUP BY 1 HAVING by IS NOT NULL`
    reached = this.store.stored<Reached>(sql, this.tenant, phone)
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

  /** What is not known any more will be asked of the store. */
  #makeRoom(): void {
    if (this.#reached.size + this.#reachedNow.size < this.#mostReached) return
    this.#rows.flush()
    this.#forgetReached()
  }

  #forgetReached(): void {
    this.#reached.clear()
    this.#reachedNow.clear()
    this.#latest.clear()
  }

  page(filter: CallFilter, before: number | null, limit: number, offset = 0): Call[] {
    const where = this.#where(filter).where('n < ?', before)
    const sql = `SELECT * FROM calls WHERE ${where.sql} ORDER BY n DESC LIMIT ? OFFSET ?`
    return this.store.all<Call>(sql, ...where.values, limit, offset)
  }

  /** All of a campaign, or of every campaign, oldest first. Nothing may be written before the last was taken. */
  each(campaign: number | null, span: TimeRange): IterableIterator<Call> {
    const where = new ListFilter()
      .where('tenant = ?', this.tenant)
      .where('campaign = ?', campaign)
      .addTimeRange('started', span)
    return this.store.each<Call>(`SELECT * FROM calls WHERE ${where.sql} ORDER BY n`, ...where.values)
  }

  total(filter: CallFilter): number {
    const where = this.#where(filter)
    return this.store.one<{ n: number }>(`SELECT count(*) AS n FROM calls WHERE ${where.sql}`, ...where.values)?.n ?? 0
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
