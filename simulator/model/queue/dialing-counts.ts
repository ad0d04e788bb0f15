/** Counters of each campaign in one tenant. Finding a free line or a queue position counts no rows. */
import type { Store } from '../../storage/store.js'
import type { Cache } from '../../storage/caches.js'
import { sql } from '../../storage/sql.js'
import { tables } from '../../storage/tables.js'

export interface CampaignCounts {
  /** Lines with a call. */
  busy: number
  /** Leads that are due now. */
  queued: number
  /** API leads that wait: queued, scheduled or held (rule A4). */
  waiting_from_api: number
  /** Calls so far, and how long they used their lines in total. */
  calls_ended: number
  line_ms: number
  /** How many times a lead entered the queue. */
  arrivals: number
}

const empty: CampaignCounts = { busy: 0, queued: 0, waiting_from_api: 0, calls_ended: 0, line_ms: 0, arrivals: 0 }

export class DialingCounts implements Cache {
  readonly table = tables.queues
  readonly #known = new Map<number, CampaignCounts>()
  /** Campaigns with counts that are not written yet. */
  readonly #changed = new Set<number>()

  constructor(
    readonly store: Store,
    readonly tenant: number,
  ) {
    store.register(this)
  }

  of(campaign: number): Readonly<CampaignCounts> {
    return this.#of(campaign)
  }

  #of(campaign: number): CampaignCounts {
    let queue = this.#known.get(campaign)
    if (!queue) {
      const row = this.store.one<CampaignCounts>(
        sql`SELECT busy, queued, waiting_from_api, calls_ended, line_ms, arrivals FROM ${tables.queues} WHERE tenant = ? AND campaign = ?`,
        this.tenant,
        campaign,
      )
      this.#known.set(campaign, (queue = { ...empty, ...row }))
    }
    return queue
  }

  invalidate(): void {
    this.#known.clear()
    this.#changed.clear()
  }

  /** Adds to the counters of a campaign. */
  count(campaign: number, by: Partial<CampaignCounts>): void {
    const queue = this.#of(campaign)
    for (const name in by) queue[name as keyof CampaignCounts] += by[name as keyof CampaignCounts] ?? 0
    this.#changed.add(campaign)
    this.store.markDirty(this)
  }

  flush(): void {
    for (const campaign of this.#changed) {
      const { busy, queued, waiting_from_api, calls_ended, line_ms, arrivals } = this.#of(campaign)
      this.store.run(
        sql`INSERT OR REPLACE INTO ${tables.queues} (tenant, campaign, busy, queued, waiting_from_api, calls_ended, line_ms, arrivals)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        this.tenant,
        campaign,
        busy,
        queued,
        waiting_from_api,
        calls_ended,
        line_ms,
        arrivals,
      )
    }
    this.#changed.clear()
  }

  /** Returns the arrival number of a lead that enters the campaign's queue now. */
  nextArrival(campaign: number): number {
    this.count(campaign, { arrivals: 1 })
    return this.of(campaign).arrivals
  }
}
