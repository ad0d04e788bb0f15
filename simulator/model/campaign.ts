/**
 * Campaigns: an organization's calling jobs, with their lines, hours and rules. Live and test data share them (rule
 * K2).
 */
import type { CallingHours } from '../../src/contract/base/calling-hours.js'
import type { Instant } from '../kernel/instant.js'
import type { Store } from '../storage/store.js'
import type { Cache } from '../storage/caches.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

export type CampaignStatus = 'not_started' | 'running' | 'paused' | 'completed'

export interface Campaign {
  n: number
  id: string
  organization: number
  name: string
  status: CampaignStatus
  lines: number
  calling_hours: CallingHours
  any_hour: boolean
  consent_required: boolean
  call_now_default: boolean
  late_after_minutes: number
  duplicate_window_days: number
  max_attempts: number
  retire_after_failures: number
  spend_cap_usd: number | null
  spent_usd: number
  created: Instant
  updated: Instant
}

type CampaignRow = Omit<Campaign, 'calling_hours' | 'any_hour' | 'consent_required' | 'call_now_default'> & {
  calling_hours: string
  any_hour: number
  consent_required: number
  call_now_default: number
}

const readCampaign = (row: CampaignRow): Campaign => ({
  ...row,
  calling_hours: JSON.parse(row.calling_hours) as CallingHours,
  any_hour: row.any_hour === 1,
  consent_required: row.consent_required === 1,
  call_now_default: row.call_now_default === 1,
})

function writeCampaign(campaign: Partial<Campaign>): Partial<CampaignRow> {
  const { calling_hours, any_hour, consent_required, call_now_default, ...rest } = campaign
  return {
    ...rest,
    ...(calling_hours && { calling_hours: JSON.stringify(calling_hours) }),
    ...(any_hour !== undefined && { any_hour: Number(any_hour) }),
    ...(consent_required !== undefined && { consent_required: Number(consent_required) }),
    ...(call_now_default !== undefined && { call_now_default: Number(call_now_default) }),
  }
}

/**
 * The campaigns of every organization. They are few and every step reads them, so they stay in memory until one
 * changes.
 */
export class Campaigns implements Cache {
  readonly table = tables.campaigns
  readonly #known = new Map<number, Campaign>()
  /** Campaigns with spending that is not written yet. */
  readonly #spent = new Set<Campaign>()

  constructor(readonly store: Store) {
    store.register(this)
  }

  get(n: number): Campaign {
    let campaign = this.#known.get(n)
    if (!campaign) {
      const row = this.store.one<CampaignRow>(sql`SELECT * FROM ${tables.campaigns} WHERE n = ?`, n)
      if (!row) throw new Error(`no campaign with number ${n}`)
      this.#known.set(n, (campaign = readCampaign(row)))
    }
    return campaign
  }

  /** The organization's campaign with this id. */
  byId(organization: number, id: string): Campaign | null {
    const row = this.store.one<{ n: number }>(
      sql`SELECT n FROM ${tables.campaigns} WHERE id = ? AND organization = ?`,
      id.toLowerCase(),
      organization,
    )
    return row ? this.get(row.n) : null
  }

  listByOrganization(organization: number): Campaign[] {
    return this.store
      .all<{ n: number }>(sql`SELECT n FROM ${tables.campaigns} WHERE organization = ? ORDER BY n`, organization)
      .map(({ n }) => this.get(n))
  }

  has(id: string): boolean {
    return this.store.one(sql`SELECT 1 FROM ${tables.campaigns} WHERE id = ?`, id) !== undefined
  }

  count(): number {
    return this.store.one<{ n: number }>(sql`SELECT count(*) AS n FROM ${tables.campaigns}`)?.n ?? 0
  }

  add(campaign: Omit<Campaign, 'n'>): Campaign {
    return this.get(this.store.insert(tables.campaigns, writeCampaign(campaign)))
  }

  change(campaign: Campaign, changes: Partial<Omit<Campaign, 'n'>>): void {
    this.store.update(tables.campaigns, campaign.n, writeCampaign(changes))
    Object.assign(campaign, changes)
  }

  /** Sets the campaign's spending. Every call changes it, so it is written once per transaction. */
  addSpending(campaign: Campaign, spent_usd: number): void {
    campaign.spent_usd = spent_usd
    this.#spent.add(campaign)
    this.store.markDirty(this)
  }

  flush(): void {
    for (const { n, spent_usd } of this.#spent) this.store.update(tables.campaigns, n, { spent_usd })
    this.#spent.clear()
  }

  invalidate(): void {
    this.#spent.clear()
    this.#known.clear()
  }
}
