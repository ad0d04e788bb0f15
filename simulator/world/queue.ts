/** What is counted of a campaign's dialing in one tenant, so that no line and no place is found by counting rows. */
import type { Store } from './store.js'

export interface Queue {
  /** Lines with a call on them. */
  busy: number
  /** Leads due now. */
  queued: number
  /** Leads that came through the API and wait: queued, scheduled or held. */
  waiting_from_api: number
  /** Calls so far, and how long they held their lines. */
  calls_ended: number
  line_ms: number
}

const empty: Queue = { busy: 0, queued: 0, waiting_from_api: 0, calls_ended: 0, line_ms: 0 }

export class Queues {
  constructor(
    readonly store: Store,
    readonly tenant: number,
  ) {}

  of(campaign: number): Queue {
    return (
      this.store.one<Queue>(
        'SELECT busy, queued, waiting_from_api, calls_ended, line_ms FROM queues WHERE tenant = ? AND campaign = ?',
        this.tenant,
        campaign,
      ) ?? empty
    )
  }

  /** Adds to the counts. */
  count(campaign: number, by: Partial<Queue>): void {
    const { busy, queued, waiting_from_api, calls_ended, line_ms } = { ...empty, ...by }
    this.store.run(
      `INSERT INTO queues (tenant, campaign, busy, queued, waiting_from_api, calls_ended, line_ms) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (tenant, campaign) DO UPDATE SET busy = busy + excluded.busy, queued = queued + excluded.queued,
         waiting_from_api = waiting_from_api + excluded.waiting_from_api, calls_ended = calls_ended + excluded.calls_ended,
         line_ms = line_ms + excluded.line_ms`,
      this.tenant,
      campaign,
      busy,
      queued,
      waiting_from_api,
      calls_ended,
      line_ms,
    )
  }
}
