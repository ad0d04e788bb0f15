/** Lists of leads: pages, newest first; the first leads with a status; every lead of a campaign. */
import type { LeadStatus } from '../../src/contract/leads.js'
import type { Instant } from '../kernel/instant.js'
import { ListFilter, type TimeRange } from '../storage/list-filter.js'
import { isHoursStatus, type HoursGroups, type HoursStatus } from './queue/hours-groups.js'
import type { Lead } from './lead.js'
import type { Store } from '../storage/store.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

export interface LeadFilter {
  /** Campaign numbers; null means every campaign. */
  campaigns: readonly number[] | null
  status?: LeadStatus | undefined
  createdFrom?: Instant | undefined
}

/** A sort order of leads by age. */
interface Order {
  by: string
  compare: (a: Lead, b: Lead) => number
  /** How the number of an earlier lead in the list compares with that of a later one. */
  before: '<' | '>'
}

const newest: Order = { by: 'n DESC', compare: (a, b) => b.n - a.n, before: '>' }
const oldest: Order = { by: 'n', compare: (a, b) => a.n - b.n, before: '<' }

export class LeadLists {
  constructor(
    readonly store: Store,
    readonly tenant: number,
    readonly groups: HoursGroups,
  ) {}

  /** Leads older than row number `before`, newest first, at most `limit`. */
  page({ campaigns, status, createdFrom }: LeadFilter, before: number | null, limit: number): Lead[] {
    const where = () =>
      new ListFilter().where('tenant = ?', this.tenant).where('created >= ?', createdFrom).where('n < ?', before)
    if (status !== undefined) return this.#withStatus(status, campaigns, where, newest, limit)
    return this.#some(where().addOneOf('campaign', campaigns), newest, limit)
  }

  /** Scheduled leads that wait for nothing but their calling hours, as `page` gives leads. */
  waitingForHours(campaigns: readonly number[] | null, before: number | null, limit: number): Lead[] {
    const where = () => new ListFilter().where('tenant = ?', this.tenant).where('n < ?', before)
    return this.#withGroups([], 'scheduled', campaigns, where, newest, limit)
  }

  /**
   * Leads with a status. Leads moved by calling hours are read group by group, because no index covers their status.
   */
  #withStatus(
    status: LeadStatus,
    campaigns: readonly number[] | null,
    where: () => ListFilter,
    order: Order,
    limit: number,
  ): Lead[] {
    const others = where().addOneOf('campaign', campaigns).where('status = ?', status).add('follows_hours = 0')
    // Calling hours move every queued lead, so no other lead has this status.
    const found = status === 'queued' ? [] : this.#some(others, order, limit)
    return isHoursStatus(status) ? this.#withGroups(found, status, campaigns, where, order, limit) : found
  }

  /** The first of the leads found so far and of those with a status that calling hours move. */
  #withGroups(
    others: Lead[],
    status: HoursStatus,
    campaigns: readonly number[] | null,
    where: () => ListFilter,
    order: Order,
    limit: number,
  ): Lead[] {
    let found = others
    for (const { campaign, zone } of this.groups.forCampaign(status)) {
      if (campaigns && !campaigns.includes(campaign)) continue
      const group = where().where('campaign = ?', campaign).where('zone = ?', zone).add('follows_hours = 1')
      // Leads beyond the last one found so far cannot be among the first `limit`.
      const last = found.length < limit ? null : found[limit - 1]!.n
      group.where('status = ?', status).where(`n ${order.before} ?`, last)
      found = [...found, ...this.#some(group, order, limit)].sort(order.compare).slice(0, limit)
    }
    return found
  }

  #some(where: ListFilter, { by }: Order, limit: number): Lead[] {
    return this.store.all<Lead>(
      sql`SELECT * FROM ${tables.leads} WHERE ${where.sql} ORDER BY ${by} LIMIT ?`,
      ...where.values,
      limit,
    )
  }

  /** The first leads with a status. Queued leads come by campaign in dialing order, others by age. */
  first(status: LeadStatus, limit: number): Lead[] {
    if (status !== 'queued')
      return this.#withStatus(status, null, () => new ListFilter().where('tenant = ?', this.tenant), oldest, limit)
    const query = sql`SELECT * FROM ${tables.leads} WHERE tenant = ? AND status = 'queued' ORDER BY campaign, call_now DESC, line_at, arrival LIMIT ?`
    return this.store.all<Lead>(query, this.tenant, limit)
  }

  /** Leads of one campaign, or of every campaign, oldest first. Write nothing until the iterator ends. */
  each(campaign: number | null, span: TimeRange): IterableIterator<Lead> {
    const where = new ListFilter()
      .where('tenant = ?', this.tenant)
      .where('campaign = ?', campaign)
      .addTimeRange('created', span)
    return this.store.each<Lead>(sql`SELECT * FROM ${tables.leads} WHERE ${where.sql} ORDER BY n`, ...where.values)
  }
}
