/**
 * Usage counts for billing, per tenant, five-minute slot, key and campaign. Totals never scan calls or leads (rule X4).
 */
import { usageRefreshMinutes } from '../../src/contract/limits.js'
import { instant, minutes, type Instant } from '../kernel/instant.js'
import { ListFilter } from '../storage/list-filter.js'
import type { Store } from '../storage/store.js'
import type { Cache } from '../storage/caches.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

export interface Usage {
  requests: number
  leads_added: number
  calls: number
  calls_connected: number
  minutes: number
}

/** The key and the campaign that the usage belongs to; null for none. */
export interface UsageOwner {
  key: number | null
  campaign: number | null
}

export interface UsageFilter {
  from: Instant
  to: Instant
  /** Null means everything. Otherwise: these campaigns, and what this key did outside of any campaign. */
  within: { campaigns: readonly number[]; key: number } | null
}

const nothing: Usage = { requests: 0, leads_added: 0, calls: 0, calls_connected: 0, minutes: 0 }
const sums = Object.keys(nothing)
  .map((name) => `coalesce(sum(${name}), 0) AS ${name}`)
  .join(', ')
const slotMs = minutes(usageRefreshMinutes)

/** Stored instead of null, which a primary key cannot hold. Row numbers start at 1. */
const none = 0

/** Start of the five-minute slot that contains a moment. Every day starts with a new slot in every time zone. */
export const slotOf = (at: Instant): Instant => instant(Math.floor(at / slotMs) * slotMs)

/** Counts that are not written yet. */
interface Entry {
  slot: Instant
  key: number
  campaign: number
  by: Usage
}

export class UsageCounts implements Cache {
  readonly table = tables.usage
  readonly #entries = new Map<string, Entry>()

  constructor(
    readonly store: Store,
    readonly tenant: number,
  ) {
    store.register(this)
  }

  /** Adds to the counts of a slot. */
  count(at: Instant, owner: UsageOwner, by: Partial<Usage>): void {
    const [slot, key, campaign] = [slotOf(at), owner.key ?? none, owner.campaign ?? none]
    const name = `${slot} ${key} ${campaign}`
    let entry = this.#entries.get(name)
    if (!entry) this.#entries.set(name, (entry = { slot, key, campaign, by: { ...nothing } }))
    for (const count in by) entry.by[count as keyof Usage] += by[count as keyof Usage] ?? 0
    this.store.markDirty(this)
  }

  flush(): void {
    for (const { slot, key, campaign, by } of this.#entries.values()) {
      this.store.run(
        sql`INSERT INTO ${tables.usage} (tenant, slot, key, campaign, requests, leads_added, calls, calls_connected, minutes)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (tenant, slot, key, campaign) DO UPDATE SET requests = requests + excluded.requests,
           leads_added = leads_added + excluded.leads_added, calls = calls + excluded.calls,
           calls_connected = calls_connected + excluded.calls_connected, minutes = minutes + excluded.minutes`,
        this.tenant,
        slot,
        key,
        campaign,
        by.requests,
        by.leads_added,
        by.calls,
        by.calls_connected,
        by.minutes,
      )
    }
    this.#entries.clear()
  }

  invalidate(): void {
    this.#entries.clear()
  }

  total(filter: UsageFilter): Usage {
    const where = this.#where(filter)
    return (
      this.store.one<Usage>(sql`SELECT ${sums} FROM ${tables.usage} WHERE ${where.sql}`, ...where.values) ?? nothing
    )
  }

  /** The counts of each slot in a time range, oldest first. */
  bySlot(from: Instant, to: Instant): (Usage & { slot: Instant })[] {
    const query = sql`SELECT slot, ${sums} FROM ${tables.usage} WHERE tenant = ? AND slot >= ? AND slot < ? GROUP BY slot ORDER BY slot`
    return this.store.all<Usage & { slot: Instant }>(query, this.tenant, from, to)
  }

  /** The first slot with any count. */
  first(filter: UsageFilter): Instant | null {
    const where = this.#where(filter)
    return (
      this.store.one<{ slot: Instant | null }>(
        sql`SELECT min(slot) AS slot FROM ${tables.usage} WHERE ${where.sql}`,
        ...where.values,
      )?.slot ?? null
    )
  }

  /** The counts of each key or campaign by row number; null for usage that belongs to none. */
  by(column: 'key' | 'campaign', filter: UsageFilter): (Usage & { n: number | null })[] {
    const where = this.#where(filter)
    return this.store
      .all<Usage & { n: number }>(
        sql`SELECT ${column} AS n, ${sums} FROM ${tables.usage} WHERE ${where.sql} GROUP BY ${column} ORDER BY ${column}`,
        ...where.values,
      )
      .map((row) => ({ ...row, n: row.n === none ? null : row.n }))
  }

  #where({ from, to, within }: UsageFilter): ListFilter {
    const where = new ListFilter().where('tenant = ?', this.tenant).where('slot >= ?', from).where('slot < ?', to)
    if (!within) return where
    const { campaigns, key } = within
    const inScope = campaigns.length === 0 ? '0' : `campaign IN (${campaigns.join(',')})`
    return where.where(`(${inScope} OR (campaign = ${none} AND key = ?))`, key)
  }
}
