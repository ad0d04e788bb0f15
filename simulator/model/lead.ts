/** A lead as it is stored, and the only way to reach the leads of one tenant. */
import type { HeldReason, LeadStatus, ScheduledReason } from '../../src/contract/leads.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'
import type { Instant } from '../kernel/instant.js'
import { HoursGroups } from './hours-groups.js'
import { QueueHead } from '../storage/queue-head.js'
import { RowCache } from '../storage/row-cache.js'
import type { Store, Value } from '../storage/store.js'
import type { IdsOfKind } from '../kernel/ids.js'

/** A truth as the store holds it. */
export type Flag = 0 | 1

/** What a lead waits for beside the hours that it shares with others. */
export type OwnReason = Exclude<ScheduledReason, 'outside_calling_hours'>

export interface Lead {
  n: number
  tenant: number
  campaign: number
  phone: string
  /** The time zones of the number, as `zoneKey` writes them. */
  zone: string
  external_id: string | null
  name: string | null
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
  /** When it came into line: the place of an ordinary lead. */
  due: Instant
  /** When it became call_now; the oldest is called first. */
  arrived: Instant
  /** Its number among the arrivals of its campaign: whoever came later at the same moment is behind. */
  turn: number
  late: Flag
  scheduled_for: Instant | null
  /** Null too while it waits for the hours alone, as most do at night: their rows are written again twice a day. */
  scheduled_reason: OwnReason | null
  held_reason: HeldReason | null
  /** Its own waiting time apart from hours and cooldown, and why. */
  not_before: Instant | null
  not_before_reason: OwnReason | null
  callback_at: Instant | null
  attempts: number
  last_outcome: Outcome | null
  last_outcome_label: string | null
  /** The key id whose request started the call it waits for; null: the dialer's own call. */
  api_key: string | null
  /** The latest call it had when it last came back to the queue. */
  call_before: number | null
  /** A person took it out of the dialing queue. */
  taken_out: Flag
  /** It waits in line, or for the hours alone: it moves with the others of its zones when those open and close. */
  by_hours: Flag
  /** No other lead has had its number since it was added, and no call with it was any but its own. */
  alone: Flag
}

/** What a lead is added with: the rest follows from it. */
export type NewLead = Omit<Lead, 'n' | 'tenant' | 'by_hours' | 'alone'>

/**
 * What else is known of a lead: shown with it, and nothing that its calls go by. It has a table of its own, so that the
 * row that is written again whenever a lead moves is a short one.
 */
export interface LeadDetails {
  /** The lead's. */
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

/** Before every moment. */
const earliest = Number.MIN_SAFE_INTEGER

/** Where a lead stands in its campaign's line: who is called before whom. */
type QueuePosition = Pick<Lead, 'n' | 'call_now' | 'line_at' | 'turn'>

const positionOf = ({ n, call_now, line_at, turn }: Lead): QueuePosition => ({ n, call_now, line_at, turn })
const comparePositions = (a: QueuePosition, b: QueuePosition): number =>
  b.call_now - a.call_now || a.line_at - b.line_at || a.turn - b.turn
const samePosition = (lead: Lead, { call_now, line_at, turn }: QueuePosition): boolean =>
  lead.status === 'queued' && lead.call_now === call_now && lead.line_at === line_at && lead.turn === turn

const movesByHours = ({ status, scheduled_reason }: Pick<Lead, 'status' | 'scheduled_reason'>): Flag =>
  status === 'queued' || (status === 'scheduled' && scheduled_reason === null) ? 1 : 0

/** Why a lead is scheduled; null while it is not. */
export const scheduledReason = ({ status, scheduled_reason }: Lead): ScheduledReason | null =>
  status === 'scheduled' ? (scheduled_reason ?? 'outside_calling_hours') : null

export class Leads {
  readonly #rows: RowCache<Lead>
  readonly #details: RowCache<LeadDetails>
  readonly groups: HoursGroups
  /** The lines of the campaigns that dial. */
  readonly #lines = new Map<number, QueueHead<QueuePosition>>()
  /** The number that was looked up last, and the leads that have it: it is asked for several times running. */
  #asked: { phone: string; numbers: number[] } | null = null

  constructor(
    readonly store: Store,
    readonly tenant: number,
    readonly ids: IdsOfKind,
  ) {
    this.#rows = new RowCache(store, 'leads', tenant)
    this.#details = new RowCache(store, 'lead_details', tenant)
    this.groups = new HoursGroups(store, tenant)
  }

  id(n: number): string {
    return this.ids.uuid(n)
  }

  number(id: string): number | null {
    return this.ids.number(id)
  }

  get(n: number): Lead {
    const lead = this.find(n)
    if (!lead) throw new Error(`there is no lead number ${n} of tenant ${this.tenant}`)
    return lead
  }

  find(n: number): Lead | null {
    return this.#rows.get(n)
  }

  details({ n }: Lead): LeadDetails {
    const details = this.#details.get(n)
    if (!details) throw new Error(`there are no details of lead number ${n} of tenant ${this.tenant}`)
    return details
  }

  byId(id: string): Lead | null {
    const n = this.number(id)
    return n === null ? null : this.find(n)
  }

  #one(condition: string, ...values: Value[]): Lead | null {
    const row = this.store.one<Lead>(`SELECT * FROM leads WHERE tenant = ? AND ${condition}`, this.tenant, ...values)
    return row ? this.#rows.keep(row) : null
  }

  #all(condition: string, ...values: Value[]): Lead[] {
    const sql = `SELECT * FROM leads WHERE tenant = ? AND ${condition} ORDER BY n`
    return this.store.all<Lead>(sql, this.tenant, ...values).map((row) => this.#rows.keep(row))
  }

  /** To be called when rows may have changed otherwise. */
  invalidate(): void {
    this.#details.invalidate()
    this.groups.invalidate()
    this.invalidateStatuses()
  }

  /** The same where nobody's details have changed. */
  invalidateStatuses(): void {
    this.#rows.invalidate()
    this.#lines.clear()
    this.#asked = null
  }

  add(lead: NewLead, details: Omit<LeadDetails, 'n' | 'tenant'>): Lead {
    const alone = this.#isNew(lead.phone)
    this.#asked = null
    const added = this.#rows.add(lead, { by_hours: movesByHours(lead), alone })
    this.#details.addLater(details, added.n)
    this.groups.count(added, 1)
    if (added.status === 'queued') this.#lines.get(added.campaign)?.add(positionOf(added))
    return added
  }

  /** Changes with all of them in turn: the later ones win. */
  change(lead: Lead, ...changes: Partial<Lead>[]): void {
    const before = lead.status === 'queued' ? positionOf(lead) : null
    const { phone } = lead
    this.groups.count(lead, -1)
    this.#rows.change(lead, ...changes)
    const by_hours = movesByHours(lead)
    if (lead.by_hours !== by_hours) this.#rows.change(lead, { by_hours })
    this.groups.count(lead, 1)
    if (lead.phone !== phone) {
      this.#rows.flush()
      this.#asked = null
      this.markPhoneShared(lead.phone)
    }
    if (lead.status === 'queued' && !(before && samePosition(lead, before)))
      this.#lines.get(lead.campaign)?.add(positionOf(lead))
  }

  changeDetails(lead: Lead, changes: Partial<LeadDetails>): void {
    this.#details.change(this.details(lead), changes)
  }

  /** Whether nobody has or had the number; the leads that have it are not alone with it any more. */
  #isNew(phone: string): Flag {
    if (this.markPhoneShared(phone) > 0) return 0
    const sql = 'SELECT 1 FROM calls WHERE tenant = ? AND phone = ? LIMIT 1'
    return this.store.one(sql, this.tenant, phone) === undefined ? 1 : 0
  }

  /** Somebody else comes to have the number, or calls from it; the answer is how many leads have it. */
  markPhoneShared(phone: string): number {
    const all = this.listByPhone(phone)
    for (const lead of all) this.#rows.change(lead, { alone: 0 })
    return all.length
  }

  listByPhone(phone: string): Lead[] {
    return this.#numbersWithPhone(phone).map((n) => this.get(n))
  }

  /** Those with the number beside the lead itself: mostly none. */
  listOthersByPhone(phone: string, except: number | null): Lead[] {
    const numbers = this.#numbersWithPhone(phone)
    return numbers.filter((n) => n !== except).map((n) => this.get(n))
  }

  #numbersWithPhone(phone: string): readonly number[] {
    if (this.#asked?.phone !== phone) {
      // A lead's number is written at once.
      const sql = 'SELECT n FROM leads WHERE tenant = ? AND phone = ? ORDER BY n'
      const numbers = this.store.stored<{ n: number }>(sql, this.tenant, phone).map(({ n }) => n)
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

  /** The first in line of a campaign that no key of these brought in: call_now leads, oldest first, then the others. */
  firstInQueue(campaign: number, exceptKeys: readonly number[] = []): Lead | null {
    if (exceptKeys.length > 0) return this.#firstOfOthers(campaign, exceptKeys)
    let listQueue = this.#lines.get(campaign)
    if (!listQueue) {
      const source = {
        stored: (after: QueuePosition | undefined, limit: number) => this.#places(campaign, after, limit),
        owed: (isMeant: (place: QueuePosition) => boolean) => this.#placesOwed(campaign, isMeant),
      }
      this.#lines.set(
        campaign,
        (listQueue = new QueueHead(comparePositions, source, (place) => samePosition(this.get(place.n), place))),
      )
    }
    const first = listQueue.first()
    return first && this.get(first.n)
  }

  /** The leads themselves are read with their places: they are called soon. */
  #places(campaign: number, after: QueuePosition | undefined, limit: number): QueuePosition[] {
    const { call_now, line_at, turn } = after ?? { call_now: 1, line_at: earliest, turn: 0 }
    const places = this.#placesOfKind(campaign, call_now, line_at, turn, limit)
    if (call_now === 0 || places.length === limit) return places
    return [...places, ...this.#placesOfKind(campaign, 0, earliest, 0, limit - places.length)]
  }

  #placesOfKind(
    campaign: number,
    ...after: [call_now: number, line_at: number, turn: number, limit: number]
  ): QueuePosition[] {
    const sql = `SELECT * FROM leads WHERE tenant = ? AND campaign = ? AND status = 'queued'
      AND call_now = ? AND (line_at, turn) > (?, ?) ORDER BY line_at, turn LIMIT ?`
    return this.store.stored<Lead>(sql, this.tenant, campaign, ...after).map((row) => {
      this.#rows.keep(row)
      return positionOf(row)
    })
  }

  *#placesOwed(campaign: number, isMeant: (place: QueuePosition) => boolean): Iterable<QueuePosition> {
    for (const lead of this.#rows.owed)
      if (lead.status === 'queued' && lead.campaign === campaign && isMeant(lead)) yield positionOf(lead)
  }

  #firstOfOthers(campaign: number, keys: readonly number[]): Lead | null {
    const others = `(key IS NULL OR key NOT IN (${keys.map(() => '?').join(',')}))`
    const inOrder = `ORDER BY call_now DESC, line_at, turn LIMIT 1`
    return this.#one(`campaign = ? AND status = 'queued' AND ${others} ${inOrder}`, campaign, ...keys)
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

  /** The moments since `since` at which calls to a lead were asked for through the API, oldest first. */
  listApiStarts(lead: number, since: Instant): Instant[] {
    return this.store
      .all<{ at: Instant }>('SELECT at FROM api_starts WHERE lead = ? AND at > ? ORDER BY n', lead, since)
      .map(({ at }) => at)
  }

  addApiStart(lead: number, at: Instant): void {
    this.store.insert('api_starts', { lead, at })
  }

  /** How many of the campaign are dialed before this queued lead. */
  countAhead(lead: Lead): number {
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
}
