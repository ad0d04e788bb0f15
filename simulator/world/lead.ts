/** A lead as it is stored, and the only way to reach the leads of one tenant. */
import type { HeldReason, LeadStatus, ScheduledReason } from '../../src/contract/leads.js'
import type { Outcome } from '../../src/contract/outcomes.js'
import type { Instant } from '../kernel/instant.js'
import { Filter, type Span } from './filter.js'
import { Known } from './known.js'
import type { Store, Value } from './store.js'
import type { Ids } from '../kernel/ids.js'

/** A truth as the store holds it. */
export type Flag = 0 | 1

export interface Lead {
  n: number
  tenant: number
  campaign: number
  phone: string
  /** The time zones of the number, as `zoneKey` writes them. */
  zone: string
  external_id: string | null
  name: string | null
  email: string | null
  address: string | null
  /** JSON object of strings. */
  fields: string
  /** JSON of a Consent. */
  consent: string | null
  lead_source: string | null
  /** The member the latest call was dialed for. */
  owner: number | null
  source: 'api' | 'app'
  /** The key that last brought it in; null when it came through the app. */
  key: number | null
  created: Instant
  updated: Instant
  /** When it was last accepted: created or requeued. The duplicate window runs from here. */
  accepted: Instant
  status: LeadStatus
  call_now: Flag
  /** Its place in line among leads of its kind: earlier is dialed first. */
  line_at: Instant
  /** When it became call_now; the oldest is called first. */
  arrived: Instant
  /** Its number among the arrivals of its campaign: whoever came later at the same moment is behind. */
  turn: number
  late: Flag
  scheduled_for: Instant | null
  scheduled_reason: ScheduledReason | null
  held_reason: HeldReason | null
  /** Its own waiting time apart from hours and cooldown, and why. */
  not_before: Instant | null
  not_before_reason: ScheduledReason | null
  callback_at: Instant | null
  attempts: number
  last_outcome: Outcome | null
  last_outcome_label: string | null
  /** When its latest call started to ring, inbound ones too. */
  last_rang: Instant | null
  last_inbound: Instant | null
  /** The key id whose request started the call it waits for; null: the dialer's own call. */
  api_key: string | null
  /** A person took it out of the dialing queue. */
  taken_out: Flag
}

export interface LeadFilter {
  /** Campaign numbers; null: every campaign. */
  campaigns: readonly number[] | null
  status?: string | undefined
  createdFrom?: Instant | undefined
}

export class Leads {
  readonly #known = new Known<Lead>()

  constructor(
    readonly store: Store,
    readonly tenant: number,
    readonly ids: Ids,
  ) {}

  id(n: number): string {
    return this.ids.uuid(`lead/${this.tenant}`, n)
  }

  number(id: string): number | null {
    return this.ids.number(`lead/${this.tenant}`, id)
  }

  get(n: number): Lead {
    const lead = this.find(n)
    if (!lead) throw new Error(`there is no lead number ${n} of tenant ${this.tenant}`)
    return lead
  }

  find(n: number): Lead | null {
    return this.#known.get(n) ?? this.#one('n = ?', n)
  }

  byId(id: string): Lead | null {
    const n = this.number(id)
    return n === null ? null : this.find(n)
  }

  #one(condition: string, ...values: Value[]): Lead | null {
    const row = this.store.one<Lead>(`SELECT * FROM leads WHERE tenant = ? AND ${condition}`, this.tenant, ...values)
    return row ? this.#known.keep(row) : null
  }

  #all(condition: string, ...values: Value[]): Lead[] {
    const sql = `SELECT * FROM leads WHERE tenant = ? AND ${condition} ORDER BY n`
    return this.store.all<Lead>(sql, this.tenant, ...values).map((row) => this.#known.keep(row))
  }

  /** To be called when rows may have changed otherwise. */
  forget(): void {
    this.#known.forget()
  }

  add(lead: Omit<Lead, 'n' | 'tenant'>): Lead {
    const row = { tenant: this.tenant, ...lead }
    return this.#known.keep({ n: this.store.insert('leads', row), ...row })
  }

  change(lead: Lead, changes: Partial<Lead>): void {
    this.store.update('leads', lead.n, changes)
    Object.assign(lead, changes)
  }

  withPhone(phone: string): Lead[] {
    return this.#all('phone = ?', phone)
  }

  /** Their row numbers alone: mostly there is but one. */
  numbersWithPhone(phone: string): number[] {
    const sql = 'SELECT n FROM leads WHERE tenant = ? AND phone = ? ORDER BY n'
    return this.store.all<{ n: number }>(sql, this.tenant, phone).map(({ n }) => n)
  }

  inCampaignWithPhone(campaign: number, phone: string): Lead | null {
    return this.#one('phone = ? AND campaign = ?', phone, campaign)
  }

  withExternalId(externalId: string): Lead[] {
    return this.#all('external_id = ?', externalId)
  }

  /** The first in line of a campaign that no key of these brought in: call_now leads, oldest first, then the others. */
  firstInLine(campaign: number, exceptKeys: readonly number[] = []): Lead | null {
    const others =
      exceptKeys.length === 0 ? '' : `AND (key IS NULL OR key NOT IN (${exceptKeys.map(() => '?').join(',')}))`
    const inOrder = `ORDER BY call_now DESC, line_at, turn LIMIT 1`
    return this.#one(`campaign = ? AND status = 'queued' ${others} ${inOrder}`, campaign, ...exceptKeys)
  }

  /** The numbers of those in line, the next one first. */
  line(campaign: number): number[] {
    return this.store
      .all<{ n: number }>(
        `SELECT n FROM leads WHERE tenant = ? AND campaign = ? AND status = 'queued' ORDER BY call_now DESC, line_at, turn`,
        this.tenant,
        campaign,
      )
      .map(({ n }) => n)
  }

  /** The latest ring of the number in the tenant's other campaigns. */
  lastRangElsewhere(phone: string, exceptCampaign: number): Instant | null {
    return (
      this.store.one<{ at: Instant | null }>(
        'SELECT max(last_rang) AS at FROM leads WHERE tenant = ? AND phone = ? AND campaign <> ?',
        this.tenant,
        phone,
        exceptCampaign,
      )?.at ?? null
    )
  }

  /** The moments since `since` at which calls to a lead were asked for through the API, oldest first. */
  apiStarts(lead: number, since: Instant): Instant[] {
    return this.store
      .all<{ at: Instant }>('SELECT at FROM api_starts WHERE lead = ? AND at > ? ORDER BY n', lead, since)
      .map(({ at }) => at)
  }

  addApiStart(lead: number, at: Instant): void {
    this.store.insert('api_starts', { lead, at })
  }

  /** How many of the campaign are dialed before this queued lead. */
  ahead(lead: Lead): number {
    const count = (sql: string, ...values: (string | number)[]) =>
      this.store.one<{ n: number }>(
        `SELECT count(*) AS n FROM leads WHERE tenant = ? AND campaign = ? AND status = 'queued' AND ${sql}`,
        this.tenant,
        lead.campaign,
        ...values,
      )?.n ?? 0
    const sameKind = count('call_now = ? AND (line_at, turn) < (?, ?)', lead.call_now, lead.line_at, lead.turn)
    return lead.call_now === 1 ? sameKind : sameKind + count('call_now = 1')
  }

  /** Newest first, at most `limit`, older than row number `before`. */
  page(filter: LeadFilter, before: number | null, limit: number): Lead[] {
    const where = new Filter()
      .where('tenant = ?', this.tenant)
      .oneOf('campaign', filter.campaigns)
      .where('status = ?', filter.status)
      .where('created >= ?', filter.createdFrom)
      .where('n < ?', before)
    return this.store.all<Lead>(
      `SELECT * FROM leads WHERE ${where.sql} ORDER BY n DESC LIMIT ?`,
      ...where.values,
      limit,
    )
  }

  /** All of a campaign, or of every campaign, oldest first. Nothing may be written before the last was taken. */
  each(campaign: number | null, { from, to }: Span): IterableIterator<Lead> {
    const where = new Filter()
      .where('tenant = ?', this.tenant)
      .where('campaign = ?', campaign)
      .where('created >= ?', from)
      .where('created < ?', to)
    return this.store.each<Lead>(`SELECT * FROM leads WHERE ${where.sql} ORDER BY n`, ...where.values)
  }
}
