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
  /** How often a lead came to the line, new or again. */
  arrivals: number
}

const empty: Queue = { busy: 0, queued: 0, waiting_from_api: 0, calls_ended: 0, line_ms: 0, arrivals: 0 }

export class Queues {
  readonly #known = new Map<number, Queue>()

  constructor(
    readonly store: Store,
    readonly tenant: number,
  ) {}

  of(campaign: number): Readonly<Queue> {
    let queue = this.#known.get(campaign)
    if (!queue) {
      const row = this.store.one<Queue>(
        'SELECT busy, queued, waiting_from_api, calls_ended, line_ms, arrivals FROM queues WHERE tenant = ? AND campaign = ?',
        this.tenant,
        campaign,
      )
      this.#known.set(campaign, (queue = { ...empty, ...row }))
    }
    return queue
  }

  /** To be called when rows may have gone back. */
  forget(): void {
    this.#known.clear()
  }

  /** Adds to the counts. */
  count(campaign: number, by: Partial<Queue>): void {
    const { busy, queued, waiting_from_api, calls_ended, line_ms, arrivals } = { ...empty, ...by }
    const known = this.#known.get(campaign)
    if (known) for (const [name, more] of Object.entries(by) as [keyof Queue, number][]) known[name] += more
    this.store.run(
      `INSERT INTO queues (tenant, campaign, busy, queued, waiting_from_api, calls_ended, line_ms, arrivals) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (tenant, campaign) DO UPDATE SET busy = busy + excluded.busy, queued = queued + excluded.queued,
         waiting_from_api = waiting_from_api + excluded.waiting_from_api, calls_ended = calls_ended + excluded.calls_ended,
         line_ms = line_ms + excluded.line_ms, arrivals = arrivals + excluded.arrivals`,
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

  /** The turn of a lead that comes to the line of a campaign now. */
  nextTurn(campaign: number): number {
    this.count(campaign, { arrivals: 1 })
    return this.of(campaign).arrivals
  }
}
