/** Leads: the stored row and the repository of one tenant. */
import type { HeldReason, LeadStatus, ScheduledReason } from '../../src/contract/leads.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'
import type { OwnReason } from '../../src/dialing/eligibility.js'
import type { Instant } from '../kernel/instant.js'
import { HoursGroups } from './queue/hours-groups.js'
import { LeadStatusCounts } from './queue/lead-status-counts.js'
import { LeadQueues } from './queue/lead-queues.js'
import { RowCache, type NewRow } from '../storage/row-cache.js'
import type { Store, Value } from '../storage/store.js'
import type { IdsOfKind } from '../kernel/ids.js'
import type { Cache } from '../storage/caches.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

/** A boolean as the store holds it. */
export type Flag = 0 | 1

export interface Lead {
  n: number
  tenant: number
  campaign: number
  phone: string
  /** The time zones of the phone number, in the form of `zoneKey`. */
  zone: string
  external_id: string | null
  name: string | null
  /** The member the latest call was dialed for. */
  owner: number | null
  source: 'api' | 'app'
  /** The key that last added the lead; null when it came through the app. */
  key: number | null
  created: Instant
  updated: Instant
  /** When it was last accepted: created or requeued. The duplicate window starts here (rule D9). */
  accepted: Instant
  status: LeadStatus
  call_now: Flag
  /** Queue position among leads of the same kind. The earlier one is dialed first. */
  line_at: Instant
  /** When it entered the queue. This is the position of an ordinary lead. */
  due: Instant
  /** When it became call_now. The oldest is called first (rule D8). */
  arrived: Instant
  /** Arrival number in its campaign. It orders leads that arrived at the same moment. */
  arrival: number
  late: Flag
  scheduled_for: Instant | null
  /** Also null while the lead waits only for calling hours. Then opening and closing do not rewrite this column. */
  scheduled_reason: OwnReason | null
  held_reason: HeldReason | null
  /** A waiting time apart from hours and cooldown, with its reason. */
  not_before: Instant | null
  not_before_reason: OwnReason | null
  callback_at: Instant | null
  attempts: number
  last_outcome: Outcome | null
  last_outcome_label: string | null
  /** Id of the key whose request asked for the call it waits for; null when the dialer chose it. */
  api_key: string | null
  /** The latest call at the time the lead last returned to the queue. */
  call_before: number | null
  /** Whether a person took it out of the queue (rule D16). */
  taken_out: Flag
  /**
   * Whether only calling hours move it: it is queued, or waits only for the hours. Then it moves with its whole zone.
   */
  follows_hours: Flag
  /** Whether no other lead has had this number since this one was added, and every call with it was this lead's. */
  phone_is_unique: Flag
}

/** The fields of a new lead. The others are computed. */
export type NewLead = Omit<NewRow<Lead>, 'follows_hours' | 'phone_is_unique'>

/**
 * Fields that only replies show and dialing does not use. They have their own table, so that the row
 * that is rewritten when a lead moves stays short.
 */
export interface LeadDetails {
  /** Row number of the lead. */
  n: number
  tenant: number
  email: string | null
  address: string | null
  /** JSON object of strings. */
  fields: string
  /** JSON of a Consent. */
  consent: string | null
  lead_source: string | null
}

const movesByHours = ({ status, scheduled_reason }: Pick<NewLead, 'status' | 'scheduled_reason'>): Flag =>
  status === 'queued' || (status === 'scheduled' && !scheduled_reason) ? 1 : 0

/** Why a lead is scheduled; null in every other status. */
export const scheduledReason = ({ status, scheduled_reason }: Lead): ScheduledReason | null =>
  status === 'scheduled' ? (scheduled_reason ?? 'outside_calling_hours') : null

export class Leads implements Cache {
  readonly table = tables.leads
  readonly #rows: RowCache<Lead>
  readonly #details: RowCache<LeadDetails>
  readonly groups: HoursGroups
  readonly statusCounts: LeadStatusCounts
  /** The queue of each campaign. */
  readonly queue: LeadQueues<Lead>
  /**
   * The last phone number that was looked up, with its leads. The same number is often requested several times in a
   * row.
   */
  #asked: { phone: string; numbers: number[] } | null = null

  constructor(
    readonly store: Store,
    readonly tenant: number,
    readonly ids: IdsOfKind,
  ) {
    store.register(this)
    this.#rows = new RowCache(store, tables.leads, tenant)
    this.#details = new RowCache(store, tables.lead_details, tenant)
    this.queue = new LeadQueues(this.#rows, (n) => this.get(n))
    this.groups = new HoursGroups(store, tenant)
    this.statusCounts = new LeadStatusCounts(store, tenant, this.groups)
  }

  id(n: number): string {
    return this.ids.uuid(n)
  }

  number(id: string): number | null {
    return this.ids.number(id)
  }

  get(n: number): Lead {
    const lead = this.find(n)
    if (!lead) throw new Error(`no lead with number ${n} in tenant ${this.tenant}`)
    return lead
  }

  find(n: number): Lead | null {
    return this.#rows.get(n)
  }

  details({ n }: Lead): LeadDetails {
    const details = this.#details.get(n)
    if (!details) throw new Error(`no details of lead number ${n} in tenant ${this.tenant}`)
    return details
  }

  byId(id: string): Lead | null {
    const n = this.number(id)
    return n === null ? null : this.find(n)
  }

  #one(condition: string, ...values: Value[]): Lead | null {
    const row = this.store.one<Lead>(
      sql`SELECT * FROM ${tables.leads} WHERE tenant = ? AND ${condition}`,
      this.tenant,
      ...values,
    )
    return row ? this.#rows.keep(row) : null
  }

  #all(condition: string, ...values: Value[]): Lead[] {
    const query = sql`SELECT * FROM ${tables.leads} WHERE tenant = ? AND ${condition} ORDER BY n`
    return this.store.all<Lead>(query, this.tenant, ...values).map((row) => this.#rows.keep(row))
  }

  invalidate(): void {
    this.queue.invalidate()
    this.#asked = null
  }

  add(lead: NewLead, details: NewRow<LeadDetails>): Lead {
    const phone_is_unique = this.#isNew(lead.phone)
    this.#asked = null
    const added = this.#rows.add({ ...lead, follows_hours: movesByHours(lead), phone_is_unique })
    this.#details.addLater(details, added.n)
    this.#count(added, 1)
    this.queue.note(added)
    return added
  }

  /** Applies every set of changes in order. Later ones win. */
  change(lead: Lead, ...changes: Partial<Lead>[]): void {
    const before = this.queue.positionOf(lead)
    const { phone } = lead
    this.#count(lead, -1)
    this.#rows.change(lead, ...changes)
    const follows_hours = movesByHours(lead)
    if (lead.follows_hours !== follows_hours) this.#rows.change(lead, { follows_hours })
    this.#count(lead, 1)
    if (lead.phone !== phone) {
      this.#rows.flush()
      this.#asked = null
      this.markPhoneShared(lead.phone)
    }
    this.queue.note(lead, before)
  }

  #count(lead: Lead, by: 1 | -1): void {
    this.groups.count(lead, by)
    this.statusCounts.count(lead, by)
  }

  changeDetails(lead: Lead, changes: Partial<LeadDetails>): void {
    this.#details.change(this.details(lead), changes)
  }

  /** Whether no lead and no call has had this number. Marks the leads that have it as sharing it. */
  #isNew(phone: string): Flag {
    if (this.markPhoneShared(phone) > 0) return 0
    const query = sql`SELECT 1 FROM ${tables.calls} WHERE tenant = ? AND phone = ? LIMIT 1`
    return this.store.one(query, this.tenant, phone) === undefined ? 1 : 0
  }

  /** Marks every lead with this number as sharing it with another lead or caller. Returns how many there are. */
  markPhoneShared(phone: string): number {
    const all = this.listByPhone(phone)
    for (const lead of all) this.#rows.change(lead, { phone_is_unique: 0 })
    return all.length
  }

  listByPhone(phone: string): Lead[] {
    return this.#numbersWithPhone(phone).map((n) => this.get(n))
  }

  /** Leads with this number except the given one. Usually none. */
  listOthersByPhone(phone: string, except: number | null): Lead[] {
    const numbers = this.#numbersWithPhone(phone)
    return numbers.filter((n) => n !== except).map((n) => this.get(n))
  }

  #numbersWithPhone(phone: string): readonly number[] {
    if (this.#asked?.phone !== phone) {
      // The phone of a new lead is always written at once, so the store is up to date.
      const query = sql`SELECT n FROM ${tables.leads} WHERE tenant = ? AND phone = ? ORDER BY n`
      const numbers = this.store.stored<{ n: number }>(query, this.tenant, phone).map(({ n }) => n)
      this.#asked = { phone, numbers }
    }
    return this.#asked.numbers
  }

  findByPhone(campaign: number, phone: string): Lead | null {
    return this.#one('phone = ? AND campaign = ?', phone, campaign)
  }

  listByExternalId(externalId: string): Lead[] {
    return this.#all('external_id = ?', externalId)
  }

  /** When calls to a lead were requested through the API after `since`, oldest first (rule D15). */
  listApiStarts(lead: number, since: Instant): Instant[] {
    return this.store
      .all<{ at: Instant }>(sql`SELECT at FROM ${tables.api_starts} WHERE lead = ? AND at > ? ORDER BY n`, lead, since)
      .map(({ at }) => at)
  }

  addApiStart(lead: number, at: Instant): void {
    this.store.insert(tables.api_starts, { lead, at })
  }
}
