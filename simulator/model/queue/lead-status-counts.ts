/**
 * Counts the leads of one tenant by status, for metrics. Leads that follow the calling hours are counted by `HoursGroups`.
 * The others are read once through their index and then kept in memory, so that a scrape reads no rows.
 */
import type { LeadStatus } from '../../../src/contract/leads.js'
import { leadStatuses } from '../../../src/contract/enums.js'
import type { Store } from '../../storage/store.js'
import type { HoursGroups } from './hours-groups.js'
import type { Cache } from '../../storage/caches.js'
import { sql } from '../../storage/sql.js'
import { tables } from '../../storage/tables.js'

interface Counted {
  status: LeadStatus
  follows_hours: 0 | 1
}

export class LeadStatusCounts implements Cache {
  readonly table = tables.leads
  /** Null until it is asked for, and after rows changed by other ways. */
  #known: Map<LeadStatus, number> | null = null

  constructor(
    readonly store: Store,
    readonly tenant: number,
    readonly groups: HoursGroups,
  ) {
    store.register(this)
  }

  /** Counts a lead that was added or changed. Does nothing as long as no count was read. */
  count({ status, follows_hours }: Counted, by: 1 | -1): void {
    if (this.#known !== null && follows_hours === 0) this.#known.set(status, (this.#known.get(status) ?? 0) + by)
  }

  /** The number of leads with each status. */
  all(): Map<LeadStatus, number> {
    const others = (this.#known ??= this.#read())
    const counts = new Map(leadStatuses.map((status) => [status, others.get(status) ?? 0]))
    for (const status of ['queued', 'scheduled'] as const) {
      const moved = this.groups.forCampaign(status).reduce((sum, group) => sum + group[status], 0)
      counts.set(status, (counts.get(status) ?? 0) + moved)
    }
    return counts
  }

  invalidate(): void {
    this.#known = null
  }

  #read(): Map<LeadStatus, number> {
    const query = sql`SELECT status, count(*) AS n FROM ${tables.leads} WHERE tenant = ? AND follows_hours = 0 GROUP BY status`
    return new Map(
      this.store.all<{ status: LeadStatus; n: number }>(query, this.tenant).map(({ status, n }) => [status, n]),
    )
  }
}
