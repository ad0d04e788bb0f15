/** The API requests of each key, kept in memory and written with the next transaction, so that a read costs no write. */
import type { Instant } from '../kernel/instant.js'
import { StoreError } from '../storage/store-error.js'
import type { Store } from '../storage/store.js'
import { slotOf, UsageCounts } from './usage.js'

interface Count {
  tenant: number
  key: number
  slot: Instant
  requests: number
}

/** Whoever kills the program takes the requests since its last transaction with it; closing it writes them first. */
export class RequestCounts {
  readonly #counts = new Map<string, Count>()

  constructor(readonly store: Store) {}

  add(tenant: number, key: number, at: Instant): void {
    const slot = slotOf(at)
    const count = this.#counts.get(`${key} ${slot}`)
    if (count) count.requests++
    else this.#counts.set(`${key} ${slot}`, { tenant, key, slot, requests: 1 })
  }

  /** To be the last thing in a transaction. When that is kept `written` is to be called: until then nothing is forgotten. */
  flush(): void {
    if (this.#counts.size === 0) return
    for (const { tenant, key, slot, requests } of this.#counts.values()) {
      new UsageCounts(this.store, tenant).count(slot, { key, campaign: null }, { requests })
    }
  }

  /** Writes them by themselves. Those that the disk does not take now are written with the next transaction. */
  save(): void {
    try {
      this.store.transaction(() => this.flush())
      this.clearFlushed()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
  }

  clearFlushed(): void {
    this.#counts.clear()
  }
}
